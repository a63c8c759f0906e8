/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plot/data/link_tree.h"

#include "common/stream/columns.h"
#include "plot/data/row_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reading ----------------------------------------------------------------- */

/* The others are those in which the devices of one tree differ. */
static bool
tells_trees(const char *column)
{
	return strcmp(column, "device") != 0 && strcmp(column, "parent") != 0 &&
	       strcmp(column, "link") != 0 && strcmp(column, "devsel") != 0;
}

/* "completer", which most rows have, and the words of the others. */
static void
read_flags(struct node *node, const struct table *t)
{
	static const char completer[] = "completer";
	const char *flags = optional_text(t, "flags");
	size_t length = strlen(completer);

	node->completer =
	    !strncmp(flags, completer, length) && strchr(" ", flags[length]);
	if (node->completer)
		flags += length;
	node->flags = xstrdup(*flags == ' ' ? flags + 1 : flags);
}

static void
add_node(struct tree *tree, struct node node)
{
	tree->node = xreallocarray(tree->node, tree->n + 1, sizeof *tree->node);
	tree->node[tree->n++] = node;
}

static void
take_row(struct tree *tree, const struct table *t)
{
	struct node node = {0};

	if (!row_has(t, "device") || !row_has(t, "parent") ||
	    !row_has(t, "parent_ns") || !row_has(t, "latency_ns")) {
		tree->skipped++;
		return;
	}
	node = (struct node){
	    .group = row_key(&tree->groups, t, tells_trees),
	    .device = xstrdup(optional_text(t, "device")),
	    .parent = xstrdup(optional_text(t, "parent")),
	    .link = xstrdup(optional_text(t, "link")),
	    .above = row_number(t, "parent_ns"),
	    .latency = row_number(t, "latency_ns"),
	    .low = row_number(t, "latency_lo_ns"),
	    .high = row_number(t, "latency_hi_ns"),
	    .wire = row_number(t, "serialization_ns"),
	};
	read_flags(&node, t);
	add_node(tree, node);
}

static struct node *
find_node(const struct tree *tree, size_t group, const char *device)
{
	for (size_t i = 0; i < tree->n; i++) {
		struct node *node = &tree->node[i];

		if (node->group == group && !strcmp(node->device, device))
			return node;
	}
	return NULL;
}

/* Bridges on a root bus have no row of their own. */
static void
add_roots(struct tree *tree)
{
	size_t links = tree->n;

	for (size_t i = 0; i < links; i++) {
		const struct node *node = &tree->node[i];

		if (find_node(tree, node->group, node->parent))
			continue;
		add_node(tree, (struct node){
		                   .group = node->group,
		                   .device = xstrdup(node->parent),
		                   .parent = xstrdup(""),
		                   .link = xstrdup(""),
		                   .latency = node->above,
		                   .low = NAN,
		                   .high = NAN,
		                   .wire = NAN,
		                   .flags = xstrdup(""),
		                   .root = true,
		               });
	}
}

void
read_tree(struct tree *tree, struct table *t)
{
	while (table_next(t))
		take_row(tree, t);
	need_column(t, "device");
	need_column(t, "parent");
	need_column(t, "parent_ns");
	need_column(t, "latency_ns");
	warn_skipped(tree->skipped, "a link's latency");
	tree->told = table_find(t, "flags") >= 0;
	add_roots(tree);
}

void
free_tree(struct tree *tree)
{
	for (size_t i = 0; i < tree->n; i++) {
		free(tree->node[i].device);
		free(tree->node[i].parent);
		free(tree->node[i].link);
		free(tree->node[i].flags);
	}
	free(tree->node);
	key_set_free(&tree->groups);
}

/* Order ------------------------------------------------------------------- */

/* Puts the children of `above` that are in no list yet behind it. */
static void
list_children(struct tree *tree, struct walk *walk, size_t at)
{
	const struct node *above = &tree->node[walk->node[at]];
	size_t to = at + 1;

	for (size_t i = 0; i < tree->n; i++) {
		struct node *node = &tree->node[i];

		if (node->listed || node->root || node->group != above->group ||
		    strcmp(node->parent, above->device) != 0)
			continue;
		for (size_t k = walk->n; k > to; k--)
			walk->node[k] = walk->node[k - 1];
		walk->node[to++] = i;
		walk->n++;
		node->listed = true;
		node->depth = above->depth + 1;
	}
}

struct walk
walk_tree(struct tree *tree)
{
	struct walk walk = {xcalloc(tree->n, sizeof *walk.node), 0};
	size_t at = 0;

	/* Those that are their own ancestors come last. */
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < tree->n; i++) {
			struct node *node = &tree->node[i];

			if (node->listed || (!round && !node->root))
				continue;
			node->listed = true;
			walk.node[walk.n++] = i;
			for (; at < walk.n; at++)
				list_children(tree, &walk, at);
		}
	}
	return walk;
}
