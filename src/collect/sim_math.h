/* Little helpers for times and sizes. */
#ifndef PCB_COLLECT_SIM_MATH_H
#define PCB_COLLECT_SIM_MATH_H

#include <stdint.h>

static inline uint64_t
later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How many of a size hold so many bytes. */
static inline uint64_t
pieces(uint64_t bytes, uint64_t size)
{
	return (bytes + size - 1) / size;
}

#endif
