/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The addresses of the simulated transactions of a point: units of its window,
 * in some order. A shuffled pass takes no memory, since a window may have 1
 * TiB. Real devices need core/access_order.h: with many keys most units here
 * follow one another at equal distances, which a prefetcher would learn.
 */
#ifndef PCB_COLLECT_SIM_ADDRESSES_H
#define PCB_COLLECT_SIM_ADDRESSES_H

#include "collect/core/point.h"

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

#endif
