/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links of pcb-diff as a tree: latency along the paths from the root. */
#include "plot/data/captions.h"
#include "plot/data/link_tree.h"
#include "plot/kind/kind.h"
#include "plot/picture/category_axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length of the rate: "gen3x8" of "gen3x8/mps256/...", all of "pcix64/133". */
static size_t
link_length(const char *link)
{
	return strncmp(link, "gen", 3) != 0 ? strlen(link) : strcspn(link, "/");
}

/* "  03:00.0 gen3x8", below its bridge; a root starts with the tree's name. */
static char *
name_of(const struct link_node *node, const struct link_tree *tree,
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

/* The right end of everything drawn for it. */
static double
furthest(const struct link_node *n)
{
	double end = fmax(n->above, n->above + n->latency);

	return fmax(fmax(end, n->above + n->wire), n->above + n->high);
}

/* Curves for all nodes. */
struct bars {
	struct curve above, wire, limits;
	struct curve link[2][2]; /* by end point or not, by flags or not */
};

/* "+252 ns, 8.73 % wire, negative" */
static char *
remark_of(const struct link_node *n)
{
	bool fits = n->latency > 0 && n->wire <= n->latency;
	char *wire =
	    fits ? xasprintf(", %.3g %% wire", 100 * n->wire / n->latency)
	         : xstrdup("");
	char *text =
	    xasprintf("%s%.4g ns%s%s%s", n->root || n->latency < 0 ? "" : "+",
	              n->latency, wire, *n->flags ? ", " : "", n->flags);

	free(wire);
	return text;
}

static void
add_node_bars(struct bars *b, struct picture *p, size_t row,
              const struct link_node *n)
{
	double end = n->above + n->latency;

	add_bar(&b->above, row, 0, n->root ? end : n->above);
	if (!n->root)
		add_bar(&b->link[n->completer][*n->flags != '\0'], row,
		        n->above, end);
	if (!isnan(n->wire))
		add_bar(&b->wire, row, n->above, n->above + n->wire);
	if (!isnan(n->low) && !isnan(n->high))
		add_line(&b->limits, row, n->above + n->low,
		         n->above + n->high);
	add_remark(p, row, furthest(n), remark_of(n));
}

/* Kinds of link differ in colour, paler for those with flags. */
static void
take_links(struct picture *p, const char *name, size_t colour,
           struct curve link[2])
{
	if (!link[0].n && !link[1].n)
		return;
	picture_take(p, STYLE_BAR, xstrdup(name), &link[0])->colour = colour;
	if (link[1].n)
		picture_take(p, STYLE_PALE, NULL, &link[1])->colour = colour;
}

static void
add_rows(struct picture *p, struct link_tree *tree, const struct names *names)
{
	struct walk walk = walk_tree(tree);
	struct bars b = {0};

	for (size_t i = 0; i < walk.n; i++) {
		const struct link_node *n = &tree->node[walk.node[i]];

		add_node_bars(&b, p, add_row(p, name_of(n, tree, names)), n);
	}
	if (b.link[0][1].n || b.link[1][1].n)
		p->note = xstrdup("pale: has flags");
	picture_take_if(p, STYLE_PALE, "the way there", &b.above);
	take_links(p,
	           tree->knows_completers ? "this link"
	                                  : "this link and its device",
	           0, b.link[0]);
	take_links(p, "this link and its completer", 1, b.link[1]);
	if (b.wire.n)
		picture_take(p, STYLE_BAR, xstrdup("of it on the wire"),
		             &b.wire)
		    ->colour = 2;
	picture_take_if(p, STYLE_LINE, "confidence interval", &b.limits);
	free(walk.node);
}

/* Leaves room for the texts on the right. */
static void
choose_axis(struct picture *p, const struct link_tree *tree)
{
	unsigned room = room_beside(p);
	double low = 0;
	double high = 0;

	for (size_t i = 0; i < tree->n; i++) {
		const struct link_node *n = &tree->node[i];

		low = fmin(low, n->above + n->latency);
		high = fmax(high, furthest(n));
	}
	high = low + (high - low) / (1 - remarks_part(p, room));
	axis_time(&p->x, "latency", low, high, INFINITY, room);
	axis_few_tics(&p->x, room);
}

static void
draw(struct picture *p, struct table *t)
{
	struct link_tree tree = {0};
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
    .help = "latency from the root to each device, from pcb-diff",
    .draw = draw,
};
