/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cli/dma_options.h"

#include <stdlib.h>
#include <string.h>

/* Splits a list at its commas and adds each item: NULL, or why one is wrong. */
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
				return "a pattern is there twice";
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
				return "a state is there twice";
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

static const char *
set_sizes(struct sweep *sweep, const char *text)
{
	return parse_size_list(text, &sweep->size);
}

static const char *
set_offsets(struct sweep *sweep, const char *text)
{
	return parse_size_list(text, &sweep->offset);
}

static const char *
set_windows(struct sweep *sweep, const char *text)
{
	return parse_size_list(text, &sweep->window);
}

static const char *
set_patterns(struct sweep *sweep, const char *text)
{
	sweep->npatterns = 0;
	return each_item(text, sweep, add_pattern);
}

static const char *
set_caches(struct sweep *sweep, const char *text)
{
	sweep->ncaches = 0;
	return each_item(text, sweep, add_cache);
}

static const char *
set_nodes(struct sweep *sweep, const char *text)
{
	sweep->nnodes = 0;
	return each_item(text, sweep, add_node);
}

/* What is swept: the long option, how messages call it, its default. */
static const struct swept {
	const char *name, *flag, *value;
	const char *(*set)(struct sweep *sweep, const char *text);
} swept[] = {
    {"size", "-s", "64", set_sizes},
    {"offset", "--offset", "0", set_offsets},
    {"window", "-w", "8K", set_windows},
    {"pattern", "--pattern", "random", set_patterns},
    {"cache", "--cache", "cold", set_caches},
    {"node", "--node", "local", set_nodes},
};

void
dma_defaults(struct collection *c)
{
	for (size_t i = 0; i < ARRAY_LEN(swept); i++)
		swept[i].set(&c->sweep, swept[i].value);
}

static void
sweep_option(struct sweep *sweep, const char *name, const char *text)
{
	const struct swept *option = swept;
	const char *why;

	while (strcmp(option->name, name) != 0)
		option++;
	why = option->set(sweep, text);
	if (why)
		die_usage("%s '%s': %s", option->flag, text, why);
}

void
dma_option(struct collection *c, const char *name, const char *text)
{
	const char *why;

	c->dma_option = name;
	c->size_given = c->size_given || !strcmp(name, "size");
	c->window_given = c->window_given || !strcmp(name, "window");
	if (!strcmp(name, "cache"))
		c->request.cache_given = true;
	if (strcmp(name, "buffer") != 0) {
		sweep_option(&c->sweep, name, text);
		return;
	}
	why = parse_size(text, &c->request.buffer);
	if (why)
		die_usage("-b '%s': %s", text, why);
}
