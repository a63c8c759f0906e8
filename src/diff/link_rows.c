/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the statistics and flags of links, and writes a row for each. */
#include "diff/diff.h"

#include "common/base/util.h"

#include <math.h>

static const struct {
	enum link_flag flag;
	const char *word;
} words[] = {
    {LINK_ENDPOINT, "completer"},
    {LINK_NEGATIVE, "negative"},
    {LINK_NOT_SIGNIFICANT, "indistinct"},
    {LINK_BELOW_WIRE_TIME, "short"},
    {LINK_FLOOR, "floor"},
    {LINK_UNTESTED, "untested"},
    {LINK_RESIDUAL, "residual"},
    {LINK_IMPOSSIBLE, "impossible"},
};

static double
median(const struct run_values *v)
{
	return runs_median(v->x, v->n);
}

struct link
edge_link(const struct links *l, const struct edge *e)
{
	struct link link = {.bus = BUS_UNKNOWN};

	/* read_links has refused invalid texts. */
	link_parse(edge_text(l, e, LINK_COL), &link);
	return link;
}

/* On the wire ------------------------------------------------------------- */

static const char *
topo_text(const struct links *l, const struct edge *e, enum topo_col col)
{
	return topology_text(&l->topology, edge_named(l, e, "device"), col);
}

/* Whether serialize_dword models the transaction that was measured. */
static bool
is_plain_read(const struct links *l, const struct edge *e,
              const struct link *link)
{
	const char *bench = topo_text(l, e, TOPO_BENCH);

	if (!*bench)
		bench = edge_named(l, e, "bench");
	if (link->bus == BUS_PCIX && !strcmp(bench, "lat_cfg"))
		return false;
	return link->bus == BUS_PCIE || !*topo_text(l, e, TOPO_SPLIT_OF);
}

static double
immediate_latency(const struct links *l, const struct edge *split)
{
	const char *device = topo_text(l, split, TOPO_SPLIT_OF);

	for (size_t i = 0; *device && i < l->n; i++) {
		const struct edge *e = &l->edge[i];

		if (e->group == split->group &&
		    !strcmp(edge_named(l, e, "device"), device))
			return median(&e->latency);
	}
	return NAN;
}

static void
add_wire(struct link_stats *f, const struct links *l, const struct edge *e)
{
	struct link link = edge_link(l, e);
	size_t devsel =
	    find_word(topo_text(l, e, TOPO_DEVSEL), devsel_names, NDEVSELS);
	struct serial s;

	/* Slow unless known. */
	if (!devsel)
		devsel = DEVSEL_SLOW;
	f->serialization = f->efficiency_pct = f->clocks = f->split = NAN;
	if (link.bus == BUS_UNKNOWN)
		return;
	link.addr32 = true;
	s = serialize_dword(&link, &link, (enum devsel)devsel);
	if (s.clocks)
		f->clocks = f->latency / (s.ns / s.clocks);
	/* Two transactions; the bridge, with fast devsel, claims one. */
	if (link.bus == BUS_PCIX)
		f->split = 2 * immediate_latency(l, e) -
		           (double)(devsel - DEVSEL_FAST) * (s.ns / s.clocks);
	if (!is_plain_read(l, e, &link))
		return;
	f->serialization = s.ns;
	if (f->latency > 0)
		f->efficiency_pct = s.ns * 100 / f->latency;
}

/* What is odd -------------------------------------------------------------- */

static bool
floors_disagree(const struct link_stats *f, double tick_ns)
{
	double low = f->latency;
	double high = low;

	for (size_t i = 0; i < NFLOORS; i++) {
		low = fmin(low, f->floor[i]); /* fmin and fmax ignore NAN */
		high = fmax(high, f->floor[i]);
	}
	if (low >= f->limits.low && high <= f->limits.high)
		return false;
	return high - low > tick_ns &&
	       high - low > LATENCY_TOLERANCE * fmax(fabs(low), fabs(high));
}

static unsigned
flags_of(const struct link_stats *f, const struct links *l,
         const struct edge *e)
{
	unsigned flags = 0;

	if (!l->is_parent[e->node])
		flags |= LINK_ENDPOINT;
	if (f->latency < 0)
		flags |= LINK_NEGATIVE;
	if (f->latency == 0 || fabs(f->latency) < e->tick_ns ||
	    (f->limits.low <= 0 && f->limits.high >= 0))
		flags |= LINK_NOT_SIGNIFICANT;
	if (f->latency >= 0 && f->latency < f->serialization)
		flags |= LINK_BELOW_WIRE_TIME;
	if (floors_disagree(f, e->tick_ns))
		flags |= LINK_FLOOR;
	return flags;
}

struct link_stats
link_stats_of(const struct links *l, const struct edge *e)
{
	struct link_stats f = {
	    .above = median(&e->above),
	    .below = median(&e->below),
	    .latency = median(&e->latency),
	    .limits = runs_median_interval(e->latency.x, e->latency.n),
	    .runs = e->latency.n,
	};

	for (size_t i = 0; i < NFLOORS; i++)
		f.floor[i] = median(&e->floor[i]);
	add_wire(&f, l, e);
	f.flags = flags_of(&f, l, e);
	return f;
}

char *
flags_text(unsigned flags)
{
	char *text = xstrdup("");

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (flags & words[i].flag)
			xappend(&text, " ", "%s", words[i].word);
	}
	return text;
}

/* Identity ----------------------------------------------------------------- */

void
write_link_identity(const struct links *l, const struct edge *e, struct out *o)
{
	const struct diff_columns *c = l->columns;

	for (size_t i = 0; i < c->nkey; i++) {
		enum role role = c->key[i].role;
		size_t col = role == ROLE_PARENT ? PARENT_COL
		             : role == ROLE_LINK ? LINK_COL
		                                 : c->key[i].col;

		if (role != ROLE_RUN)
			OUT(o, TEXT(l->table->name[c->key[i].col],
			            e ? edge_text(l, e, col) : ""));
	}
	for (enum topo_col i = TOPO_PARENT; i <= TOPO_DEVSEL; i++) {
		if (!l->topology.has[i] ||
		    table_find(l->table, topo_names[i]) >= 0)
			continue;
		OUT(o, TEXT(topo_names[i],
		            !e                 ? ""
		            : i == TOPO_PARENT ? edge_text(l, e, PARENT_COL)
		            : i == TOPO_LINK   ? edge_text(l, e, LINK_COL)
		                               : topo_text(l, e, i)));
	}
}

/* Rows --------------------------------------------------------------------- */

/* The cells of a link; NULL: only their names. */
static void
write_link(const struct links *l, const struct edge *e, struct out *o)
{
	struct link_stats f = e ? link_stats_of(l, e) : (struct link_stats){0};
	char *flags = flags_text(f.flags);

	write_link_identity(l, e, o);
	OUT(o, VALUE("parent_ns", f.above), VALUE("device_ns", f.below),
	    VALUE("latency_ns", f.latency),
	    VALUE("latency_lo_ns", f.limits.low),
	    VALUE("latency_hi_ns", f.limits.high));
	for (size_t i = 0; i < NFLOORS; i++) {
		char *name = xasprintf("latency_%s_ns", floor_names[i]);

		if (diff_columns_has_floor(l->columns, i))
			OUT(o, VALUE(name, f.floor[i]));
		free(name);
	}
	OUT(o, VALUE("serialization_ns", f.serialization),
	    VALUE("efficiency_pct", f.efficiency_pct),
	    VALUE("clocks", f.clocks));
	if (l->topology.has[TOPO_SPLIT_OF])
		OUT(o, VALUE("split_ns", f.split));
	OUT(o, TEXT("flags", flags), VALUE("runs", f.runs));
	free(flags);
}

void
write_links(const struct links *l, struct out *o)
{
	for (size_t i = 0; i < l->n; i++) {
		if (!edge_is_link(&l->edge[i]))
			continue;
		write_link(l, &l->edge[i], o);
		out_end_row(o);
	}
	if (!o->rows)
		write_link(l, NULL, o);
}
