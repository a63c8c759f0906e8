/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses and looks up lists of NAME=VALUE. */
#include "import/name_map.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

static struct mapping *
find(const struct name_map *map, const char *name)
{
	for (size_t i = 0; i < map->n; i++) {
		if (!strcmp(map->mapping[i].name, name))
			return &map->mapping[i];
	}
	return NULL;
}

static void
add(struct name_map *map, const char *option, const char *item)
{
	const char *equals = strrchr(item, '=');
	int length = equals ? (int)(equals - item) : 0;
	struct mapping *mapping;

	if (!length)
		die_usage("%s: '%s' is not NAME=VALUE", option, item);
	map->mapping =
	    xreallocarray(map->mapping, map->n + 1, sizeof *map->mapping);
	mapping = &map->mapping[map->n++];
	mapping->name = xasprintf("%.*s", length, item);
	mapping->value = xstrdup(item + length + 1);
	mapping->used = false;
	if (find(map, mapping->name) != mapping)
		die_usage("%s: '%s' is there twice", option, mapping->name);
}

void
name_map_add(struct name_map *map, const char *option, const char *list)
{
	char *copy = xstrdup(list);
	char *rest = copy;
	char *item;

	while ((item = strsep(&rest, ",")))
		add(map, option, item);
	free(copy);
}

const char *
name_map_use(struct name_map *map, const char *name)
{
	struct mapping *mapping = find(map, name);

	if (!mapping)
		return NULL;
	mapping->used = true;
	return mapping->value;
}

const char *
name_map_unused(const struct name_map *map)
{
	for (size_t i = 0; i < map->n; i++) {
		if (!map->mapping[i].used)
			return map->mapping[i].name;
	}
	return NULL;
}

void
name_map_free(struct name_map *map)
{
	for (size_t i = 0; i < map->n; i++) {
		free(map->mapping[i].name);
		free(map->mapping[i].value);
	}
	free(map->mapping);
	*map = (struct name_map){0};
}
