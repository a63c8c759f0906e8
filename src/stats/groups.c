#include "stats/groups.h"

#include "common/util.h"

#include <stdlib.h>
#include <string.h>

void
key_append(struct key *key, size_t col, const char *text)
{
	uint32_t number = (uint32_t)col;
	size_t length = strlen(text) + 1;
	size_t longer = key->length + sizeof number + length;

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

static bool
has_key(const struct group *group, const struct key *key)
{
	return group->key.length == key->length &&
	       (!key->length ||
	        !memcmp(group->key.bytes, key->bytes, key->length));
}

/* The slot of the group with this key, or the empty one where it belongs. */
static size_t *
find_slot(const struct groups *g, const struct key *key)
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
	size_t i;

	for (i = 0; i < key->length; i++) {
		hash ^= (unsigned char)key->bytes[i];
		hash *= UINT64_C(1099511628211);
	}
	i = (size_t)hash & (g->nslots - 1);
	while (g->slot[i] && !has_key(&g->group[g->slot[i] - 1], key))
		i = (i + 1) & (g->nslots - 1);
	return g->slot + i;
}

/* Twice as much room; at most half of the slots are ever taken. */
static void
grow(struct groups *g)
{
	g->max = g->max ? 2 * g->max : 16;
	g->group = xreallocarray(g->group, g->max, sizeof *g->group);
	g->nslots = 2 * g->max;
	free(g->slot);
	g->slot = xcalloc(g->nslots, sizeof *g->slot);
	for (size_t i = 0; i < g->n; i++)
		*find_slot(g, &g->group[i].key) = i + 1;
}

struct group *
groups_find(struct groups *g, const struct key *key)
{
	size_t *slot;

	if (g->n && has_key(&g->group[g->last], key))
		return &g->group[g->last];
	if (g->n == g->max)
		grow(g);
	slot = find_slot(g, key);
	if (!*slot) {
		struct group *added = &g->group[g->n++];

		*added = (struct group){.key.size = key->length};
		added->key.length = key->length;
		added->key.bytes = xmalloc(key->length);
		if (key->length)
			memcpy(added->key.bytes, key->bytes, key->length);
		*slot = g->n;
	}
	g->last = *slot - 1;
	return &g->group[g->last];
}

void
groups_free(struct groups *g)
{
	for (size_t i = 0; i < g->n; i++) {
		free(g->group[i].key.bytes);
		dist_free(&g->group[i].dist);
	}
	free(g->group);
	free(g->slot);
	*g = (struct groups){0};
}
