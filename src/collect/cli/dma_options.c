/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of sizes, patterns, cache states and nodes. */
#include "collect/cli/dma_options.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

/* Calls `add` for each item of a list: NULL, or why one is wrong. */
static const char *
each_item(const char *text, struct sweep *sweep,
          const char *(*add)(struct sweep *sweep, const char *item))
{
	char *copy = xstrdup(text);
	char *rest = copy;
	const char *why = NULL;
	char *item;

	while (!why && (item = strsep(&rest, ",")))
		why = add(sweep, item);
	free(copy);
	return why;
}

static const char *
add_pattern(struct sweep *sweep, const char *item)
{
	for (size_t i = PATTERN_RANDOM; i <= PATTERN_SEQUENTIAL; i++) {
		if (strcmp(item, pattern_names[i]) != 0)
			continue;
		for (size_t k = 0; k < sweep->npatterns; k++) {
			if (sweep->pattern[k] == (enum pattern)i)
				return "a pattern is repeated";
		}
		sweep->pattern[sweep->npatterns++] = (enum pattern)i;
		return NULL;
	}
	return "a pattern is random or sequential";
}

static const char *
add_cache(struct sweep *sweep, const char *item)
{
	for (size_t i = 0; i < NCACHES; i++) {
		if (strcmp(item, cache_names[i]) != 0)
			continue;
		for (size_t k = 0; k < sweep->ncaches; k++) {
			if (sweep->cache[k] == (enum cache)i)
				return "a state is repeated";
		}
		sweep->cache[sweep->ncaches++] = (enum cache)i;
		return NULL;
	}
	return "a state is cold, thrashed, host-warm or device-warm";
}

static const char *
add_node(struct sweep *sweep, const char *item)
{
	uint64_t number = 0;
	int node;

	if (!strcmp(item, "local"))
		node = NODE_LOCAL;
	else if (!strcmp(item, "remote"))
		node = NODE_REMOTE;
	else if (!parse_integer(item, &number) && number < 1024)
		node = (int)number;
	else
		return "a node is local, remote or a number";
	if (sweep->nnodes == ARRAY_LEN(sweep->node))
		return "too many nodes";
	sweep->node[sweep->nnodes++] = node;
	return NULL;
}

const char *
dma_set_patterns(void *to, const char *text)
{
	struct sweep *sweep = to;

	sweep->npatterns = 0;
	return each_item(text, sweep, add_pattern);
}

const char *
dma_set_caches(void *to, const char *text)
{
	struct sweep *sweep = to;

	sweep->ncaches = 0;
	return each_item(text, sweep, add_cache);
}

const char *
dma_set_nodes(void *to, const char *text)
{
	struct sweep *sweep = to;

	sweep->nnodes = 0;
	return each_item(text, sweep, add_node);
}

void
dma_defaults(struct sweep *sweep)
{
	parse_size_list("64", &sweep->size);
	parse_size_list("0", &sweep->offset);
	parse_size_list("8K", &sweep->window);
	dma_set_patterns(sweep, pattern_names[PATTERN_RANDOM]);
	dma_set_caches(sweep, cache_names[CACHE_COLD]);
	dma_set_nodes(sweep, "local");
}
