#include "diff/tree.h"

#include "common/text.h"
#include "diff/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_NODE SIZE_MAX

static const char heading[] = "latency of the link -- device";

/* A device, or the parent of one that was not measured itself. */
struct node {
	const struct hop *hop; /* NULL: not measured */
	size_t group, spot;
	const char *name;
	size_t parent, child, sibling; /* NO_NODE where there is none */
	size_t last;                   /* child */
	size_t depth;
	char *latency; /* as it is shown; NULL on a root bus */
	char *value;   /* the statistic of the device, likewise */
};

struct tree {
	struct node *node;
	size_t n;
	size_t *order; /* as they are drawn */
	size_t norder;
	/* Characters that the longest of these has. */
	size_t latency_width, left_width, value_width, link_width;
};

/* The tree ----------------------------------------------------------------- */

static struct node *
add_node(struct tree *tree, const struct node *node)
{
	struct node *added = &tree->node[tree->n++];

	*added = *node;
	added->parent = added->child = added->sibling = added->last = NO_NODE;
	return added;
}

static void
hang(struct tree *tree, size_t parent, size_t child)
{
	struct node *above = &tree->node[parent];

	tree->node[child].parent = parent;
	if (above->child == NO_NODE)
		above->child = child;
	else
		tree->node[above->last].sibling = child;
	above->last = child;
}

/* The node of each spot; a parent that is none yet becomes one. */
static void
hang_all(struct tree *tree, const struct links *l)
{
	size_t *at = xcalloc(l->spots.n + 1, sizeof *at);

	for (size_t i = 0; i < l->spots.n; i++)
		at[i] = NO_NODE;
	for (size_t i = l->n; i--;)
		at[l->hop[i].spot] = i;
	for (size_t i = 0; i < l->n; i++) {
		const struct hop *hop = &l->hop[i];

		if (hop->parent == NO_SPOT)
			continue;
		if (at[hop->parent] == NO_NODE) {
			const struct node missing = {
			    .group = hop->group,
			    .spot = hop->parent,
			    .name = hop_text(l, hop, PARENT_COL)};

			at[hop->parent] = tree->n;
			add_node(tree, &missing);
		}
		hang(tree, at[hop->parent], i);
	}
	free(at);
}

/* The node after this one, from above to below. */
static size_t
next_node(const struct tree *tree, size_t i)
{
	if (tree->node[i].child != NO_NODE)
		return tree->node[i].child;
	while (i != NO_NODE && tree->node[i].sibling == NO_NODE)
		i = tree->node[i].parent;
	return i == NO_NODE ? i : tree->node[i].sibling;
}

/* Appends a root and all below it. */
static void
order_from(struct tree *tree, size_t root)
{
	for (size_t i = root; i != NO_NODE; i = next_node(tree, i)) {
		struct node *node = &tree->node[i];

		if (i != root)
			node->depth = tree->node[node->parent].depth + 1;
		tree->order[tree->norder++] = i;
	}
}

/* Nodes that no root leads to hang in a ring. */
static void
order_all(struct tree *tree, size_t ngroups, const struct table *t)
{
	bool *reached = xcalloc(tree->n + 1, sizeof *reached);

	tree->order = xcalloc(tree->n + 1, sizeof *tree->order);
	for (size_t group = 0; group < ngroups; group++) {
		for (size_t i = 0; i < tree->n; i++) {
			if (tree->node[i].parent == NO_NODE &&
			    tree->node[i].group == group)
				order_from(tree, i);
		}
	}
	for (size_t i = 0; i < tree->norder; i++)
		reached[tree->order[i]] = true;
	for (size_t i = 0; i < tree->n; i++) {
		if (!reached[i])
			die("%s: device '%s' is above itself", t->file,
			    tree->node[i].name);
	}
	free(reached);
}

/* Texts -------------------------------------------------------------------- */

static size_t
wider(size_t width, size_t other)
{
	return width > other ? width : other;
}

/* Without the sizes of packets. */
static size_t
link_length(const struct links *l, const struct node *node)
{
	const char *link = node->hop ? hop_text(l, node->hop, LINK_COL) : "";

	return strncmp(link, "gen", 3) != 0 ? strlen(link) : strcspn(link, "/");
}

static void
make_texts(struct tree *tree, const struct links *l, const struct table *t)
{
	for (size_t i = 0; i < tree->n; i++) {
		struct node *node = &tree->node[i];
		const struct hop *hop = node->hop;

		node->value =
		    hop ? xasprintf("%.1f", runs_median(hop->at.x, hop->at.n))
		        : xstrdup("not measured");
		if (hop && hop_is_link(hop))
			node->latency =
			    xasprintf("%.1f ns", figures_of(l, hop, t).latency);
		else if (node->parent != NO_NODE)
			node->latency = xstrdup("?");
		if (node->latency)
			tree->latency_width =
			    wider(tree->latency_width, strlen(node->latency));
	}
}

/* Of a branch: "`-- 150.0 ns -- " and what leads to it. */
static size_t
left_width(const struct tree *tree, const struct node *node)
{
	size_t branch =
	    node->depth ? 3 * (node->depth - 1) + tree->latency_width + 8 : 0;

	return branch + plain_width(node->name);
}

static void
measure_texts(struct tree *tree, const struct links *l, const char *value)
{
	tree->left_width = strlen(heading);
	tree->value_width = strlen(value);
	tree->link_width = 0;
	for (size_t i = 0; i < tree->n; i++) {
		const struct node *node = &tree->node[i];

		tree->left_width =
		    wider(tree->left_width, left_width(tree, node));
		tree->value_width =
		    wider(tree->value_width, strlen(node->value));
		tree->link_width =
		    wider(tree->link_width, link_length(l, node));
	}
	if (tree->link_width)
		tree->link_width = wider(tree->link_width, strlen("link"));
}

/* Drawing ------------------------------------------------------------------ */

static void
print_blanks(size_t n)
{
	printf("%*s", (int)n, "");
}

static void
draw_branch(const struct tree *tree, const struct node *node)
{
	char *way = xcalloc(node->depth + 1, 1);
	const struct node *at = node;

	for (size_t i = node->depth; i; i--) {
		way[i - 1] = at->sibling == NO_NODE ? ' ' : '|';
		at = &tree->node[at->parent];
	}
	for (size_t i = 0; i + 1 < node->depth; i++)
		printf("%c  ", way[i]);
	if (node->depth)
		printf("%c-- %*s -- ", node->sibling == NO_NODE ? '`' : '|',
		       (int)tree->latency_width, node->latency);
	free(way);
}

static void
draw_node(const struct tree *tree, const struct node *node,
          const struct links *l, const struct table *t)
{
	size_t length = link_length(l, node);
	char flags[FLAGS_TEXT_MAX] = "";

	draw_branch(tree, node);
	print_plain(stdout, node->name);
	print_blanks(tree->left_width - left_width(tree, node) + 2 +
	             tree->value_width - strlen(node->value));
	fputs(node->value, stdout);
	if (node->hop && hop_is_link(node->hop))
		flags_format(figures_of(l, node->hop, t).flags, flags);
	if (length)
		printf("  %.*s", (int)length, hop_text(l, node->hop, LINK_COL));
	if (*flags) {
		if (tree->link_width)
			print_blanks(tree->link_width - length +
			             (length ? 0 : 2));
		printf("  %s", flags);
	}
	putchar('\n');
}

/* What the devices of a group have in common. */
static void
draw_group(const struct links *l, size_t group, const struct table *t,
           const struct columns *c)
{
	const struct key *key = &l->groups.key[group];
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
draw_heading(const struct tree *tree, const char *value)
{
	fputs(heading, stdout);
	print_blanks(tree->left_width - strlen(heading) + 2 +
	             tree->value_width - strlen(value));
	fputs(value, stdout);
	if (tree->link_width) {
		fputs("  link", stdout);
		print_blanks(tree->link_width - strlen("link"));
	}
	puts("  flags");
}

static void
draw_all(const struct tree *tree, const struct links *l, const struct table *t,
         const struct columns *c)
{
	size_t group = SIZE_MAX;

	for (size_t i = 0; i < tree->norder; i++) {
		const struct node *node = &tree->node[tree->order[i]];

		if (node->group != group) {
			if (i)
				putchar('\n');
			group = node->group;
			draw_group(l, group, t, c);
			draw_heading(tree, t->name[c->value]);
		}
		draw_node(tree, node, l, t);
	}
}

void
draw_tree(const struct links *l, const struct table *t, const struct columns *c)
{
	struct tree tree = {0};

	/* At most one missing parent for each device. */
	tree.node = xcalloc(2 * l->n + 1, sizeof *tree.node);
	for (size_t i = 0; i < l->n; i++) {
		const struct hop *hop = &l->hop[i];
		const struct node node = {.hop = hop,
		                          .group = hop->group,
		                          .spot = hop->spot,
		                          .name =
		                              hop_named(l, hop, t, "device")};

		add_node(&tree, &node);
	}
	hang_all(&tree, l);
	order_all(&tree, l->groups.n, t);
	make_texts(&tree, l, t);
	measure_texts(&tree, l, t->name[c->value]);
	draw_all(&tree, l, t, c);
	for (size_t i = 0; i < tree.n; i++) {
		free(tree.node[i].latency);
		free(tree.node[i].value);
	}
	free(tree.node);
	free(tree.order);
}
