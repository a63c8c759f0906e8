/* The order in which the units of a window are accessed. */
#ifndef PCB_COLLECT_ORDER_H
#define PCB_COLLECT_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In passes: each goes to every unit once. Release with order_free. */
struct order {
	uint32_t *unit; /* NULL: in sequence */
	uint64_t units, next;
	uint64_t state; /* of the generator */
};

/* Starts with a new pass of `units` (1 or more) units. */
void order_begin(struct order *order, uint64_t units, bool random,
                 uint64_t seed);

/* The next unit, from 0. Allocates nothing. */
uint64_t order_next(struct order *order);

/* Whether the next unit begins a pass. */
static inline bool
order_is_new(const struct order *order)
{
	return !order->next;
}

void order_free(struct order *order);

#endif
