/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the rows of devices and pairs each with its parent, run by run. */
#include "diff/diff.h"

#include "common/base/number.h"
#include "common/link/pcie.h"
#include "common/stream/columns.h"

#include <math.h>

/* --links FILE ------------------------------------------------------------- */

const char *const topo_names[NTOPO_COLS] = {
    [TOPO_DEVICE] = "device", [TOPO_PARENT] = "parent",
    [TOPO_LINK] = "link",     [TOPO_DEVSEL] = "devsel",
    [TOPO_BENCH] = "bench",   [TOPO_SPLIT_OF] = "split_of",
};

static const char *const benches[] = {"", "lat_cfg", "lat_mmio"};

/* NULL, or why the text is refused. */
static const char *
check_cell(enum topo_col col, const char *text)
{
	struct link link;

	if (col == TOPO_LINK)
		return link_parse(text, &link);
	if (col == TOPO_DEVSEL &&
	    find_word(text, devsel_names, NDEVSELS) == NDEVSELS)
		return "not fast, medium or slow";
	if (col == TOPO_BENCH &&
	    find_word(text, benches, ARRAY_LEN(benches)) == ARRAY_LEN(benches))
		return "not lat_cfg or lat_mmio";
	return NULL;
}

static const struct topo_row *
find_row(const struct topology *y, const char *name)
{
	size_t i = key_set_find_text(&y->devices, name);

	return i < y->n ? &y->row[i] : NULL;
}

void
topology_read(struct topology *y, const char *file)
{
	char *const files[] = {(char *)file};
	struct table *t = table_open(files, 1);

	while (table_next(t)) {
		struct topo_row row;

		need_column(t, topo_names[TOPO_DEVICE]);
		for (enum topo_col i = 0; i < NTOPO_COLS; i++) {
			ptrdiff_t at = table_find(t, topo_names[i]);
			const char *text = table_text(t, at);
			const char *why = check_cell(i, text);

			if (!why && i == TOPO_DEVICE &&
			    key_set_intern_text(&y->devices, text) < y->n)
				why = "a second row of it";
			if (why)
				table_refuse(t, (size_t)at, why);
			row.text[i] = xstrdup(text);
		}
		array_push(y->row, y->n, row);
	}
	need_column(t, topo_names[TOPO_DEVICE]);
	if (table_find(t, topo_names[TOPO_LINK]) < 0)
		need_column(t, topo_names[TOPO_PARENT]);
	for (size_t i = 0; i < NTOPO_COLS; i++)
		y->has[i] = table_find(t, topo_names[i]) >= 0;
	table_close(t);
}

const char *
topology_text(const struct topology *y, const char *device, enum topo_col col)
{
	const struct topo_row *row = find_row(y, device);

	return row ? row->text[col] : "";
}

void
topology_free(struct topology *y)
{
	for (size_t i = 0; i < y->n; i++) {
		for (size_t k = 0; k < NTOPO_COLS; k++)
			free(y->row[i].text[k]);
	}
	free(y->row);
	key_set_free(&y->devices);
	*y = (struct topology){0};
}

/* Rows --------------------------------------------------------------------- */

/* A device in one run. */
struct observation {
	double value; /* NAN: not measured */
	double floor[NFLOORS];
	double tick_ns;
	size_t edge;   /* index of the edge to its parent */
	size_t parent; /* index of the parent's observation, or NO_NODE */
};

/* Devices in runs, by index of key; includes parents before their own row. */
struct observations {
	struct key_set keys;
	struct observation *at;
	size_t room;
};

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

/* The index of the current row's edge, added if new. */
static size_t
find_edge(struct links *l, const char *parent, struct key *key)
{
	const struct table *t = l->table;
	const struct diff_columns *c = l->columns;
	const char *text = topo_or_cell(l, TOPO_LINK, "link");
	struct edge e = {.parent = NO_NODE};
	struct link unused;
	const char *why = link_parse(text, &unused);
	size_t i;

	if (why)
		table_die(t, (size_t)table_find(t, "link"), "'%s': %s", text,
		          why);
	row_key(key, t, c, ROLE_GROUP, NULL);
	e.group = key_set_intern(&l->groups, key);
	if (*parent) {
		row_key(key, t, c, ROLE_GROUP | ROLE_DEVICE, parent);
		e.parent = key_set_intern(&l->nodes, key);
	}
	row_key(key, t, c, ROLE_GROUP | ROLE_DEVICE, NULL);
	e.node = key_set_intern(&l->nodes, key);
	key_append(key, PARENT_COL, parent);
	key_append(key, LINK_COL, text);
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
	struct observation *o;
	struct key key = {0};

	row_key(&key, t, c, in_run, NULL);
	here = find_observation(all, &key);
	o = &all->at[here];
	if (!isnan(o->value))
		die_repeated(t, c);
	o->value = value;
	o->tick_ns = table_tick_ns(t);
	for (size_t i = 0; i < NFLOORS; i++) {
		ptrdiff_t col = c->floor[i];

		o->floor[i] = NAN;
		if (diff_columns_has_floor(c, i) && *t->field[col])
			o->floor[i] = table_number(t, (size_t)col);
	}
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
add_difference(struct edge *e, const struct observation *above,
               const struct observation *below)
{
	array_push(e->above.x, e->above.n, above->value);
	array_push(e->below.x, e->below.n, below->value);
	array_push(e->latency.x, e->latency.n, below->value - above->value);
	e->tick_ns = fmax(e->tick_ns, fmax(above->tick_ns, below->tick_ns));
	for (size_t i = 0; i < NFLOORS; i++) {
		double difference = below->floor[i] - above->floor[i];

		if (!isnan(difference))
			array_push(e->floor[i].x, e->floor[i].n, difference);
	}
}

bool
edge_is_link(const struct edge *e)
{
	return e->latency.n;
}

static void
fill_edges(struct links *l, const struct observations *all)
{
	for (size_t i = 0; i < all->keys.n; i++) {
		const struct observation *o = &all->at[i], *above;
		struct edge *e = &l->edge[o->edge];

		if (isnan(o->value))
			continue;
		e->measured++;
		above = o->parent == NO_NODE ? NULL : &all->at[o->parent];
		if (above && !isnan(above->value))
			add_difference(e, above, o);
	}
	l->is_parent = xcalloc(l->nodes.n, sizeof *l->is_parent);
	for (size_t i = 0; i < l->n; i++) {
		struct edge *e = &l->edge[i];

		sort_numbers(e->above.x, e->above.n);
		sort_numbers(e->below.x, e->below.n);
		sort_numbers(e->latency.x, e->latency.n);
		for (size_t k = 0; k < NFLOORS; k++)
			sort_numbers(e->floor[k].x, e->floor[k].n);
		if (e->parent != NO_NODE)
			l->is_parent[e->parent] = true;
	}
}

/* Warns of devices with a parent that have no result, once of each. */
static void
warn_missing(const struct links *l)
{
	struct key_set warned = {0};
	struct key name = {0};
	size_t alone = 0, links = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct edge *e = &l->edge[i];
		const char *device = edge_named(l, e, "device");
		const char *parent = edge_text(l, e, PARENT_COL);
		size_t before = warned.n;

		if (edge_is_link(e)) {
			links++;
			alone += e->measured - e->latency.n;
			continue;
		}
		name.length = 0;
		key_append(&name, 0, device);
		key_append(&name, 1, parent);
		if (e->parent != NO_NODE &&
		    key_set_intern(&warned, &name) == before)
			warn("%s: its parent %s was not measured with it: no "
			     "link",
			     device, parent);
	}
	free(name.bytes);
	key_set_free(&warned);
	warn_skipped(alone, "the parent in the same run");
	if (l->table->rows && !links)
		warn("%s: no device was measured together with its parent: "
		     "no links; give two files to compare them",
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
	for (size_t i = 0; i < l->n; i++) {
		struct edge *e = &l->edge[i];

		free(e->above.x);
		free(e->below.x);
		free(e->latency.x);
		for (size_t k = 0; k < NFLOORS; k++)
			free(e->floor[k].x);
	}
	free(l->edge);
	free(l->is_parent);
	key_set_free(&l->groups);
	key_set_free(&l->nodes);
	key_set_free(&l->edges);
	topology_free(&l->topology);
	*l = (struct links){0};
}
