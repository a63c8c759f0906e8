/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic of times and sizes. */
#ifndef PCB_COMMON_BASE_INTMATH_H
#define PCB_COMMON_BASE_INTMATH_H

#include <stdint.h>

static inline uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t
greatest(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* How many of a size (not 0) hold so many bytes. */
static inline uint64_t
pieces(uint64_t bytes, uint64_t size)
{
	return (bytes + size - 1) / size;
}

/* The largest number that divides both; a where b is 0. Euclid. */
static inline uint64_t
common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

#endif
