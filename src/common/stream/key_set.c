/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of rows and the hash table that numbers them. */
#include "common/stream/key_set.h"

#include "common/base/util.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WORD sizeof(uint64_t)

/* Writes eight bytes, the lowest bits first. */
static void
store_word(char *to, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	memcpy(to, &word, sizeof word);
}

static void
reserve(struct key *key, size_t size)
{
	if (size > key->size) {
		key->size = 2 * size;
		key->bytes = xreallocarray(key->bytes, key->size, 1);
	}
}

/*
 * Byte by byte, because the texts of a row were just terminated: a wide load of
 * bytes just stored waits until they have left the CPU's store buffer. Whole
 * words are stored here, so the reader may load words.
 */
static const char *
take_word(const char *text, uint64_t *word)
{
	*word = 0;
	for (unsigned i = 0; i < 8 * WORD; i += 8) {
		if (!*text)
			return NULL;
		*word |= (uint64_t)(unsigned char)*text++ << i;
	}
	return text;
}

void
key_append(struct key *key, size_t col, const char *text)
{
	uint64_t word = col;

	if (!*text)
		return;
	reserve(key, key->length + WORD);
	memcpy(key->bytes + key->length, &word, WORD);
	do {
		key->length += WORD;
		text = take_word(text, &word);
		reserve(key, key->length + WORD);
		store_word(key->bytes + key->length, word);
	} while (text);
	key->length += WORD;
}

/* The cell at *at; moves *at to the next one. */
static const char *
next_cell(const struct key *key, size_t *at, uint64_t *col)
{
	const char *text = key->bytes + *at + WORD;

	memcpy(col, key->bytes + *at, WORD);
	*at += WORD + (strlen(text) / WORD + 1) * WORD;
	return text;
}

const char *
key_text(const struct key *key, size_t col, size_t *at)
{
	size_t next = *at;
	const char *text;
	uint64_t number;

	if (*at == key->length)
		return "";
	text = next_cell(key, &next, &number);
	if (number != col)
		return "";
	*at = next;
	return text;
}

const char *
key_find(const struct key *key, size_t col)
{
	const char *text;
	uint64_t number;

	for (size_t at = 0; at < key->length;) {
		text = next_cell(key, &at, &number);
		if (number == col)
			return text;
	}
	return "";
}

static uint64_t
word_at(const struct key *key, size_t at)
{
	uint64_t word;

	memcpy(&word, key->bytes + at, sizeof word);
	return word;
}

static bool
equal(const struct key *a, const struct key *b)
{
	if (a->length != b->length)
		return false;
	for (size_t at = 0; at < a->length; at += WORD) {
		if (word_at(a, at) != word_at(b, at))
			return false;
	}
	return true;
}

static uint64_t
hash_of(const struct key *key)
{
	uint64_t hash = key->length;

	for (size_t at = 0; at < key->length; at += WORD) {
		hash = (hash ^ word_at(key, at)) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return hash;
}

/* The slot of this key, or the empty one where it belongs. */
static struct key_slot *
find_slot(const struct key_set *k, const struct key *key, uint64_t hash)
{
	uint32_t upper = (uint32_t)(hash >> 32);
	size_t i = (size_t)hash & (k->nslots - 1);
	const struct key_slot *slot;

	for (; (slot = &k->slot[i])->number; i = (i + 1) & (k->nslots - 1)) {
		if (slot->hash == upper &&
		    equal(&k->key[slot->number - 1], key))
			break;
	}
	return k->slot + i;
}

/* Doubles the table; at most half of the slots are ever used. */
static void
grow(struct key_set *k)
{
	k->max = k->max ? 2 * k->max : 16;
	k->key = xreallocarray(k->key, k->max, sizeof *k->key);
	k->nslots = 2 * k->max;
	free(k->slot);
	k->slot = xcalloc(k->nslots, sizeof *k->slot);
	for (size_t i = 0; i < k->n; i++) {
		uint64_t hash = hash_of(&k->key[i]);

		*find_slot(k, &k->key[i], hash) =
		    (struct key_slot){(uint32_t)(hash >> 32), (uint32_t)i + 1};
	}
}

/* A block with the bytes of many keys, which are freed together. */
struct key_block {
	struct key_block *before;
	size_t used, size;
	char bytes[];
};

#define BLOCK_SIZE 4000

static char *
take_bytes(struct key_set *k, size_t length)
{
	struct key_block *block = k->blocks;
	size_t size = length > BLOCK_SIZE ? length : BLOCK_SIZE;

	if (!block || block->size - block->used < length) {
		block = xmalloc(sizeof *block + size);
		*block = (struct key_block){.before = k->blocks, .size = size};
		k->blocks = block;
	}
	block->used += length;
	return block->bytes + block->used - length;
}

static size_t
find_or_add(struct key_set *k, const struct key *key, uint64_t hash)
{
	struct key_slot *slot;
	struct key *added;

	if (k->n == k->max)
		grow(k);
	slot = find_slot(k, key, hash);
	if (!slot->number) {
		if (k->n == UINT32_MAX)
			die("more groups than can be counted");
		added = &k->key[k->n++];
		*added =
		    (struct key){.length = key->length, .size = key->length};
		added->bytes = take_bytes(k, key->length);
		if (key->length)
			memcpy(added->bytes, key->bytes, key->length);
		*slot =
		    (struct key_slot){(uint32_t)(hash >> 32), (uint32_t)k->n};
	}
	k->last = slot->number - 1;
	return k->last;
}

size_t
key_set_intern(struct key_set *k, const struct key *key)
{
	if (k->n && equal(&k->key[k->last], key))
		return k->last;
	return find_or_add(k, key, hash_of(key));
}

/* Prefetches what a look-up reads, one step for all keys at a time. */
static void
prefetch(const struct key_set *k, const uint64_t hash[], size_t n)
{
	const struct key *first[KEY_SET_AT_ONCE];

	for (size_t i = 0; i < n; i++)
		__builtin_prefetch(&k->slot[hash[i] & (k->nslots - 1)]);
	for (size_t i = 0; i < n; i++) {
		uint32_t number = k->slot[hash[i] & (k->nslots - 1)].number;

		first[i] = &k->key[number ? number - 1 : 0];
		__builtin_prefetch(first[i]);
	}
	for (size_t i = 0; i < n; i++)
		__builtin_prefetch(first[i]->bytes);
}

void
key_set_intern_all(struct key_set *k, const struct key key[], size_t n,
                   size_t number[])
{
	uint64_t hash[KEY_SET_AT_ONCE];

	for (size_t i = 0; i < n; i++)
		hash[i] = hash_of(&key[i]);
	if (k->n)
		prefetch(k, hash, n);
	for (size_t i = 0; i < n; i++)
		number[i] = find_or_add(k, &key[i], hash[i]);
}

size_t
key_set_intern_text(struct key_set *k, const char *text)
{
	struct key key = {0};
	size_t number;

	key_append(&key, 0, text);
	number = key_set_intern(k, &key);
	free(key.bytes);
	return number;
}

void *
key_set_grow(const struct key_set *k, void *items, size_t *room, size_t size)
{
	if (*room < k->n) {
		items = xreallocarray(items, k->max, size);
		memset((char *)items + *room * size, 0,
		       (k->max - *room) * size);
		*room = k->max;
	}
	return items;
}

void
key_set_free(struct key_set *k)
{
	while (k->blocks) {
		struct key_block *block = k->blocks;

		k->blocks = block->before;
		free(block);
	}
	free(k->key);
	free(k->slot);
	*k = (struct key_set){0};
}
