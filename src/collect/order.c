#include "collect/order.h"

#include "collect/random.h"
#include "common/util.h"

#include <stdlib.h>

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
		    at + random_below(&order->state, order->units - at);

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
