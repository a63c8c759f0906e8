#include "collect/gpu.h"
#include "collect/random.h"

#include <stdlib.h>

void
gpu_order_make(struct gpu_order *order, uint64_t units, bool random, bool once,
               uint64_t seed)
{
	uint64_t state = order->state ? order->state : seed;

	gpu_order_free(order);
	*order = (struct gpu_order){.units = units,
	                            .random = random,
	                            .once = once,
	                            .state = state,
	                            .again = true};
	if (!random || !once)
		return;
	order->pass = xcalloc(units, sizeof *order->pass);
	for (uint64_t i = 0; i < units; i++)
		order->pass[i] = (uint32_t)i;
}

uint64_t
gpu_order_left(const struct gpu_order *order)
{
	return order->once ? order->units - order->next : UINT64_MAX;
}

/* Fisher and Yates, from the front and only as far as it is asked for. */
static uint32_t
draw_unit(struct gpu_order *order)
{
	uint64_t at = order->next;
	uint64_t other = at + random_below(&order->state, order->units - at);
	uint32_t unit = order->pass[other];

	order->pass[other] = order->pass[at];
	order->pass[at] = unit;
	return unit;
}

void
gpu_order_take(struct gpu_order *order, uint32_t *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (order->pass)
			to[i] = draw_unit(order);
		else if (order->random)
			to[i] =
			    (uint32_t)random_below(&order->state, order->units);
		else
			to[i] = (uint32_t)order->next;
		if (++order->next == order->units)
			order->next = 0;
	}
	order->again = !order->next;
}

void
gpu_order_free(struct gpu_order *order)
{
	free(order->pass);
	order->pass = NULL;
}
