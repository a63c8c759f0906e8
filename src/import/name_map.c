/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/name_map.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

static struct pair *
find(const struct pairs *pairs, const char *name)
{
	for (size_t i = 0; i < pairs->n; i++) {
		if (!strcmp(pairs->pair[i].name, name))
			return &pairs->pair[i];
	}
	return NULL;
}

static void
add(struct pairs *pairs, const char *option, const char *item)
{
	const char *equals = strrchr(item, '=');
	int length = equals ? (int)(equals - item) : 0;
	struct pair *pair;

	if (!length)
		die_usage("%s: '%s' is not NAME=VALUE", option, item);
	pairs->pair =
	    xreallocarray(pairs->pair, pairs->n + 1, sizeof *pairs->pair);
	pair = &pairs->pair[pairs->n++];
	pair->name = xasprintf("%.*s", length, item);
	pair->value = xstrdup(item + length + 1);
	pair->used = false;
	if (find(pairs, pair->name) != pair)
		die_usage("%s: '%s' is there twice", option, pair->name);
}

void
pairs_add(struct pairs *pairs, const char *option, const char *list)
{
	char *copy = xstrdup(list);
	char *rest = copy;
	char *item;

	while ((item = strsep(&rest, ",")))
		add(pairs, option, item);
	free(copy);
}

const char *
pairs_use(struct pairs *pairs, const char *name)
{
	struct pair *pair = find(pairs, name);

	if (!pair)
		return NULL;
	pair->used = true;
	return pair->value;
}

const char *
pairs_unused(const struct pairs *pairs)
{
	for (size_t i = 0; i < pairs->n; i++) {
		if (!pairs->pair[i].used)
			return pairs->pair[i].name;
	}
	return NULL;
}

void
pairs_free(struct pairs *pairs)
{
	for (size_t i = 0; i < pairs->n; i++) {
		free(pairs->pair[i].name);
		free(pairs->pair[i].value);
	}
	free(pairs->pair);
	*pairs = (struct pairs){0};
}
