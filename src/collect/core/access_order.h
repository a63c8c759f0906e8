/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order in which devices access the units of a window. */
#ifndef PCB_COLLECT_CORE_ACCESS_ORDER_H
#define PCB_COLLECT_CORE_ACCESS_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Zero-initialise and set `state` to a seed. The random sequence continues from
 * point to point. Release with order_free.
 */
struct order {
	uint64_t units;
	uint64_t next; /* position in this pass; 0 starts a new one */
	bool random, without_replacement;
	uint32_t *permutation; /* if random without replacement; else NULL */
	uint64_t state;        /* of the random number generator */
};

/*
 * Starts with a new pass of `units` (1 to 2^32) units. `random` draws each unit
 * independently; `without_replacement` as well, each once per pass.
 */
void order_begin(struct order *order, uint64_t units, bool random,
                 bool without_replacement);

/* The next unit, from 0; order_take stores the next n. Allocate nothing. */
uint64_t order_next(struct order *order);
void order_take(struct order *order, uint32_t *to, size_t n);

/* Whether the next unit starts a pass. */
static inline bool
order_is_new(const struct order *order)
{
	return !order->next;
}

/* Units left in this pass; UINT64_MAX if units may repeat. */
static inline uint64_t
order_left(const struct order *order)
{
	return order->without_replacement ? order->units - order->next
	                                  : UINT64_MAX;
}

void order_free(struct order *order);

#endif
