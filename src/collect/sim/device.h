/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulated device: its engine or commands, and their timing. */
#ifndef PCB_COLLECT_SIM_DEVICE_H
#define PCB_COLLECT_SIM_DEVICE_H

#include "collect/core/point.h"
#include "common/sim/host.h"
#include "common/sim/link.h"

/*
 * The addresses of the transfers of a point: units of its window, in some
 * order. A shuffled pass takes no memory, since a window may have 1 TiB. Real
 * devices need struct order: with many keys most units here follow one another
 * at equal distances, which a prefetcher would learn.
 */
struct sim_order {
	uint64_t unit, units; /* bytes of each, number */
	uint64_t offset;
	uint64_t next;     /* position in this pass */
	bool random, once; /* once: each unit once per pass */
	uint64_t mask, key[2];
	unsigned shift;
};

/* Starts for a point whose window holds a unit. */
void sim_order_make(struct sim_order *order, const struct point *point);

/*
 * The next address: sequential, random, or, if each unit is used once per pass,
 * shuffled. Sets *again at the start of a pass.
 */
uint64_t sim_order_next(struct sim_order *order, uint64_t *random, bool *again);

/* A read request in flight. */
struct sim_flight {
	uint64_t ready; /* when its data leave the root complex */
	struct sim_read read;
	size_t worker;
};

/* A worker starts a transfer, waits for its end, and starts the next. */
struct sim_worker {
	uint64_t free;   /* when it can start the next one */
	uint64_t landed; /* when the data of this one were stored */
	uint64_t left;   /* unanswered requests */
};

struct sim_device {
	struct sim_params params;
	const uint64_t *number; /* of the parameters */
	struct sim_link link;
	struct sim_host host;
	struct sim_order order;
	uint64_t random;
	uint64_t buffer; /* bytes */
	uint64_t size;   /* of a transfer, bytes */
	uint64_t phase;  /* of the clock, within its tick */
	uint64_t wake;   /* time to wake after the silence of the point */

	/* For latency benches: a ring of the times of the last answers. */
	uint64_t *answered;

	/* For bandwidth benches. */
	struct sim_flight *flight; /* min-heap by completion time */
	size_t flights;
	struct sim_worker *worker;
	size_t next_worker;
	uint64_t reader, writer; /* the engine is busy with each until then */
	uint64_t turn;           /* time for which a read delays a write */
	uint64_t end;            /* end of all transfers so far */
};

/* Makes a device from its parameters; `busy`: with many transfers in flight. */
void sim_device_make(struct sim_device *device, uint64_t seed, bool busy);
void sim_device_free(struct sim_device *device);

/* Prepares a point, which has passed its checks. */
void sim_device_prepare(struct sim_device *device, const struct point *point,
                        bool remote);

/*
 * A single transfer, a read or a write followed by a read: its latency in ps,
 * as the device's clock shows it.
 */
uint64_t sim_device_latency(struct sim_device *device, bool write_first);

/*
 * After sim_device_begin, each call starts a transfer as soon as earlier ones
 * let it; sim_device_end returns the time, in ps, until all are done.
 */
void sim_device_begin(struct sim_device *device, bool both_ways);
void sim_device_read(struct sim_device *device);
void sim_device_write(struct sim_device *device);
uint64_t sim_device_end(struct sim_device *device);

#endif
