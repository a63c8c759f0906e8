#include "collect/order.h"

#include "common/util.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 uint128;

/* SplitMix64: Steele, Lea, Flood, OOPSLA 2014; scaled to below a limit. */
static uint64_t
draw_below(uint64_t *state, uint64_t limit)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint64_t)((uint128)(z ^ z >> 31) * limit >> 64);
}

void
order_begin(struct order *order, uint64_t units, bool random, uint64_t seed)
{
	order_free(order);
	*order = (struct order){.units = units, .state = seed};
	if (!random)
		return;
	order->unit = xcalloc(units, sizeof *order->unit);
	for (uint64_t i = 0; i < units; i++)
		order->unit[i] = (uint32_t)i;
}

/* A pass is shuffled as it goes, by Fisher and Yates from the front. */
uint64_t
order_next(struct order *order)
{
	uint64_t at = order->next;
	uint32_t unit = (uint32_t)at;

	if (order->unit) {
		uint64_t other =
		    at + draw_below(&order->state, order->units - at);

		unit = order->unit[other];
		order->unit[other] = order->unit[at];
		order->unit[at] = unit;
	}
	order->next = at + 1 == order->units ? 0 : at + 1;
	return unit;
}

void
order_free(struct order *order)
{
	free(order->unit);
	order->unit = NULL;
}
