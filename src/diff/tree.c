/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the tree of devices and orders it from the roots down. */
#include "diff/tree.h"

#include <stdlib.h>

static struct device_node *
add_node(struct device_tree *tree, const struct device_node *node)
{
	struct device_node *added = &tree->node[tree->n++];

	*added = *node;
	added->parent = added->child = added->sibling = added->last = NO_NODE;
	return added;
}

static void
attach_child(struct device_tree *tree, size_t parent, size_t child)
{
	struct device_node *above = &tree->node[parent];

	tree->node[child].parent = parent;
	if (above->child == NO_NODE)
		above->child = child;
	else
		tree->node[above->last].sibling = child;
	above->last = child;
}

/* Links each node to its parent, adding missing parents. */
static void
attach_children(struct device_tree *tree, const struct links *l)
{
	size_t *at = xcalloc(l->nodes.n + 1, sizeof *at);

	for (size_t i = 0; i < l->nodes.n; i++)
		at[i] = NO_NODE;
	for (size_t i = l->n; i--;)
		at[l->edge[i].node] = i;
	for (size_t i = 0; i < l->n; i++) {
		const struct edge *e = &l->edge[i];

		if (e->parent == NO_NODE)
			continue;
		if (at[e->parent] == NO_NODE) {
			const struct device_node missing = {
			    .group = e->group,
			    .name = edge_text(l, e, PARENT_COL)};

			at[e->parent] = tree->n;
			add_node(tree, &missing);
		}
		attach_child(tree, at[e->parent], i);
	}
	free(at);
}

/* The node after this one, parents first. */
static size_t
next_node(const struct device_tree *tree, size_t i)
{
	if (tree->node[i].child != NO_NODE)
		return tree->node[i].child;
	while (i != NO_NODE && tree->node[i].sibling == NO_NODE)
		i = tree->node[i].parent;
	return i == NO_NODE ? i : tree->node[i].sibling;
}

/* Appends a root and all nodes below it. */
static void
order_from(struct device_tree *tree, size_t root)
{
	for (size_t i = root; i != NO_NODE; i = next_node(tree, i)) {
		struct device_node *node = &tree->node[i];

		if (i != root)
			node->depth = tree->node[node->parent].depth + 1;
		node->reached = true;
		tree->order[tree->norder++] = i;
	}
}

/* Nodes that no root reaches are their own ancestors. */
static void
order_all(struct device_tree *tree, const struct links *l)
{
	tree->order = xcalloc(tree->n + 1, sizeof *tree->order);
	for (size_t group = 0; group < l->groups.n; group++) {
		for (size_t i = 0; i < tree->n; i++) {
			if (tree->node[i].parent == NO_NODE &&
			    tree->node[i].group == group)
				order_from(tree, i);
		}
	}
	for (size_t i = 0; i < tree->n; i++) {
		if (!tree->node[i].reached)
			die("%s: device '%s' is above itself", l->table->file,
			    tree->node[i].name);
	}
}

void
tree_make(struct device_tree *tree, const struct links *l)
{
	/* Each device adds at most one missing parent. */
	tree->node = xcalloc(2 * l->n + 1, sizeof *tree->node);
	for (size_t i = 0; i < l->n; i++) {
		const struct edge *e = &l->edge[i];
		const struct device_node node = {
		    .edge = e,
		    .group = e->group,
		    .name = edge_named(l, e, "device")};

		add_node(tree, &node);
	}
	attach_children(tree, l);
	order_all(tree, l);
}

void
tree_free(struct device_tree *tree)
{
	free(tree->node);
	free(tree->order);
	*tree = (struct device_tree){0};
}
