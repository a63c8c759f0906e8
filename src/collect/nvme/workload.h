/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The timed part of the backend nvme. */
#ifndef PCB_COLLECT_NVME_WORKLOAD_H
#define PCB_COLLECT_NVME_WORKLOAD_H

#include "collect/nvme/controller.h"

/* So that a list of pages fills one page at most, Base Specification 4.1.1. */
#define NVME_TRANSFER_MAX ((UINT64_C(1) << 21) - NVME_PAGE)

/* The state of the backend. */
struct nvme_work {
	struct vfio_engine engine;
	struct nvme nvme;
	uint32_t nsid, pairs, depth;
	bool logs; /* Get Log Page, by the admin queue */
	uint8_t opcode;
	uint64_t first, last, next; /* blocks; of the next command */
	uint32_t blocks;            /* of a command */
	struct memory prp_lists;    /* of pages, one for each unit */
	uint64_t prp_list_size;     /* 0: transfers touch two pages at most */
	uint64_t submitted, done;
	uint64_t stopped_ns; /* while a bandwidth was measured */
};

/*
 * Prepares what each unit needs where it is in more than two pages. After
 * dma_prepare; false after fail(). Release with nvme_free_prp_lists.
 */
bool nvme_make_prp_lists(struct session *s, struct nvme_work *work);
void nvme_free_prp_lists(struct nvme_work *work);

/*
 * Whether every byte of a transfer is written to memory: a device is not told
 * if what it wrote has got nowhere. By reading, also where the point is to
 * write. False after fail().
 */
bool nvme_prove(struct session *s, struct nvme_work *work);

/* One command after the other, each timed from doorbell to completion. */
bool nvme_time_each(struct session *s, uint64_t want);

/*
 * `want` commands on all pairs, timed together, but for setting the cache.
 * Adds to stopped_ns the time that this process was stopped for, from a second.
 */
bool nvme_time_many(struct session *s, uint64_t want);

#endif
