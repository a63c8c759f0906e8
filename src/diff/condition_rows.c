/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the two sides of each condition and writes a row for each. */
#include "diff/condition_rows.h"

#include "common/stream/header.h"
#include "diff/rank_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most conditions with missing rows that a warning names. */
#define NAMED_MAX 8

/* What is missing ---------------------------------------------------------- */

static bool
has(const struct group *g, size_t condition)
{
	return condition < g->nsides && g->side[condition].runs.n;
}

/* Whether a column separates groups with the base from those without. */
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

/*
 * Dies if a column separates the sides, unless it is the link and --check is
 * given: then a device has lost lanes, which is the answer.
 */
static void
check_comparable(const struct conditions *d, bool checks)
{
	const struct table *t = d->table;
	const struct diff_columns *c = d->columns;
	char *by = conditions_by(d);
	char *names = NULL;

	for (size_t i = 0; i < c->nkey; i++) {
		size_t col = c->key[i].col;

		if (c->key[i].role == ROLE_GROUP && keeps_apart(d, col))
			xappend(&names, ",", "%s", t->name[col]);
	}
	if (names && !strcmp(names, "link") && checks) {
		free(names);
		free(by);
		return;
	}
	if (names && !strcmp(names, "kind"))
		die("%s: rows of different kinds are not compared", t->file);
	if (names)
		die("%s: nothing to compare: rows that differ in %s also "
		    "differ in %s; drop it with --ignore %s",
		    t->file, by, names, names);
	die("%s: no rows differ only in %s", t->file, by);
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

/* A group with missing rows, by columns that vary; "" if none do. Free it. */
static char *
name_missing(const struct conditions *d, size_t condition)
{
	const struct diff_columns *c = d->columns;
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
	char *by = conditions_by(d);

	warn("%zu of %zu groups have no row with %s=%s%s%s", missing, d->keys.n,
	     by, condition_name(d, condition), *name ? ", such as " : "", name);
	free(by);
	free(name);
}

/* Warns of conditions with missing rows; returns the number of these rows. */
static size_t
warn_missing(const struct conditions *d)
{
	size_t incomplete = 0, all = 0;
	char *by;

	for (size_t i = 0; i < d->names.n; i++) {
		size_t missing = count_missing(d, i);

		all += missing;
		if (missing && ++incomplete <= NAMED_MAX)
			warn_missing_of(d, i, missing);
	}
	by = conditions_by(d);
	if (incomplete > NAMED_MAX)
		warn("%zu more values of %s lack rows of some groups",
		     incomplete - NAMED_MAX, by);
	free(by);
	return all;
}

/* Links -------------------------------------------------------------------- */

/* Groups that differ only in `link`: the last one with each side. */
struct slot {
	const struct key *base, *other;
};

/* Copies the key without its link. */
static void
strip_link(struct key *to, const struct conditions *d, const struct key *key,
           size_t link)
{
	const struct diff_columns *c = d->columns;
	size_t at = 0;

	to->length = 0;
	for (size_t i = 0; i < c->nkey; i++) {
		size_t col = c->key[i].col;

		if (c->key[i].role == ROLE_GROUP && col != link)
			key_append(to, col, key_text(key, col, &at));
	}
}

static void
warn_of_link(const struct conditions *d, const struct slot *s, size_t link)
{
	ptrdiff_t device = table_find(d->table, "device");
	const char *name = device < 0 ? "" : key_find(s->base, (size_t)device);

	if (!strcmp(key_find(s->base, link), key_find(s->other, link)))
		return;
	warn("%s%sthe link was %s and is %s", name, *name ? ": " : "",
	     key_find(s->base, link), key_find(s->other, link));
}

/* Warns of devices whose link differs from that in the base. */
static void
warn_of_links(const struct conditions *d)
{
	ptrdiff_t link = table_find(d->table, "link");
	struct key_set keys = {0};
	struct slot *slot = NULL;
	struct key key = {0};
	size_t room = 0, warned = 0;

	for (size_t i = 0; link >= 0 && i < d->keys.n; i++) {
		const struct key *group = &d->keys.key[i];
		bool is_base = has(&d->group[i], d->base_number);
		size_t number;

		strip_link(&key, d, group, (size_t)link);
		number = key_set_intern(&keys, &key);
		slot = key_set_grow(&keys, slot, &room, sizeof *slot);
		if (is_base)
			slot[number].base = group;
		if (!is_base || d->names.n > 2)
			slot[number].other = group;
	}
	for (size_t i = 0; i < keys.n && warned < NAMED_MAX; i++) {
		const struct slot *s = &slot[i];

		if (!s->base || !s->other || s->base == s->other)
			continue;
		warn_of_link(d, s, (size_t)link);
		warned++;
	}
	free(key.bytes);
	free(slot);
	key_set_free(&keys);
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

/* The output, and totals of its rows. */
struct condition_writer {
	const struct conditions *d;
	const char *unit;
	const struct check *check;
	struct out *out;
	size_t rows, unclear, worse, missing;
};

/* A comparison, as written and as judged. */
struct comparison {
	double base, other; /* medians of the runs */
	struct shift shift;
	double ratio_pct;
	enum differs differs;
	size_t runs; /* runs of the smaller side, or pairs */
};

static void
compare_sides(struct comparison *result, const struct run_values *base,
              const struct run_values *other, double least)
{
	result->shift = runs_shift(base->x, base->n, other->x, other->n);
	result->differs =
	    runs_differ(base->x, base->n, other->x, other->n, least);
	result->runs = base->n < other->n ? base->n : other->n;
}

static double
sorted_median(struct run_values *v)
{
	runs_sort(v->x, v->n);
	return runs_median(v->x, v->n);
}

/*
 * The same by pairs of runs, which cancels disturbances that affect both sides
 * of a run.
 */
static void
compare_pairs(struct comparison *result, const struct run_values *base,
              const struct run_values *other, double least)
{
	struct run_values b = {0}, o = {0}, d = {0};

	for (size_t i = 0; i < base->n && i < other->n; i++) {
		if (isnan(base->x[i]) || isnan(other->x[i]))
			continue;
		run_values_add(&b, base->x[i]);
		run_values_add(&o, other->x[i]);
		run_values_add(&d, other->x[i] - base->x[i]);
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
compare(const struct condition_writer *w, const struct side *base,
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
 * Longer latency or lower bandwidth is worse; the base may be negative, as for
 * a link. Ignores the last bits of a decimal that binary numbers cannot
 * represent.
 */
static bool
is_worse(const struct condition_writer *w, const struct comparison *d)
{
	double more = (d->other - d->base) * 100 / fabs(d->base);

	if (strcmp(w->unit, "ns") != 0)
		more = -more;
	return w->check->percent >= 0 && d->differs != DIFFERS_NO &&
	       more - w->check->percent > 1e-9;
}

static void
begin(const struct condition_writer *w)
{
	static const char *const computed[] = {"base", "other", "diff",
	                                       "diff_lo", "diff_hi"};
	const struct diff_columns *c = w->d->columns;
	struct header h = {0};

	for (size_t i = 0; i < c->nkey; i++) {
		if (c->key[i].role & (ROLE_GROUP | ROLE_BY))
			header_add(&h,
			           xstrdup(w->d->table->name[c->key[i].col]));
	}
	if (diff_columns_by_file(c))
		header_add(&h, xstrdup("file"));
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
write_identity(const struct condition_writer *w, const struct key *key,
               size_t condition)
{
	const struct diff_columns *c = w->d->columns;
	size_t at = 0;

	for (size_t i = 0; i < c->nkey; i++) {
		if (c->key[i].role == ROLE_BY)
			out_text(w->out,
			         condition_part(w->d, condition, c->key[i].by));
		else if (c->key[i].role == ROLE_GROUP)
			out_text(w->out, key_text(key, c->key[i].col, &at));
	}
	if (diff_columns_by_file(c))
		out_text(w->out, condition_name(w->d, condition));
	out_text(w->out, condition_name(w->d, w->d->base_number));
}

static void
write_group(struct condition_writer *w, size_t number)
{
	const struct conditions *d = w->d;
	const struct group *g = &d->group[number];

	for (size_t i = 0; i < d->names.n; i++) {
		struct comparison result;

		if (i == d->base_number || !has(g, i))
			continue;
		result = compare(w, &g->side[d->base_number], &g->side[i]);
		write_identity(w, &d->keys.key[number], i);
		write_comparison(&result, w->out);
		w->rows++;
		w->unclear += result.differs == DIFFERS_UNCLEAR;
		w->worse += is_worse(w, &result);
	}
}

/* The kinds of the rows except `measured`, in words; "" if there are none. */
static char *
other_kinds(const struct conditions *d)
{
	ptrdiff_t col = table_find(d->table, "kind");
	struct key_set kinds = {0};
	char *words = NULL;

	for (size_t i = 0; col >= 0 && i < d->keys.n; i++) {
		const char *kind = key_find(&d->keys.key[i], (size_t)col);
		size_t before = kinds.n;

		if (*kind && strcmp(kind, "measured") != 0 &&
		    key_set_intern_text(&kinds, kind) == before)
			xappend(&words, " and ", "%s", kind);
	}
	key_set_free(&kinds);
	return words ? words : xstrdup("");
}

/* How certain it is that rows are within the limit: all, some or none. */
static char *
confidence(const struct condition_writer *w)
{
	const double percent = 100 * (1 - RUNS_ALPHA);

	if (!w->unclear)
		return xasprintf("%g %% confidence", percent);
	if (w->unclear < w->rows)
		return xasprintf("%zu of them with %g %% confidence",
		                 w->rows - w->unclear, percent);
	return xstrdup("but all are unclear");
}

static void
tell_passed(const struct condition_writer *w)
{
	char *kinds = other_kinds(w->d), *sure = confidence(w);

	warn("passed: %zu row%s within %g %%, %s%s%s", w->rows,
	     w->rows == 1 ? "" : "s", w->check->percent, sure,
	     *kinds ? "; the rows are " : "", kinds);
	free(kinds);
	free(sure);
}

static void
warn_of_worse(const struct condition_writer *w)
{
	const struct conditions *d = w->d;
	char *by = conditions_by(d);

	warn("%zu of %zu rows are worse than %s=%s by more than %g %%",
	     w->worse, w->rows, by, condition_name(d, d->base_number),
	     w->check->percent);
	free(by);
}

/* STATUS_OK, or STATUS_NO if --check fails. */
static int
verdict(const struct condition_writer *w)
{
	const struct conditions *d = w->d;
	const struct check *check = w->check;
	bool is_cut = !d->table->complete;
	bool is_short = w->missing && !check->allow_missing;
	bool is_unclear = w->unclear && !check->allow_unclear;

	if (w->unclear)
		warn("%zu of %zu differences are unclear: they need %d runs %s "
		     "(pcb-collect -r %d)",
		     w->unclear, w->rows, RUNS_ENOUGH,
		     d->paired ? "that both have" : "of both", RUNS_ENOUGH);
	if (check->percent < 0)
		return STATUS_OK;
	if (w->worse)
		warn_of_worse(w);
	if (is_short)
		warn("--check fails because rows are missing "
		     "(--allow-missing if you expect that)");
	if (is_unclear)
		warn("--check fails because differences are unclear "
		     "(--allow-unclear if you expect that)");
	if (is_cut)
		warn("--check fails because the input is incomplete");
	if (!w->rows && !is_short)
		warn("--check fails because there is nothing to compare");
	if (!w->rows || w->worse || is_short || is_unclear || is_cut)
		return STATUS_NO;
	tell_passed(w);
	return STATUS_OK;
}

int
write_conditions(const struct conditions *d, const struct check *check,
                 struct out *o)
{
	const char *measure = d->table->name[d->columns->value];
	struct condition_writer w = {
	    .d = d, .unit = unit_of(measure), .check = check, .out = o};

	if (check->percent >= 0 && strcmp(w.unit, "ns") != 0 &&
	    strcmp(w.unit, "gbit_s") != 0)
		die("%s: --check needs ns or gbit_s, to know what is worse",
		    measure);
	if (d->names.n && !count_comparisons(d))
		check_comparable(d, check->percent >= 0);
	w.missing = warn_missing(d);
	if (w.missing)
		warn_of_links(d);
	begin(&w);
	for (size_t i = 0; i < d->keys.n; i++) {
		if (has(&d->group[i], d->base_number))
			write_group(&w, i);
	}
	return verdict(&w);
}
