/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the links of pcb-diff as trees. */
#include "plot/data/link_tree.h"

#include "common/base/list.h"
#include "common/stream/columns.h"
#include "plot/data/row_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reading ----------------------------------------------------------------- */

/* True for columns that identify a tree: not for those that vary in one. */
static bool
tells_trees(const char *column)
{
	return strcmp(column, "device") != 0 && strcmp(column, "parent") != 0 &&
	       strcmp(column, "link") != 0 && strcmp(column, "devsel") != 0;
}

/* Splits "completer", a flag of most rows, from other flags. */
static void
read_flags(struct link_node *node, const struct table *t)
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
add_node(struct link_tree *tree, struct link_node node)
{
	array_push(tree->node, tree->n, node);
}

static void
take_row(struct link_tree *tree, const struct table *t)
{
	struct link_node node = {0};

	if (!row_has(t, "device") || !row_has(t, "parent") ||
	    !row_has(t, "parent_ns") || !row_has(t, "latency_ns")) {
		trace_skipped(t, "a link's latency");
		tree->skipped++;
		return;
	}
	node = (struct link_node){
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

static struct link_node *
find_node(const struct link_tree *tree, size_t group, const char *device)
{
	for (size_t i = 0; i < tree->n; i++) {
		struct link_node *node = &tree->node[i];

		if (node->group == group && !strcmp(node->device, device))
			return node;
	}
	return NULL;
}

/* Adds bridges on a root bus, which have no row. */
static void
add_roots(struct link_tree *tree)
{
	size_t links = tree->n;

	for (size_t i = 0; i < links; i++) {
		const struct link_node *node = &tree->node[i];

		if (find_node(tree, node->group, node->parent))
			continue;
		add_node(tree, (struct link_node){
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
read_tree(struct link_tree *tree, struct table *t)
{
	while (table_next(t))
		take_row(tree, t);
	need_column(t, "device");
	need_column(t, "parent");
	need_column(t, "parent_ns");
	need_column(t, "latency_ns");
	warn_skipped(tree->skipped, "a link's latency");
	tree->knows_completers = table_find(t, "flags") >= 0;
	add_roots(tree);
}

void
free_tree(struct link_tree *tree)
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

/* Inserts the unlisted children of the node at `at` behind it. */
static void
list_children(struct link_tree *tree, struct walk *walk, size_t at)
{
	const struct link_node *above = &tree->node[walk->node[at]];
	size_t to = at + 1;

	for (size_t i = 0; i < tree->n; i++) {
		struct link_node *node = &tree->node[i];

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
walk_tree(struct link_tree *tree)
{
	struct walk walk = {xcalloc(tree->n, sizeof *walk.node), 0};
	size_t at = 0;

	/* Nodes that are their own ancestors come last. */
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < tree->n; i++) {
			struct link_node *node = &tree->node[i];

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
