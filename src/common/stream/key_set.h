/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of rows, that is tuples of cells, and their numbers. */
#ifndef PCB_COMMON_STREAM_KEY_SET_H
#define PCB_COMMON_STREAM_KEY_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * For each cell that is not empty, in ascending order of columns: the column's
 * index, a uint64_t, and the text, padded with at least one NUL to a multiple
 * of 8 bytes. So a column that a part lacks, or that appears later, equals an
 * empty cell.
 */
struct key {
	char *bytes;
	size_t length, size;
	uint64_t hash;  /* unless it is empty */
	size_t indexed; /* cells in an index behind the bytes; 0: none */
};

/*
 * Appends a cell; columns come in ascending order, and an empty text adds
 * nothing. Zero-initialise the key, or set length to 0 to reuse it; free
 * key.bytes.
 */
void key_append(struct key *key, size_t col, const char *text);

/* The text of column `col`, or "". */
const char *key_find(const struct key *key, size_t col);

bool key_equal(const struct key *a, const struct key *b);

/* Keys in order of first appearance. Zero-initialise; free by key_set_free. */
struct key_set {
	struct key *key;
	size_t n, max;
	struct key_slot {
		uint32_t hash;   /* its upper half */
		uint32_t number; /* index of the key + 1; 0: empty */
	} * slot;                /* 2 * max */
};

/*
 * The index of the equal key, from 0. If there is none, adds a copy, whose
 * index is the old n.
 */
size_t key_set_intern(struct key_set *k, const struct key *key);

/*
 * Prefetches what key_set_intern will read for n keys, at most KEYS_AT_ONCE:
 * the memory accesses overlap.
 */
#define KEYS_AT_ONCE 64
void key_set_prefetch(const struct key_set *k, const struct key key[],
                      size_t n);

/* The same for a key that is one text; or its index without adding it, or n. */
size_t key_set_intern_text(struct key_set *k, const char *text);
size_t key_set_find_text(const struct key_set *k, const char *text);

/*
 * Grows an array that has an item of `size` bytes for each key; returns its new
 * address. New items are zero. *room, 0 at first, is its capacity in items.
 */
void *key_set_grow(const struct key_set *k, void *items, size_t *room,
                   size_t size);

/* Takes back all keys but the first n. */
void key_set_keep(struct key_set *k, size_t n);

void key_set_free(struct key_set *k);

#endif
