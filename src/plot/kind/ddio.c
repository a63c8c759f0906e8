/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics of pcb-ddio: a panel for each unit, of bars or of lines over time. */
#include "common/base/util.h"
#include "plot/kind/bars.h"
#include "plot/kind/kind.h"
#include "plot/picture/quote.h"

#include <math.h>

/* Units of metrics, in the order of panels. */
enum metric_unit { METRIC_GBIT_S, METRIC_PERCENT, METRIC_PER_S };

static const struct {
	const char *unit, *label; /* of an axis */
} units[] = {
    [METRIC_GBIT_S] = {"gbit_s", "bandwidth (Gbit/s)"},
    [METRIC_PERCENT] = {"pct", "misses (%)"},
    [METRIC_PER_S] = {"per_s", "requests (1/s)"},
    {"ns", "latency (ns)"},
    {"", "average"},
};

/* Rows with the same key columns. */
struct metric_series {
	size_t subject, condition; /* index of each key */
	size_t unit;               /* index in units */
	struct curve values;       /* ns (0 unless `timed`) and value */
	struct curve flagged;      /* the points with flags */
	char *flags;               /* of the first row that has some, or NULL */
};

struct metrics {
	struct key_set subjects;       /* metric, socket, unit and part */
	struct key_set conditions;     /* all other key columns */
	struct key_set all;            /* both, for each reading */
	struct metric_series *reading; /* sorted by unit, subject, condition */
	size_t n, room;                /* behind n: what is idle */
	bool timed;                    /* a reading has several times */
	bool flagged;                  /* some rows have flags */
	size_t idle;                   /* readings dropped as idle */
};

static const char *const measures[] = {"value", "median_value", NULL};

static const char percent[] = "percent_of_";

/* Columns that identify a number; others are conditions and times. */
static bool
is_subject(const char *column)
{
	return !strcmp(column, "metric") || !strcmp(column, "socket") ||
	       !strcmp(column, "unit") || !strcmp(column, "part");
}

static size_t
unit_of_metric(const char *metric)
{
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(units) &&
	       strcmp(unit_of(metric), units[i].unit) != 0)
		i++;
	return strstr(metric, percent) && i + 1 == ARRAY_LEN(units)
	           ? METRIC_PERCENT
	           : i;
}

/* Reading ----------------------------------------------------------------- */

static bool
is_condition(const char *column)
{
	return !is_subject(column);
}

static void
take_row(struct metrics *m, const struct table *t,
         const struct row_reader *rows)
{
	size_t i = key_set_intern(&m->all, &rows->key);
	double value = row_value(t, rows->col);
	double time = row_has(t, "time_ns") ? row_number(t, "time_ns") : 0;
	const char *flags = optional_text(t, "flags");
	struct metric_series *r;

	m->reading =
	    key_set_grow(&m->all, m->reading, &m->room, sizeof *m->reading);
	r = &m->reading[i];
	if (i == m->n) {
		m->n++;
		r->subject = row_key(&m->subjects, t, is_subject);
		r->condition = row_key(&m->conditions, t, is_condition);
		r->unit = unit_of_metric(optional_text(t, "metric"));
	}
	if (r->values.n && time != r->values.point[0].x)
		m->timed = true;
	curve_add(&r->values, time, value);
	if (!*flags)
		return;
	m->flagged = true;
	curve_add(&r->flagged, time, value);
	if (!r->flags)
		r->flags = xstrdup(flags);
}

/* What is left ------------------------------------------------------------ */

static int
by_subject(const void *a, const void *b)
{
	const struct metric_series *r = a, *s = b;

	if (r->unit != s->unit)
		return r->unit < s->unit ? -1 : 1;
	if (r->subject != s->subject)
		return r->subject < s->subject ? -1 : 1;
	return (r->condition > s->condition) - (r->condition < s->condition);
}

/* Most parts of a machine have no active device. */
static void
leave_out_idle(struct metrics *m)
{
	bool *moving = xcalloc(m->subjects.n, sizeof *moving);
	bool any = false;
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct metric_series *r = &m->reading[i];
		bool moves =
		    r->unit != METRIC_GBIT_S && r->unit != METRIC_PER_S;

		for (size_t k = 0; k < r->values.n; k++)
			moves = moves || r->values.point[k].y != 0;
		moving[r->subject] = moving[r->subject] || moves;
		any = any || moving[r->subject];
	}
	for (size_t i = 0; i < m->n; i++) {
		struct metric_series r = m->reading[i];

		if (any && !moving[r.subject])
			continue;
		m->reading[i] = m->reading[n];
		m->reading[n++] = r;
	}
	m->idle = m->n - n;
	m->n = n;
	free(moving);
}

/*
 * Reads the table to its end: `value`, or `median_value` of pcb-stats. Drops
 * rates of a subject that are always 0, unless all are. Dies if the input is
 * bad or a column is missing; warns of rows without a value.
 */
static void
metrics_read(struct metrics *m, struct table *t)
{
	struct row_reader rows = {.measures = measures,
	                          .place = "metric",
	                          .runs_apart = true,
	                          .lacking = "a metric or its value"};

	while (row_reader_next(&rows, t))
		take_row(m, t, &rows);
	row_reader_free(&rows);
	leave_out_idle(m);
	for (size_t i = 0; i < m->n; i++) {
		curve_sort(&m->reading[i].values);
		curve_sort(&m->reading[i].flagged);
	}
	if (m->n)
		qsort(m->reading, m->n, sizeof *m->reading, by_subject);
}

/* Results ----------------------------------------------------------------- */

/* "inbound read bandwidth, part 0": metric and place, by names_of(m->all). */
static char *
metric_name(const struct metrics *m, const struct names *names, size_t subject)
{
	const struct key *key = &m->subjects.key[subject];
	ptrdiff_t col = table_find(names->t, "metric");
	const char *metric = key_find(key, (size_t)col);
	char *place = names_legend(names, key), *words, *name;

	/* Without the common prefix and what the axis says. */
	if (!strncmp(metric, "io_", 3))
		metric += 3;
	if (!strncmp(metric, percent, strlen(percent)))
		metric += strlen(percent);
	words = column_words(metric);
	name = xasprintf("%s%s%s", words, *place ? ", " : "", place);

	free(words);
	free(place);
	return name;
}

/* Panels ------------------------------------------------------------------- */

#define PERCENT_MOST 100

/* Rates above this are shown in millions. */
#define MILLIONS_FROM 1e7
#define MILLION       1e6

/* The readings of one unit, in a panel. */
struct metric_panel {
	const struct metrics *metrics;
	const struct names *names;
	const struct metric_series *reading;
	size_t n;
	const char *label;
	double scale;     /* of the axis */
	double low, high; /* range of what is drawn, including 0 */
};

/* More than 100 % is an error in the counts, and not drawn. */
static double
drawn(const struct metric_series *r, double value)
{
	return r->unit == METRIC_PERCENT ? fmin(value, PERCENT_MOST) : value;
}

/* Finds the readings of the next unit, from index `from`; false if none. */
static bool
next_part(struct metric_panel *part, size_t from)
{
	const struct metrics *m = part->metrics;
	const struct metric_series *r = m->reading + from;
	size_t unit;

	if (from == m->n)
		return false;
	unit = r->unit;
	part->reading = r;
	part->low = 0;
	part->high = unit == METRIC_PERCENT ? PERCENT_MOST : 0;
	for (; r < m->reading + m->n && r->unit == unit; r++) {
		for (size_t k = 0; k < r->values.n; k++) {
			double value = drawn(r, r->values.point[k].y);

			part->low = fmin(part->low, value);
			part->high = fmax(part->high, value);
		}
	}
	part->n = (size_t)(r - part->reading);
	part->label = units[unit].label;
	part->scale = 1;
	if (unit == METRIC_PER_S && part->high >= MILLIONS_FROM) {
		part->label = "requests (million/s)";
		part->scale = MILLION;
	}
	return true;
}

/* Bars --------------------------------------------------------------------- */

/* What the title says: the first number of each unit, at most two. */
static char *
finding(const struct metric_panel *part)
{
	const struct metrics *m = part->metrics;
	char *words = NULL, *name, *value;
	size_t said = 0;

	for (size_t i = 0; i < m->n && said < 2; i++) {
		const struct metric_series *r = &m->reading[i];

		if (i && r->unit == r[-1].unit)
			continue;
		name = metric_name(m, part->names, r->subject);
		value = number_words(points_middle(&r->values, 1, true), 4);
		xappend(&words, "; ", "%s %s%s", name, value,
		        r->unit == METRIC_GBIT_S    ? " Gbit/s"
		        : r->unit == METRIC_PERCENT ? " %"
		        : r->unit == METRIC_PER_S   ? "/s"
		                                    : "");
		said++;
		free(name);
		free(value);
	}
	return words;
}

/*
 * The first bar of a subject carries its name. Each condition has a colour,
 * paler for flagged bars.
 */
static void
add_bars(struct picture *p, struct bars *b, const struct metric_panel *part)
{
	const struct metrics *m = part->metrics;

	for (size_t i = 0; i < part->n; i++) {
		const struct metric_series *r = &part->reading[i];
		bool first = !i || r->subject != r[-1].subject;
		double median = points_middle(&r->values, 1, true);
		double length = drawn(r, median);
		char *when =
		    names_key(part->names, &m->conditions, r->condition, "");
		char *name = metric_name(m, part->names, r->subject), *text;
		struct place at;
		char *whole;
		size_t row;

		if (first && i && m->conditions.n > 1)
			bars_row(b, xstrdup(""));
		row = bars_row(b, first ? xstrdup(name) : xstrdup(""));
		bars_bar(b, row, 2 * r->condition + (r->flags != NULL), 0,
		         length, STROKE / 2);
		text = number_words(median / part->scale, 4);
		if (r->flags)
			xappend(&text, " ", "%s", r->flags);
		at = SPAN(0, length, (double)row);
		at.panel = b->np - 1;
		whole = xasprintf("%s%s%s", name, *when ? ", " : "", when);
		add_tip(p, at, whole, "%s: %s", part->label, text);
		free(whole);
		bars_say(b, row, fmax(length, 0), text, false);
		free(when);
		free(name);
	}
}

static void
draw_bars(struct picture *p, struct metric_panel *part)
{
	const struct key_set *conditions = &part->metrics->conditions;
	struct bars b = {0};

	for (size_t i = 0; i < conditions->n; i++) {
		bars_key(&b,
		         conditions->n > 1
		             ? names_key(part->names, conditions, i, "")
		             : NULL,
		         paler(series_hue(i), 0.2), "=#+%@&*o"[i % 8]);
		bars_key(&b, NULL, paler(series_hue(i), 0.75),
		         "=#+%@&*o"[i % 8]);
	}
	for (size_t i = 0; next_part(part, i); i += part->n) {
		bool shares = part->reading->unit == METRIC_PERCENT;

		array_push(b.panel, b.np,
		           ((struct bars_panel){.low = part->low,
		                                .high = part->high,
		                                .label = part->label,
		                                .unit = "",
		                                .scale = part->scale,
		                                .most = shares ? PERCENT_MOST
		                                               : INFINITY}));
		add_bars(p, &b, part);
	}
	put_bars(p, &b);
}

/* Lines in time ------------------------------------------------------------ */

static char *
line_name(const struct metric_panel *part, const struct metric_series *r)
{
	const struct key_set *conditions = &part->metrics->conditions;
	char *what = metric_name(part->metrics, part->names, r->subject);
	char *when = names_key(part->names, conditions, r->condition, "");
	char *name = xasprintf("%s%s%s", what, *when ? ", " : "", when);

	free(what);
	free(when);
	return name;
}

/* Lines of all panels. */
struct lines {
	double *look, *first, *first_end, *low, *high;
	char **label;
	struct end *end;
	size_t n, nends, np;
	struct scale time;
};

/* A value is the mean of the interval that ends at its time. */
static void
put_line(struct picture *p, struct lines *l, const struct metric_panel *part,
         const struct metric_series *r)
{
	const struct plot_point *v = r->values.point;
	double begin = 0,
	       look = (double)(l->n - (size_t)l->first[l->np - 1] + 1);
	char *name = line_name(part, r);

	if (l->n++)
		block_next(p);
	look = fmod(look, 8) + 1;
	l->look = xreallocarray(l->look, l->n, sizeof *l->look);
	l->look[l->n - 1] = look;
	if (r->values.n > 1)
		begin = fmax(2 * v[0].x - v[1].x, 0);
	for (size_t i = 0; i < r->values.n; i++) {
		double y = drawn(r, v[i].y) / part->scale;
		char *value = number_words(v[i].y / part->scale, 4);
		char *time = time_words(v[i].x);
		struct place at =
		    SPAN(begin / l->time.unit, v[i].x / l->time.unit, y);

		POINT(p, begin / l->time.unit, y);
		POINT(p, v[i].x / l->time.unit, y);
		at.panel = l->np - 1;
		add_tip(p, at, name, "%s: %s, to %s", part->label, value, time);
		begin = v[i].x;
		free(value);
		free(time);
	}
	array_push(
	    l->end, l->nends,
	    ((struct end){.x = begin / l->time.unit,
	                  .y = drawn(r, v[r->values.n - 1].y) / part->scale,
	                  .name = name,
	                  .look = look}));
}

static int
by_height(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	return (x->y > y->y) - (x->y < y->y);
}

static void
put_lines(struct picture *p, const struct lines *l)
{
	char **name = xcalloc(l->nends + 1, sizeof *name);

	for (size_t i = 0; i < l->np; i++) {
		size_t first = (size_t)l->first_end[i] - 1;
		size_t end =
		    i + 1 < l->np ? (size_t)l->first_end[i + 1] - 1 : l->nends;

		if (l->end && end > first)
			qsort(l->end + first, end - first, sizeof *l->end,
			      by_height);
	}
	put_number(p, "np", (double)l->np);
	put_number(p, "nlines", (double)l->n);
	put_number(p, "nnames", (double)l->nends);
	put_numbers(p, "linelook", l->look, l->n);
	put_numbers(p, "first", l->first, l->np);
	put_numbers(p, "firstend", l->first_end, l->np);
	put_numbers(p, "plo", l->low, l->np);
	put_numbers(p, "phi", l->high, l->np);
	put_texts(p, "plabel", l->label, l->np);
	PUT(p, "pendx", l->end, l->nends, x);
	PUT(p, "pendy", l->end, l->nends, y);
	PUT(p, "pendlook", l->end, l->nends, look);
	for (size_t i = 0; i < l->nends; i++)
		name[i] =
		    plain_text(l->end[i].name, (size_t)(text_columns(p) * 0.4));
	put_number(p, "pendw", (double)widest_of(name, l->nends));
	put_texts(p, "pend", name, l->nends);
	for (size_t i = 0; i < l->nends; i++) {
		free(name[i]);
		free(l->end[i].name);
	}
	free(name);
}

/* Lines of text for a panel: at least so many, and one for each name. */
#define PANEL_LINES 7.5

static void
/* NOLINTNEXTLINE(readability-function-size): to be cut into parts */
draw_lines(struct picture *p, struct metric_panel *part)
{
	const struct metrics *m = part->metrics;
	struct lines l = {0};
	double last = 0, needed = 8;

	for (size_t i = 0; i < m->n; i++) {
		const struct curve *c = &m->reading[i].values;

		last = fmax(last, c->point[c->n - 1].x);
	}
	l.time = choose_scale(p, false, "ns", 0, last, INFINITY);
	block_begin(p, "rows");
	for (size_t i = 0; next_part(part, i); i += part->n) {
		l.first = xreallocarray(l.first, l.np + 1, sizeof *l.first);
		l.first_end =
		    xreallocarray(l.first_end, l.np + 1, sizeof *l.first_end);
		l.low = xreallocarray(l.low, l.np + 1, sizeof *l.low);
		l.high = xreallocarray(l.high, l.np + 1, sizeof *l.high);
		array_push(l.label, l.np, xstrdup(part->label));
		l.first[l.np - 1] = (double)l.n + 1;
		l.first_end[l.np - 1] = (double)l.nends + 1;
		l.low[l.np - 1] = part->low / part->scale;
		l.high[l.np - 1] =
		    part->high > part->low ? part->high / part->scale : 1;
		for (size_t k = 0; k < part->n; k++)
			put_line(p, &l, part, &part->reading[k]);
		needed += fmax(PANEL_LINES, 1.1 * (double)part->n + 1);
	}
	block_end(p);
	block_begin(p, "rings");
	for (size_t i = 0, panel = 0; next_part(part, i); i += part->n) {
		if (panel++)
			block_next(p);
		for (size_t k = 0; k < part->n; k++) {
			const struct curve *c = &part->reading[k].flagged;

			for (size_t j = 0; j < c->n; j++)
				POINT(p, c->point[j].x / l.time.unit,
				      drawn(&part->reading[k], c->point[j].y) /
				          part->scale);
		}
	}
	block_end(p);
	grow_to(p, needed + (p->text ? (double)l.np + 2 : 0),
	        (double)l.np * 5 + 3);
	put_number(p, "xhi", last / l.time.unit);
	put_number(p, "flagged", m->flagged);
	{
		char *label = xasprintf("time (%s)", l.time.unit_name);

		put_text(p, "xlabel", label);
		free(label);
	}
	put_lines(p, &l);
	for (size_t i = 0; i < l.np; i++)
		free(l.label[i]);
	free(l.label);
	free(l.look);
	free(l.first);
	free(l.first_end);
	free(l.low);
	free(l.high);
	free(l.end);
}

/* Both -------------------------------------------------------------------- */

/* Notes how to read it and what is dropped; a single line has no legend. */
static void
add_note(struct picture *p, const struct metric_panel *part)
{
	const struct metrics *m = part->metrics;
	bool beyond = false;

	for (size_t i = 0; i < m->n; i++) {
		const struct metric_series *r = &m->reading[i];

		for (size_t k = 0; k < r->values.n; k++)
			beyond =
			    beyond || (r->unit == METRIC_PERCENT &&
			               r->values.point[k].y > PERCENT_MOST);
	}
	if (m->timed && m->n == 1)
		p->note = line_name(part, m->reading);
	if (m->flagged)
		xappend(&p->note, ", ",
		        m->timed ? "ringed: has flags" : "pale: has flags");
	if (beyond)
		xappend(&p->note, ", ", "over 100 %%: cut off");
	if (m->idle)
		xappend(&p->note, ", ", "left out: %zu that %s 0", m->idle,
		        m->idle == 1 ? "is" : "are");
}

static void
draw(struct picture *p, struct table *t)
{
	struct metrics m = {0};
	struct names names;
	struct metric_panel part = {.metrics = &m, .names = &names};

	metrics_read(&m, t);
	names = names_of(t, &m.all);
	names_hide(&names, "metric");
	p->finding = finding(&part);
	names_describe(&names, p, "I/O and cache");
	if (m.timed)
		p->template = "panels";
	if (m.timed)
		draw_lines(p, &part);
	else if (m.n)
		draw_bars(p, &part);
	p->empty = !m.n;
	add_note(p, &part);
	names_free(&names);
	for (size_t i = 0; i < m.all.n; i++) {
		free(m.reading[i].values.point);
		free(m.reading[i].flagged.point);
		free(m.reading[i].flags);
	}
	free(m.reading);
	key_set_free(&m.subjects);
	key_set_free(&m.conditions);
	key_set_free(&m.all);
}

const struct kind kind_ddio = {
    .name = "ddio",
    .help = "metrics of pcb-ddio: cache, bandwidth, memory; bars, or over time",
    .draw = draw,
    .template = "bars",
};
