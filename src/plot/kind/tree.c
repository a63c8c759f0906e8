/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links as a tree: latency along the paths, or what each link carries. */
#include "common/stream/columns.h"
#include "plot/kind/bars.h"
#include "plot/kind/kind.h"

#include <math.h>

/* A device, or a bridge known only as the parent of devices. */
struct link_node {
	size_t group;
	char *device, *parent, *link, *name; /* the name may be NULL */
	double above;   /* latency of the bridge above; 0 at the root */
	double latency; /* of the link, or of a root */
	double low, high;
	double wire; /* its part for serialization */
	char *flags; /* without "completer" */
	bool completer;
	size_t depth;
	bool root, listed;
	double path, below; /* bandwidth: up to memory; of all devices below */
	bool limits;        /* a device below has no more than this link */
};

/* A column of pcb-model tree. */
static const char bound_up[] = "bw_wr_gbit_s";

struct link_tree {
	struct key_set groups; /* the columns that identify a tree */
	struct link_node *node;
	size_t n;
	bool knows_completers; /* some rows have the flag "completer" */
	uintmax_t skipped;
};

/* Reading ----------------------------------------------------------------- */

static bool
tells_kinds(const char *column)
{
	return !strcmp(column, "kind") || !strcmp(column, "host");
}

/* True for columns that identify a tree: not for those that vary in one. */
static bool
tells_trees(const char *column)
{
	return strcmp(column, "device") != 0 && strcmp(column, "parent") != 0 &&
	       strcmp(column, "link") != 0 && strcmp(column, "devsel") != 0;
}

/* A link of pcb-model tree. */
static void
take_link(struct link_tree *tree, const struct table *t)
{
	bool linked = row_has(t, "bw_wr_gbit_s");

	array_push(tree->node, tree->n,
	           (struct link_node){
	               .group = row_key(&tree->groups, t, tells_kinds),
	               .device = xstrdup(optional_text(t, "device")),
	               .parent = xstrdup(optional_text(t, "parent")),
	               .link = xstrdup(optional_text(t, "link")),
	               .name = xstrdup(optional_text(t, "name")),
	               .latency = linked ? row_number(t, "bw_wr_gbit_s") : 0,
	               .path = row_number(t, "path_gbit_s"),
	               .low = NAN,
	               .high = NAN,
	               .wire = NAN,
	               .flags = xstrdup(optional_text(t, "limiting_link")),
	               .root = !row_has(t, "parent"),
	           });
}

static void
take_row(struct link_tree *tree, const struct table *t)
{
	static const char completer[] = "completer";
	size_t length = strlen(completer);
	const char *flags = optional_text(t, "flags");
	bool completes =
	    !strncmp(flags, completer, length) && strchr(" ", flags[length]);

	if (!row_has(t, "device") || !row_has(t, "parent") ||
	    !row_has(t, "parent_ns") || !row_has(t, "latency_ns")) {
		trace_skipped(t, "a link's latency");
		tree->skipped++;
		return;
	}
	/* It is a flag of most rows; others are named. */
	if (completes)
		flags += length;
	array_push(tree->node, tree->n,
	           (struct link_node){
	               .group = row_key(&tree->groups, t, tells_trees),
	               .device = xstrdup(optional_text(t, "device")),
	               .parent = xstrdup(optional_text(t, "parent")),
	               .link = xstrdup(optional_text(t, "link")),
	               .above = row_number(t, "parent_ns"),
	               .latency = row_number(t, "latency_ns"),
	               .low = row_number(t, "latency_lo_ns"),
	               .high = row_number(t, "latency_hi_ns"),
	               .wire = row_number(t, "serialization_ns"),
	               .flags = xstrdup(*flags == ' ' ? flags + 1 : flags),
	               .completer = completes,
	           });
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

/*
 * Reads a node per link, and adds bridges on a root bus, which have no row.
 * Dies if the input is bad or a column is missing; warns of rows without a
 * latency.
 */
static void
read_tree(struct link_tree *tree, struct table *t)
{
	size_t links;

	while (table_next(t)) {
		if (table_find(t, bound_up) >= 0)
			take_link(tree, t);
		else
			take_row(tree, t);
	}
	need_column(t, "device");
	need_column(t, "parent");
	if (table_find(t, bound_up) >= 0)
		return;
	need_column(t, "parent_ns");
	need_column(t, "latency_ns");
	warn_skipped(tree->skipped, "a link's latency");
	tree->knows_completers = table_find(t, "flags") >= 0;
	links = tree->n;
	for (size_t i = 0; i < links; i++) {
		struct link_node node = tree->node[i];

		if (find_node(tree, node.group, node.parent))
			continue;
		array_push(tree->node, tree->n,
		           (struct link_node){
		               .group = node.group,
		               .device = xstrdup(node.parent),
		               .parent = xstrdup(""),
		               .link = xstrdup(""),
		               .flags = xstrdup(""),
		               .latency = node.above,
		               .low = NAN,
		               .high = NAN,
		               .wire = NAN,
		               .root = true,
		           });
	}
}

/* Order ------------------------------------------------------------------- */

static int
by_device(const void *a, const void *b)
{
	const struct link_node *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return strverscmp(x->device, y->device);
}

/*
 * Inserts the unlisted children of the node at `at` behind it; returns the new
 * number of listed nodes.
 */
static size_t
list_children(struct link_tree *tree, size_t order[], size_t n, size_t at)
{
	const struct link_node *above = &tree->node[order[at]];
	size_t to = at + 1;

	for (size_t i = 0; i < tree->n; i++) {
		struct link_node *node = &tree->node[i];

		if (node->listed || node->root || node->group != above->group ||
		    strcmp(node->parent, above->device) != 0)
			continue;
		memmove(order + to + 1, order + to, (n - to) * sizeof *order);
		order[to++] = i;
		n++;
		node->listed = true;
		node->depth = above->depth + 1;
	}
	return n;
}

/*
 * The indices of all nodes, from the root down, parents first; sets their
 * depths. Free it.
 */
static size_t *
walk_tree(struct link_tree *tree)
{
	size_t *order = xcalloc(tree->n + 1, sizeof *order);
	size_t at = 0, n = 0;

	if (tree->n)
		qsort(tree->node, tree->n, sizeof *tree->node, by_device);
	/* Nodes that are their own ancestors come last. */
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < tree->n; i++) {
			struct link_node *node = &tree->node[i];

			if (node->listed || (!round && !node->root))
				continue;
			node->listed = true;
			order[n++] = i;
			for (; at < n; at++)
				n = list_children(tree, order, n, at);
		}
	}
	return order;
}

/* Picture ------------------------------------------------------------------ */

/* "  03:00.0 gen3x8", below its bridge; a root starts with the tree's name. */
static char *
name_of(const struct link_node *node, const struct link_tree *tree,
        const struct names *names)
{
	char *group = names_legend(names, &tree->groups.key[node->group]);
	/* "gen3x8" of "gen3x8/mps256/...", all of "pcix64/133" */
	size_t link = strncmp(node->link, "gen", 3) != 0
	                  ? strlen(node->link)
	                  : strcspn(node->link, "/");
	char *name = xasprintf("%*s%s%s%s%s%.*s", (int)(3 * node->depth), "",
	                       node->depth ? "" : group,
	                       *group && !node->depth ? ": " : "", node->device,
	                       link ? " " : "", (int)link, node->link);

	if (node->name && *node->name && strcmp(node->name, node->device) != 0)
		xappend(&name, ", ", "%s", node->name);
	free(group);
	return name;
}

/* The right end of everything drawn for it. */
static double
furthest(const struct link_node *n)
{
	double end = fmax(n->above, n->above + n->latency);

	return fmax(fmax(end, n->above + n->wire), n->above + n->high);
}

/* "+252 ns, 8.73 % wire, negative" */
static char *
remark_of(const struct link_node *n)
{
	char *number = number_words(n->latency, 4);
	char *text =
	    xasprintf("%s%s ns", n->root || n->latency < 0 ? "" : "+", number);

	free(number);
	if (n->latency > 0 && n->wire <= n->latency)
		xappend(&text, ", ", "%.3g %% wire",
		        100 * n->wire / n->latency);
	if (*n->flags)
		xappend(&text, ", ", "%s", n->flags);
	return text;
}

/* Keys of the bars of a latency tree: links by end point or not, by flags. */
struct keys {
	size_t above, wire, limits, link[2][2];
};

static void
tip_of(struct picture *p, size_t row, double from, double to, const char *name,
       char *text)
{
	add_tip(p, SPAN(from, to, (double)row), name + strspn(name, " "), "%s",
	        text);
	free(text);
}

static void
add_node_bars(struct bars *b, struct picture *p, const struct keys *keys,
              const struct link_node *n, char *name)
{
	double end = n->above + n->latency;
	size_t row = bars_row(b, name);

	bars_bar(b, row, keys->above, 0, n->root ? end : n->above, STROKE / 2);
	tip_of(p, row, 0, n->root ? end : n->above, "the way there",
	       time_words(n->root ? end : n->above));
	if (!n->root) {
		bars_bar(b, row, keys->link[n->completer][*n->flags != '\0'],
		         n->above, end, STROKE / 2);
		tip_of(p, row, n->above, end, name, remark_of(n));
	}
	if (!isnan(n->wire))
		bars_bar(b, row, keys->wire, n->above, n->above + n->wire,
		         STROKE / 2);
	if (!isnan(n->low) && !isnan(n->high) && !p->text) {
		double mark = n->above / 1000 + n->latency / 300;

		bars_bar(b, row, keys->limits, n->above + n->low,
		         n->above + n->high, 0.03);
		bars_bar(b, row, keys->limits, n->above + n->low,
		         n->above + n->low + mark, END_MARK / 2);
		bars_bar(b, row, keys->limits, n->above + n->high,
		         n->above + n->high + mark, END_MARK / 2);
	}
	bars_say(b, row, furthest(n), remark_of(n), false);
}

static char *
add_rows(struct bars *b, struct picture *p, struct link_tree *tree,
         const struct names *names)
{
	const char *const link[] = {
	    tree->knows_completers ? "this link" : "this link and its device",
	    "this link and its completer"};
	size_t *order = walk_tree(tree);
	const struct link_node *most = NULL;
	bool used[2] = {false}, flagged = false, wire = false, limits = false;
	struct keys keys;
	char *finding;

	for (size_t i = 0; i < tree->n; i++) {
		const struct link_node *n = &tree->node[i];

		used[n->completer] = used[n->completer] || !n->root;
		flagged = flagged || (!n->root && *n->flags);
		wire = wire || !isnan(n->wire);
		limits = limits || !isnan(n->low);
		if (!n->root && (!most || n->latency > most->latency))
			most = n;
	}
	keys.above = bars_key(b, xstrdup("the way there"), 0xd9d9d9, '.');
	for (size_t i = 0; i < 2; i++) {
		keys.link[i][0] =
		    bars_key(b, used[i] ? xstrdup(link[i]) : NULL,
		             paler(series_hue(i), 0.2), i ? '#' : '=');
		keys.link[i][1] = bars_key(b, NULL, paler(series_hue(i), 0.75),
		                           i ? '#' : '=');
	}
	keys.wire = bars_key(b, wire ? xstrdup("of it on the wire") : NULL,
	                     series_hue(2), '~');
	keys.limits = bars_key(
	    b, limits && !p->text ? xstrdup("confidence interval") : NULL,
	    0x000000, '-');
	for (size_t i = 0; i < tree->n; i++) {
		const struct link_node *n = &tree->node[order[i]];

		add_node_bars(b, p, &keys, n, name_of(n, tree, names));
	}
	if (flagged)
		p->note = xstrdup("pale: has flags");
	free(order);
	if (!most)
		return NULL;
	finding = remark_of(most);
	finding[strcspn(finding, ",")] = '\0';
	xappend(&finding, ", ", "at most, at %s", most->device);
	return finding;
}

/* Bandwidth ---------------------------------------------------------------- */

/* Adds what each device could send to all links above it. */
static void
sum_devices(struct link_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++) {
		struct link_node *n = &tree->node[i], *limit;

		if (isnan(n->path))
			continue;
		limit = find_node(tree, n->group, n->flags);
		if (limit && limit != n)
			limit->limits = true;
		/* Ends also if devices form a circle. */
		for (size_t k = 0; n && k < tree->n; k++) {
			n->below += tree->node[i].latency;
			n = *n->parent ? find_node(tree, n->group, n->parent)
			               : NULL;
		}
	}
}

static char *
add_links(struct bars *b, struct picture *p, struct link_tree *tree,
          const struct names *names)
{
	static const struct {
		const char *name;
		size_t colour;
		char sign;
	} links[] = {{"carries all that is below it", 2, '='},
	             {"less, if all below it send", 1, '+'},
	             {"less than a single device below it", 4, '#'}};
	size_t *order = walk_tree(tree), used[ARRAY_LEN(links)] = {0};
	const struct link_node *worst = NULL;
	double worst_lost = 0;
	char *finding = NULL;

	sum_devices(tree);
	for (size_t i = 0; i < tree->n; i++) {
		const struct link_node *n = &tree->node[i];

		used[n->limits ? 2 : n->below > n->latency] += n->latency > 0;
	}
	for (size_t i = 0; i < ARRAY_LEN(links); i++)
		bars_key(b, used[i] ? xstrdup(links[i].name) : NULL,
		         paler(series_hue(links[i].colour), 0.2),
		         links[i].sign);
	for (size_t i = 0; i < tree->n; i++) {
		const struct link_node *n = &tree->node[order[i]];
		char *name = name_of(n, tree, names), *text;
		double lost = n->below > n->latency
		                  ? 100 * (1 - n->latency / n->below)
		                  : 0;
		size_t row = bars_row(b, name);

		if (n->latency <= 0)
			continue;
		text = number_words(n->latency, 4);
		xappend(&text, " ", "Gbit/s");
		if (lost > 0)
			xappend(&text, ", ", "%.3g %% lost of %.4g", lost,
			        n->below);
		if (lost > worst_lost) {
			worst_lost = lost;
			worst = n;
		}
		bars_bar(b, row, n->limits ? 2 : lost > 0, 0, n->latency,
		         STROKE / 2);
		tip_of(p, row, 0, n->latency, name, xstrdup(text));
		bars_say(b, row, n->latency, text, n->limits);
	}
	free(order);
	if (worst)
		finding = xasprintf("%s loses %.3g %% of what is below it",
		                    worst->device, worst_lost);
	else if (tree->n)
		finding = xstrdup("each link carries all that is below it");
	return finding;
}

static void
draw(struct picture *p, struct table *t)
{
	struct link_tree tree = {0};
	struct bars b = {0};
	struct names names;
	bool bound;

	read_tree(&tree, t);
	names = names_of(t, &tree.groups);
	bound = table_find(t, bound_up) >= 0;
	array_push(
	    b.panel, b.np,
	    ((struct bars_panel){.label = bound ? "bound of writes" : "latency",
	                         .unit = bound ? "Gbit/s" : "ns",
	                         .most = INFINITY}));
	p->finding = bound ? add_links(&b, p, &tree, &names)
	                   : add_rows(&b, p, &tree, &names);
	names_describe(&names, p,
	               bound ? "links up to memory" : "latency along the path");
	for (size_t i = 0; i < tree.n; i++) {
		const struct link_node *n = &tree.node[i];

		b.panel[0].low = fmin(b.panel[0].low, n->above + n->latency);
		b.panel[0].high = fmax(b.panel[0].high, furthest(n));
	}
	put_bars(p, &b);
	names_free(&names);
	for (size_t i = 0; i < tree.n; i++) {
		free(tree.node[i].device);
		free(tree.node[i].parent);
		free(tree.node[i].link);
		free(tree.node[i].name);
		free(tree.node[i].flags);
	}
	free(tree.node);
	key_set_free(&tree.groups);
}

const struct kind kind_tree = {
    .name = "tree",
    .help = "latency of links, from pcb-diff; what they lose, from pcb-model",
    .draw = draw,
    .template = "bars",
};
