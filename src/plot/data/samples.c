/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the rows that have a measure. */
#include "plot/data/samples.h"

#include "common/base/number.h"
#include "common/stream/columns.h"

/* Ranges of such values, and factors between them, are numbers, too. */
#define VALUE_MAX   1e100
#define VALUE_LEAST 1e-100 /* the next one is 0 */

/* Cells ------------------------------------------------------------------- */

double
row_value(const struct table *t, size_t col)
{
	double value = table_number(t, col);

	if (fabs(value) > VALUE_MAX)
		table_die(t, col, "'%s': too large to draw", t->field[col]);
	if (shows_bytes && !strcmp(unit_of(t->name[col]), "gbit_s"))
		value /= rate_unit().gbit_s;
	return fabs(value) < VALUE_LEAST ? 0 : value;
}

double
row_size(const struct table *t, size_t col)
{
	uint64_t size;
	const char *why = parse_integer(t->field[col], &size);

	if (why)
		table_refuse(t, col, why);
	return (double)size;
}

bool
row_has(const struct table *t, const char *name)
{
	return *table_text(t, table_find(t, name));
}

double
row_number(const struct table *t, const char *name)
{
	if (!row_has(t, name))
		return NAN;
	return row_value(t, (size_t)table_find(t, name));
}

void
row_sample(const struct table *t, const struct row_reader *r, struct tallies *s,
           size_t of)
{
	if (!tallies_add(s, of, row_value(t, r->col), r->weight))
		table_die(t, r->col, "more samples than can be counted");
}

double
percentile(const struct histogram *d, uint64_t pct)
{
	return histogram_quantile(d, (struct fraction){pct, 100},
	                          USUAL_QUANTILE);
}

size_t
row_key(struct key_set *keys, const struct table *t, bool in,
        const char *columns)
{
	struct key key = {0};
	size_t number;

	for (size_t i = 0; i < t->ncols; i++) {
		if (is_identity(t->name[i]) &&
		    list_has(columns, t->name[i]) == in)
			key_append(&key, i, t->field[i]);
	}
	number = key_set_intern(keys, &key);
	free(key.bytes);
	return number;
}

/* Rows -------------------------------------------------------------------- */

static void
take_key(struct row_reader *r, const struct table *t)
{
	bool same = r->known == t->ncols && t->changed == r->col;

	if (r->known < t->ncols) {
		for (; r->known < t->ncols; r->known++) {
			const char *name = t->name[r->known];

			if (is_identity(name) &&
			    (!r->axis || strcmp(name, r->axis) != 0) &&
			    (!r->besides || strcmp(name, r->besides) != 0))
				PUSH(r->identity, r->n, r->known);
		}
		/* pcb-diff may have compared them. */
		r->run_at = r->runs_apart || table_find(t, "base") >= 0
		                ? -1
		                : table_find(t, "run");
		for (size_t i = 0; r->measures[i]; i++)
			r->measure_at[i] = table_find_given(t, r->measures[i]);
		r->place_at = r->place ? table_find_given(t, r->place) : -1;
		r->count_at = table_find(t, "count");
	}
	if (same)
		return;
	r->key_is_same = false;
	r->key.length = 0;
	for (size_t i = 0; i < r->n; i++) {
		size_t col = r->identity[i];

		if ((ptrdiff_t)col != r->run_at)
			key_append(&r->key, col, t->field[col]);
	}
	if (*table_text(t, r->run_at))
		r->run =
		    key_set_intern_text(&r->runs, table_text(t, r->run_at));
}

static bool
take_measure(struct row_reader *r, const struct table *t)
{
	size_t i = 0, col;

	while (r->measures[i] && !*table_text(t, r->measure_at[i]))
		i++;
	if (!r->measures[i])
		return false;
	col = (size_t)r->measure_at[i];
	if (r->measure && r->col == col)
		return true;
	if (!r->measure)
		r->measure = t->name[col];
	if (strcmp(unit_of(t->name[col]), unit_of(r->measure)) != 0) {
		if (r->first_unit)
			return false;
		table_die(t, col, "a plot shows one unit, and %s came first",
		          r->measure);
	}
	r->col = col;
	return true;
}

/* A common mistake in a pipe: samples are summarised too early. */
static void
need_measure(const struct table *t, const char *const measures[])
{
	const char *const *name = measures;

	do {
		if (table_find_given(t, *name) >= 0)
			return;
	} while (*++name);
	if (!strcmp(measures[0], "latency_ns") &&
	    table_find(t, "median_ns") >= 0)
		die("%s: this plot needs samples, not statistics: use "
		    "pcb-stats --histogram",
		    t->file);
	if (!strcmp(measures[0], "median_gbit_s") &&
	    (table_find(t, "latency_ns") >= 0 ||
	     table_find(t, "median_ns") >= 0))
		die("%s: these are latencies: pcb-plot lat draws them",
		    t->file);
	if (!strcmp(measures[0], "median_ns") &&
	    (table_find(t, "bandwidth_gbit_s") >= 0 ||
	     table_find(t, "median_gbit_s") >= 0))
		die("%s: these are bandwidths: pcb-plot bw draws them",
		    t->file);
	if (!strcmp(measures[0], "latency_ns"))
		no_column(t, measures[0], "; -c names another");
	need_column(t, measures[0]);
}

bool
row_reader_next(struct row_reader *r, struct table *t)
{
	bool placed;
	ptrdiff_t first;

	r->key_is_same = true;
	while (table_next(t)) {
		take_key(r, t);
		r->hole = !take_measure(r, t);
		placed = !r->place || *table_text(t, r->place_at);
		if (r->hole || !placed) {
			trace_skipped(t, r->lacking);
			r->skipped++;
			if (placed && r->holes)
				return true;
			continue;
		}
		r->weight = table_weight(t, r->count_at);
		if (r->weight)
			return true;
	}
	if (r->place && table_find_given(t, r->place) < 0)
		need_given_column(t, r->place);
	need_measure(t, r->measures);
	first = table_find_given(t, r->measures[0]);
	if (!r->measure)
		r->measure = first < 0 ? r->measures[0] : t->name[first];
	warn_skipped(r->skipped, r->lacking);
	r->nruns = r->runs.n;
	free(r->key.bytes);
	key_set_free(&r->runs);
	return false;
}

struct curve *
curve_of(struct curves *c, size_t key)
{
	c->of = key_set_grow(&c->keys, c->of, &c->room, sizeof *c->of);
	return &c->of[key];
}

struct curve *
row_curve(struct curves *c, const struct row_reader *r)
{
	if (!c->keys.n || !r->key_is_same)
		c->last = key_set_intern(&c->keys, &r->key);
	return curve_of(c, c->last);
}

void
say_runs(struct picture *p, const struct row_reader *r)
{
	if (r->nruns > 1)
		add_words(&p->subtitle, ", ", "%zu runs", r->nruns);
}

/* Samples ------------------------------------------------------------------ */

void
read_groups(struct groups *g, struct row_reader *r, struct table *t)
{
	size_t group = 0;

	while (row_reader_next(r, t)) {
		if (!g->keys.n || !r->key_is_same)
			group = key_set_intern(&g->keys, &r->key);
		row_sample(t, r, &g->samples, group);
	}
	g->histogram = tallies_finish(&g->samples, g->keys.n);
}
