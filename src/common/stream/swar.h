/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Eight characters of a text in a register (SIMD within a register). */
#ifndef PCB_COMMON_STREAM_SWAR_H
#define PCB_COMMON_STREAM_SWAR_H

#include <stdint.h>
#include <string.h>

/* The eight bytes at p, the first one in the lowest bits. */
static inline uint64_t
load_word(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* Writes eight bytes, the lowest bits first. */
static inline void
store_word(char *to, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	memcpy(to, &word, sizeof word);
}

/*
 * Sets the highest bit of each byte that is less than `limit`, at most 128.
 * Only the lowest set bit is reliable; higher ones may be wrong.
 */
static inline uint64_t
bytes_below(uint64_t word, unsigned char limit)
{
	const uint64_t each = UINT64_C(0x0101010101010101);

	return (word - each * limit) & ~word & (each << 7);
}

#endif
