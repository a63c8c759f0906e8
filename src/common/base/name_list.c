/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a name in a list, in a time that does not grow with the list. */
#include "common/base/name_list.h"

#include "common/base/util.h"

/* FNV-1a, whose upper bits are folded into the lower ones. */
static size_t
hash_of(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	return (size_t)(hash ^ hash >> 32);
}

/* The slot of this name, or the empty one where it belongs. */
static uint32_t *
find_slot(const struct name_list *l, const char *name)
{
	size_t at = hash_of(name);
	uint32_t *slot;

	do
		slot = &l->slot[at++ & (l->slots - 1)];
	while (*slot && strcmp(l->name[*slot - 1], name) != 0);
	return slot;
}

size_t
name_list_find(const struct name_list *l, const char *name)
{
	uint32_t index = l->n ? *find_slot(l, name) : 0;

	return index ? index - 1 : l->n;
}

/* Doubles the room; less than half of the slots are ever used. */
static void
grow(struct name_list *l)
{
	size_t room = l->slots ? l->slots : 8;

	l->name = xreallocarray(l->name, room, sizeof *l->name);
	l->slots = 2 * room;
	free(l->slot);
	l->slot = xcalloc(l->slots, sizeof *l->slot);
	for (size_t i = 0; i < l->n; i++)
		*find_slot(l, l->name[i]) = (uint32_t)i + 1;
}

size_t
name_list_add(struct name_list *l, const char *name)
{
	uint32_t *slot;

	if (l->n == l->slots / 2)
		grow(l);
	slot = find_slot(l, name);
	if (*slot)
		return *slot - 1;
	if (l->n == UINT32_MAX)
		die("more names than can be counted");
	l->name[l->n] = name;
	*slot = (uint32_t)l->n + 1;
	return l->n++;
}

void
name_list_free(struct name_list *l)
{
	free(l->name);
	free(l->slot);
	*l = (struct name_list){0};
}
