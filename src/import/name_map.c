/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses and looks up lists of NAME=VALUE. */
#include "import/name_map.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

static struct name_pair *
find(const struct name_map *map, const char *name)
{
	for (size_t i = 0; i < map->n; i++) {
		if (!strcmp(map->pair[i].name, name))
			return &map->pair[i];
	}
	return NULL;
}

const char *
name_map_add(struct name_map *map, const char *text)
{
	const char *equals = strrchr(text, '=');
	int length = equals ? (int)(equals - text) : 0;
	struct name_pair *pair;

	if (!length)
		return "not NAME=VALUE";
	map->pair = xreallocarray(map->pair, map->n + 1, sizeof *map->pair);
	pair = &map->pair[map->n++];
	pair->name = xasprintf("%.*s", length, text);
	pair->value = xstrdup(text + length + 1);
	pair->used = false;
	return find(map, pair->name) == pair ? NULL : "a name is repeated";
}

const char *
name_map_use(struct name_map *map, const char *name)
{
	struct name_pair *pair = find(map, name);

	if (!pair)
		return NULL;
	pair->used = true;
	return pair->value;
}

const char *
name_map_unused(const struct name_map *map)
{
	for (size_t i = 0; i < map->n; i++) {
		if (!map->pair[i].used)
			return map->pair[i].name;
	}
	return NULL;
}

void
name_map_free(struct name_map *map)
{
	for (size_t i = 0; i < map->n; i++) {
		free(map->pair[i].name);
		free(map->pair[i].value);
	}
	free(map->pair);
	*map = (struct name_map){0};
}
