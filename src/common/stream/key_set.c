/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/stream/key_set.h"

#include "common/base/util.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void
key_append(struct key *key, size_t col, const char *text)
{
	uint32_t number = (uint32_t)col;
	size_t length = strlen(text) + 1;
	size_t longer = key->length + sizeof number + length;

	if (!*text)
		return;
	if (longer > key->size) {
		key->size = 2 * longer;
		key->bytes = xreallocarray(key->bytes, key->size, 1);
	}
	memcpy(key->bytes + key->length, &number, sizeof number);
	memcpy(key->bytes + longer - length, text, length);
	key->length = longer;
}

const char *
key_text(const struct key *key, size_t col, size_t *at)
{
	const char *text;
	uint32_t number;

	if (*at == key->length)
		return "";
	memcpy(&number, key->bytes + *at, sizeof number);
	if (number != col)
		return "";
	text = key->bytes + *at + sizeof number;
	*at += sizeof number + strlen(text) + 1;
	return text;
}

const char *
key_find(const struct key *key, size_t col)
{
	const char *text;
	uint32_t number;

	for (size_t at = 0; at < key->length;) {
		memcpy(&number, key->bytes + at, sizeof number);
		text = key->bytes + at + sizeof number;
		if (number == col)
			return text;
		at += sizeof number + strlen(text) + 1;
	}
	return "";
}

static bool
equal(const struct key *a, const struct key *b)
{
	return a->length == b->length &&
	       (!a->length || !memcmp(a->bytes, b->bytes, a->length));
}

/* The slot of this key, or the empty one where it belongs. */
static size_t *
find_slot(const struct keys *k, const struct key *key)
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
	size_t i;

	for (i = 0; i < key->length; i++) {
		hash ^= (unsigned char)key->bytes[i];
		hash *= UINT64_C(1099511628211);
	}
	i = (size_t)hash & (k->nslots - 1);
	while (k->slot[i] && !equal(&k->key[k->slot[i] - 1], key))
		i = (i + 1) & (k->nslots - 1);
	return k->slot + i;
}

/* Twice as much room; at most half of the slots are ever taken. */
static void
grow(struct keys *k)
{
	k->max = k->max ? 2 * k->max : 16;
	k->key = xreallocarray(k->key, k->max, sizeof *k->key);
	k->nslots = 2 * k->max;
	free(k->slot);
	k->slot = xcalloc(k->nslots, sizeof *k->slot);
	for (size_t i = 0; i < k->n; i++)
		*find_slot(k, &k->key[i]) = i + 1;
}

static void
add(struct keys *k, const struct key *key)
{
	struct key *added = &k->key[k->n++];

	*added = (struct key){.length = key->length, .size = key->length};
	added->bytes = xmalloc(key->length);
	if (key->length)
		memcpy(added->bytes, key->bytes, key->length);
}

size_t
keys_number(struct keys *k, const struct key *key)
{
	size_t *slot;

	if (k->n && equal(&k->key[k->last], key))
		return k->last;
	if (k->n == k->max)
		grow(k);
	slot = find_slot(k, key);
	if (!*slot) {
		add(k, key);
		*slot = k->n;
	}
	k->last = *slot - 1;
	return k->last;
}

size_t
keys_text(struct keys *k, const char *text)
{
	struct key key = {0};
	size_t number;

	key_append(&key, 0, text);
	number = keys_number(k, &key);
	free(key.bytes);
	return number;
}

void *
keys_items(const struct keys *k, void *items, size_t *room, size_t size)
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
keys_free(struct keys *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->key[i].bytes);
	free(k->key);
	free(k->slot);
	*k = (struct keys){0};
}
