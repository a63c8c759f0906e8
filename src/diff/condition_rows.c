/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/condition_rows.h"

#include "common/stream/header.h"
#include "diff/rank_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many conditions that lack rows are named. */
#define NAMED_MAX 8

/* What is missing ---------------------------------------------------------- */

static bool
has(const struct group *g, size_t condition)
{
	return condition < g->nsides && g->side[condition].runs.n;
}

/* Whether a column keeps groups with the base from those without it. */
static bool
keeps_apart(const struct conditions *d, size_t col)
{
	for (size_t i = 0; i < d->keys.n; i++) {
		const char *text = key_find(&d->keys.key[i], col);

		if (!has(&d->group[i], d->base_number))
			continue;
		for (size_t k = 0; k < d->keys.n; k++) {
			if (!has(&d->group[k], d->base_number) &&
			    !strcmp(key_find(&d->keys.key[k], col), text))
				return false;
		}
	}
	return true;
}

static _Noreturn void
die_incomparable(const struct conditions *d)
{
	const struct table *t = d->table;
	const struct columns *c = d->columns;
	char *names = NULL;

	for (size_t i = 0; i < c->nkey; i++) {
		size_t col = c->key[i].col;

		if (c->key[i].role == ROLE_GROUP && keeps_apart(d, col))
			xappend(&names, ", ", "%s", t->name[col]);
	}
	if (names)
		die("%s: no rows agree in all but %s: they differ in %s, too",
		    t->file, c->by, names);
	die("%s: no rows agree in all but %s", t->file, c->by);
}

static size_t
count_missing(const struct conditions *d, size_t condition)
{
	size_t missing = 0;

	for (size_t i = 0; i < d->keys.n; i++)
		missing += !has(&d->group[i], condition);
	return missing;
}

static bool
differs_in(const struct key_set *keys, size_t col)
{
	const char *first = key_find(&keys->key[0], col);

	for (size_t i = 1; i < keys->n; i++) {
		if (strcmp(key_find(&keys->key[i], col), first) != 0)
			return true;
	}
	return false;
}

/* A group that lacks rows, by what groups differ in; "" if in nothing. Free. */
static char *
name_missing(const struct conditions *d, size_t condition)
{
	const struct columns *c = d->columns;
	char *name = NULL;
	size_t k = 0;

	while (has(&d->group[k], condition))
		k++;
	for (size_t i = 0; i < c->nkey; i++) {
		size_t col = c->key[i].col;
		const char *text = key_find(&d->keys.key[k], col);

		if (*text && differs_in(&d->keys, col))
			xappend(&name, " ", "%s=%s", d->table->name[col], text);
	}
	return name ? name : xstrdup("");
}

static void
warn_missing_of(const struct conditions *d, size_t condition, size_t missing)
{
	char *name = name_missing(d, condition);

	warn("%zu of %zu groups have no row with %s=%s%s%s", missing, d->keys.n,
	     d->columns->by, condition_name(d, condition),
	     *name ? ", such as " : "", name);
	free(name);
}

/* Each is named, unless that would be too many lines to be read. */
static void
warn_missing(const struct conditions *d)
{
	size_t incomplete = 0;

	for (size_t i = 0; i < d->names.n; i++) {
		size_t missing = count_missing(d, i);

		if (missing && ++incomplete <= NAMED_MAX)
			warn_missing_of(d, i, missing);
	}
	if (incomplete > NAMED_MAX)
		warn("%zu more values of %s lack rows of some groups",
		     incomplete - NAMED_MAX, d->columns->by);
}

static size_t
count_comparisons(const struct conditions *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->keys.n; i++) {
		const struct group *g = &d->group[i];

		for (size_t k = 0; has(g, d->base_number) && k < d->names.n;
		     k++)
			n += k != d->base_number && has(g, k);
	}
	return n;
}

/* Result ------------------------------------------------------------------- */

/* What is written where, and what the rows so far come to. */
struct writer {
	const struct conditions *d;
	const char *unit;
	double check_pct; /* as in write_conditions */
	struct out *out;
	size_t rows, unclear, worse;
};

/* A comparison as it is written, and as it is judged. */
struct comparison {
	double base, other; /* medians over the runs */
	struct shift shift;
	double ratio_pct;
	enum differs differs;
	size_t runs; /* of the side with fewer, or pairs of them */
};

static void
compare_sides(struct comparison *result, const struct values *base,
              const struct values *other, double least)
{
	result->shift = runs_shift(base->x, base->n, other->x, other->n);
	result->differs =
	    runs_differ(base->x, base->n, other->x, other->n, least);
	result->runs = base->n < other->n ? base->n : other->n;
}

static double
sorted_median(struct values *v)
{
	runs_sort(v->x, v->n);
	return runs_median(v->x, v->n);
}

/*
 * The same, run by run: what disturbs a run disturbs both sides alike, if
 * both have it.
 */
static void
compare_pairs(struct comparison *result, const struct values *base,
              const struct values *other, double least)
{
	struct values b = {0}, o = {0}, d = {0};

	for (size_t i = 0; i < base->n && i < other->n; i++) {
		if (isnan(base->x[i]) || isnan(other->x[i]))
			continue;
		values_add(&b, base->x[i]);
		values_add(&o, other->x[i]);
		values_add(&d, other->x[i] - base->x[i]);
	}
	runs_sort(d.x, d.n);
	result->shift = runs_paired_shift(d.x, d.n);
	result->differs = runs_paired_differ(d.x, d.n, least);
	result->runs = d.n;
	if (d.n) {
		result->base = sorted_median(&b);
		result->other = sorted_median(&o);
	}
	free(b.x);
	free(o.x);
	free(d.x);
}

static struct comparison
compare(const struct writer *w, const struct side *base,
        const struct side *other)
{
	double tick = fmax(base->tick_ns, other->tick_ns);
	double least = strcmp(w->unit, "ns") != 0 ? 0 : tick;
	struct comparison result = {
	    .base = runs_median(base->runs.x, base->runs.n),
	    .other = runs_median(other->runs.x, other->runs.n),
	};

	if (w->d->paired)
		compare_pairs(&result, &base->by_run, &other->by_run, least);
	else
		compare_sides(&result, &base->runs, &other->runs, least);
	result.ratio_pct = result.other * 100 / result.base;
	return result;
}

/*
 * Latency is worse when longer, bandwidth when lower; the base may be below 0,
 * as that of a link. By the last bits of a decimal that binary numbers do not
 * hold, nothing is worse.
 */
static bool
is_worse(const struct writer *w, const struct comparison *d)
{
	double more = (d->other - d->base) * 100 / fabs(d->base);

	if (strcmp(w->unit, "ns") != 0)
		more = -more;
	return w->check_pct >= 0 && d->differs != DIFFERS_NO &&
	       more - w->check_pct > 1e-9;
}

static void
begin(const struct writer *w)
{
	static const char *const computed[] = {"base", "other", "diff",
	                                       "diff_lo", "diff_hi"};
	const struct columns *c = w->d->columns;
	struct header h = {0};

	for (size_t i = 0; i < c->nkey; i++) {
		if (c->key[i].role != ROLE_RUN)
			header_add(&h,
			           xstrdup(w->d->table->name[c->key[i].col]));
	}
	if (columns_by_file(c))
		header_add(&h, xstrdup(c->by));
	header_add(&h, xstrdup("base"));
	for (size_t i = 0; i < ARRAY_LEN(computed); i++)
		header_add(&h, xasprintf("%s_%s", computed[i], w->unit));
	header_add(&h, xstrdup("ratio_pct"));
	header_add(&h, xstrdup("differs"));
	header_add(&h, xstrdup("runs"));
	header_write(&h, w->out);
}

static void
write_comparison(const struct comparison *d, struct out *o)
{
	static const char *const differs[] = {
	    [DIFFERS_NO] = "no",
	    [DIFFERS_YES] = "yes",
	    [DIFFERS_UNCLEAR] = "unclear",
	};

	out_double(o, d->base);
	out_double(o, d->other);
	out_double(o, d->shift.median);
	out_double(o, d->shift.limits.low);
	out_double(o, d->shift.limits.high);
	out_double(o, d->ratio_pct);
	out_text(o, differs[d->differs]);
	out_u64(o, d->runs);
}

static void
write_identity(const struct writer *w, const struct key *key,
               const char *condition)
{
	const struct columns *c = w->d->columns;
	size_t at = 0;

	for (size_t i = 0; i < c->nkey; i++) {
		if (c->key[i].role == ROLE_BY)
			out_text(w->out, condition);
		else if (c->key[i].role == ROLE_GROUP)
			out_text(w->out, key_text(key, c->key[i].col, &at));
	}
	if (columns_by_file(c))
		out_text(w->out, condition);
	out_text(w->out, condition_name(w->d, w->d->base_number));
}

static void
write_group(struct writer *w, size_t number)
{
	const struct conditions *d = w->d;
	const struct group *g = &d->group[number];

	for (size_t i = 0; i < d->names.n; i++) {
		struct comparison result;

		if (i == d->base_number || !has(g, i))
			continue;
		result = compare(w, &g->side[d->base_number], &g->side[i]);
		write_identity(w, &d->keys.key[number], condition_name(d, i));
		write_comparison(&result, w->out);
		w->rows++;
		w->unclear += result.differs == DIFFERS_UNCLEAR;
		w->worse += is_worse(w, &result);
	}
}

/* What the rows come to: STATUS_OK, or STATUS_NO if any is worse. */
static int
verdict(const struct writer *w)
{
	const struct conditions *d = w->d;

	if (w->unclear)
		warn("%zu of %zu differences are unclear: they take %d runs "
		     "%s (pcb-collect -r)",
		     w->unclear, w->rows, RUNS_ENOUGH,
		     d->paired ? "that both have" : "of both");
	if (!w->worse)
		return STATUS_OK;
	warn("%zu of %zu rows are worse than %s=%s by more than %g %%",
	     w->worse, w->rows, d->columns->by,
	     condition_name(d, d->base_number), w->check_pct);
	return STATUS_NO;
}

int
write_conditions(const struct conditions *d, double check_pct, struct out *o)
{
	const char *measure = d->table->name[d->columns->value];
	struct writer w = {d, unit_of(measure), check_pct, o, 0, 0, 0};

	if (check_pct >= 0 && strcmp(w.unit, "ns") != 0 &&
	    strcmp(w.unit, "gbit_s") != 0)
		die("%s: --check does not know what is worse, only of ns and "
		    "gbit_s",
		    measure);
	if (d->names.n && !count_comparisons(d))
		die_incomparable(d);
	warn_missing(d);
	begin(&w);
	for (size_t i = 0; i < d->keys.n; i++) {
		if (has(&d->group[i], d->base_number))
			write_group(&w, i);
	}
	return verdict(&w);
}
