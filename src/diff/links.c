/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the rows of devices and pairs each with its parent, run by run. */
#include "diff/links.h"

#include "common/stream/columns.h"

#include <math.h>
#include <stdlib.h>

/* Devices in runs, by index of key; includes parents before their own row. */
struct observations {
	struct key_set keys;
	struct observation *at;
	size_t room;
};

/* Rows --------------------------------------------------------------------- */

/* The index of an observation, added without a value if new. */
static size_t
find_observation(struct observations *all, const struct key *key)
{
	size_t before = all->keys.n;
	size_t i = key_set_intern(&all->keys, key);

	all->at =
	    key_set_grow(&all->keys, all->at, &all->room, sizeof *all->at);
	if (i == before)
		all->at[i].value = NAN;
	return i;
}

/* The text in --links for the device, else the row's cell. */
static const char *
topo_or_cell(const struct links *l, enum topo_col col, const char *name)
{
	const struct table *t = l->table;
	ptrdiff_t device = table_find(t, "device");
	const char *text = "";

	if (device >= 0)
		text = topology_text(&l->topology, t->field[device], col);
	return *text ? text : optional_text(t, name);
}

static const char *
link_of(const struct links *l)
{
	const struct table *t = l->table;
	const char *text = topo_or_cell(l, TOPO_LINK, "link");
	struct link unused;
	const char *why = link_parse(text, &unused);

	if (why)
		table_die(t, (size_t)table_find(t, "link"), "'%s': %s", text,
		          why);
	return text;
}

/* The index of the current row's edge, added if new. */
static size_t
find_edge(struct links *l, const char *parent, struct key *key)
{
	const struct table *t = l->table;
	const struct diff_columns *c = l->columns;
	struct edge e = {.parent = NO_NODE};
	size_t i;

	row_key(key, t, c, ROLE_GROUP, NULL);
	e.group = key_set_intern(&l->groups, key);
	if (*parent) {
		row_key(key, t, c, ROLE_GROUP | ROLE_DEVICE, parent);
		e.parent = key_set_intern(&l->nodes, key);
	}
	row_key(key, t, c, ROLE_GROUP | ROLE_DEVICE, NULL);
	e.node = key_set_intern(&l->nodes, key);
	key_append(key, PARENT_COL, parent);
	key_append(key, LINK_COL, link_of(l));
	i = key_set_intern(&l->edges, key);
	l->edge = key_set_grow(&l->edges, l->edge, &l->room, sizeof *l->edge);
	if (i == l->n)
		l->edge[l->n++] = e;
	return i;
}

static void
take_row(struct links *l, struct observations *all, double value)
{
	static const unsigned in_run = ROLE_GROUP | ROLE_RUN | ROLE_DEVICE;
	const struct table *t = l->table;
	const struct diff_columns *c = l->columns;
	const char *parent = topo_or_cell(l, TOPO_PARENT, "parent");
	size_t here, above = NO_NODE;
	struct key key = {0};

	row_key(&key, t, c, in_run, NULL);
	here = find_observation(all, &key);
	if (!isnan(all->at[here].value))
		die_repeated(t, c);
	observation_read(&all->at[here], t, c, value);
	if (*parent) {
		row_key(&key, t, c, in_run, parent);
		above = find_observation(all, &key);
	}
	all->at[here].parent = above;
	all->at[here].edge = find_edge(l, parent, &key);
	free(key.bytes);
}

/* Edges -------------------------------------------------------------------- */

static void
fill_edges(struct links *l, const struct observations *all)
{
	for (size_t i = 0; i < all->keys.n; i++) {
		const struct observation *o = &all->at[i];

		if (!isnan(o->value))
			edge_add(&l->edge[o->edge],
			         o->parent == NO_NODE ? NULL
			                              : &all->at[o->parent],
			         o);
	}
	l->is_parent = xcalloc(l->nodes.n, sizeof *l->is_parent);
	for (size_t i = 0; i < l->n; i++) {
		edge_sort(&l->edge[i]);
		if (l->edge[i].parent != NO_NODE)
			l->is_parent[l->edge[i].parent] = true;
	}
}

/* Warns once per device, whatever else differs. */
static void
warn_no_parent(struct key_set *warned, const char *device, const char *parent)
{
	struct key name = {0};
	size_t before = warned->n;

	key_append(&name, 0, device);
	key_append(&name, 1, parent);
	if (key_set_intern(warned, &name) == before)
		warn("%s: its parent %s was not measured with it: no link",
		     device, parent);
	free(name.bytes);
}

/* Warns of devices with a parent that have no result. */
static void
warn_missing(const struct links *l)
{
	struct key_set warned = {0};
	size_t alone = 0, links = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct edge *e = &l->edge[i];

		links += edge_is_link(e);
		if (edge_is_link(e))
			alone += e->at.n - e->latency.n;
		else if (e->parent != NO_NODE)
			warn_no_parent(&warned, edge_named(l, e, "device"),
			               edge_text(l, e, PARENT_COL));
	}
	key_set_free(&warned);
	warn_skipped(alone, "the parent in the same run");
	if (l->table->rows && !links)
		warn("%s: no device was measured together with its parent: "
		     "no links",
		     l->table->file);
}

void
read_links(struct links *l, struct table *t, struct diff_columns *c)
{
	struct observations all = {0};
	double value;

	l->table = t;
	l->columns = c;
	while (next_value(t, c, &value))
		take_row(l, &all, value);
	fill_edges(l, &all);
	warn_missing(l);
	key_set_free(&all.keys);
	free(all.at);
}

const char *
edge_text(const struct links *l, const struct edge *e, size_t col)
{
	return key_find(&l->edges.key[e - l->edge], col);
}

const char *
edge_named(const struct links *l, const struct edge *e, const char *name)
{
	ptrdiff_t col = table_find(l->table, name);

	return col < 0 ? "" : edge_text(l, e, (size_t)col);
}

void
links_free(struct links *l)
{
	for (size_t i = 0; i < l->n; i++)
		edge_free(&l->edge[i]);
	free(l->edge);
	free(l->is_parent);
	key_set_free(&l->groups);
	key_set_free(&l->nodes);
	key_set_free(&l->edges);
	topology_free(&l->topology);
	*l = (struct links){0};
}
