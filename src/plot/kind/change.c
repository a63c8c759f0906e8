/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of pcb-diff --by: a dumbbell from before to after in each row. */
#include "plot/kind/bars.h"
#include "plot/kind/kind.h"

struct change {
	double from, to, low, high;
	bool differs;
	char *says; /* the difference, or NULL */
	char *tip;
};

/* The column PART_ns, PART_gbit_s and so on, with the measure's unit; or NAN.
 */
static double
part_of(const struct table *t, const char *part, const char *measure)
{
	return row_number(t, words("%s%s", part, measure + strlen("other")));
}

static struct change
read_change(const struct table *t, const char *measure)
{
	double diff = part_of(t, "diff", measure);
	struct change c = {.from = part_of(t, "base", measure)};

	/* The difference of medians may have another sign. */
	c.to = isnan(diff) ? row_number(t, measure) : c.from + diff;
	c.low = c.from + part_of(t, "diff_lo", measure);
	c.high = c.from + part_of(t, "diff_hi", measure);
	c.differs = table_find(t, "differs") < 0
	                ? c.from != c.to
	                : !strcmp(optional_text(t, "differs"), "yes");
	c.tip = words("%s to %s", quantity_words(measure, c.from),
	              quantity_words(measure, row_number(t, measure)));
	if (!isnan(diff)) {
		c.says = words("%s%s", diff > 0 ? "+" : "",
		               quantity_words(measure, diff));
		add_words(&c.tip, ": ", "%s", c.says);
	}
	if (!isnan(c.low) && !isnan(c.high))
		add_words(&c.tip, ", interval ", "%s to %s",
		          quantity_words(measure, c.low - c.from),
		          quantity_words(measure, c.high - c.from));
	return c;
}

/* "3 of 8 differ, at most +60 Gbit/s": what the title says. */
static char *
finding(const struct change *c, size_t n)
{
	const struct change *most = NULL;
	size_t differing = 0;

	for (size_t i = 0; i < n; i++) {
		if (!c[i].differs)
			continue;
		differing++;
		if (!most ||
		    fabs(c[i].to - c[i].from) > fabs(most->to - most->from))
			most = &c[i];
	}
	if (!most)
		return n ? words("no difference is shown") : NULL;
	return words("%zu of %zu differ%s%s", differing, n,
	             most->says ? ", at most " : "",
	             most->says ? most->says : "");
}

/* Keys, in this order. */
enum { BASE, BLANK, DIFFERS, DIFFERS_BY, UNCLEAR, UNCLEAR_BY, LIMITS };

#define UNCLEAR_HUE 0x8a8a8a

static void
add_keys(struct bars *b, const char *base, const char *other, bool one_run)
{
	bars_point(b, base, 0, 'O', RING, 1.2);
	bars_point(b, NULL, 0xffffff, 'O', DOT, 1.2);
	bars_point(b, other, series_hue(0), 'A', DOT, 1);
	bars_point(b, NULL, series_hue(0), '-', LINE, 0);
	bars_point(b,
	           words(one_run ? "%s (one run: no interval)"
	                         : "%s: not shown to differ",
	                 other),
	           UNCLEAR_HUE, 'B', DOT, 1);
	bars_point(b, NULL, UNCLEAR_HUE, '-', LINE, 0);
	bars_point(b, "confidence interval", 0, ' ', INTERVAL, 0);
}

static void
add_change(struct bars *b, const struct change *c, char *name)
{
	double row = bars_row(b, name);
	double right = fmax(fmax(c->from, c->to), c->high);

	bars_bar(b, row, c->differs ? DIFFERS_BY : UNCLEAR_BY,
	         fmin(c->from, c->to), fmax(c->from, c->to), 0, c->tip);
	if (!isnan(c->low) && !isnan(c->high))
		bars_bar(b, row, LIMITS, c->low, c->high, 0, NULL);
	bars_bar(b, row, BLANK, c->from, c->from, 0, NULL);
	bars_bar(b, row, BASE, c->from, c->from, 0, NULL);
	bars_bar(b, row, c->differs ? DIFFERS : UNCLEAR, c->to, c->to, 0, NULL);
	if (c->says)
		bars_say(b, row, right, c->says, c->differs ? PLAIN : GREY);
	widen(&b->panel->range, fmin(fmin(c->from, c->to), c->low));
	widen(&b->panel->range, right);
}

void
draw_change(struct picture *p, struct table *t)
{
	struct row_reader r = {.measures =
	                           MEASURES("other_ns", "other_gbit_s",
	                                    "other_per_s", "other_value"),
	                       .lacking = "a value"};
	static struct key_set keys;
	struct change *c = NULL;
	struct bars b = {0};
	struct names names;
	const char *base, *other;
	size_t n = 0;
	bool one_run = true;

	while (row_reader_next(&r, t)) {
		if (isnan(part_of(t, "base", r.measure)))
			continue;
		one_run = one_run && row_number(t, "runs") == 1;
		key_set_intern(&keys, &r.key);
		PUSH(c, n, read_change(t, r.measure));
	}
	names = names_of(t, &keys);
	compared_words(&names, &base, &other);
	p->finding = finding(c, n);
	names_describe(&names, p, measure_words(r.measure));
	bars_panel(&b, measure_words(r.measure), unit_words(r.measure),
	           RANGE_OF_NONE);
	for (size_t i = 0; i < n; i++)
		add_change(&b, &c[i],
		           names_key(&names, &keys, i < keys.n ? i : keys.n - 1,
		                     names_bench(&names)));
	b.panel->log = n && b.panel->range.low > 0 &&
	               b.panel->range.high > LOG_FROM * b.panel->range.low;
	add_keys(&b, *base ? base : "base", *other ? other : "other", one_run);
	put_bars(p, &b);
}
