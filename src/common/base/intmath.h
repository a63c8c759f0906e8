/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Integer arithmetic, and random numbers by it. */
#ifndef PCB_COMMON_BASE_INTMATH_H
#define PCB_COMMON_BASE_INTMATH_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;
__extension__ typedef __int128 int128;

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

/* Random numbers, the same for a seed everywhere --------------------------- */

/* SplitMix64: Steele, Lea, Flood, OOPSLA 2014. */
static inline uint64_t
random_draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* A random number from 0 to limit - 1; 0 for a limit of 0. */
static inline uint64_t
random_below(uint64_t *state, uint64_t limit)
{
	return (uint64_t)((uint128)random_draw(state) * limit >> 64);
}

/*
 * The sum of two random numbers from 0 to mean: at most twice the mean, and
 * most often near it. For a mean below 2^32 one draw gives both halves; a
 * larger mean loses its lowest bits.
 */
static inline uint64_t
random_noise(uint64_t *state, uint64_t mean)
{
	uint64_t r = random_draw(state);

	return ((r >> 32) + (uint32_t)r) * mean >> 32;
}

/* A little-endian number of n bytes, up to 8. */
static inline uint64_t
little_endian(const unsigned char *byte, size_t n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | byte[n];
	return value;
}

#endif
