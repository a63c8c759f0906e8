/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the simulated transactions of a point go: units of its window, in an
 * order. A shuffled pass takes no memory, for a window may have 1 TiB. It is
 * not for real devices (order.h is): many a key has most units follow one
 * another at equal distances, which a prefetcher would learn; there is none
 * here.
 */
#ifndef PCB_COLLECT_SIM_ADDRESSES_H
#define PCB_COLLECT_SIM_ADDRESSES_H

#include "collect/core/point.h"

struct sim_order {
	uint64_t unit, units; /* bytes of each, how many */
	uint64_t offset;
	uint64_t next;     /* in this pass */
	bool random, once; /* each unit once a pass */
	uint64_t mask, key[2];
	unsigned shift;
};

/* Of a point whose window holds a unit, from the start. */
void sim_order_make(struct sim_order *order, const struct point *point);

/*
 * The next address: units one after the other, or each drawn by itself; where
 * each is to be touched once a pass, a shuffled pass. Sets *again at the
 * start of a pass.
 */
uint64_t sim_order_next(struct sim_order *order, uint64_t *random, bool *again);

#endif
