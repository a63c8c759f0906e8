/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of rows and the hash table that numbers them. */
#include "common/stream/key_set.h"

#include "common/base/util.h"

#include <endian.h>

#define WORD sizeof(uint64_t)

static uint64_t
hash_of(const struct key *key)
{
	return key->length ? key->hash : 0;
}

static inline void
append_word(struct key *key, uint64_t word)
{
	if (key->size - key->length < WORD) {
		key->size = 2 * key->size + 8 * WORD;
		key->bytes = xreallocarray(key->bytes, key->size, 1);
	}
	memcpy(key->bytes + key->length, &word, WORD);
	key->hash = (hash_of(key) ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	key->hash ^= key->hash >> 32;
	key->length += WORD;
}

/*
 * Byte by byte, because the texts of a row were just terminated: a wide load of
 * bytes just stored waits until they have left the CPU's store buffer. Whole
 * words are stored here, so the reader may load words.
 */
void
key_append(struct key *key, size_t col, const char *text)
{
	uint64_t word = col;

	if (!*text)
		return;
	append_word(key, word);
	do {
		word = 0;
		for (unsigned i = 0; i < 64 && *text; i += 8)
			word |= (uint64_t)(unsigned char)*text++ << i;
		append_word(key, htole64(word));
	} while (word >> 56);
}

/* The column of the cell at this place in the key, and its text. */
static size_t
cell_at(const struct key *key, size_t at, const char **text)
{
	uint64_t col;

	memcpy(&col, key->bytes + at, WORD);
	*text = key->bytes + at + WORD;
	return col;
}

/* The place behind a cell. */
static size_t
behind(size_t at, const char *text)
{
	return at + WORD + (strlen(text) / WORD + 1) * WORD;
}

/* The places of the cells of a long key, behind its bytes. */
static uint32_t *
index_of(const struct key *key)
{
	return (void *)(key->bytes + key->length);
}

const char *
key_find(const struct key *key, size_t col)
{
	size_t low = 0, high = key->indexed;
	const char *text;

	while (low < high) {
		size_t middle = (low + high) / 2;
		size_t found = cell_at(key, index_of(key)[middle], &text);

		if (found == col)
			return text;
		low = found < col ? middle + 1 : low;
		high = found < col ? high : middle;
	}
	for (size_t at = 0; !key->indexed && at < key->length;) {
		if (cell_at(key, at, &text) == col)
			return text;
		at = behind(at, text);
	}
	return "";
}

/* Longer keys of a set have an index of their cells. */
#define INDEX_MIN 512

/* A copy, with an index if it is long. */
static struct key
copy_of(const struct key *key)
{
	bool is_long = key->length >= INDEX_MIN && key->length <= UINT32_MAX;
	size_t most = is_long ? key->length / (2 * WORD) : 0;
	struct key copy = {.length = key->length, .hash = key->hash};
	const char *text;
	uint32_t *index;

	copy.size = key->length + most * sizeof(uint32_t) + 1;
	copy.bytes = xmalloc(copy.size);
	if (key->length)
		memcpy(copy.bytes, key->bytes, key->length);
	index = index_of(&copy);
	for (size_t at = 0; is_long && at < key->length;) {
		index[copy.indexed++] = (uint32_t)at;
		cell_at(key, at, &text);
		at = behind(at, text);
	}
	return copy;
}

bool
key_equal(const struct key *a, const struct key *b)
{
	return a->length == b->length &&
	       (!a->length ||
	        (a->hash == b->hash && !memcmp(a->bytes, b->bytes, a->length)));
}

/* The slot of this key, or the empty one where it belongs. */
static struct key_slot *
find_slot(const struct key_set *k, const struct key *key)
{
	uint64_t hash = hash_of(key), at = hash;
	struct key_slot *slot;

	do
		slot = &k->slot[at++ & (2 * k->max - 1)];
	while (slot->number && (slot->hash != hash >> 32 ||
	                        !key_equal(&k->key[slot->number - 1], key)));
	return slot;
}

/* Puts the key of this index into its slot. */
static void
fill_slot(struct key_set *k, size_t i)
{
	*find_slot(k, &k->key[i]) = (struct key_slot){
	    (uint32_t)(hash_of(&k->key[i]) >> 32), (uint32_t)i + 1};
}

/* Doubles the table; at most half of the slots are ever used. */
static void
grow(struct key_set *k)
{
	k->max = k->max ? 2 * k->max : 16;
	k->key = xreallocarray(k->key, k->max, sizeof *k->key);
	free(k->slot);
	k->slot = xcalloc(2 * k->max, sizeof *k->slot);
	for (size_t i = 0; i < k->n; i++)
		fill_slot(k, i);
}

size_t
key_set_intern(struct key_set *k, const struct key *key)
{
	const struct key_slot *slot;

	if (k->n == k->max)
		grow(k);
	slot = find_slot(k, key);
	if (slot->number)
		return slot->number - 1;
	if (k->n == UINT32_MAX)
		die("more groups than can be counted");
	k->key[k->n] = copy_of(key);
	fill_slot(k, k->n);
	return k->n++;
}

void
key_set_prefetch(const struct key_set *k, const struct key key[], size_t n)
{
	const struct key_slot *slot[KEYS_AT_ONCE];
	const struct key *found[KEYS_AT_ONCE];

	if (!k->n)
		return;
	for (size_t i = 0; i < n; i++) {
		slot[i] = &k->slot[hash_of(&key[i]) & (2 * k->max - 1)];
		__builtin_prefetch(slot[i]);
	}
	for (size_t i = 0; i < n; i++) {
		found[i] = &k->key[slot[i]->number - (slot[i]->number > 0)];
		__builtin_prefetch(found[i]);
	}
	for (size_t i = 0; i < n; i++)
		__builtin_prefetch(found[i]->bytes);
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

size_t
key_set_find_text(const struct key_set *k, const char *text)
{
	struct key key = {0};
	uint32_t number;

	if (!k->n)
		return 0;
	key_append(&key, 0, text);
	number = find_slot(k, &key)->number;
	free(key.bytes);
	return number ? number - 1 : k->n;
}

void
key_set_keep(struct key_set *k, size_t n)
{
	if (k->n <= n)
		return;
	while (k->n > n)
		free(k->key[--k->n].bytes);
	memset(k->slot, 0, 2 * k->max * sizeof *k->slot);
	for (size_t i = 0; i < n; i++)
		fill_slot(k, i);
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
	while (k->n)
		free(k->key[--k->n].bytes);
	free(k->key);
	free(k->slot);
	*k = (struct key_set){0};
}
