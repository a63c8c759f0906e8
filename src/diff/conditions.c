/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Condition mode: compares rows that differ only in one condition. */
#include "diff/diff.h"

#include "common/base/number.h"
#include "common/cli/plugin.h"
#include "common/stream/columns.h"
#include "common/stream/writer.h"
#include "diff/rank_test.h"

#include <math.h>

/* In keys, the condition comes after all possible columns. */
#define CONDITION_COL (UINT32_MAX / 2)

/* Most conditions with missing rows that a warning names. */
#define NAMED_MAX 8

/* A row of the input. */
struct observation {
	size_t group, condition;
	size_t run; /* with --paired: index of its number */
	struct sample sample;
	double tick_ns; /* of its clock; 0: unknown */
};

/* The runs of a group under one condition, at least one. */
struct side {
	size_t condition;
	const struct observation *row; /* by run; as many as runs */
	struct run_values runs;
	double tick_ns;        /* of the coarsest clock; 0: unknown */
	struct sample *sample; /* of --samples, ascending */
	size_t nsamples;
};

struct group {
	struct side *side; /* by condition */
	size_t nsides;
};

struct conditions {
	const struct condition_request *request;
	const struct table *table;          /* input */
	const struct diff_columns *columns; /* its columns */
	char *by;             /* the argument of --by, "host,device" */
	struct key_set names; /* conditions, in order of appearance */
	char **label;         /* as one text, "rack7,03:00.0" */
	size_t label_room;
	size_t base; /* index of the condition that others are compared with */
	struct key_set runs; /* numbers of runs */
	struct observation *seen;
	size_t nseen;
	struct key_set keys; /* of the groups */
	struct group *group;

	/* The output, and totals of its rows. */
	const char *unit;
	struct out *out;
	struct row *row;             /* in order of output */
	size_t rows, missing, links; /* links: that have changed */
	size_t few;                  /* rows without an interval */
	size_t tested;               /* rows with an interval by chance */
	size_t differ;               /* of these */
	size_t untold;               /* rows about which --check cannot tell */
	size_t worse;
	size_t most_runs; /* of a row */
};

/* Input -------------------------------------------------------------------- */

/* The current row's cell in column `place` of --by. */
static const char *
cell_of(const struct conditions *d, size_t place)
{
	const struct table *t = d->table;
	const struct diff_columns *c = d->columns;

	return c->by_operand ? operand_of(t)
	                     : table_text(t, table_find(t, c->by[place]));
}

/* False if a part of the condition is empty. */
static bool
append_condition(const struct conditions *d, struct key *key)
{
	bool whole = true;

	for (size_t i = 0; i < d->columns->nby; i++) {
		const char *text = cell_of(d, i);

		whole = whole && *text;
		key_append(key, CONDITION_COL + i, text);
	}
	return whole;
}

/* The text of the condition at this index in column `place` of --by. */
static const char *
condition_part(const struct conditions *d, size_t condition, size_t place)
{
	return key_find(&d->names.key[condition], CONDITION_COL + place);
}

/* The index of a condition, added if it is new. */
static size_t
find_condition(struct conditions *d, const struct key *key)
{
	size_t number = key_set_intern(&d->names, key);

	d->label =
	    key_set_grow(&d->names, d->label, &d->label_room, sizeof *d->label);
	if (d->label[number])
		return number;
	for (size_t i = 0; i < d->columns->nby; i++)
		xappend(&d->label[number], ",", "%s",
		        condition_part(d, number, i));
	return number;
}

/* Dies if the run already has a row in `seen`; false without a condition. */
static bool
take_row(struct conditions *d, struct key_set *seen, double value)
{
	const struct table *t = d->table;
	const struct diff_columns *c = d->columns;
	struct observation o = {.sample = {value, 1},
	                        .tick_ns = table_tick_ns(t)};
	size_t before = seen->n;
	struct key key = {0};
	bool whole;

	if (c->samples) {
		o.sample.count =
		    (double)table_weight(t, table_find(t, "count"));
		if (o.sample.count == 0)
			return true;
	} else {
		row_key(&key, t, c, ROLE_GROUP | ROLE_RUN, NULL);
		if (append_condition(d, &key) &&
		    key_set_intern(seen, &key) != before)
			die_repeated(t, c);
		key.length = 0;
	}
	whole = append_condition(d, &key);
	if (whole) {
		o.condition = find_condition(d, &key);
		row_key(&key, t, c, ROLE_GROUP, NULL);
		o.group = key_set_intern(&d->keys, &key);
		row_key(&key, t, c, ROLE_RUN, NULL);
		if (d->request->paired)
			o.run = key_set_intern(&d->runs, &key);
		array_push(d->seen, d->nseen, o);
	}
	free(key.bytes);
	return whole;
}

static void
check_conditions(struct conditions *d)
{
	const char *file = d->table->file;
	const char *base = d->request->base;

	if (!d->names.n)
		die("%s: no row has a value in %s", file, d->by);
	for (size_t i = 0; base && i < d->names.n; i++) {
		if (!strcmp(d->label[i], base))
			d->base = i;
	}
	if (base && strcmp(d->label[d->base], base) != 0)
		die("%s: no row has %s=%s", file, d->by, base);
	if (d->names.n == 1)
		die("%s: all rows have %s=%s: nothing to compare", file, d->by,
		    d->label[0]);
}

static int
by_side(const void *a, const void *b)
{
	const struct observation *x = a, *y = b;

	return x->group != y->group ? (x->group < y->group ? -1 : 1)
	       : x->condition != y->condition
	           ? (x->condition < y->condition ? -1 : 1)
	           : (x->run > y->run) - (x->run < y->run);
}

/* Puts the rows into the sides of their groups. */
static void
make_sides(struct conditions *d)
{
	d->group = xcalloc(d->keys.n + 1, sizeof *d->group);
	if (d->nseen)
		qsort(d->seen, d->nseen, sizeof *d->seen, by_side);
	for (size_t i = 0; i < d->nseen; i++) {
		const struct observation *o = &d->seen[i];
		struct group *g = &d->group[o->group];
		struct side *side;

		if (!g->nsides ||
		    g->side[g->nsides - 1].condition != o->condition)
			array_push(
			    g->side, g->nsides,
			    (struct side){.condition = o->condition, .row = o});
		side = &g->side[g->nsides - 1];
		array_push(side->runs.x, side->runs.n, o->sample.value);
		if (d->columns->samples)
			array_push(side->sample, side->nsamples, o->sample);
		side->tick_ns = fmax(side->tick_ns, o->tick_ns);
	}
	for (size_t i = 0; i < d->keys.n; i++) {
		const struct group *g = &d->group[i];

		for (size_t k = 0; k < g->nsides; k++) {
			sort_numbers(g->side[k].runs.x, g->side[k].runs.n);
			samples_sort(g->side[k].sample, g->side[k].nsamples);
		}
	}
}

/*
 * Reads the table to its end. Dies if the input is bad, or has rows but not two
 * conditions, or lacks the base.
 */
static void
read_conditions(struct conditions *d, struct table *t, struct diff_columns *c)
{
	struct key_set seen = {0};
	uintmax_t skipped = 0;
	double value;

	for (size_t i = 0; i < c->nby; i++)
		xappend(&d->by, ",", "%s", c->by[i]);
	while (next_value(t, c, &value)) {
		if (!take_row(d, &seen, value)) {
			trace_skipped(t, d->by);
			skipped++;
		}
	}
	key_set_free(&seen);
	warn_skipped(skipped, d->by);
	if (t->rows)
		check_conditions(d);
	make_sides(d);
}

/* What is missing ---------------------------------------------------------- */

static int
by_condition(const void *condition, const void *side)
{
	const size_t *x = condition;
	const struct side *y = side;

	return (*x > y->condition) - (*x < y->condition);
}

/* The side of this condition, or NULL. */
static const struct side *
side_of(const struct group *g, size_t condition)
{
	return bsearch(&condition, g->side, g->nsides, sizeof *g->side,
	               by_condition);
}

/* Whether a column separates groups with the base from those without. */
static bool
keeps_apart(const struct conditions *d, size_t col)
{
	struct key_set texts = {0};
	bool apart = true;

	for (size_t i = 0; i < d->keys.n; i++) {
		if (side_of(&d->group[i], d->base))
			key_set_intern_text(&texts,
			                    key_find(&d->keys.key[i], col));
	}
	for (size_t i = 0; i < d->keys.n && apart; i++)
		apart = side_of(&d->group[i], d->base) ||
		        key_set_find_text(
		            &texts, key_find(&d->keys.key[i], col)) == texts.n;
	key_set_free(&texts);
	return apart;
}

/*
 * Dies if no group has both sides. If a column separates them, it may be the
 * link where --check is given: then a device has lost lanes, which is the
 * answer.
 */
static void
check_comparable(const struct conditions *d)
{
	const struct table *t = d->table;
	const struct diff_columns *c = d->columns;
	char *names = NULL;
	bool kinds = false;

	for (size_t i = 0; i < d->keys.n; i++) {
		const struct group *g = &d->group[i];

		if (g->nsides > 1 && side_of(g, d->base))
			return;
	}
	for (size_t i = 0; i < c->nkey; i++) {
		size_t col = c->key[i].col;

		if (c->key[i].role == ROLE_GROUP && keeps_apart(d, col)) {
			xappend(&names, ",", "%s", t->name[col]);
			kinds = kinds || !strcmp(t->name[col], "kind");
		}
	}
	if (names && !strcmp(names, "link") && d->request->percent >= 0) {
		free(names);
		return;
	}
	if (kinds)
		die("%s: rows of different kinds are not compared", t->file);
	if (names)
		die("%s: nothing to compare: rows that differ in %s also "
		    "differ in %s; drop it with --ignore %s",
		    t->file, d->by, names, names);
	die("%s: no rows differ only in %s", t->file, d->by);
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

	while (side_of(&d->group[k], condition))
		k++;
	for (size_t i = 0; i < c->nkey; i++) {
		size_t col = c->key[i].col;
		const char *text = key_find(&d->keys.key[k], col);

		if (*text && differs_in(&d->keys, col))
			xappend(&name, " ", "%s=%s", d->table->name[col], text);
	}
	return name ? name : xstrdup("");
}

/* Warns of conditions with missing rows; returns the number of these rows. */
static size_t
warn_missing(const struct conditions *d)
{
	size_t *groups = xcalloc(d->names.n + 1, sizeof *groups);
	size_t incomplete = 0, all = 0;

	for (size_t i = 0; i < d->keys.n; i++) {
		for (size_t k = 0; k < d->group[i].nsides; k++)
			groups[d->group[i].side[k].condition]++;
	}
	for (size_t i = 0; i < d->names.n; i++) {
		size_t missing = d->keys.n - groups[i];
		char *name;

		all += missing;
		if (!missing || ++incomplete > NAMED_MAX)
			continue;
		name = name_missing(d, i);
		warn("%zu of %zu groups have no row with %s=%s%s%s", missing,
		     d->keys.n, d->by, d->label[i], *name ? ", such as " : "",
		     name);
		free(name);
	}
	if (incomplete > NAMED_MAX)
		warn("%zu more values of %s lack rows of some groups",
		     incomplete - NAMED_MAX, d->by);
	free(groups);
	return all;
}

/* Links -------------------------------------------------------------------- */

/* Warns of devices whose link is none that they have in the base. */
static size_t
warn_of_links(const struct conditions *d)
{
	const struct diff_columns *c = d->columns;
	ptrdiff_t link = table_find(d->table, "link");
	ptrdiff_t device = table_find(d->table, "device");
	size_t *slot = xcalloc(d->keys.n + 1, sizeof *slot);
	/* A slot: groups that differ only in `link`; one with the base. */
	const struct key **base = NULL;
	struct key_set slots = {0};
	struct key key = {0};
	size_t room = 0, changed = 0;

	for (size_t i = 0; link >= 0 && i < d->keys.n; i++) {
		const struct key *group = &d->keys.key[i];

		key.length = 0;
		for (size_t k = 0; k < c->nkey; k++) {
			size_t col = c->key[k].col;

			if (c->key[k].role == ROLE_GROUP && col != (size_t)link)
				key_append(&key, col, key_find(group, col));
		}
		slot[i] = key_set_intern(&slots, &key);
		base = key_set_grow(&slots, base, &room, sizeof *base);
		if (side_of(&d->group[i], d->base))
			base[slot[i]] = group;
	}
	for (size_t i = 0; link >= 0 && i < d->keys.n; i++) {
		const struct key *was = base[slot[i]], *is = &d->keys.key[i];
		const char *name =
		    device < 0 ? "" : key_find(is, (size_t)device);

		if (!was || side_of(&d->group[i], d->base) ||
		    ++changed > NAMED_MAX)
			continue;
		warn("%s%sthe link was %s and is %s", name, *name ? ": " : "",
		     key_find(was, (size_t)link), key_find(is, (size_t)link));
	}
	free(key.bytes);
	free(base);
	free(slot);
	key_set_free(&slots);
	return changed;
}

/* Result ------------------------------------------------------------------- */

/* What --check says of a row; after WITHIN, what fails. */
enum outcome { UNTOLD, WITHIN, WORSE, BETTER };

/* A comparison, as written and as judged. */
struct comparison {
	double base, other; /* medians of the runs */
	struct shift shift;
	double ratio_pct;
	enum differs differs;
	size_t runs;   /* runs of the smaller side, or pairs */
	double evened; /* runs of each of two equal sides that tell as much */
	double least;  /* smallest difference that the clock shows */
	enum outcome outcome;
	/* Of an outcome that fails, if chance decides about the row. */
	double chance;
	struct prospect prospect;
};

/* A row of the output. */
struct row {
	size_t group;
	const struct side *base, *other;
	bool exact; /* a model: nothing varies from run to run */
	struct comparison result;
};

static double
sorted_median(struct run_values *v)
{
	sort_numbers(v->x, v->n);
	return runs_median(v->x, v->n);
}

/* By pairs of runs, which cancels disturbances that affect both of a pair. */
static void
compare_pairs(struct comparison *result, const struct side *base,
              const struct side *other)
{
	struct run_values b = {0}, o = {0}, d = {0};

	for (size_t i = 0, k = 0; i < base->runs.n && k < other->runs.n;) {
		const struct observation *x = &base->row[i],
		                         *y = &other->row[k];

		i += x->run <= y->run;
		k += y->run <= x->run;
		if (x->run != y->run)
			continue;
		array_push(b.x, b.n, x->sample.value);
		array_push(o.x, o.n, y->sample.value);
		array_push(d.x, d.n, y->sample.value - x->sample.value);
	}
	sort_numbers(d.x, d.n);
	result->shift = runs_paired_shift(d.x, d.n);
	result->runs = d.n;
	result->evened = (double)d.n;
	if (d.n) {
		result->base = sorted_median(&b);
		result->other = sorted_median(&o);
	}
	free(b.x);
	free(o.x);
	free(d.x);
}

/* The change of a row and its interval, positive where it is worse. */
struct change {
	double by, best, worst, mean;
};

static struct change
opposite(struct change c)
{
	return (struct change){-c.by, -c.worst, -c.best, -c.mean};
}

/*
 * The largest change that passes; the base may be negative, as for a link.
 * Ignores the last bits of a decimal that binary numbers cannot represent.
 */
static double
largest_change(const struct conditions *d, const struct comparison *c)
{
	return (d->request->percent + 1e-9) * fabs(c->base) / 100;
}

/* Judges a row alone. */
static void
judge(const struct conditions *d, struct comparison *c)
{
	const struct interval *limits = &c->shift.limits;
	double least = c->least;
	struct change change = {c->shift.median, limits->low - least,
	                        limits->high + least, c->shift.mean};
	double limit = largest_change(d, c);
	/* A row fails on one side, or on either. */
	double sides = d->request->both_ways ? 2 : 1;
	bool better, exceeds, below;

	/* Longer latency or lower bandwidth is worse. */
	if (strcmp(d->unit, "ns") != 0)
		change = opposite(change);
	better = d->request->both_ways && change.by < 0;
	if (better)
		change = opposite(change);
	c->outcome = UNTOLD;
	if (change.worst <= limit &&
	    (!d->request->both_ways || change.best >= -limit))
		c->outcome = WITHIN;
	else if (change.best > limit)
		c->outcome = better ? BETTER : WORSE;
	/* The interval itself errs so much on one side, at most. */
	c->chance =
	    sides * fmin(shift_chance(&c->shift, change.mean - limit - least),
	                 RUNS_ALPHA / 2);
	exceeds = change.by > limit;
	/* With --both-ways, only the good end may be too far. */
	below = exceeds || (c->outcome == UNTOLD && change.worst <= limit);
	c->prospect = (struct prospect){
	    .runs = c->evened,
	    .half =
	        (below ? change.by - change.best : change.worst - change.by) -
	        least,
	    .distance = (exceeds ? change.by - limit
	                         : limit + (below ? change.by : -change.by)) -
	                least,
	    .miss = RUNS_ALPHA / 2,
	};
	if (exceeds)
		c->prospect.miss = fmin(RUNS_ALPHA / 2,
		                        RUNS_ALPHA / sides / (double)d->tested);
}

/* Whether the medians alone, without their interval, are worse. */
static bool
seems_worse(const struct conditions *d, const struct comparison *c)
{
	double change = c->other - c->base;

	if (strcmp(d->unit, "ns") != 0)
		change = -change;
	if (d->request->both_ways)
		change = fabs(change);
	return change > largest_change(d, c);
}

/* A difference of decimals that is 0 may have other last bits. */
static void
drop_noise(struct comparison *c)
{
	double *const value[] = {&c->shift.median, &c->shift.limits.low,
	                         &c->shift.limits.high};
	double noise = 1e-12 * fmax(fabs(c->base), fabs(c->other));

	for (size_t i = 0; i < ARRAY_LEN(value); i++) {
		if (fabs(*value[i]) <= noise)
			*value[i] = 0;
	}
}

static struct comparison
compare(const struct conditions *d, const struct side *base,
        const struct side *other, bool exact)
{
	const struct run_values *b = &base->runs, *o = &other->runs;
	double tick = fmax(base->tick_ns, other->tick_ns);
	struct comparison result = {
	    .least = strcmp(d->unit, "ns") != 0 ? 0 : tick,
	    .base = runs_median(b->x, b->n),
	    .other = runs_median(o->x, o->n),
	};

	if (d->request->paired) {
		compare_pairs(&result, base, other);
	} else {
		result.shift = runs_shift(b->x, b->n, o->x, o->n);
		result.runs = b->n < o->n ? b->n : o->n;
		result.evened =
		    2 * (double)b->n * (double)o->n / (double)(b->n + o->n);
	}
	if (exact)
		result.shift.limits.low = result.shift.limits.high =
		    result.shift.median;
	drop_noise(&result);
	result.differs = shift_differs(&result.shift, result.least);
	result.ratio_pct = result.other * 100 / result.base;
	return result;
}

static void
write_comparison(const struct conditions *d, const struct comparison *c)
{
	static const char *const differs[] = {
	    [DIFFERS_NO] = "no",
	    [DIFFERS_YES] = "yes",
	    [DIFFERS_UNCLEAR] = "unclear",
	};
	static const char *const outcome[] = {[UNTOLD] = "unclear",
	                                      [WITHIN] = "within",
	                                      [WORSE] = "worse",
	                                      [BETTER] = "better"};

	OUT(d->out, MEASURE("base", c->base), MEASURE("other", c->other),
	    MEASURE("diff", c->shift.median),
	    MEASURE("diff_lo", c->shift.limits.low),
	    MEASURE("diff_hi", c->shift.limits.high),
	    VALUE("ratio_pct", c->ratio_pct),
	    TEXT("differs", differs[c->differs]), VALUE("runs", c->runs));
	if (d->request->percent >= 0)
		OUT(d->out, TEXT("check", outcome[c->outcome]));
}

static void
write_overlap(const struct conditions *d, struct overlap o)
{
	OUT(d->out, MEASURE("base", o.base), MEASURE("other", o.other),
	    VALUE("larger_pct", 100 * o.larger),
	    VALUE("apart_pct", 100 * o.apart), VALUE("n", o.fewer));
}

/* Without a key, only the names. */
static void
write_identity(const struct conditions *d, const struct key *key,
               size_t condition)
{
	const struct diff_columns *c = d->columns;

	for (size_t i = 0; i < c->nkey; i++) {
		bool by = c->key[i].role == ROLE_BY;
		const char *text =
		    !key ? ""
		    : by ? condition_part(d, condition, c->key[i].by)
		         : key_find(key, c->key[i].col);

		if (by || c->key[i].role == ROLE_GROUP)
			OUT(d->out, TEXT(d->table->name[c->key[i].col], text));
	}
	if (c->by_operand)
		OUT(d->out, TEXT("file", key ? d->label[condition] : ""));
	OUT(d->out, TEXT("by", key ? d->by : ""),
	    TEXT("base", key ? d->label[d->base] : ""));
}

static bool
is_tested(const struct row *r)
{
	return !r->exact && r->result.differs != DIFFERS_UNCLEAR;
}

static void
compare_group(struct conditions *d, size_t number)
{
	const struct group *g = &d->group[number];
	ptrdiff_t kind = table_find(d->table, "kind");
	/* What a model computes varies from run to run by nothing. */
	bool exact =
	    kind >= 0 &&
	    !strcmp(key_find(&d->keys.key[number], (size_t)kind), "model");

	for (size_t i = 0; i < g->nsides; i++) {
		struct row r = {.group = number,
		                .base = side_of(g, d->base),
		                .other = &g->side[i],
		                .exact = exact};

		if (r.other == r.base)
			continue;
		if (!d->columns->samples) {
			r.result = compare(d, r.base, r.other, exact);
			if (r.result.runs > d->most_runs)
				d->most_runs = r.result.runs;
			d->few += r.result.differs == DIFFERS_UNCLEAR;
			d->tested += is_tested(&r);
			d->differ +=
			    is_tested(&r) && r.result.differs == DIFFERS_YES;
		}
		array_push(d->row, d->rows, r);
	}
}

/* What a reader wants to see first: what changed, then what is unclear. */
static int
weight_of(const struct row *r)
{
	const struct comparison *c = &r->result;

	return c->outcome > WITHIN             ? 4
	       : c->differs == DIFFERS_YES     ? 3
	       : c->differs == DIFFERS_UNCLEAR ? 2
	       : c->outcome == UNTOLD          ? 1
	                                       : 0;
}

static int
by_change(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (weight_of(x) != weight_of(y))
		return weight_of(y) - weight_of(x);
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return (x->other > y->other) - (x->other < y->other);
}

static int
by_chance(const void *a, const void *b)
{
	const struct comparison *const *x = a, *const *y = b;

	return ((*x)->chance > (*y)->chance) - ((*x)->chance < (*y)->chance);
}

/*
 * Of rows that fail alone, leaves those that all rows together show (Holm): a
 * row without a change fails in at most RUNS_ALPHA of all calls.
 */
static void
judge_together(struct conditions *d)
{
	struct comparison **failed = NULL;
	size_t n = 0, shown = 0;

	for (size_t i = 0; i < d->rows; i++) {
		struct comparison *c = &d->row[i].result;

		judge(d, c);
		if (is_tested(&d->row[i]) && c->outcome >= WORSE)
			array_push(failed, n, c);
	}
	if (n)
		qsort(failed, n, sizeof(struct comparison *), by_chance);
	while (shown < n && failed[shown]->chance <=
	                        RUNS_ALPHA / (double)(d->tested - shown))
		shown++;
	for (; shown < n; shown++)
		failed[shown]->outcome = UNTOLD;
	free(failed);
	for (size_t i = 0; i < d->rows; i++) {
		const struct comparison *c = &d->row[i].result;

		d->untold += c->outcome == UNTOLD;
		d->worse += c->outcome >= WORSE ||
		            (c->outcome == UNTOLD &&
		             d->request->unclear_passes && seems_worse(d, c));
	}
}

static void
write_row(const struct conditions *d, const struct row *r)
{
	const struct side *base = r->base, *other = r->other;

	write_identity(d, &d->keys.key[r->group], other->condition);
	if (d->columns->samples)
		write_overlap(d,
		              samples_overlap(base->sample, base->nsamples,
		                              other->sample, other->nsamples));
	else
		write_comparison(d, &r->result);
	out_end_row(d->out);
}

static void
write_names(const struct conditions *d)
{
	write_identity(d, NULL, 0);
	if (d->columns->samples)
		write_overlap(d, (struct overlap){0});
	else
		write_comparison(d, &(struct comparison){0});
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

/* How to make so many runs. Free it. */
static char *
repeat_words(const struct conditions *d, size_t runs)
{
	char *kinds = other_kinds(d);
	bool imported = !strcmp(kinds, "imported");

	free(kinds);
	return imported ? xstrdup("repeat it, and import each with -l run=N")
	                : xasprintf("pcb-collect -r %zu", runs);
}

/* Says how many rows passed, and how certain that is. */
static void
tell_passed(const struct conditions *d)
{
	char *kinds = other_kinds(d), *sure;

	if (!d->untold)
		sure = xasprintf("%g %% confidence", 100 * (1 - RUNS_ALPHA));
	else if (d->untold < d->rows)
		sure = xasprintf("%zu of them with %g %% confidence",
		                 d->rows - d->untold, 100 * (1 - RUNS_ALPHA));
	else
		sure = xstrdup("but all are unclear");
	warn("passed: %zu row%s within %g %%, %s; compared: %s%s%s", d->rows,
	     d->rows == 1 ? "" : "s", d->request->percent, sure,
	     d->table->name[d->columns->value], *kinds ? "; the rows are " : "",
	     kinds);
	free(kinds);
	free(sure);
}

/* Says how many runs decide about all rows, except those at the limit. */
static void
tell_untold(const struct conditions *d)
{
	struct prospect *all = NULL;
	size_t n = 0, near = 0, runs, open;
	char *repeat;

	for (size_t i = 0; i < d->rows; i++) {
		const struct comparison *c = &d->row[i].result;

		if (!is_tested(&d->row[i]))
			continue;
		if (runs_to_decide(&c->prospect, 1) <= RUNS_MOST)
			array_push(all, n, c->prospect);
		else
			near += c->outcome == UNTOLD;
	}
	open = d->untold - d->few - near;
	runs = runs_to_decide(all, n);
	repeat = repeat_words(d, runs);
	free(all);
	if (open && runs <= RUNS_MOST)
		warn("cannot tell whether %zu of %zu rows are within %g %%: "
		     "%zu runs of both would probably decide all rows "
		     "(%s)",
		     open, d->rows, d->request->percent, runs, repeat);
	else
		near += open;
	if (near)
		warn("cannot tell whether %zu of %zu rows are within %g %%: "
		     "more than %d runs would be "
		     "needed, or a finer clock",
		     near, d->rows, d->request->percent, RUNS_MOST);
	free(repeat);
}

/* STATUS_OK without --check or if it passes. */
static int
verdict(const struct conditions *d)
{
	const struct condition_request *request = d->request;
	bool is_cut = !tables_complete();
	bool is_short = d->missing && !request->allow_missing;
	size_t enough = request->paired ? RUNS_ENOUGH_PAIRS : RUNS_ENOUGH;
	char *repeat = repeat_words(d, enough);

	if (d->few)
		warn("%zu of %zu differences are unclear: they need %zu runs "
		     "%s (%s)%s",
		     d->few, d->rows, enough,
		     request->paired ? "that both have" : "of both", repeat,
		     d->most_runs == 1 && operands_are_samples()
		         ? "; with one run each, --samples compares the "
		           "samples, without a verdict"
		         : "");
	free(repeat);
	if (request->percent < 0) {
		if ((double)d->tested * RUNS_ALPHA >= 1)
			warn("%zu of %zu rows differ; about %.0f would by "
			     "chance",
			     d->differ, d->tested,
			     (double)d->tested * RUNS_ALPHA);
		return STATUS_OK;
	}
	tell_untold(d);
	if (d->worse)
		warn("%zu of %zu rows %s %s=%s by more than %g %%", d->worse,
		     d->rows,
		     request->both_ways ? "differ from" : "are worse than",
		     d->by, d->label[d->base], request->percent);
	if (is_short)
		warn("--check fails because rows are missing "
		     "(--allow-missing if you expect that)");
	if (d->links)
		warn("--check fails because a link has changed");
	if (is_cut)
		warn("--check fails because the input is incomplete");
	if (!d->rows && !is_short)
		warn("--check fails because there is nothing to compare");
	if (!d->rows || d->worse || is_short || d->links || is_cut)
		return STATUS_NO;
	if (d->untold && !request->unclear_passes)
		return STATUS_ABSENT;
	tell_passed(d);
	return STATUS_OK;
}

/* Of the row that changed most for the worse, device and condition; or "". */
static char *
worst(const struct conditions *d)
{
	ptrdiff_t device = table_find(d->table, "device");
	const struct row *most = NULL;
	const char *name;

	for (const struct row *r = d->row; r < d->row + d->rows; r++) {
		if (r->result.outcome >= WORSE &&
		    (!most || fabs(log(r->result.ratio_pct / 100)) >
		                  fabs(log(most->result.ratio_pct / 100))))
			most = r;
	}
	if (!most || !d->worse)
		return xstrdup("");
	name = device < 0 || !strcmp(d->by, "device")
	           ? ""
	           : key_find(&d->keys.key[most->group], (size_t)device);
	return xasprintf("%s%s%s", name, *name ? ", " : "",
	                 d->label[most->other->condition]);
}

static void
conditions_free(struct conditions *d)
{
	for (size_t i = 0; i < d->keys.n; i++) {
		for (size_t k = 0; k < d->group[i].nsides; k++) {
			free(d->group[i].side[k].runs.x);
			free(d->group[i].side[k].sample);
		}
		free(d->group[i].side);
	}
	free(d->group);
	free(d->seen);
	free(d->row);
	for (size_t i = 0; i < d->names.n; i++)
		free(d->label[i]);
	free(d->label);
	free(d->by);
	key_set_free(&d->names);
	key_set_free(&d->keys);
	key_set_free(&d->runs);
}

int
write_conditions(struct table *t, struct diff_columns *c,
                 const struct condition_request *request, struct out *o)
{
	struct conditions d = {
	    .request = request, .table = t, .columns = c, .out = o};
	const char *measure;
	int status;

	read_conditions(&d, t, c);
	preamble_add_command(&t->preamble);
	measure = t->name[c->value];
	o->unit = d.unit = unit_of(measure);
	if (request->percent >= 0 && strcmp(d.unit, "ns") != 0 &&
	    strcmp(d.unit, "gbit_s") != 0)
		die("%s: --check needs ns or gbit_s, to know what is worse",
		    measure);
	if (d.names.n)
		check_comparable(&d);
	d.missing = warn_missing(&d);
	if (d.missing)
		d.links = warn_of_links(&d);
	for (size_t i = 0; i < d.keys.n; i++) {
		if (side_of(&d.group[i], d.base))
			compare_group(&d, i);
	}
	if (request->percent >= 0)
		judge_together(&d);
	if (d.rows && is_table(o))
		qsort(d.row, d.rows, sizeof *d.row, by_change);
	for (size_t i = 0; i < d.rows; i++)
		write_row(&d, &d.row[i]);
	if (!o->rows)
		write_names(&d);
	plugin_verdict();
	status = verdict(&d);
	if (plugin_given()) {
		char *culprit = worst(&d);

		plugin_say_verdict(d.rows || d.missing, culprit,
		                   "rows=%zu worse=%zu unclear=%zu", d.rows,
		                   d.worse, d.untold);
		free(culprit);
	}
	conditions_free(&d);
	return status;
}
