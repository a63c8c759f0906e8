/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The timed part of the backend nvme. */
#ifndef PCB_COLLECT_NVME_WORKLOAD_H
#define PCB_COLLECT_NVME_WORKLOAD_H

#include "collect/host/clock.h"
#include "collect/nvme/controller.h"

/* Limits a PRP list to one page, Base Specification 4.1.1. */
#define NVME_TRANSFER_MAX ((UINT64_C(1) << 21) - NVME_PAGE)

/* The state of the backend. */
struct nvme_work {
	struct vfio_engine engine;
	struct nvme nvme;
	uint32_t nsid, pairs, depth;
	bool logs; /* Get Log Page on the admin queue */
	uint8_t opcode;
	uint64_t first, last, next; /* blocks; of the next command */
	uint32_t blocks;            /* per command */
	struct memory prp_lists;    /* one list per unit */
	uint64_t prp_list_size;     /* 0: two pages suffice, without lists */
	uint64_t submitted, done;
	struct stops stops; /* in bandwidth measurements */
};

/*
 * Makes PRP lists for units that touch more than two pages. Call after
 * vfio_engine_prepare; false after fail(). Release with nvme_free_prp_lists.
 */
bool nvme_make_prp_lists(struct session *s, struct nvme_work *work);
void nvme_free_prp_lists(struct nvme_work *work);

/*
 * Checks that every byte of a transfer reaches memory, because a device does
 * not learn that its writes are lost. Uses a read command even if the bench
 * writes. False after fail().
 */
bool nvme_prove(struct session *s, struct nvme_work *work);

/* Runs one command at a time, timed from doorbell to completion. */
bool nvme_time_each(struct session *s, uint64_t want);

/*
 * Runs `want` commands on all pairs, timed together except for setting the
 * cache.
 */
bool nvme_time_many(struct session *s, uint64_t want);

#endif
