/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a row for each link. */
#include "diff/link_rows.h"

#include "diff/link_stats.h"

/* Identity ----------------------------------------------------------------- */

/* Whether to add a column of --links: not if the input has it. */
static bool
needs_column(const struct links *l, const char *name, enum topo_col col)
{
	return l->topology.has[col] && table_find(l->table, name) < 0;
}

void
add_link_identity(struct header *h, const struct links *l)
{
	const struct table *t = l->table;
	const struct diff_columns *c = l->columns;

	for (size_t i = 0; i < c->nkey; i++) {
		if (c->key[i].role != ROLE_RUN)
			header_add(h, xstrdup(t->name[c->key[i].col]));
	}
	if (needs_column(l, "parent", TOPO_PARENT))
		header_add(h, xstrdup("parent"));
	if (needs_column(l, "link", TOPO_LINK))
		header_add(h, xstrdup("link"));
	if (needs_column(l, "devsel", TOPO_DEVSEL))
		header_add(h, xstrdup("devsel"));
}

void
write_link_identity(const struct links *l, const struct edge *e, struct out *o)
{
	const struct diff_columns *c = l->columns;

	for (size_t i = 0; i < c->nkey; i++) {
		enum role role = c->key[i].role;

		if (role == ROLE_RUN)
			continue;
		out_text(o, edge_text(l, e,
		                      role == ROLE_PARENT ? PARENT_COL
		                      : role == ROLE_LINK ? LINK_COL
		                                          : c->key[i].col));
	}
	if (needs_column(l, "parent", TOPO_PARENT))
		out_text(o, edge_text(l, e, PARENT_COL));
	if (needs_column(l, "link", TOPO_LINK))
		out_text(o, edge_text(l, e, LINK_COL));
	if (needs_column(l, "devsel", TOPO_DEVSEL))
		out_text(o,
		         topology_text(&l->topology, edge_named(l, e, "device"),
		                       TOPO_DEVSEL));
}

/* Rows --------------------------------------------------------------------- */

static void
begin(const struct links *l, struct out *o)
{
	static const char *const before[] = {"parent_ns", "device_ns",
	                                     "latency_ns", "latency_lo_ns",
	                                     "latency_hi_ns"};
	static const char *const after[] = {"flags", "runs"};
	static const char *const wire[] = {"serialization_ns", "efficiency_pct",
	                                   "clocks"};
	struct header h = {0};

	add_link_identity(&h, l);
	for (size_t i = 0; i < ARRAY_LEN(before); i++)
		header_add(&h, xstrdup(before[i]));
	for (size_t i = 0; i < NFLOORS; i++) {
		if (diff_columns_has_floor(l->columns, i))
			header_add(&h,
			           xasprintf("latency_%s_ns", floor_names[i]));
	}
	for (size_t i = 0; i < ARRAY_LEN(wire); i++)
		header_add(&h, xstrdup(wire[i]));
	if (l->topology.has[TOPO_SPLIT_OF])
		header_add(&h, xstrdup("split_ns"));
	for (size_t i = 0; i < ARRAY_LEN(after); i++)
		header_add(&h, xstrdup(after[i]));
	header_write(&h, o);
}

static void
write_stats(const struct link_stats *f, const struct links *l, struct out *o)
{
	char flags[FLAGS_TEXT_MAX];

	out_double(o, f->above);
	out_double(o, f->below);
	out_double(o, f->latency);
	out_double(o, f->limits.low);
	out_double(o, f->limits.high);
	for (size_t i = 0; i < NFLOORS; i++) {
		if (diff_columns_has_floor(l->columns, i))
			out_double(o, f->floor[i]);
	}
	out_double(o, f->serialization);
	out_double(o, f->efficiency_pct);
	out_double(o, f->clocks);
	if (l->topology.has[TOPO_SPLIT_OF])
		out_double(o, f->split);
	flags_format(f->flags, flags);
	out_text(o, flags);
	out_u64(o, f->runs);
}

void
write_links(const struct links *l, struct out *o)
{
	begin(l, o);
	for (size_t i = 0; i < l->n; i++) {
		const struct edge *e = &l->edge[i];
		struct link_stats f;

		if (!edge_is_link(e))
			continue;
		f = link_stats_of(l, e);
		write_link_identity(l, e, o);
		write_stats(&f, l, o);
	}
}
