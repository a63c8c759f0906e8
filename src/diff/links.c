/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/links.h"

#include "common/stream/columns.h"

#include <math.h>
#include <stdlib.h>

struct places {
	struct key_set keys;
	struct place *place;
	size_t room;
};

/* A device in one run, and its parent. */
struct pair {
	size_t thing, group, spot, parent_spot;
	size_t device, parent; /* places; NO_SPOT on a root bus */
};

struct pairs {
	struct pair *pair;
	size_t n, max;
};

/* Rows --------------------------------------------------------------------- */

/* The number of the place with this key, added where it is new. */
static size_t
find_place(struct places *p, const struct key *key)
{
	size_t before = p->keys.n;
	size_t place = key_set_intern(&p->keys, key);

	p->place = key_set_grow(&p->keys, p->place, &p->room, sizeof *p->place);
	if (place == before)
		p->place[place].value = NAN;
	return place;
}

static void
add_pair(struct pairs *p, struct pair pair)
{
	if (p->n == p->max) {
		p->max = p->max ? 2 * p->max : 64;
		p->pair = xreallocarray(p->pair, p->max, sizeof *p->pair);
	}
	p->pair[p->n++] = pair;
}

/* What the file of --links tells, or else the row. */
static const char *
told_or_row(const struct links *l, enum told told, const char *name)
{
	const struct table *t = l->table;
	ptrdiff_t device = table_find(t, "device");
	const char *text = "";

	if (device >= 0)
		text = topology_text(&l->topology, t->field[device], told);
	return *text ? text : optional_text(t, name);
}

static const char *
link_of(const struct links *l)
{
	const struct table *t = l->table;
	const char *text = told_or_row(l, TOLD_LINK, "link");
	struct link unused;
	const char *why = link_parse(text, &unused);

	if (why)
		table_die(t, (size_t)table_find(t, "link"), "'%s': %s", text,
		          why);
	return text;
}

static void
number_thing(struct links *l, const char *parent, struct key *key,
             struct pair *pair)
{
	const struct table *t = l->table;
	const struct columns *c = l->columns;

	row_key(key, t, c, ROLE_GROUP, NULL);
	pair->group = key_set_intern(&l->groups, key);
	row_key(key, t, c, ROLE_GROUP | ROLE_DEVICE, parent);
	pair->parent_spot = *parent ? key_set_intern(&l->spots, key) : NO_SPOT;
	row_key(key, t, c, ROLE_GROUP | ROLE_DEVICE, NULL);
	pair->spot = key_set_intern(&l->spots, key);
	key_append(key, PARENT_COL, parent);
	key_append(key, LINK_COL, link_of(l));
	pair->thing = key_set_intern(&l->things, key);
}

/* The row's values in their place, and its pair with the place above. */
static void
take_row(struct links *l, struct places *places, struct pairs *pairs,
         double value)
{
	const struct table *t = l->table;
	const struct columns *c = l->columns;
	static const unsigned here = ROLE_GROUP | ROLE_RUN | ROLE_DEVICE;
	const char *parent = told_or_row(l, TOLD_PARENT, "parent");
	struct pair pair = {.parent = NO_SPOT};
	struct key key = {0};

	row_key(&key, t, c, here, NULL);
	pair.device = find_place(places, &key);
	if (!isnan(places->place[pair.device].value))
		die_repeated(t, c);
	place_fill(&places->place[pair.device], t, c, value);
	if (*parent) {
		row_key(&key, t, c, here, parent);
		pair.parent = find_place(places, &key);
	}
	number_thing(l, parent, &key, &pair);
	add_pair(pairs, pair);
	free(key.bytes);
}

/* Hops --------------------------------------------------------------------- */

static int
by_thing(const void *a, const void *b)
{
	const struct pair *p = a;
	const struct pair *q = b;

	return (p->thing > q->thing) - (p->thing < q->thing);
}

/* Once for a device, however many things differ in the rest. */
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

static struct hop
hop_of(const struct pair pair[], size_t n, const struct place place[])
{
	struct hop hop = {.thing = pair->thing,
	                  .group = pair->group,
	                  .spot = pair->spot,
	                  .parent = pair->parent_spot};

	for (size_t i = 0; i < n; i++) {
		const struct place *below = &place[pair[i].device];

		hop_add(&hop,
		        pair[i].parent == NO_SPOT ? NULL
		                                  : &place[pair[i].parent],
		        below);
	}
	hop_sort(&hop);
	return hop;
}

/* Says what is not in the result though it has a parent. */
static void
warn_missing(const struct links *l)
{
	struct key_set warned = {0};
	size_t alone = 0, links = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct hop *hop = &l->hop[i];

		links += hop_is_link(hop);
		if (hop_is_link(hop))
			alone += hop->at.n - hop->latency.n;
		else if (hop->parent != NO_SPOT)
			warn_no_parent(&warned, hop_named(l, hop, "device"),
			               hop_text(l, hop, PARENT_COL));
	}
	key_set_free(&warned);
	warn_skipped(alone, "the parent in the same run");
	if (l->table->rows && !links)
		warn("%s: no device was measured together with its parent: "
		     "no links",
		     l->table->file);
}

static void
make_hops(struct links *l, const struct pairs *pairs,
          const struct place place[])
{
	size_t n;

	if (pairs->n)
		qsort(pairs->pair, pairs->n, sizeof *pairs->pair, by_thing);
	l->hop = xcalloc(l->things.n + 1, sizeof *l->hop);
	l->above = xcalloc(l->spots.n + 1, sizeof *l->above);
	for (size_t i = 0; i < pairs->n; i += n) {
		const struct pair *pair = &pairs->pair[i];

		for (n = 1; i + n < pairs->n && pair[n].thing == pair->thing;)
			n++;
		l->hop[l->n++] = hop_of(pair, n, place);
		if (pair->parent != NO_SPOT)
			l->above[pair->parent_spot] = true;
	}
}

void
read_links(struct links *l, struct table *t, struct columns *c)
{
	struct places places = {0};
	struct pairs pairs = {0};
	double value;

	l->table = t;
	l->columns = c;
	while (next_value(t, c, &value))
		take_row(l, &places, &pairs, value);
	make_hops(l, &pairs, places.place);
	warn_missing(l);
	key_set_free(&places.keys);
	free(places.place);
	free(pairs.pair);
}

const char *
hop_text(const struct links *l, const struct hop *hop, size_t col)
{
	return key_find(&l->things.key[hop->thing], col);
}

const char *
hop_named(const struct links *l, const struct hop *hop, const char *name)
{
	ptrdiff_t col = table_find(l->table, name);

	return col < 0 ? "" : hop_text(l, hop, (size_t)col);
}

void
links_free(struct links *l)
{
	for (size_t i = 0; i < l->n; i++)
		hop_free(&l->hop[i]);
	free(l->hop);
	free(l->above);
	key_set_free(&l->things);
	key_set_free(&l->groups);
	key_set_free(&l->spots);
	topology_free(&l->topology);
	*l = (struct links){0};
}
