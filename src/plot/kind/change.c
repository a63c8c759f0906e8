/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of pcb-diff --by: a dumbbell from before to after in each row. */
#include "plot/kind/kind.h"

#include <math.h>

static const char *const measures[] = {"other_ns", "other_gbit_s",
                                       "other_per_s", "other_value", NULL};

/* Curves for all rows. */
struct dumbbells {
	struct curve join, limits, before, after, unclear;
};

/* The column PART_ns, PART_gbit_s and so on, with the measure's unit; or NAN.
 */
static double
part_of(const struct table *t, const char *part, const char *measure)
{
	char *name = xasprintf("%s%s", part, measure + strlen("other"));
	double value = row_number(t, name);

	free(name);
	return value;
}

static void
append_quantity(char **words, const char *between, const char *measure,
                double value)
{
	char *text = quantity_words(measure, value);

	xappend(words, between, "%s%s", value > 0 && !*between ? "+" : "",
	        text);
	free(text);
}

static void
add_dumbbell(struct dumbbells *d, struct picture *p, size_t row,
             const struct table *t, const char *measure)
{
	double from = part_of(t, "base", measure);
	double diff = part_of(t, "diff", measure);
	/* The difference of medians may have another sign. */
	double to = isnan(diff) ? row_number(t, measure) : from + diff;
	double low = from + part_of(t, "diff_lo", measure);
	double high = from + part_of(t, "diff_hi", measure);
	bool differs = table_find(t, "differs") < 0 ||
	               !strcmp(optional_text(t, "differs"), "yes");
	struct curve *after = differs ? &d->after : &d->unclear;
	char *words = quantity_words(measure, from), *by = NULL;

	append_quantity(&words, " to ", measure, row_number(t, measure));
	curve_add(&d->before, from, (double)row + 1);
	curve_add(after, to, (double)row + 1);
	add_line(&d->join, row, from, to);
	if (!isnan(diff)) {
		append_quantity(&by, "", measure, diff);
		xappend(&words, ": ", "%s", by);
		add_remark(p, row, fmax(fmax(from, to), high), by);
	}
	if (!isnan(low) && !isnan(high)) {
		append_quantity(&words, ", interval ", measure, low - from);
		append_quantity(&words, " to ", measure, high - from);
		/* With end marks, so that equal limits are visible, too. */
		add_line(&d->limits, row, low, high);
		add_across(&d->limits, row, low, END_MARK);
		add_across(&d->limits, row, high, END_MARK);
		for (int part = 0; part < 3; part++)
			curve_say(&d->limits, xstrdup(words));
	}
	curve_say(&d->before, xstrdup(words));
	curve_say(&d->join, xstrdup(words));
	curve_say(after, words);
}

static void
draw(struct picture *p, struct table *t)
{
	struct row_reader r = {.measures = measures, .lacking = "a value"};
	struct dumbbells d = {0};
	struct key_set keys = {0};
	struct names names;
	struct value_range x;
	char *base, *other, *unclear;
	bool one_run = true;

	while (row_reader_next(&r, t)) {
		size_t row = key_set_intern(&keys, &r.key);

		one_run = one_run && row_number(t, "runs") == 1;
		if (!isnan(part_of(t, "base", r.measure)))
			add_dumbbell(&d, p, row, t, r.measure);
	}
	names = names_of(t, &keys);
	compared_words(&names, &base, &other);
	names_describe(&names, p, measure_words(r.measure));
	for (size_t i = 0; i < keys.n; i++)
		add_row(p, names_key(&names, &keys, i,
		                     names_constant(&names, "bench")));
	picture_take_if(p, STYLE_LINE, NULL, COLOUR_NONE, &d.join);
	picture_take_if(p, STYLE_LINE, "confidence interval", 0, &d.limits);
	picture_take_if(p, STYLE_RING, *base ? base : "base", COLOUR_NONE,
	                &d.before);
	picture_take_if(p, STYLE_MARK, *other ? other : "other", 0, &d.after);
	unclear = xasprintf("%s%s", *other ? other : "other",
	                    one_run ? " (one run: no interval)"
	                            : ": not shown to differ");
	picture_take_if(p, STYLE_MARK, unclear, 7, &d.unclear);
	free(unclear);
	x = picture_range(p, false);
	axis_beside(p, measure_words(r.measure), unit_words(r.measure), x.low,
	            x.high, LOG_FROM * points_middle(p->curve, p->n, false));
	free(base);
	free(other);
	names_free(&names);
	key_set_free(&keys);
	row_reader_free(&r);
}

const struct kind kind_change = {
    .name = "change",
    .help = "before and after, and their difference, from pcb-diff --by",
    .draw = draw,
};
