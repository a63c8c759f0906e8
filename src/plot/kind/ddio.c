/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics of pcb-ddio: a panel for each unit, of bars or of lines over time. */
#include "common/base/util.h"
#include "plot/kind/kind.h"

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

/* Bars -------------------------------------------------------------------- */

/*
 * The first bar of a subject carries its name. Each condition has a colour,
 * paler for flagged bars; the first panel names all conditions, even those
 * without a bar in it.
 */
static void
add_bars(struct picture *p, const struct metric_panel *part)
{
	const struct metrics *m = part->metrics;
	const struct key_set *conditions = &m->conditions;
	struct curve *sound = xcalloc(conditions->n, sizeof *sound);
	struct curve *flagged = xcalloc(conditions->n, sizeof *flagged);

	for (size_t i = 0; i < part->n; i++) {
		const struct metric_series *r = &part->reading[i];
		bool first = !i || r->subject != r[-1].subject;
		double median = points_middle(&r->values, 1, true);
		double length = drawn(r, median);
		struct curve *bar;
		char *text;
		size_t row;

		if (first && i && conditions->n > 1)
			add_row(p, xstrdup(""));
		row = add_row(p, first ? metric_name(m, part->names, r->subject)
		                       : xstrdup(""));
		bar = r->flags ? &flagged[r->condition] : &sound[r->condition];
		add_bar(bar, row, 0, length, STROKE);
		text = number_words(median / part->scale, 4);
		if (r->flags)
			xappend(&text, " ", "%s", r->flags);
		curve_say(bar, xasprintf("%s: %s", part->label, text));
		add_remark(p, row, fmax(length, 0), text);
	}
	for (size_t i = 0; i < conditions->n; i++) {
		char *name = part->reading == m->reading && conditions->n > 1
		                 ? names_key(part->names, conditions, i, "")
		                 : NULL;

		if (name || sound[i].n)
			picture_take(p, STYLE_BAR, name, i, &sound[i])->whole =
			    names_key(part->names, conditions, i, "");
		if (flagged[i].n)
			picture_take(p, STYLE_PALE, NULL, i, &flagged[i])
			    ->whole = names_key(part->names, conditions, i, "");
	}
	free(sound);
	free(flagged);
}

/* Adds the names of all rows before choosing an axis. */
static void
draw_bars(struct picture *p, struct metric_panel *part)
{
	struct picture *panel = NULL;
	size_t i = 0;

	for (; next_part(part, i); i += part->n) {
		panel = panel ? picture_below(p) : p;
		add_bars(panel, part);
	}
	for (panel = p, i = 0; panel && next_part(part, i); i += part->n) {
		axis_beside(panel, part->label, "", part->low / part->scale,
		            part->high / part->scale, INFINITY);
		panel->x.unit = part->scale;
		if (part->reading->unit == METRIC_PERCENT)
			panel->x.last = PERCENT_MOST;
		panel = panel->below;
	}
}

/* Lines in time ----------------------------------------------------------- */

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

/* A value is the mean of the interval that ends at its time. */
static void
add_intervals(struct curve *c, const struct curve *values)
{
	const struct plot_point *v = values->point;
	double begin = 0;

	if (values->n > 1)
		begin = fmax(2 * v[0].x - v[1].x, 0);
	for (size_t i = 0; i < values->n; i++) {
		curve_add(c, begin, v[i].y);
		curve_add(c, v[i].x, v[i].y);
		begin = v[i].x;
	}
}

/*
 * A line for each reading, and rings around points with flags, which the last
 * panel names.
 */
static void
add_lines(struct picture *p, const struct metric_panel *part)
{
	const struct metrics *m = part->metrics;
	bool last = part->reading + part->n == m->reading + m->n;
	struct curve rings = {0};

	for (size_t i = 0; i < part->n; i++) {
		const struct metric_series *r = &part->reading[i];

		add_intervals(picture_take(p, STYLE_LINES, line_name(part, r),
		                           (size_t)(r - m->reading), NULL),
		              &r->values);
		curve_append(&rings, &r->flagged);
	}
	if (rings.n || (last && m->flagged))
		picture_take(p, STYLE_RING, last ? xstrdup("with flags") : NULL,
		             COLOUR_NONE, &rings);
}

static void
draw_lines(struct picture *p, struct metric_panel *part)
{
	const struct metrics *m = part->metrics;
	struct picture *panel = NULL;
	unsigned room = p->room;
	double last = 0;

	for (size_t i = 0; next_part(part, i); i += part->n) {
		panel = panel ? picture_below(p) : p;
		add_lines(panel, part);
		axis_from_zero(&panel->y, part->label, "",
		               part->low / part->scale,
		               part->high / part->scale, 1);
		panel->y.unit = part->scale;
	}
	for (size_t i = 0; i < m->n; i++) {
		const struct curve *c = &m->reading[i].values;

		last = fmax(last, c->point[c->n - 1].x);
	}
	/* The last panel names the axis of all. */
	for (panel = p; panel; panel = panel->below) {
		axis_values(&panel->x, "time", "ns", 0, last, INFINITY, room);
		if (panel->below) {
			free(panel->x.label);
			panel->x.label = NULL;
		}
	}
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
	if (m->flagged && !m->timed)
		xappend(&p->note, ", ", "pale: has flags");
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
	names_describe(&names, p, "I/O and cache");
	if (m.timed)
		draw_lines(p, &part);
	else if (m.n)
		draw_bars(p, &part);
	else
		axis_values(&p->x, units[METRIC_GBIT_S].label, "", 0, 1,
		            INFINITY, 1);
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
};
