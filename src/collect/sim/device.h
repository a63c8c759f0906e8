/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The device: its engine or commands, and what of them is timed. */
#ifndef PCB_COLLECT_SIM_DEVICE_H
#define PCB_COLLECT_SIM_DEVICE_H

#include "collect/sim/addresses.h"
#include "common/sim/host.h"
#include "common/sim/link.h"

/* A read request in flight. */
struct sim_flight {
	uint64_t ready; /* when its data leave the root complex */
	struct sim_read read;
	size_t worker;
};

/* One that starts a transfer, waits for its end, and starts the next. */
struct sim_worker {
	uint64_t free;   /* when it is ready for the next one */
	uint64_t landed; /* when the data of this one were put away */
	uint64_t left;   /* requests without an answer */
};

struct sim_device {
	struct sim_params params;
	const uint64_t *number; /* those of the parameters */
	struct sim_link link;
	struct sim_host host;
	struct sim_order order;
	uint64_t random;
	uint64_t buffer;     /* bytes of it */
	uint64_t size;       /* of a transfer */
	uint64_t phase;      /* of the clock, in its tick */
	uint64_t stall_odds; /* of a million: any stall */

	/* Of latency benches: when the last requests were answered, a ring. */
	uint64_t *answered;

	/* Of bandwidth benches. */
	struct sim_flight *flight; /* a heap, the first to be ready on top */
	size_t flights;
	struct sim_worker *worker;
	size_t next_worker;
	uint64_t reader, writer; /* until when the engine is busy with each */
	uint64_t turn;           /* what a read keeps a write from the link */
	uint64_t end;            /* of all so far */
};

/* Makes what the parameters say; `busy`: the link carries many transfers. */
void sim_device_make(struct sim_device *device, uint64_t seed, bool busy);
void sim_device_free(struct sim_device *device);

/* Gets ready for a point, which has been checked. */
void sim_device_prepare(struct sim_device *device, const struct point *point,
                        bool remote);

/* The address of the next transfer of the point. */
uint64_t sim_device_next(struct sim_device *device);

/*
 * One transfer with nothing else under way, a read or a write and the read
 * behind it: its latency as the clock of the device shows it.
 */
uint64_t sim_device_latency(struct sim_device *device, bool write_first);

/*
 * From sim_device_begin on, each call starts a transfer as soon as the ones
 * before let it; sim_device_end gives the time it took until all were done.
 */
void sim_device_begin(struct sim_device *device, bool both_ways);
void sim_device_read(struct sim_device *device);
void sim_device_write(struct sim_device *device);
uint64_t sim_device_end(struct sim_device *device);

#endif
