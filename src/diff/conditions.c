#include "diff/conditions.h"

#include "common/names.h"
#include "common/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In keys the condition stands behind all columns that may yet come. */
#define CONDITION_COL UINT32_MAX

static bool
by_operands(const struct columns *c)
{
	return !strcmp(c->by, BY_FILE);
}

/* Reading ------------------------------------------------------------------ */

/* The number of the condition of this name, added where it is new. */
static size_t
find_condition(struct conditions *d, const char *name)
{
	size_t i;

	for (i = 0; i < d->n && strcmp(d->name[i], name) != 0; i++)
		;
	if (i == d->n) {
		d->name = xreallocarray(d->name, d->n + 1, sizeof *d->name);
		d->name[d->n++] = xstrdup(name);
	}
	return i;
}

static struct group *
find_group(struct conditions *d, const struct key *key)
{
	size_t before = d->keys.n;
	size_t number = keys_number(&d->keys, key);

	if (d->ngroups < d->keys.n) {
		d->ngroups = d->keys.max;
		d->group =
		    xreallocarray(d->group, d->ngroups, sizeof *d->group);
	}
	if (number == before)
		d->group[number] = (struct group){0};
	return &d->group[number];
}

static struct side *
find_side(struct group *g, size_t condition)
{
	if (condition >= g->nsides) {
		g->side =
		    xreallocarray(g->side, condition + 1, sizeof *g->side);
		while (g->nsides <= condition)
			g->side[g->nsides++] = (struct side){0};
	}
	return &g->side[condition];
}

static void
take_row(struct conditions *d, struct keys *seen, const struct table *t,
         const struct columns *c, const char *condition, double value)
{
	size_t number = find_condition(d, condition);
	size_t before = seen->n;
	struct key key = {0};
	struct side *side;

	row_key(&key, t, c, ROLE_GROUP | ROLE_RUN, NULL);
	key_append(&key, CONDITION_COL, condition);
	if (keys_number(seen, &key) != before)
		die_repeated(t, c);
	row_key(&key, t, c, ROLE_GROUP, NULL);
	side = find_side(find_group(d, &key), number);
	values_add(&side->runs, value);
	side->tick_ns = fmax(side->tick_ns, part_tick_ns(t));
	free(key.bytes);
}

static void
check_conditions(struct conditions *d, const struct table *t,
                 const struct columns *c)
{
	if (!d->n)
		die("%s: no row has a value in %s", t->file, c->by);
	for (size_t i = 0; d->base && i < d->n; i++) {
		if (!strcmp(d->name[i], d->base))
			d->base_number = i;
	}
	if (d->base && strcmp(d->name[d->base_number], d->base) != 0)
		die("%s: no row has %s=%s", t->file, c->by, d->base);
	if (d->n == 1)
		die("%s: all rows have %s=%s: nothing to compare", t->file,
		    c->by, *d->name);
}

static void
sort_sides(struct conditions *d)
{
	for (size_t i = 0; i < d->keys.n; i++) {
		struct group *g = &d->group[i];

		for (size_t k = 0; k < g->nsides; k++)
			runs_sort(g->side[k].runs.x, g->side[k].runs.n);
	}
}

void
read_conditions(struct conditions *d, struct table *t, struct columns *c)
{
	struct keys seen = {0};
	uintmax_t skipped = 0;
	double value;

	while (next_value(t, c, &value)) {
		ptrdiff_t col = by_operands(c) ? -1 : table_find(t, c->by);
		const char *condition = by_operands(c) ? t->file
		                        : col < 0      ? ""
		                                       : t->field[col];

		if (*condition)
			take_row(d, &seen, t, c, condition, value);
		else
			skipped++;
	}
	keys_free(&seen);
	if (skipped)
		warn("%ju row%s without %s %s skipped", skipped,
		     skipped == 1 ? "" : "s", c->by,
		     skipped == 1 ? "was" : "were");
	if (t->rows)
		check_conditions(d, t, c);
	sort_sides(d);
}

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
die_incomparable(const struct conditions *d, const struct table *t,
                 const struct columns *c)
{
	char *names = NULL;

	for (size_t i = 0; i < c->nkey; i++) {
		size_t col = c->key[i].col;

		if (c->key[i].role == ROLE_GROUP && keeps_apart(d, col))
			names = xasprintf("%s%s%s", names ? names : "",
			                  names ? ", " : "", t->name[col]);
	}
	if (names)
		die("%s: no rows agree in all but %s: they differ in %s, too",
		    t->file, c->by, names);
	die("%s: no rows agree in all but %s", t->file, c->by);
}

static void
warn_missing(const struct conditions *d, const struct columns *c)
{
	for (size_t i = 0; i < d->n; i++) {
		size_t missing = 0;

		for (size_t k = 0; k < d->keys.n; k++)
			missing += !has(&d->group[k], i);
		if (missing)
			warn("%zu of %zu groups have no row with %s=%s",
			     missing, d->keys.n, c->by, d->name[i]);
	}
}

static size_t
count_comparisons(const struct conditions *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->keys.n; i++) {
		const struct group *g = &d->group[i];

		for (size_t k = 0; has(g, d->base_number) && k < d->n; k++)
			n += k != d->base_number && has(g, k);
	}
	return n;
}

/* Result ------------------------------------------------------------------- */

/* A comparison as it is written, and as it is judged. */
struct comparison {
	double base, other; /* medians over the runs */
	struct shift shift;
	double ratio_pct;
	enum differs differs;
	size_t runs; /* of the side with fewer */
};

static struct comparison
compare(const struct side *base, const struct side *other, const char *unit)
{
	const struct values *x = &base->runs;
	const struct values *y = &other->runs;
	double tick = fmax(base->tick_ns, other->tick_ns);
	struct comparison result = {
	    .base = runs_median(x->x, x->n),
	    .other = runs_median(y->x, y->n),
	    .shift = runs_shift(x->x, x->n, y->x, y->n),
	    .differs = runs_differ(x->x, x->n, y->x, y->n,
	                           strcmp(unit, "ns") != 0 ? 0 : tick),
	    .runs = x->n < y->n ? x->n : y->n,
	};

	result.ratio_pct = result.other * 100 / result.base;
	return result;
}

/*
 * Latency is worse when longer, bandwidth when lower. By the last bits of a
 * decimal that binary numbers do not hold, nothing is worse.
 */
static bool
is_worse(const struct comparison *d, const char *unit, double check_pct)
{
	double more = d->ratio_pct - 100;

	if (strcmp(unit, "ns") != 0)
		more = -more;
	return d->differs != DIFFERS_NO && more - check_pct > 1e-9;
}

static void
begin(const struct table *t, const struct columns *c, const char *unit,
      struct out *o)
{
	static const char *const computed[] = {"base", "other", "diff",
	                                       "diff_lo", "diff_hi"};
	struct header h = {0};

	for (size_t i = 0; i < c->nkey; i++) {
		if (c->key[i].role != ROLE_RUN)
			header_add(&h, xstrdup(t->name[c->key[i].col]));
	}
	if (by_operands(c))
		header_add(&h, xstrdup(c->by));
	header_add(&h, xstrdup("base"));
	for (size_t i = 0; i < ARRAY_LEN(computed); i++)
		header_add(&h, xasprintf("%s_%s", computed[i], unit));
	header_add(&h, xstrdup("ratio_pct"));
	header_add(&h, xstrdup("differs"));
	header_add(&h, xstrdup("runs"));
	header_write(&h, o);
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
write_identity(const struct key *key, const char *condition, const char *base,
               const struct columns *c, struct out *o)
{
	for (size_t i = 0; i < c->nkey; i++) {
		if (c->key[i].role == ROLE_BY)
			out_text(o, condition);
		else if (c->key[i].role == ROLE_GROUP)
			out_text(o, key_find(key, c->key[i].col));
	}
	if (by_operands(c))
		out_text(o, condition);
	out_text(o, base);
}

/* What the rows written so far come to. */
struct tally {
	size_t rows, unclear, worse;
};

static void
write_group(const struct conditions *d, size_t number, const struct columns *c,
            const char *unit, double check_pct, struct tally *tally,
            struct out *o)
{
	const struct group *g = &d->group[number];
	const struct side *base = &g->side[d->base_number];

	for (size_t i = 0; i < d->n; i++) {
		struct comparison result;

		if (i == d->base_number || !has(g, i))
			continue;
		result = compare(base, &g->side[i], unit);
		write_identity(&d->keys.key[number], d->name[i],
		               d->name[d->base_number], c, o);
		write_comparison(&result, o);
		tally->rows++;
		tally->unclear += result.differs == DIFFERS_UNCLEAR;
		tally->worse +=
		    check_pct >= 0 && is_worse(&result, unit, check_pct);
	}
}

int
write_conditions(const struct conditions *d, const struct table *t,
                 const struct columns *c, double check_pct, struct out *o)
{
	const char *unit = unit_of(t->name[c->value]);
	struct tally tally = {0};

	if (check_pct >= 0 && strcmp(unit, "ns") != 0 &&
	    strcmp(unit, "gbit_s") != 0)
		die("%s: --check does not know what is worse",
		    t->name[c->value]);
	if (d->n && !count_comparisons(d))
		die_incomparable(d, t, c);
	warn_missing(d, c);
	begin(t, c, unit, o);
	for (size_t i = 0; i < d->keys.n; i++) {
		if (has(&d->group[i], d->base_number))
			write_group(d, i, c, unit, check_pct, &tally, o);
	}
	if (tally.unclear)
		warn("%zu of %zu differences are unclear: they take %d runs "
		     "of both (pcb-collect -r)",
		     tally.unclear, tally.rows, RUNS_ENOUGH);
	if (!tally.worse)
		return STATUS_OK;
	warn("%zu of %zu rows are worse than %s=%s by more than %g %%",
	     tally.worse, tally.rows, c->by, d->name[d->base_number],
	     check_pct);
	return STATUS_NO;
}

void
conditions_free(struct conditions *d)
{
	for (size_t i = 0; i < d->keys.n; i++) {
		for (size_t k = 0; k < d->group[i].nsides; k++)
			free(d->group[i].side[k].runs.x);
		free(d->group[i].side);
	}
	for (size_t i = 0; i < d->n; i++)
		free(d->name[i]);
	free(d->name);
	free(d->group);
	keys_free(&d->keys);
	*d = (struct conditions){0};
}
