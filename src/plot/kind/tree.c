/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links as a tree: latency along the paths, or what each link carries. */
#include "common/stream/columns.h"
#include "plot/kind/bars.h"
#include "plot/kind/kind.h"

/* A column of pcb-model tree. */
static const char bound_up[] = "bw_wr_gbit_s";

/* A device, or a bridge known only as the parent of devices. */
struct link_node {
	size_t group;
	const char *device, *parent, *link, *name;
	double above;   /* latency of the bridge above; 0 at the root */
	double latency; /* of the link, or of a root; or its bandwidth */
	double low, high;
	double wire;       /* its part for serialization */
	const char *flags; /* without "completer"; or the limiting link */
	bool completer;
	char *less;   /* "x4 of x16", than both ends support; or NULL */
	size_t depth; /* how many are above */
	size_t up;    /* the bridge above; or the number of nodes */
	bool root;
	double path, below; /* bandwidth: up to memory; of all devices below */
	bool limits;        /* a device below has no more than this link */
};

#define NO_NODE SIZE_MAX

struct link_tree {
	struct key_set groups; /* the columns that identify a tree */
	struct key_set ids;    /* a group and a device each */
	struct link_node *node;
	size_t n, *at, *order; /* of each id; from the root down */
	bool bandwidth;        /* of pcb-model tree, not latency of pcb-diff */
	bool completers;       /* some rows have the flag "completer" */
};

/* Reading ----------------------------------------------------------------- */

static const char *
text_of(const struct table *t, const char *column)
{
	return words("%s", optional_text(t, column));
}

/* "x4 of x16", "gen3 of gen4": a link beside the best of both ends; or NULL. */
static char *
less_words(const char *link, const char *best)
{
	size_t gen = strcspn(link, "x"), of = strcspn(best, "x");

	if (!*best || !strcmp(best, link))
		return NULL;
	if (gen == of && !strncmp(link, best, gen))
		return words("%s of %s", link + gen, best + of);
	if (!strcmp(link + gen, best + of))
		return words("%.*s of %.*s", (int)gen, link, (int)of, best);
	return words("%s of %s", link, best);
}

/* The number of an id, or that of all. */
static size_t
find_id(const struct link_tree *tree, size_t group, const char *device)
{
	return key_set_find_text(&tree->ids, words("%zu %s", group, device));
}

static void
add_node(struct link_tree *tree, struct link_node n)
{
	key_set_intern_text(&tree->ids, words("%zu %s", n.group, n.device));
	PUSH(tree->node, tree->n, n);
}

static void
take_row(struct link_tree *tree, const struct table *t)
{
	static const char completer[] = "completer";
	size_t length = strlen(completer);
	bool links = tree->bandwidth;
	struct link_node n = {
	    .group = row_key(&tree->groups, t, links,
	                     links ? "kind,host" : "device,parent,link,devsel"),
	    .device = text_of(t, "device"),
	    .parent = text_of(t, "parent"),
	    .link = text_of(t, "link"),
	    .name = "",
	    .low = row_number(t, "latency_lo_ns"),
	    .high = row_number(t, "latency_hi_ns"),
	    .wire = row_number(t, "serialization_ns")};

	if (links) {
		n.name = text_of(t, "name");
		n.latency = fmax(row_number(t, bound_up), 0);
		n.path = row_number(t, "path_gbit_s");
		n.flags = text_of(t, "limiting_link");
		n.root = !*n.parent;
		n.less = less_words(n.link, optional_text(t, "best_link"));
	} else {
		n.above = row_number(t, "parent_ns");
		n.latency = row_number(t, "latency_ns");
		n.flags = text_of(t, "flags");
		/* It is a flag of most rows; others are named. */
		n.completer = !strncmp(n.flags, completer, length) &&
		              strchr(" ", n.flags[length]);
		n.flags += n.completer ? length : 0;
		n.flags += n.completer && *n.flags;
	}
	add_node(tree, n);
}

/*
 * Reads a node per link, and adds bridges on a root bus, which have no row.
 * Dies if the input is bad or a column is missing; warns of rows without a
 * latency.
 */
static void
read_tree(struct link_tree *tree, struct table *t)
{
	static const char lacking[] = "a link's latency";
	uintmax_t skipped = 0;

	while (table_next(t)) {
		tree->bandwidth = table_find(t, bound_up) >= 0;
		if (!tree->bandwidth &&
		    (!row_has(t, "device") || !row_has(t, "parent") ||
		     !row_has(t, "parent_ns") || !row_has(t, "latency_ns"))) {
			trace_skipped(t, lacking);
			skipped++;
			continue;
		}
		take_row(tree, t);
	}
	tree->bandwidth = table_find(t, bound_up) >= 0;
	need_column(t, "device");
	need_column(t, "parent");
	if (tree->bandwidth)
		return;
	need_column(t, "parent_ns");
	need_column(t, "latency_ns");
	warn_skipped(skipped, lacking);
	tree->completers = table_find(t, "flags") >= 0;
	for (size_t i = 0, links = tree->n; i < links; i++) {
		const struct link_node *n = &tree->node[i];

		struct link_node root = {.parent = "",
		                         .link = "",
		                         .name = "",
		                         .flags = "",
		                         .low = NAN,
		                         .high = NAN,
		                         .wire = NAN,
		                         .root = true};

		root.group = n->group;
		root.device = n->parent;
		root.latency = n->above;
		if (find_id(tree, n->group, n->parent) == tree->ids.n)
			add_node(tree, root);
	}
}

/* Order ------------------------------------------------------------------- */

static int
by_name(const void *a, const void *b)
{
	const struct link_node *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return name_order(x->device, y->device);
}

static size_t
find_node(const struct link_tree *tree, size_t group, const char *device)
{
	size_t id = find_id(tree, group, device);

	return id < tree->ids.n ? tree->at[id] : NO_NODE;
}

/*
 * Orders the nodes from the root down, each before those below it, and sets
 * their depths. Nodes that are their own ancestors come last.
 */
static void
order_nodes(struct link_tree *tree)
{
	size_t n = tree->n, placed = 0, *next = keep(n, sizeof *next);
	size_t *last = keep(n + 1, sizeof *last); /* below each; of none: n */
	size_t *stack = keep(n + 1, sizeof *stack), waiting = 1;
	struct link_node *node = tree->node;
	bool *seen = keep(n + 1, sizeof *seen);

	if (n)
		qsort(node, n, sizeof *node, by_name);
	tree->at = keep(tree->ids.n, sizeof *tree->at);
	for (size_t i = n; i-- > 0;)
		tree->at[find_id(tree, node[i].group, node[i].device)] = i;
	for (size_t i = 0; i <= n; i++)
		last[i] = NO_NODE;
	for (size_t i = 0; i < n; i++) {
		size_t up = node[i].root ? NO_NODE
		                         : find_node(tree, node[i].group,
		                                     node[i].parent);

		node[i].up = up == NO_NODE ? n : up;
		next[i] = last[node[i].up];
		last[node[i].up] = i;
	}
	tree->order = keep(n, sizeof *tree->order);
	for (stack[0] = n; waiting;) {
		size_t i = stack[--waiting];

		seen[i] = true;
		if (i < n)
			tree->order[placed++] = i;
		if (i < n && node[i].up < n)
			node[i].depth = node[node[i].up].depth + 1;
		for (size_t k = last[i]; k != NO_NODE; k = next[k])
			stack[waiting++] = k;
	}
	for (size_t i = 0; i < n; i++) {
		if (seen[i])
			continue;
		node[i].up = n;
		tree->order[placed++] = i;
	}
}

/* Picture ------------------------------------------------------------------ */

/* Names below are not moved to the right any more. */
#define DEPTH_MOST 12

/* "  03:00.0 gen3x8", below its bridge; a root starts with the tree's name. */
static char *
name_of(const struct link_node *node, const struct link_tree *tree,
        const struct names *names)
{
	const char *group =
	    node->depth ? ""
	                : names_legend(names, &tree->groups.key[node->group]);
	/* "gen3x8" of "gen3x8/mps256/...", all of "pcix64/133" */
	size_t link = strncmp(node->link, "gen", 3) != 0
	                  ? strlen(node->link)
	                  : strcspn(node->link, "/");
	bool named = *node->name && strcmp(node->name, node->device) != 0;
	size_t depth = node->depth < DEPTH_MOST ? node->depth : DEPTH_MOST;

	return words("%*s%s%s%s%s%.*s%s%s", (int)(3 * depth), "", group,
	             *group ? ": " : "", node->device, link ? " " : "",
	             (int)link, node->link, named ? ", " : "",
	             named ? node->name : "");
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
	char *text = words("%s%s", n->root || n->latency < 0 ? "" : "+",
	                   time_words(n->latency));

	if (n->latency > 0 && n->wire <= n->latency)
		add_words(&text, ", ", "%.3g %% wire",
		          100 * n->wire / n->latency);
	if (*n->flags)
		add_words(&text, ", ", "%s", n->flags);
	return text;
}

/* Keys of the bars of a latency tree: links by end point or not, by flags. */
enum { ABOVE, LINK, COMPLETER = LINK + 2, WIRE = COMPLETER + 2, LIMITS };

static void
draw_node(struct bars *b, const struct link_node *n, char *name)
{
	double end = n->above + n->latency, above = n->root ? end : n->above;
	double low = n->above + n->low, high = n->above + n->high;
	double row = bars_row(b, name);
	size_t key = n->completer ? COMPLETER : LINK;

	key += *n->flags != '\0'; /* paler */
	bars_bar(b, row, ABOVE, 0, above, STROKE / 2,
	         words("the way there: %s", time_words(above)));
	if (!n->root)
		bars_bar(b, row, key, n->above, end, STROKE / 2, remark_of(n));
	if (!isnan(n->wire))
		bars_bar(b, row, WIRE, n->above, n->above + n->wire, STROKE / 2,
		         NULL);
	if (!isnan(low) && !isnan(high))
		bars_bar(b, row, LIMITS, low, high, 0, NULL);
	bars_say(b, row, furthest(n), remark_of(n), PLAIN);
}

static void
add_keys(struct bars *b, const struct link_tree *tree)
{
	static const char *const names[] = {"this link",
	                                    "this link and its completer"};

	bars_key(b, "the way there", 0xd9d9d9, '.');
	for (size_t i = 0; i < 2; i++) {
		const char *name = i || tree->completers
		                       ? names[i]
		                       : "this link and its device";
		char sign = i ? '#' : '=';

		bars_key(b, name, paler(series_hue(i), 0.2), sign);
		bars_key(b, NULL, paler(series_hue(i), 0.75), sign);
	}
	bars_key(b, "of it on the wire", series_hue(2), '~');
	bars_point(b, "confidence interval", 0, ' ', INTERVAL, 0);
}

/* Adds a row for each node; returns what the title says. */
static char *
add_latencies(struct bars *b, struct picture *p, struct link_tree *tree,
              const struct names *names)
{
	const struct link_node *most = NULL;
	char *remark;

	add_keys(b, tree);
	for (size_t i = 0; i < tree->n; i++) {
		const struct link_node *n = &tree->node[tree->order[i]];

		draw_node(b, n, name_of(n, tree, names));
		if (n->root)
			continue;
		if (!most || n->latency > most->latency)
			most = n;
		if (*n->flags && !p->note && !p->terminal->text)
			p->note = words("pale: has flags");
	}
	if (!most)
		return NULL;
	remark = remark_of(most);
	return words("at most %.*s, %s", (int)strcspn(remark, ","), remark,
	             most->device);
}

/* Bandwidth ---------------------------------------------------------------- */

/* Adds what each device could send to all links above it. */
static void
sum_devices(struct link_tree *tree)
{
	for (size_t k = tree->n; k-- > 0;) {
		struct link_node *n = &tree->node[tree->order[k]];
		size_t limit = isnan(n->path)
		                   ? NO_NODE
		                   : find_node(tree, n->group, n->flags);

		if (limit != NO_NODE && &tree->node[limit] != n)
			tree->node[limit].limits = true;
		n->below += isnan(n->path) ? 0 : n->latency;
		if (n->up < tree->n)
			tree->node[n->up].below += n->below;
	}
}

static const struct {
	const char *name;
	size_t colour;
	char sign;
} loads[] = {{"carries all that is below it", 2, '='},
             {"less, if all below it send", 1, '+'},
             {"less than a single device below it", 4, '#'}};

static char *
add_links(struct bars *b, struct link_tree *tree, const struct names *names)
{
	const struct link_node *worst = NULL, *short_one = NULL;
	double worst_lost = 0;
	size_t nshort = 0;
	char *finding = NULL;

	sum_devices(tree);
	for (size_t i = 0; i < tree->n; i++) {
		const struct link_node *n = &tree->node[tree->order[i]];
		double lost = n->below > n->latency
		                  ? 100 * (1 - n->latency / n->below)
		                  : 0;
		double row = bars_row(b, name_of(n, tree, names));
		size_t key = n->limits ? 2 : lost > 0;
		char *text;

		if (n->latency <= 0)
			continue;
		text = quantity_words(bound_up, n->latency);
		if (n->less) {
			add_words(&text, ", ", "%s", n->less);
			short_one = n;
			nshort++;
		}
		if (lost > 0)
			add_words(&text, ", ", "%.3g %% lost of %.4g", lost,
			          n->below);
		if (lost > worst_lost) {
			worst_lost = lost;
			worst = n;
		}
		bars_bar(b, row, key, 0, n->latency, STROKE / 2, text);
		bars_say(b, row, n->latency, text,
		         n->limits || n->less ? RED : PLAIN);
	}
	for (size_t i = 0; i < ARRAY_LEN(loads); i++)
		bars_key(b, loads[i].name,
		         paler(series_hue(loads[i].colour), 0.2),
		         loads[i].sign);
	if (nshort == 1)
		finding =
		    words("%s runs at %s", short_one->device, short_one->less);
	else if (nshort)
		finding =
		    words("%zu links run below what both ends support", nshort);
	if (worst)
		add_words(&finding, "; ",
		          "%s loses %.3g %% of what is below it", worst->device,
		          worst_lost);
	return finding || !tree->n
	           ? finding
	           : words("each link carries all that is below it");
}

void
draw_tree(struct picture *p, struct table *t)
{
	static struct link_tree tree;
	struct bars b = {0};
	struct range range = {0, 0};
	struct names names;
	double *end;
	size_t cut = 0;

	read_tree(&tree, t);
	order_nodes(&tree);
	names = names_of(t, &tree.groups);
	end = keep(tree.n, sizeof *end);
	for (size_t i = 0; i < tree.n; i++)
		end[i] = furthest(&tree.node[i]);
	range.high = fmax(usual_end(end, tree.n), 0);
	for (size_t i = 0; i < tree.n; i++) {
		const struct link_node *n = &tree.node[i];

		widen(&range, fmin(n->above + n->latency, 0));
		cut += furthest(n) > range.high;
	}
	bars_panel(&b, tree.bandwidth ? "bound of writes" : "latency",
	           unit_words(tree.bandwidth ? bound_up : "_ns"), range);
	p->finding = tree.bandwidth ? add_links(&b, &tree, &names)
	                            : add_latencies(&b, p, &tree, &names);
	names_describe(&names, p,
	               tree.bandwidth ? "links up to memory"
	                              : "latency along the path");
	note_cut(p, tree.bandwidth ? bound_up : "_ns", range.high, cut, "bar");
	put_bars(p, &b);
}
