/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of pcb-diff --by: a dumbbell from before to after in each row. */
#include "common/base/util.h"
#include "plot/kind/kind.h"
#include "plot/picture/drawing.h"

#include <math.h>

static const char *const measures[] = {"other_ns", "other_gbit_s",
                                       "other_per_s", "other_value", NULL};

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

static struct change
read_change(const struct table *t, const char *measure)
{
	double diff = part_of(t, "diff", measure);
	struct change c = {.from = part_of(t, "base", measure)};

	/* The difference of medians may have another sign. */
	c.to = isnan(diff) ? row_number(t, measure) : c.from + diff;
	c.low = c.from + part_of(t, "diff_lo", measure);
	c.high = c.from + part_of(t, "diff_hi", measure);
	c.differs = table_find(t, "differs") < 0 ||
	            !strcmp(optional_text(t, "differs"), "yes");
	c.tip = quantity_words(measure, c.from);
	append_quantity(&c.tip, " to ", measure, row_number(t, measure));
	if (!isnan(diff)) {
		append_quantity(&c.says, "", measure, diff);
		xappend(&c.tip, ": ", "%s", c.says);
	}
	if (!isnan(c.low) && !isnan(c.high)) {
		append_quantity(&c.tip, ", interval ", measure, c.low - c.from);
		append_quantity(&c.tip, " to ", measure, c.high - c.from);
	}
	return c;
}

/* "3 of 8 differ, at most +60 Gbit/s": what the title says. */
static char *
finding(const struct change *c, size_t n)
{
	size_t differing = 0, most = n;

	for (size_t i = 0; i < n; i++) {
		if (!c[i].differs)
			continue;
		differing++;
		if (most == n ||
		    fabs(c[i].to - c[i].from) > fabs(c[most].to - c[most].from))
			most = i;
	}
	if (!n)
		return NULL;
	if (!differing)
		return xstrdup("no difference is shown");
	return xasprintf("%zu of %zu differ%s%s", differing, n,
	                 c[most].says ? ", at most " : "",
	                 c[most].says ? c[most].says : "");
}

/* Above this ratio of the ends the axis is logarithmic. */
#define LOG_FROM 20

static void
put_changes(struct picture *p, struct change *c, char *const name[], size_t n,
            const char *measure)
{
	double low = INFINITY, high = -INFINITY, widest = 0, room;
	double *right = xcalloc(n + 1, sizeof *right);
	double *differs = xcalloc(n + 1, sizeof *differs);
	char **says = xcalloc(n + 1, sizeof *says);
	struct scale x;
	bool is_log;

	for (size_t i = 0; i < n; i++) {
		low = fmin(low, fmin(fmin(c[i].from, c[i].to), c[i].low));
		right[i] = fmax(fmax(c[i].from, c[i].to), c[i].high);
		high = fmax(high, right[i]);
		differs[i] = c[i].differs;
		says[i] = c[i].says;
	}
	if (!n)
		low = high = 0;
	is_log = low > 0 && high > LOG_FROM * low;
	/* Room for the texts behind the marks. */
	widest = (double)widest_of(says, n) + 2;
	room = fmin(widest / (text_columns(p) * 0.7), 0.45);
	x = choose_scale(p, false, unit_words(measure), low,
	                 is_log ? low * pow(high / low, 1 / (1 - room))
	                        : low + (high - low) / (1 - room),
	                 is_log ? 0 : INFINITY);
	put_scale(p, false, &x, measure_words(measure));
	block_begin(p, "rows");
	for (size_t i = 0; i < n; i++) {
		right[i] /= x.unit;
		POINT(p, c[i].from / x.unit, c[i].to / x.unit,
		      c[i].low / x.unit, c[i].high / x.unit, (double)i + 1,
		      c[i].differs);
		add_tip(
		    p,
		    SPAN(c[i].from / x.unit, c[i].to / x.unit, (double)i + 1),
		    name[i], "%s", c[i].tip);
		free(c[i].tip);
	}
	block_end(p);
	put_texts(p, "says", says, n);
	put_numbers(p, "right", right, n);
	put_numbers(p, "differs", differs, n);
	for (size_t i = 0; i < n; i++)
		free(c[i].says);
	p->empty = !n;
	free(says);
	free(right);
	free(differs);
}

/* What each mark is; in a text they are letters. */
static void
put_names(struct picture *p, const struct change *c, size_t n, const char *base,
          const char *other, bool one_run)
{
	struct end key[4] = {{.mark = MARK_RING}};
	size_t differing = 0, intervals = 0, k = 0;

	for (size_t i = 0; i < n; i++) {
		differing += c[i].differs;
		intervals += !isnan(c[i].low) && !isnan(c[i].high);
	}
	key[k++].name = xasprintf("%s%s", p->text ? "O " : "", base);
	if (differing)
		key[k++] = (struct end){
		    .name = xasprintf("%s%s", p->text ? "A " : "", other),
		    .look = p->text ? 0 : 1,
		    .mark = MARK_POINT};
	if (differing < n)
		key[k++] = (struct end){
		    .name = xasprintf("%s%s%s", p->text ? "B " : "", other,
		                      one_run ? " (one run: no interval)"
		                              : ": not shown to differ"),
		    .look = p->text ? 0 : 8,
		    .mark = MARK_POINT};
	if (intervals && !p->text)
		key[k++] = (struct end){.name = xstrdup("confidence interval"),
		                        .look = 10};
	put_key(p, key, k);
}

static void
draw(struct picture *p, struct table *t)
{
	struct row_reader r = {.measures = measures, .lacking = "a value"};
	struct change *c = NULL;
	struct key_set keys = {0};
	struct names names;
	char *base, *other, **name = NULL;
	double *at = NULL;
	size_t n = 0;
	bool one_run = true;

	while (row_reader_next(&r, t)) {
		if (isnan(part_of(t, "base", r.measure)))
			continue;
		one_run = one_run && row_number(t, "runs") == 1;
		key_set_intern(&keys, &r.key);
		array_push(c, n, read_change(t, r.measure));
	}
	names = names_of(t, &keys);
	compared_words(&names, &base, &other);
	p->finding = finding(c, n);
	names_describe(&names, p, measure_words(r.measure));
	name = xcalloc(n + 1, sizeof *name);
	at = xcalloc(n + 1, sizeof *at);
	for (size_t i = 0; i < n; i++) {
		name[i] = names_key(&names, &keys, i < keys.n ? i : keys.n - 1,
		                    names_constant(&names, "bench"));
		at[i] = (double)i + 1;
	}
	put_changes(p, c, name, n, r.measure);
	put_rows(p, name, at, n, (double)n, 7);
	put_names(p, c, n, *base ? base : "base", *other ? other : "other",
	          one_run);
	free(at);
	free(c);
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
    .template = "change",
};
