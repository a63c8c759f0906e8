/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Minimum, maximum, rounded quotient and greatest common divisor. */
#ifndef PCB_COMMON_BASE_INTMATH_H
#define PCB_COMMON_BASE_INTMATH_H

#include <stdint.h>

static inline uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t
max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* bytes / size, rounded up; size is not 0. */
static inline uint64_t
div_round_up(uint64_t bytes, uint64_t size)
{
	return (bytes + size - 1) / size;
}

/* The greatest common divisor; a if b is 0. */
static inline uint64_t
gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

#endif
