/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of pcb-diff --by: differences as bars; before and after as dots. */
#include "plot/kind/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const measures[] = {"diff_ns", "diff_gbit_s", "diff_per_s",
                                       "diff_pct", NULL};

struct difference {
	size_t key; /* its index */
	double value;
	double low, high; /* NAN: none */
	bool shown;       /* differs: yes */
};

struct differences {
	struct key_set keys; /* one per distinct key */
	struct difference *row;
	size_t n;
	const char *measure; /* as in struct row_reader */
};

/* Reading ----------------------------------------------------------------- */

/* The column `diff_lo_ns` or `diff_hi_ns`, with the measure's unit. */
static double
limit(const struct table *t, const char *which, const char *measure)
{
	char *name = xasprintf("diff_%s_%s", which, unit_of(measure));
	double value = row_number(t, name);

	free(name);
	return value;
}

static void
read_differences(struct differences *d, struct table *t)
{
	struct row_reader r = {.measures = measures, .lacking = "a difference"};

	while (row_reader_next(&r, t)) {
		ptrdiff_t differs = table_find(t, "differs");

		array_push(d->row, d->n,
		           (struct difference){
		               .key = key_set_intern(&d->keys, &r.key),
		               .value = row_value(t, r.col),
		               .low = limit(t, "lo", r.measure),
		               .high = limit(t, "hi", r.measure),
		               .shown = differs < 0 ||
		                        !strcmp(t->field[differs], "yes"),
		           });
	}
	d->measure = r.measure;
	row_reader_free(&r);
}

/* Picture ----------------------------------------------------------------- */

/* The longest bar that does not flatten the others. */
static double
longest_bar(const struct differences *d)
{
	double *length = xcalloc(d->n, sizeof *length), most;

	for (size_t i = 0; i < d->n; i++)
		length[i] = fabs(d->row[i].value);
	most = longest_shown(length, d->n);
	free(length);
	return most;
}

static double
within(double value, double most)
{
	return fmax(-most, fmin(value, most));
}

/* "-56 ns, interval -60 ns to -52 ns" */
static char *
difference_words(const char *measure, const struct difference *r)
{
	char *value = quantity_words(measure, r->value);
	char *low = quantity_words(measure, r->low);
	char *high = quantity_words(measure, r->high);
	char *words =
	    isnan(r->low) || isnan(r->high)
	        ? xstrdup(value)
	        : xasprintf("%s, interval %s to %s", value, low, high);

	free(value);
	free(low);
	free(high);
	return words;
}

static void
add_rows(struct picture *p, const struct differences *d,
         const struct names *names, double most)
{
	struct curve shown = {0}, unclear = {0}, limits = {0};
	const char *bench = names_constant(names, "bench");

	for (size_t i = 0; i < d->n; i++) {
		const struct difference *r = &d->row[i];
		size_t row =
		    add_row(p, names_key(names, &d->keys, r->key, bench));
		struct curve *bar = r->shown ? &shown : &unclear;

		add_bar(bar, row, 0, within(r->value, most), STROKE);
		curve_say(bar, difference_words(d->measure, r));
		if (isnan(r->low) || isnan(r->high) || fabs(r->value) > most)
			continue;
		/* With end marks, so that equal limits are visible, too. */
		add_line(&limits, row, within(r->low, most),
		         within(r->high, most));
		add_across(&limits, row, within(r->low, most), END_MARK);
		add_across(&limits, row, within(r->high, most), END_MARK);
		for (int part = 0; part < 3; part++)
			curve_say(&limits, difference_words(d->measure, r));
	}
	picture_take_if(p, STYLE_BAR, "differs", 0, &shown);
	picture_take_if(p, STYLE_PALE, "not shown to differ", COLOUR_NONE,
	                &unclear);
	picture_take_if(p, STYLE_LINE, "confidence interval", COLOUR_NONE,
	                &limits);
}

/* Leaves room for the numbers on the right. */
static void
choose_axis(struct picture *p, const struct differences *d, const char *words,
            double most)
{
	char *label;
	double low = 0, high = 0;
	unsigned room = room_beside(p);

	for (size_t i = 0; i < d->n; i++) {
		const struct difference *r = &d->row[i];

		low = fmin(low, within(fmin(r->value, r->low), most));
		high = fmax(high, within(fmax(r->value, r->high), most));
	}
	high = low + (high - low) / (1 - fmin(2.0 / room, 0.5));
	if (!strcmp(unit_of(d->measure), "ns")) {
		axis_time(&p->x, words, low, high, INFINITY, room);
	} else {
		label = xasprintf("%s (%s)", words, unit_words(d->measure));
		axis_plain(&p->x, label, low, high, room);
		free(label);
	}
	axis_few_tics(&p->x, room);
}

/* Writes "+56"; "50 us cut off" where the bar continues. */
static void
add_values(struct picture *p, const struct differences *d, double most)
{
	struct curve zero = {0};

	for (size_t i = 0; i < d->n; i++) {
		const struct difference *r = &d->row[i];
		double end =
		    isnan(r->high) ? r->value : fmax(r->value, r->high);

		char *text = fabs(r->value) > most
		                 ? quantity_words(d->measure, r->value)
		                 : xasprintf("%+.4g", r->value / p->x.unit);

		if (fabs(r->value) > most)
			xappend(&text, " ", "cut off");
		add_remark(p, i, within(fmax(end, 0), most), text);
		add_across(&zero, i, 0, WHOLE_ROW);
	}
	picture_take_if(p, STYLE_LINE, NULL, COLOUR_NONE, &zero);
}

static void
draw(struct picture *p, struct table *t)
{
	struct differences d = {0};
	struct names names;
	double most;
	char *words;

	read_differences(&d, t);
	names = names_of(t, &d.keys);
	most = longest_bar(&d);
	words = compared_words(&names, "minus", "minus", "difference");
	names_describe(&names, p, "Difference");
	add_rows(p, &d, &names, most);
	choose_axis(p, &d, words, most);
	add_values(p, &d, most);
	free(words);
	names_free(&names);
	free(d.row);
	key_set_free(&d.keys);
}

const struct kind kind_diff = {
    .name = "diff",
    .help = "differences between conditions, from pcb-diff --by",
    .draw = draw,
};

/* Before and after --------------------------------------------------------- */

static void
draw_change(struct picture *p, struct table *t)
{
	static const char *const others[] = {
	    "other_ns", "other_gbit_s", "other_per_s", "other_value", NULL};
	struct row_reader r = {.measures = others, .lacking = "a value"};
	struct curve before = {0}, after = {0}, join = {0};
	struct key_set keys = {0};
	struct names names;
	struct value_range x;
	char *words, *base;

	while (row_reader_next(&r, t)) {
		size_t row = key_set_intern(&keys, &r.key);
		double from, to = row_value(t, r.col);

		base = xasprintf("base%s", r.measure + strlen("other"));
		from = row_number(t, base);
		free(base);
		if (isnan(from))
			continue;
		words = quantity_words(r.measure, from);
		base = quantity_words(r.measure, to);
		curve_add(&before, from, (double)row + 1);
		curve_add(&after, to, (double)row + 1);
		add_line(&join, row, from, to);
		curve_say(&before, words);
		curve_say(&after, base);
		curve_say(&join, xasprintf("%s to %s", words, base));
	}
	names = names_of(t, &keys);
	names_describe(&names, p, measure_words(r.measure));
	for (size_t i = 0; i < keys.n; i++)
		add_row(p, names_key(&names, &keys, i,
		                     names_constant(&names, "bench")));
	picture_take_if(p, STYLE_LINE, NULL, COLOUR_NONE, &join);
	picture_take_if(p, STYLE_RING, "base", COLOUR_NONE, &before);
	picture_take_if(p, STYLE_MARK, "other", 0, &after);
	x = picture_range(p, false);
	if (!strcmp(unit_of(r.measure), "ns")) {
		axis_time(&p->x, "latency", x.low, x.high, INFINITY,
		          room_beside(p));
	} else {
		words = xasprintf("%s (%s)", measure_words(r.measure),
		                  unit_words(r.measure));
		axis_plain(&p->x, words, x.low, x.high, room_beside(p));
		free(words);
	}
	axis_few_tics(&p->x, room_beside(p));
	names_free(&names);
	key_set_free(&keys);
	row_reader_free(&r);
}

const struct kind kind_change = {
    .name = "change",
    .help = "before and after, from pcb-diff --by",
    .draw = draw_change,
};
