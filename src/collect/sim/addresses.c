/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/sim/addresses.h"

#include "common/base/prng.h"

void
sim_order_make(struct sim_order *order, const struct point *point)
{
	unsigned bits = 1;

	*order = (struct sim_order){.unit = point_unit(point),
	                            .units = point_units(point),
	                            .offset = point->offset,
	                            .random = point->pattern == PATTERN_RANDOM,
	                            .once = point->cache == CACHE_COLD};
	while (UINT64_C(1) << bits < order->units)
		bits++;
	order->mask = (UINT64_C(1) << bits) - 1;
	order->shift = (bits + 1) / 2;
}

/*
 * A bijection on the numbers up to the mask: multiplying by an odd factor and
 * adding a shift are both invertible. Numbers that are no unit are mapped
 * again, which keeps it a bijection on the units.
 */
static uint64_t
shuffle(const struct sim_order *order, uint64_t n)
{
	do {
		n = ((n ^ order->key[0]) * UINT64_C(0x9e3779b97f4a7c15)) &
		    order->mask;
		n ^= n >> order->shift;
		n = (n * (order->key[1] | 1)) & order->mask;
		n ^= n >> order->shift;
	} while (n >= order->units);
	return n;
}

uint64_t
sim_order_next(struct sim_order *order, uint64_t *random, bool *again)
{
	uint64_t n;

	if (order->random && !order->once) {
		n = random_below(random, order->units);
		return n * order->unit + order->offset;
	}
	*again = !order->next;
	if (*again && order->random) {
		order->key[0] = random_draw(random) & order->mask;
		order->key[1] = random_draw(random);
	}
	n = order->next++;
	if (order->next == order->units)
		order->next = 0;
	if (order->random)
		n = shuffle(order, n);
	return n * order->unit + order->offset;
}
