/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the tree of links as text. */
#include "diff/print_tree.h"

#include "common/base/utf8.h"
#include "diff/link_stats.h"
#include "diff/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char heading[] = "latency of the link -- device";

/* Texts of a node besides its name. */
struct node_label {
	char *latency; /* of the link above; NULL on a root bus */
	char *value;   /* the statistic */
	const char *link;
	size_t link_length; /* without packet sizes */
	char flags[FLAGS_TEXT_MAX];
};

struct drawing {
	struct device_tree tree;
	struct node_label *label; /* one per node */
	const char *statistic;
	/* Widths of the longest text in each column. */
	size_t latency_width, left_width, value_width, link_width;
};

/* Texts -------------------------------------------------------------------- */

static size_t
wider(size_t width, size_t other)
{
	return width > other ? width : other;
}

static void
label_edge(struct node_label *label, const struct links *l,
           const struct edge *e)
{
	const char *link = edge_text(l, e, LINK_COL);
	struct link_stats f;

	label->value = xasprintf("%.1f", runs_median(e->at.x, e->at.n));
	label->link = link;
	label->link_length =
	    strncmp(link, "gen", 3) != 0 ? strlen(link) : strcspn(link, "/");
	if (!edge_is_link(e))
		return;
	f = link_stats_of(l, e);
	label->latency = xasprintf("%.1f ns", f.latency);
	flags_format(f.flags, label->flags);
}

static void
make_labels(struct drawing *d, const struct links *l)
{
	d->label = xcalloc(d->tree.n + 1, sizeof *d->label);
	for (size_t i = 0; i < d->tree.n; i++) {
		const struct device_node *node = &d->tree.node[i];
		struct node_label *label = &d->label[i];

		if (node->edge)
			label_edge(label, l, node->edge);
		else
			label->value = xstrdup("not measured");
		if (!label->latency && node->parent != NO_NODE)
			label->latency = xstrdup("?");
	}
}

/* Characters up to the end of a name, with its branch "`-- 150.0 ns -- ". */
static size_t
left_width(const struct drawing *d, const struct device_node *node)
{
	size_t branch = 0;

	if (node->depth)
		branch = 3 * (node->depth - 1) + d->latency_width +
		         strlen("`--  -- ");
	return branch + plain_width(node->name);
}

static void
measure(struct drawing *d)
{
	d->left_width = strlen(heading);
	d->value_width = strlen(d->statistic);
	for (size_t i = 0; i < d->tree.n; i++) {
		const struct node_label *label = &d->label[i];

		if (label->latency)
			d->latency_width =
			    wider(d->latency_width, strlen(label->latency));
		d->value_width = wider(d->value_width, strlen(label->value));
		d->link_width = wider(d->link_width, label->link_length);
	}
	for (size_t i = 0; i < d->tree.n; i++)
		d->left_width =
		    wider(d->left_width, left_width(d, &d->tree.node[i]));
	if (d->link_width)
		d->link_width = wider(d->link_width, strlen("link"));
}

/* Drawing ------------------------------------------------------------------ */

static void
print_blanks(size_t n)
{
	printf("%*s", (int)n, "");
}

static void
draw_branch(const struct drawing *d, const struct device_node *node,
            const char *latency)
{
	char *way = xcalloc(node->depth + 1, 1);
	const struct device_node *at = node;

	for (size_t i = node->depth; i; i--) {
		way[i - 1] = at->sibling == NO_NODE ? ' ' : '|';
		at = &d->tree.node[at->parent];
	}
	for (size_t i = 0; i + 1 < node->depth; i++)
		printf("%c  ", way[i]);
	if (node->depth)
		printf("%c-- %*s -- ", node->sibling == NO_NODE ? '`' : '|',
		       (int)d->latency_width, latency);
	free(way);
}

/* Draws the columns right of the tree, without trailing blanks. */
static void
draw_columns(const struct drawing *d, size_t left, const char *value,
             const struct node_label *label)
{
	print_blanks(d->left_width - left + 2 + d->value_width - strlen(value));
	fputs(value, stdout);
	if (label->link_length)
		printf("  %.*s", (int)label->link_length, label->link);
	if (*label->flags && d->link_width)
		print_blanks(d->link_width - label->link_length +
		             (label->link_length ? 0 : 2));
	if (*label->flags)
		printf("  %s", label->flags);
	putchar('\n');
}

static void
draw_node(const struct drawing *d, size_t number)
{
	const struct device_node *node = &d->tree.node[number];
	const struct node_label *label = &d->label[number];

	draw_branch(d, node, label->latency);
	print_plain(stdout, node->name);
	draw_columns(d, left_width(d, node), label->value, label);
}

static void
draw_heading(const struct drawing *d)
{
	const struct node_label label = {.link = "link",
	                                 .link_length =
	                                     d->link_width ? strlen("link") : 0,
	                                 .flags = "flags"};

	fputs(heading, stdout);
	draw_columns(d, strlen(heading), d->statistic, &label);
}

/* Draws what the devices of a group have in common. */
static void
draw_group(const struct links *l, const struct key *key)
{
	const struct table *t = l->table;
	const struct diff_columns *c = l->columns;
	size_t width = 0;

	for (size_t i = 0; i < c->nkey; i++) {
		if (*key_find(key, c->key[i].col))
			width =
			    wider(width, plain_width(t->name[c->key[i].col]));
	}
	for (size_t i = 0; i < c->nkey; i++) {
		const char *name = t->name[c->key[i].col];
		const char *text = key_find(key, c->key[i].col);

		if (!*text)
			continue;
		print_plain(stdout, name);
		print_blanks(width - plain_width(name) + 2);
		print_plain(stdout, text);
		putchar('\n');
	}
	if (width)
		putchar('\n');
}

static void
draw_all(const struct drawing *d, const struct links *l)
{
	size_t group = SIZE_MAX;

	for (size_t i = 0; i < d->tree.norder; i++) {
		size_t number = d->tree.order[i];

		if (d->tree.node[number].group != group) {
			group = d->tree.node[number].group;
			if (i)
				putchar('\n');
			draw_group(l, &l->groups.key[group]);
			draw_heading(d);
		}
		draw_node(d, number);
	}
}

void
draw_tree(const struct links *l)
{
	struct drawing d = {.statistic = l->table->name[l->columns->value]};

	tree_make(&d.tree, l);
	make_labels(&d, l);
	measure(&d);
	draw_all(&d, l);
	for (size_t i = 0; i < d.tree.n; i++) {
		free(d.label[i].latency);
		free(d.label[i].value);
	}
	free(d.label);
	tree_free(&d.tree);
}
