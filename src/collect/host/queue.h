/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times transfers that a device takes from its queues, one at a time or as many
 * as the queues hold. A backend says how a transfer begins and ends; the loops
 * own passes, the state of the caches, stops of the process, and limits.
 */
#ifndef PCB_COLLECT_HOST_QUEUE_H
#define PCB_COLLECT_HOST_QUEUE_H

#include "collect/host/clock.h"
#include "collect/host/memory.h"

/*
 * The functions of a backend. A transfer under way has a slot, a number below
 * `slots`. submit, take and look return false after fail().
 */
struct queue_type {
	/* Prepares a transfer of a unit of the buffer; not timed. */
	void (*put)(struct session *s, uint32_t slot, uint64_t unit);

	/* Begins all transfers that were put, one at least. */
	bool (*submit)(struct session *s);

	/* Whether a transfer has ended or failed: then take follows. */
	bool (*is_done)(struct session *s);

	/* Checks that transfer, and frees its slot; not timed. */
	bool (*take)(struct session *s, uint32_t *slot);

	/*
	 * Fails if the device is gone, or `ns` without the end of a transfer
	 * are too long. Called about once a millisecond of a wait. A stop of
	 * the process just before is not part of ns. NULL: none ever is.
	 */
	bool (*look)(struct session *s, uint64_t ns);

	/*
	 * Picoseconds of the transfer taken last, which took `ticks` of the
	 * processor's counter. NULL: by that counter.
	 */
	uint64_t (*ps)(struct session *s, uint64_t ticks);

	bool sleeps; /* submit and is_done may, for up to a transfer */
};

/* Zero-initialise. */
struct queue {
	/* The backend sets these. */
	const struct queue_type *type;
	struct dma_buffer *buffer;
	struct dma_buffer *second; /* its caches are set as well; or NULL */
	const struct clock *clock;
	uint32_t slots; /* transfers under way at a time; a latency has one */
	uint32_t batch; /* most transfers of a submit */

	struct stops stops; /* for stops_warn; in totals benches */

	/* Private. */
	uint64_t begun, done;
	uint32_t ready; /* transfers put and not submitted */
};

/* For the backend's run: by its bench, each transfer or their total. */
bool queue_run(struct session *s, struct queue *q, uint64_t want);

/* Submits a transfer that was put alone, waits for it and takes it. */
bool queue_finish(struct session *s, struct queue *q);

/*
 * Proves that a transfer to the buffer's first unit writes all of it, because a
 * byte that keeps two different fill values was not written: *missed is the
 * first such byte of the point, or its size. False after fail().
 */
bool queue_prove(struct session *s, struct queue *q, uint64_t *missed);

#endif
