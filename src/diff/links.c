#include "diff/links.h"

#include "common/names.h"
#include "common/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A place is a device in one run, with all that must match between a device
 * and its parent.
 */
struct places {
	struct keys keys;
	double *value; /* NAN where nothing was measured */
	size_t nvalues;
};

/* A device and its parent in one run. */
struct pair {
	size_t thing;
	size_t device, parent; /* places */
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
	size_t place = keys_number(&p->keys, key);

	if (p->nvalues < p->keys.n) {
		p->nvalues = p->keys.max;
		p->value =
		    xreallocarray(p->value, p->nvalues, sizeof *p->value);
	}
	if (place == before)
		p->value[place] = NAN;
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

/* The row's value in its place, and its pair with the place above. */
static void
take_row(struct places *places, struct pairs *pairs, struct keys *things,
         const struct table *t, const struct columns *c, double value)
{
	static const unsigned here = ROLE_GROUP | ROLE_RUN | ROLE_DEVICE;
	static const unsigned thing =
	    ROLE_GROUP | ROLE_DEVICE | ROLE_PARENT | ROLE_LINK;
	ptrdiff_t col = table_find(t, "parent");
	const char *parent = col < 0 ? "" : t->field[col];
	struct key key = {0};
	struct pair pair;

	row_key(&key, t, c, here, NULL);
	pair.device = find_place(places, &key);
	if (!isnan(places->value[pair.device]))
		die_repeated(t, c);
	places->value[pair.device] = value;
	if (*parent) {
		row_key(&key, t, c, here, parent);
		pair.parent = find_place(places, &key);
		row_key(&key, t, c, thing, NULL);
		pair.thing = keys_number(things, &key);
		add_pair(pairs, pair);
	}
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
warn_no_parent(struct keys *warned, const struct key *key,
               const struct table *t)
{
	const char *device = key_find(key, (size_t)table_find(t, "device"));
	const char *parent = key_find(key, (size_t)table_find(t, "parent"));
	struct key name = {0};
	size_t before = warned->n;

	key_append(&name, 0, device);
	key_append(&name, 1, parent);
	if (keys_number(warned, &name) == before)
		warn("%s: its parent %s was not measured with it: no link",
		     device, parent);
	free(name.bytes);
}

static struct hop
hop_of(const struct pair pair[], size_t n, const double value[])
{
	struct hop hop = {.thing = pair->thing};

	for (size_t i = 0; i < n; i++) {
		double parent = value[pair[i].parent];
		double device = value[pair[i].device];

		if (isnan(parent))
			continue;
		values_add(&hop.parent, parent);
		values_add(&hop.device, device);
		values_add(&hop.latency, device - parent);
	}
	runs_sort(hop.parent.x, hop.parent.n);
	runs_sort(hop.device.x, hop.device.n);
	runs_sort(hop.latency.x, hop.latency.n);
	return hop;
}

static void
make_hops(struct links *l, const struct table *t, struct pairs *pairs,
          const double value[])
{
	struct keys warned = {0};
	uintmax_t alone = 0;
	size_t n;

	if (pairs->n)
		qsort(pairs->pair, pairs->n, sizeof *pairs->pair, by_thing);
	l->hop = xcalloc(l->things.n + 1, sizeof *l->hop);
	for (size_t i = 0; i < pairs->n; i += n) {
		const struct pair *pair = &pairs->pair[i];
		struct hop hop;

		for (n = 1; i + n < pairs->n && pair[n].thing == pair->thing;)
			n++;
		hop = hop_of(pair, n, value);
		if (hop.latency.n) {
			l->hop[l->n++] = hop;
			alone += n - hop.latency.n;
		} else {
			warn_no_parent(&warned, &l->things.key[hop.thing], t);
		}
	}
	keys_free(&warned);
	if (alone)
		warn("%ju row%s without the parent in the same run %s skipped",
		     alone, alone == 1 ? "" : "s", alone == 1 ? "was" : "were");
}

void
read_links(struct links *l, struct table *t, struct columns *c)
{
	struct places places = {0};
	struct pairs pairs = {0};
	double value;

	while (next_value(t, c, &value))
		take_row(&places, &pairs, &l->things, t, c, value);
	make_hops(l, t, &pairs, places.value);
	if (t->rows && !l->n)
		warn("%s: no device was measured together with its parent: "
		     "no links",
		     t->file);
	keys_free(&places.keys);
	free(places.value);
	free(pairs.pair);
}

/* Result ------------------------------------------------------------------- */

static void
begin(const struct table *t, const struct columns *c, struct out *o)
{
	static const char *const computed[] = {
	    "parent_ns",     "device_ns",     "latency_ns",
	    "latency_lo_ns", "latency_hi_ns", "runs",
	};
	struct header h = {0};

	for (size_t i = 0; i < c->nkey; i++) {
		if (c->key[i].role != ROLE_RUN)
			header_add(&h, xstrdup(t->name[c->key[i].col]));
	}
	for (size_t i = 0; i < ARRAY_LEN(computed); i++)
		header_add(&h, xstrdup(computed[i]));
	header_write(&h, o);
}

static void
write_hop(const struct hop *hop, struct out *o)
{
	const struct values *v = &hop->latency;
	struct interval limits = runs_median_interval(v->x, v->n);

	out_double(o, runs_median(hop->parent.x, hop->parent.n));
	out_double(o, runs_median(hop->device.x, hop->device.n));
	out_double(o, runs_median(v->x, v->n));
	out_double(o, limits.low);
	out_double(o, limits.high);
	out_u64(o, v->n);
}

void
write_links(const struct links *l, const struct table *t,
            const struct columns *c, struct out *o)
{
	begin(t, c, o);
	for (size_t i = 0; i < l->n; i++) {
		const struct key *key = &l->things.key[l->hop[i].thing];

		for (size_t k = 0; k < c->nkey; k++) {
			if (c->key[k].role != ROLE_RUN)
				out_text(o, key_find(key, c->key[k].col));
		}
		write_hop(&l->hop[i], o);
	}
}

void
links_free(struct links *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->hop[i].parent.x);
		free(l->hop[i].device.x);
		free(l->hop[i].latency.x);
	}
	free(l->hop);
	keys_free(&l->things);
	*l = (struct links){0};
}
