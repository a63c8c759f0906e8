/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of pcb-diff --by: a dumbbell from before to after in each row. */
#include "plot/kind/kind.h"

struct change {
	double from, to, low, high;
	double right; /* of all */
	double differs;
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
	c.right = fmax(fmax(c.from, c.to), c.high);
	c.differs = table_find(t, "differs") < 0 ||
	            !strcmp(optional_text(t, "differs"), "yes");
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
		if (c[i].differs <= 0)
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

static void
put_changes(struct picture *p, struct change *c, const struct row row[],
            size_t n, const char *measure)
{
	size_t widest = CUT(c, n, says, 0);
	struct range r = RANGE_OF_NONE;
	struct scale x;
	double room;
	bool is_log;

	for (size_t i = 0; i < n; i++) {
		widen(&r, fmin(fmin(c[i].from, c[i].to), c[i].low));
		widen(&r, c[i].right);
	}
	is_log = n && r.low > 0 && r.high > LOG_FROM * r.low;
	/* Room for the texts behind the marks. */
	room = fmin((double)(widest + 2) / (text_columns(p) * 0.7), 0.45);
	r.high = is_log ? r.low * pow(r.high / r.low, 1 / (1 - room))
	                : r.low + (r.high - r.low) / (1 - room);
	x = choose_scale(p, false, unit_words(measure), r,
	                 is_log ? 0 : INFINITY);
	put_scale(p, false, &x, measure_words(measure));
	block_begin(p, "rows");
	for (size_t i = 0; i < n; i++) {
		POINT(p, c[i].from / x.unit, c[i].to / x.unit,
		      c[i].low / x.unit, c[i].high / x.unit, row[i].at,
		      c[i].differs);
		add_tip(p, SPAN(c[i].from, c[i].to, row[i].at), row[i].name,
		        "%s", c[i].tip);
		c[i].right /= x.unit;
	}
	block_end(p);
	PUT(p, "says", c, n, says);
	PUT(p, "right", c, n, right);
	PUT(p, "differs", c, n, differs);
	p->empty = !n;
}

/* What each mark is; in a text they are letters. */
static void
put_names(struct picture *p, const struct change *c, size_t n, const char *base,
          const char *other, bool one_run)
{
	struct end key[4] = {{.mark = MARK_RING}};
	size_t differing = 0, intervals = 0, k = 0;

	for (size_t i = 0; i < n; i++) {
		differing += c[i].differs > 0;
		intervals += !isnan(c[i].low) && !isnan(c[i].high);
	}
	key[k++].name = words("%s%s", p->terminal->text ? "O " : "", base);
	if (differing)
		key[k++] = (struct end){
		    .name = words("%s%s", p->terminal->text ? "A " : "", other),
		    .look = p->terminal->text ? 0 : 1,
		    .mark = MARK_POINT};
	if (differing < n)
		key[k++] = (struct end){
		    .name =
		        words("%s%s%s", p->terminal->text ? "B " : "", other,
		              one_run ? " (one run: no interval)"
		                      : ": not shown to differ"),
		    .look = p->terminal->text ? 0 : 8,
		    .mark = MARK_POINT};
	if (intervals && !p->terminal->text)
		key[k++] = (struct end){.name = words("confidence interval"),
		                        .look = 10};
	put_key(p, key, k);
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
	struct row *row;
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
	row = keep(n, sizeof *row);
	for (size_t i = 0; i < n; i++)
		row[i] = (struct row){names_key(&names, &keys,
		                                i < keys.n ? i : keys.n - 1,
		                                names_bench(&names)),
		                      (double)i + 1};
	put_changes(p, c, row, n, r.measure);
	put_rows(p, row, n, (double)n, 7);
	put_names(p, c, n, *base ? base : "base", *other ? other : "other",
	          one_run);
}
