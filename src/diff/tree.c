/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the tree of devices and draws it as text. */
#include "diff/diff.h"

#include "common/base/intmath.h"
#include "common/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char heading[] = "latency of the link -- device";

/* A device, or a parent that was not measured. */
struct device_node {
	size_t group;
	const char *name;
	size_t parent, child, sibling; /* indices; NO_NODE: none */
	size_t last;                   /* child */
	size_t depth;
	bool reached; /* from a root */

	char *latency; /* of the link above; NULL on a root bus */
	char *value;   /* the statistic */
	const char *link;
	size_t link_length; /* without packet sizes */
	char flags[FLAGS_TEXT_MAX];
};

struct tree {
	const struct links *links;
	struct device_node *node;
	size_t n;
	size_t *order; /* all nodes, by group, parents first */
	size_t norder;
	const char *statistic;
	/* Widths of the longest text in each column. */
	size_t latency_width, left_width, value_width, link_width;
};

/* The tree ----------------------------------------------------------------- */

static struct device_node *
add_node(struct tree *tree, size_t group, const char *name)
{
	struct device_node *added = &tree->node[tree->n++];

	*added = (struct device_node){.group = group,
	                              .name = name,
	                              .parent = NO_NODE,
	                              .child = NO_NODE,
	                              .sibling = NO_NODE,
	                              .last = NO_NODE};
	return added;
}

static void
label(struct device_node *node, const struct links *l, const struct edge *e)
{
	const char *link = edge_text(l, e, LINK_COL);
	struct link_stats f;

	node->value = xasprintf("%.1f", runs_median(e->at.x, e->at.n));
	node->link = link;
	node->link_length =
	    strncmp(link, "gen", 3) != 0 ? strlen(link) : strcspn(link, "/");
	if (!edge_is_link(e))
		return;
	f = link_stats_of(l, e);
	node->latency = xasprintf("%.1f ns", f.latency);
	flags_format(f.flags, node->flags);
}

/* Links each node to its parent, adding missing parents. */
static void
attach_children(struct tree *tree)
{
	const struct links *l = tree->links;
	size_t *at = xcalloc(l->nodes.n + 1, sizeof *at);

	for (size_t i = 0; i < l->nodes.n; i++)
		at[i] = NO_NODE;
	for (size_t i = l->n; i--;)
		at[l->edge[i].node] = i;
	for (size_t i = 0; i < l->n; i++) {
		const struct edge *e = &l->edge[i];
		struct device_node *child, *above;

		if (e->parent == NO_NODE)
			continue;
		if (at[e->parent] == NO_NODE) {
			at[e->parent] = tree->n;
			add_node(tree, e->group, edge_text(l, e, PARENT_COL))
			    ->value = xstrdup("not measured");
		}
		child = &tree->node[i];
		above = &tree->node[at[e->parent]];
		child->parent = at[e->parent];
		if (above->child == NO_NODE)
			above->child = i;
		else
			tree->node[above->last].sibling = i;
		above->last = i;
		if (!child->latency)
			child->latency = xstrdup("?");
	}
	free(at);
}

/* Appends a root and all nodes below it, parents first. */
static void
order_from(struct tree *tree, size_t root)
{
	size_t i = root;

	while (i != NO_NODE) {
		struct device_node *node = &tree->node[i];

		if (i != root)
			node->depth = tree->node[node->parent].depth + 1;
		node->reached = true;
		tree->order[tree->norder++] = i;
		if (node->child != NO_NODE) {
			i = node->child;
			continue;
		}
		while (i != NO_NODE && tree->node[i].sibling == NO_NODE)
			i = tree->node[i].parent;
		if (i != NO_NODE)
			i = tree->node[i].sibling;
	}
}

/* Nodes that no root reaches are their own ancestors. */
static void
order_all(struct tree *tree)
{
	const struct links *l = tree->links;

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

/* Widths ------------------------------------------------------------------- */

/* Characters up to the end of a name, with its branch "`-- 150.0 ns -- ". */
static size_t
left_width(const struct tree *d, const struct device_node *node)
{
	size_t branch = 0;

	if (node->depth)
		branch = 3 * (node->depth - 1) + d->latency_width +
		         strlen("`--  -- ");
	return branch + plain_width(node->name);
}

static void
measure(struct tree *d)
{
	d->left_width = strlen(heading);
	d->value_width = strlen(d->statistic);
	for (size_t i = 0; i < d->n; i++) {
		const struct device_node *node = &d->node[i];

		if (node->latency)
			d->latency_width =
			    max_plain_width(d->latency_width, node->latency);
		d->value_width = max_plain_width(d->value_width, node->value);
		d->link_width = max_u64(d->link_width, node->link_length);
	}
	for (size_t i = 0; i < d->n; i++)
		d->left_width =
		    max_u64(d->left_width, left_width(d, &d->node[i]));
	if (d->link_width)
		d->link_width = max_u64(d->link_width, strlen("link"));
}

/* Drawing ------------------------------------------------------------------ */

static void
draw_branch(const struct tree *d, const struct device_node *node)
{
	char *way = xcalloc(node->depth + 1, 1);
	const struct device_node *at = node;

	for (size_t i = node->depth; i; i--) {
		way[i - 1] = at->sibling == NO_NODE ? ' ' : '|';
		at = &d->node[at->parent];
	}
	for (size_t i = 0; i + 1 < node->depth; i++)
		printf("%c  ", way[i]);
	if (node->depth)
		printf("%c-- %*s -- ", node->sibling == NO_NODE ? '`' : '|',
		       (int)d->latency_width, node->latency);
	free(way);
}

/* Draws the columns right of the tree, without trailing blanks. */
static void
draw_columns(const struct tree *d, size_t left, const struct device_node *node)
{
	printf("%*s", (int)(d->left_width - left + 2 + d->value_width),
	       node->value);
	if (node->link_length)
		printf("  %.*s", (int)node->link_length, node->link);
	if (*node->flags && d->link_width)
		printf("%*s",
		       (int)(d->link_width - node->link_length +
		             (node->link_length ? 0 : 2)),
		       "");
	if (*node->flags)
		printf("  %s", node->flags);
	putchar('\n');
}

/* Draws what the devices of a group have in common. */
static void
draw_group(const struct links *l, const struct key *key)
{
	const struct diff_columns *c = l->columns;
	size_t width = 0;

	for (size_t i = 0; i < c->nkey; i++) {
		if (*key_find(key, c->key[i].col))
			width = max_plain_width(width,
			                        l->table->name[c->key[i].col]);
	}
	for (size_t i = 0; i < c->nkey; i++) {
		const char *name = l->table->name[c->key[i].col];
		const char *text = key_find(key, c->key[i].col);

		if (!*text)
			continue;
		print_plain(stdout, name);
		printf("%*s", (int)(width - plain_width(name) + 2), "");
		print_plain(stdout, text);
		putchar('\n');
	}
	if (width)
		putchar('\n');
}

void
draw_tree(const struct links *l)
{
	/* Each device adds at most one missing parent. */
	struct tree tree = {.links = l,
	                    .node = xcalloc(2 * l->n + 1, sizeof *tree.node),
	                    .statistic = l->table->name[l->columns->value]};
	struct device_node titles = {
	    .value = (char *)tree.statistic, .link = "link", .flags = "flags"};
	size_t group = SIZE_MAX;

	for (size_t i = 0; i < l->n; i++) {
		const struct edge *e = &l->edge[i];

		label(add_node(&tree, e->group, edge_named(l, e, "device")), l,
		      e);
	}
	attach_children(&tree);
	order_all(&tree);
	measure(&tree);
	titles.link_length = tree.link_width ? strlen("link") : 0;
	for (size_t i = 0; i < tree.norder; i++) {
		const struct device_node *node = &tree.node[tree.order[i]];

		if (node->group != group) {
			group = node->group;
			if (i)
				putchar('\n');
			draw_group(l, &l->groups.key[group]);
			fputs(heading, stdout);
			draw_columns(&tree, strlen(heading), &titles);
		}
		draw_branch(&tree, node);
		print_plain(stdout, node->name);
		draw_columns(&tree, left_width(&tree, node), node);
	}
	for (size_t i = 0; i < tree.n; i++) {
		free(tree.node[i].latency);
		free(tree.node[i].value);
	}
	free(tree.node);
	free(tree.order);
}
