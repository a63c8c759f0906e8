/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics of pcb-ddio: a panel for each unit, of bars or of lines over time. */
#include "common/base/number.h"
#include "plot/kind/bars.h"
#include "plot/kind/kind.h"

/* Units of metrics, in the order of panels. */
enum metric_unit { METRIC_GBIT_S, METRIC_PERCENT, METRIC_PER_S };

static const struct {
	const char *column, *label; /* with its unit; of an axis */
} units[] = {
    [METRIC_GBIT_S] = {"_gbit_s", "bandwidth"},
    [METRIC_PERCENT] = {"_pct", "misses"},
    [METRIC_PER_S] = {"_per_s", "requests"},
    {"_ns", "latency"},
    {"", "average"},
};

/* Rows with the same key columns. */
struct metric_series {
	size_t subject, condition; /* index of each key */
	size_t unit;               /* index in units */
	struct curve values;       /* ns (0 unless `timed`) and value */
	struct curve flagged;      /* the points with flags */
	char *flags;               /* of the first row that has some, or NULL */
	char *name;                /* metric and place */
	char *when;                /* its condition, or "" */
	char *whole;               /* both */
};

/* The readings of one unit. */
struct metric_panel {
	struct metric_series *reading;
	size_t n;
	const char *label;
	double scale;            /* of the axis */
	struct range range;      /* of what is drawn, including 0 */
	double first, low, high; /* line, and ends of the axis */
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
	struct metric_panel *panel;
	size_t np;
};

static const char percent[] = "percent_of_";

/* Columns that identify a number; others are conditions and times. */
static const char subject[] = "metric,socket,unit,part";

static size_t
unit_of_metric(const char *metric)
{
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(units) &&
	       strcmp(unit_of(metric), unit_of(units[i].column)) != 0)
		i++;
	return strstr(metric, percent) && i + 1 == ARRAY_LEN(units)
	           ? METRIC_PERCENT
	           : i;
}

/* Reading ----------------------------------------------------------------- */

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
		r->subject = row_key(&m->subjects, t, true, subject);
		r->condition = row_key(&m->conditions, t, false, subject);
		r->unit = unit_of_metric(optional_text(t, "metric"));
	}
	if (r->unit == METRIC_GBIT_S)
		value /= rate_unit().gbit_s;
	if (r->values.n && time != r->values.point[0].x)
		m->timed = true;
	curve_add(&r->values, time, value);
	if (!*flags)
		return;
	m->flagged = true;
	curve_add(&r->flagged, time, value);
	if (!r->flags)
		r->flags = words("%s", flags);
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
	bool *moving = keep(m->subjects.n, sizeof *moving);
	bool any = false;
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct metric_series *r = &m->reading[i];
		struct range v = range_of(&r->values, 1, true);
		bool rate = r->unit == METRIC_GBIT_S || r->unit == METRIC_PER_S;

		moving[r->subject] |= !rate || v.low != 0 || v.high != 0;
		any |= moving[r->subject];
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
}

/*
 * Reads the table to its end: `value`, or `median_value` of pcb-stats. Drops
 * rates of a subject that are always 0, unless all are. Dies if the input is
 * bad or a column is missing; warns of rows without a value.
 */
static void
metrics_read(struct metrics *m, struct table *t)
{
	struct row_reader rows = {.measures = MEASURES("value", "median_value"),
	                          .place = "metric",
	                          .runs_apart = true,
	                          .lacking = "a metric or its value"};

	while (row_reader_next(&rows, t))
		take_row(m, t, &rows);
	leave_out_idle(m);
	for (size_t i = 0; i < m->n; i++) {
		curve_sort(&m->reading[i].values);
		curve_sort(&m->reading[i].flagged);
	}
	if (m->n)
		qsort(m->reading, m->n, sizeof *m->reading, by_subject);
}

/* "inbound read bandwidth, part 0": metric and place, by names_of(m->all). */
static void
name_readings(struct metrics *m, const struct names *names)
{
	for (size_t i = 0; i < m->n; i++) {
		struct metric_series *r = &m->reading[i];
		const struct key *key = &m->subjects.key[r->subject];
		const char *metric = key_text(names->t, key, "metric");
		const char *place = names_legend(names, key);

		/* Without the common prefix and what the axis says. */
		if (!strncmp(metric, "io_", 3))
			metric += 3;
		if (!strncmp(metric, percent, strlen(percent)))
			metric += strlen(percent);
		r->name = joined(column_words(metric), ", ", place);
		r->when = names_key(names, &m->conditions, r->condition, "");
		r->whole = joined(r->name, ", ", r->when);
	}
}

/* Panels ------------------------------------------------------------------- */

/* More is an error in the counts, and not drawn. */
#define PERCENT_MOST 100

/* Rates above this are shown in millions. */
#define MILLIONS_FROM 1e7
#define MILLION       1e6

static void
list_panels(struct metrics *m)
{
	struct metric_panel *of = NULL;

	for (size_t i = 0; i < m->n; i++) {
		struct metric_series *r = &m->reading[i];
		struct scale s = {.unit_name =
		                      unit_words(units[r->unit].column)};

		if (!i || r->unit != r[-1].unit) {
			PUSH(m->panel, m->np,
			     (struct metric_panel){.reading = r,
			                           .scale = 1,
			                           .first = (double)i + 1});
			of = &m->panel[m->np - 1];
			of->label = scale_label(&s, units[r->unit].label);
			if (r->unit == METRIC_PERCENT)
				of->range.high = PERCENT_MOST;
		}
		of->n++;
		if (r->unit != METRIC_PERCENT)
			widen_to(&of->range, &r->values, 1, true);
		if (r->unit == METRIC_PER_S &&
		    of->range.high >= MILLIONS_FROM) {
			of->label = "requests (million/s)";
			of->scale = MILLION;
		}
	}
}

/* What the title says: the highest number of each unit, at most two. */
static char *
finding(const struct metrics *m)
{
	char *text = NULL;

	for (size_t i = 0; i < m->np && i < 2; i++) {
		const struct metric_panel *of = &m->panel[i];
		const struct metric_series *most = of->reading;
		double high = -INFINITY;

		for (size_t k = 0; k < of->n; k++) {
			const struct metric_series *r = &of->reading[k];
			double value = m->timed
			                   ? range_of(&r->values, 1, true).high
			                   : points_middle(&r->values, 1, true);

			most = value > high ? r : most;
			high = fmax(high, value);
		}
		add_words(&text, "; ", "%s %s%s", most->name,
		          m->timed || of->n > 1 ? "up to " : "",
		          quantity_words(units[most->unit].column, high));
	}
	return text;
}

/* Bars --------------------------------------------------------------------- */

/*
 * The first bar of a subject carries its name. Each condition has a colour,
 * paler for flagged bars.
 */
static void
add_bars(struct bars *b, const struct metrics *m,
         const struct metric_panel *panel)
{
	for (size_t i = 0; i < panel->n; i++) {
		const struct metric_series *r = &panel->reading[i];
		bool first = !i || r->subject != r[-1].subject;
		double median = points_middle(&r->values, 1, true), row;
		char *text =
		    words("%s%s%s", number_words(median / panel->scale, 4),
		          r->flags ? " " : "", r->flags ? r->flags : "");

		if (first && i && m->conditions.n > 1)
			bars_row(b, "");
		row = bars_row(b, first ? r->name : "");
		bars_bar(
		    b, row, 2 * r->condition + (r->flags != NULL), 0, median,
		    STROKE / 2,
		    joined(r->when, ", ", words("%s: %s", panel->label, text)));
		bars_say(b, row, fmax(median, 0), text, PLAIN);
	}
}

static void
draw_bars(struct picture *p, const struct metrics *m, const struct names *names)
{
	const struct key_set *conditions = &m->conditions;
	struct bars b = {0};

	for (size_t i = 0; i < conditions->n; i++) {
		char sign = "=#+%@&*o"[i % 8];

		bars_key(&b, names_key(names, conditions, i, ""),
		         paler(series_hue(i), 0.2), sign);
		bars_key(&b, NULL, paler(series_hue(i), 0.75), sign);
	}
	for (size_t i = 0; i < m->np; i++) {
		const struct metric_panel *panel = &m->panel[i];

		bars_panel(&b, panel->label, "", panel->range);
		b.panel[i].scale = panel->scale;
		if (panel->reading->unit == METRIC_PERCENT)
			b.panel[i].most = PERCENT_MOST;
		add_bars(&b, m, panel);
	}
	put_bars(p, &b);
}

/* Lines in time ------------------------------------------------------------ */

/* A longer time than this many intervals lacks values. */
#define INTERVALS_MOST 1.5

/*
 * A value is the mean of the interval that ends at its time; 1 behind it: it
 * has flags.
 */
static void
put_line(struct picture *p, const struct metric_panel *panel,
         const struct metric_series *r, struct end *end)
{
	const struct plot_point *v = r->values.point;
	size_t n = r->values.n, steps = 0;
	double *apart = keep(n, sizeof *apart), usual = INFINITY, begin = 0;

	/* The last interval may be short. */
	for (size_t i = 1; i < n; i++) {
		if (v[i].x > v[i - 1].x)
			apart[steps++] = v[i].x - v[i - 1].x;
	}
	sort_numbers(apart, steps);
	if (steps)
		usual = apart[steps / 2];
	for (size_t i = 0; i < n; i++) {
		double y = v[i].y;

		if (v[i].x - begin > INTERVALS_MOST * usual) {
			begin = v[i].x - usual;
			block_gap(p);
		}
		POINT(p, begin / p->x_unit, y / p->y_unit, 0);
		POINT(p, v[i].x / p->x_unit, y / p->y_unit,
		      !isnan(curve_at(&r->flagged, v[i].x)));
		add_tip(p, SPAN(begin, v[i].x, y), r->whole, "%s: %s, to %s",
		        panel->label, number_words(y / panel->scale, 4),
		        time_words(v[i].x));
		begin = v[i].x;
	}
	*end = (struct end){.x = begin / p->x_unit,
	                    .y = v[n - 1].y / p->y_unit,
	                    .name = r->whole,
	                    .look = end->look};
}

/* Lines of text for a panel: at least so many, and one for each name. */
#define PANEL_LINES 7.5

/* Colours of lines. */
#define LOOKS 8

/* The lines of all panels. */
static void
put_lines(struct picture *p, const struct metrics *m)
{
	struct end *end = keep(m->n, sizeof *end);
	double needed = PANEL_LINES; /* of each panel */
	size_t n = 0;

	block_begin(p, "rows");
	for (size_t i = 0; i < m->np; i++) {
		struct metric_panel *of = &m->panel[i];

		p->panel = i;
		p->y_unit = of->scale;
		of->low = of->range.low / of->scale;
		of->high = of->range.high > of->range.low
		               ? of->range.high / of->scale
		               : 1;
		for (size_t k = 0; k < of->n; k++, n++) {
			block_next(p);
			end[n].look = (double)(k % LOOKS) + 1;
			put_line(p, of, &of->reading[k], &end[n]);
		}
		needed = fmax(needed, 1.15 * (double)of->n + 1);
	}
	block_end(p);
	PUT(p, "linelook", end, n, look);
	for (size_t i = 0; i < m->np; i++)
		sort_ends(end + (size_t)m->panel[i].first - 1, m->panel[i].n);
	if (p->terminal->text)
		needed += 2;
	grow_to(p, 8 + needed * (double)m->np, (double)m->np * 5 + 3);
	write_ends(p, end, n,
	           CUT(end, n, name, (size_t)(text_columns(p) * ENDS_PART)));
	put_number(p, "np", (double)m->np);
	put_number(p, "nlines", (double)n);
	PUT(p, "first", m->panel, m->np, first);
	PUT(p, "plo", m->panel, m->np, low);
	PUT(p, "phi", m->panel, m->np, high);
	PUT(p, "plabel", m->panel, m->np, label);
}

static void
draw_lines(struct picture *p, const struct metrics *m)
{
	struct range r = {0, 0};
	struct scale time;

	for (size_t i = 0; i < m->n; i++)
		widen(&r, range_of(&m->reading[i].values, 1, false).high);
	time = choose_scale(p, false, "ns", r, INFINITY);
	p->x_unit = time.unit;
	put_lines(p, m);
	put_number(p, "xhi", r.high / time.unit);
	put_text(p, "xlabel", scale_label(&time, "time"));
}

/* Both -------------------------------------------------------------------- */

/* Notes how to read it and what is dropped; a single line has no legend. */
static void
add_note(struct picture *p, const struct metrics *m)
{
	bool beyond = false;

	for (size_t i = 0; i < m->n; i++) {
		const struct metric_series *r = &m->reading[i];

		if (r->unit == METRIC_PERCENT)
			beyond |=
			    range_of(&r->values, 1, true).high > PERCENT_MOST;
	}
	if (m->timed && m->n == 1)
		p->note = m->reading->whole;
	if (m->flagged && (m->timed || !p->terminal->text))
		add_words(&p->note, ", ",
		          m->timed ? "ringed: has flags" : "pale: has flags");
	if (beyond)
		add_words(&p->note, ", ", "over 100 %%: cut off");
	if (m->idle)
		add_words(&p->note, ", ", "left out: %zu that %s 0", m->idle,
		          m->idle == 1 ? "is" : "are");
}

void
draw_ddio(struct picture *p, struct table *t)
{
	static struct metrics m;
	struct names names;

	metrics_read(&m, t);
	names = names_of(t, &m.all);
	names_hide(&names, "metric");
	name_readings(&m, &names);
	list_panels(&m);
	p->finding = finding(&m);
	names_describe(&names, p, "I/O and cache");
	p->empty = !m.n;
	if (m.timed) {
		p->template = "panels";
		draw_lines(p, &m);
	} else if (m.n) {
		draw_bars(p, &m, &names);
	}
	add_note(p, &m);
}
