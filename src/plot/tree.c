/* What pcb-diff says of links: latency along the paths from the root. */
#include "common/names.h"
#include "plot/describe.h"
#include "plot/kind.h"
#include "plot/named.h"
#include "plot/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A device, or the bridge above devices of which nothing else is known. */
struct node {
	size_t group;
	char *device, *parent, *link;
	double above;   /* latency of the bridge above; 0 at the root */
	double latency; /* of the link, or of a root */
	double low, high;
	size_t depth;
	bool root, listed;
};

struct tree {
	struct keys groups; /* what devices of one tree have in common */
	struct node *node;
	size_t n;
	uintmax_t skipped;
};

/* Reading ----------------------------------------------------------------- */

/* Columns in which the devices of one tree differ. */
static bool
tells_devices(const char *column)
{
	return !strcmp(column, "device") || !strcmp(column, "parent") ||
	       !strcmp(column, "link") || !strcmp(column, "devsel");
}

static size_t
find_group(struct tree *tree, const struct table *t)
{
	struct key key = {0};
	size_t group;

	for (size_t i = 0; i < t->ncols; i++) {
		if (is_identity(t->name[i]) && !tells_devices(t->name[i]))
			key_append(&key, i, t->field[i]);
	}
	group = keys_number(&tree->groups, &key);
	free(key.bytes);
	return group;
}

static const char *
text(const struct table *t, const char *name)
{
	ptrdiff_t col = table_find(t, name);

	return col < 0 ? "" : t->field[col];
}

static double
number(const struct table *t, const char *name)
{
	if (!row_has(t, name))
		return NAN;
	return row_value(t, (size_t)table_find(t, name));
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
	if (!row_has(t, "device") || !row_has(t, "parent") ||
	    !row_has(t, "parent_ns") || !row_has(t, "latency_ns")) {
		tree->skipped++;
		return;
	}
	add_node(tree, (struct node){
	                   .group = find_group(tree, t),
	                   .device = xstrdup(text(t, "device")),
	                   .parent = xstrdup(text(t, "parent")),
	                   .link = xstrdup(text(t, "link")),
	                   .above = number(t, "parent_ns"),
	                   .latency = number(t, "latency_ns"),
	                   .low = number(t, "latency_lo_ns"),
	                   .high = number(t, "latency_hi_ns"),
	               });
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
		                   .root = true,
		               });
	}
}

static void
read_tree(struct tree *tree, struct table *t)
{
	while (table_next(t))
		take_row(tree, t);
	need_column(t, "device");
	need_column(t, "parent");
	need_column(t, "parent_ns");
	need_column(t, "latency_ns");
	warn_skipped(tree->skipped, "a link's latency");
	add_roots(tree);
}

static void
free_tree(struct tree *tree)
{
	for (size_t i = 0; i < tree->n; i++) {
		free(tree->node[i].device);
		free(tree->node[i].parent);
		free(tree->node[i].link);
	}
	free(tree->node);
	keys_free(&tree->groups);
}

/* Order ------------------------------------------------------------------- */

/* The nodes from the root down, each before its children. */
struct walk {
	size_t *node; /* their numbers */
	size_t n;
};

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

static struct walk
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

/* Picture ----------------------------------------------------------------- */

/* Of "gen3x8/mps256/...", what a link is; of "pcix64/133", all. */
static size_t
link_length(const char *link)
{
	return strncmp(link, "gen", 3) != 0 ? strlen(link) : strcspn(link, "/");
}

/* "  03:00.0 gen3x8", below its bridge; a root has the tree's name before. */
static char *
name_of(const struct node *node, const struct tree *tree,
        const struct names *names)
{
	char *group = names_legend(names, &tree->groups.key[node->group]);
	size_t link = link_length(node->link);
	char *name = xasprintf("%*s%s%s%s%s%.*s", (int)(3 * node->depth), "",
	                       node->depth ? "" : group,
	                       *group && !node->depth ? ": " : "", node->device,
	                       link ? " " : "", (int)link, node->link);

	free(group);
	return name;
}

static void
add_rows(struct picture *p, struct tree *tree, const struct names *names)
{
	struct walk walk = walk_tree(tree);
	struct curve above = {0};
	struct curve links = {0};
	struct curve limits = {0};

	for (size_t i = 0; i < walk.n; i++) {
		const struct node *n = &tree->node[walk.node[i]];
		size_t row = add_row(p, name_of(n, tree, names));
		double end = n->above + n->latency;

		add_bar(&above, row, 0, n->root ? end : n->above);
		if (!n->root)
			add_bar(&links, row, n->above, end);
		if (!isnan(n->low) && !isnan(n->high))
			add_line(&limits, row, n->above + n->low,
			         n->above + n->high);
		add_remark(
		    p, row, fmax(end, n->above + n->high),
		    xasprintf("%s%.4g ns", n->root ? "" : "+", n->latency));
	}
	picture_take_if(p, STYLE_PALE, "the way there", &above);
	picture_take_if(p, STYLE_BAR, "this link and its device", &links);
	picture_take_if(p, STYLE_LINE, "limits", &limits);
	free(walk.node);
}

/* With room for the remarks on the right. */
static void
choose_axis(struct picture *p, const struct tree *tree)
{
	double low = 0;
	double high = 0;

	for (size_t i = 0; i < tree->n; i++) {
		const struct node *n = &tree->node[i];

		low = fmin(low, fmin(n->above, n->above + n->latency));
		high = fmax(high, fmax(n->above, n->above + n->latency));
		high = fmax(high, n->above + n->high);
	}
	axis_time(&p->x, "latency", low, high * (1 + 1.5 / room_beside(p)),
	          high, room_beside(p));
	axis_few_tics(&p->x, room_beside(p));
}

static void
draw(struct picture *p, struct table *t)
{
	struct tree tree = {0};
	struct names names;

	read_tree(&tree, t);
	names = names_of(t, &tree.groups);
	names_describe(&names, p, "Latency along the path");
	add_rows(p, &tree, &names);
	choose_axis(p, &tree);
	names_free(&names);
	free_tree(&tree);
}

const struct kind kind_tree = {
    .name = "tree",
    .help = "latency from the root to each device, of pcb-diff",
    .draw = draw,
};
