/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random, shuffled and sequential orders of units. */
#include "collect/core/access_order.h"

#include "common/base/prng.h"
#include "common/base/util.h"

#include <stdlib.h>

void
order_begin(struct order *order, uint64_t units, bool random,
            bool without_replacement)
{
	uint64_t state = order->state;

	order_free(order);
	*order = (struct order){.units = units,
	                        .random = random,
	                        .without_replacement = without_replacement,
	                        .state = state};
	if (!random || !without_replacement)
		return;
	order->permutation = xcalloc(units, sizeof *order->permutation);
	for (uint64_t i = 0; i < units; i++)
		order->permutation[i] = (uint32_t)i;
}

/* Shuffles step by step with each draw (Fisher and Yates, from the front). */
static uint64_t
draw(struct order *order)
{
	uint64_t at = order->next;
	uint64_t other = at + random_below(&order->state, order->units - at);
	uint32_t unit = order->permutation[other];

	order->permutation[other] = order->permutation[at];
	order->permutation[at] = unit;
	return unit;
}

uint64_t
order_next(struct order *order)
{
	uint64_t unit = order->next;

	if (order->permutation)
		unit = draw(order);
	else if (order->random)
		unit = random_below(&order->state, order->units);
	if (++order->next == order->units)
		order->next = 0;
	return unit;
}

void
order_take(struct order *order, uint32_t *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (uint32_t)order_next(order);
}

void
order_free(struct order *order)
{
	free(order->permutation);
	order->permutation = NULL;
}
