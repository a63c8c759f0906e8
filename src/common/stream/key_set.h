/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rows have in common: the texts of some of their cells, numbered. */
#ifndef PCB_COMMON_STREAM_KEY_SET_H
#define PCB_COMMON_STREAM_KEY_SET_H

#include <stddef.h>
#include <stdint.h>

/*
 * For each cell that is not empty the number of its column, as a uint64_t,
 * and its text, padded with NULs (one at least) to a multiple of 8 bytes, in
 * ascending order of columns. So a column that a part lacks, or that comes
 * later, is treated as an empty cell.
 */
struct key {
	char *bytes;
	size_t length, size;
};

/*
 * Zero-initialise, or set length to 0 to start again; columns come in
 * ascending order, empty texts are left out. Free key.bytes.
 */
void key_append(struct key *key, size_t col, const char *text);

/*
 * The text of column `col`, or "". *at is 0 for the first column asked for;
 * it moves along, so columns are asked for in ascending order.
 */
const char *key_text(const struct key *key, size_t col, size_t *at);

/* The same, whatever was asked for before. */
const char *key_find(const struct key *key, size_t col);

/* In order of first appearance. Zero-initialise; release with key_set_free. */
struct key_set {
	struct key *key;
	size_t n, max;
	size_t last; /* the one found last */
	struct key_slot {
		uint32_t hash;   /* the upper half */
		uint32_t number; /* of the key, from 1; 0: empty */
	} * slot;
	size_t nslots;
	struct key_block *blocks; /* the bytes of the keys */
};

/*
 * The number of the key equal to this one, from 0; where there is none yet, a
 * copy is added, and its number is what n was before.
 */
size_t key_set_intern(struct key_set *k, const struct key *key);

/*
 * The same for n keys, at most KEY_SET_AT_ONCE, which takes less time: the
 * memory is waited for once for all of them.
 */
#define KEY_SET_AT_ONCE 64
void key_set_intern_all(struct key_set *k, const struct key key[], size_t n,
                        size_t number[]);

/* The same for a key that is one text. */
size_t key_set_intern_text(struct key_set *k, const char *text);

/* The number of the key that consists of this text, or n if none does. */
size_t key_set_find_text(const struct key_set *k, const char *text);

/*
 * For an array with an item of `size` bytes for each key: has it grow with the
 * keys, and returns where it is now. New items are zero; *room, which begins
 * as 0, is how many items it has had room for.
 */
void *key_set_grow(const struct key_set *k, void *items, size_t *room,
                   size_t size);

void key_set_free(struct key_set *k);

#endif
