/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the metrics of pcb-ddio. */
#include "plot/data/ddio_metrics.h"

#include "common/base/util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const measures[] = {"value", "median_value", NULL};

static const char percent[] = "percent_of_";

/* Columns that identify a number; others are conditions and times. */
static bool
is_subject(const char *column)
{
	return !strcmp(column, "metric") || !strcmp(column, "socket") ||
	       !strcmp(column, "unit") || !strcmp(column, "part");
}

static enum metric_unit
unit_of_metric(const char *metric)
{
	const char *unit = unit_of(metric);

	return !strcmp(unit, "gbit_s")  ? METRIC_GBIT_S
	       : !strcmp(unit, "per_s") ? METRIC_PER_S
	       : !strcmp(unit, "ns")    ? METRIC_NS
	       : !strcmp(unit, "pct") || strstr(metric, percent)
	           ? METRIC_PERCENT
	           : METRIC_PLAIN;
}

/* Reading ----------------------------------------------------------------- */

static bool
is_condition(const char *column)
{
	return !is_subject(column);
}

static struct metric_series *
find_reading(struct metrics *m, const struct table *t, const struct key *key)
{
	size_t i = key_set_intern(&m->all, key);

	m->reading =
	    key_set_grow(&m->all, m->reading, &m->room, sizeof *m->reading);
	if (i < m->n)
		return &m->reading[i];
	m->n++;
	m->reading[i] = (struct metric_series){
	    .subject = row_key(&m->subjects, t, is_subject),
	    .condition = row_key(&m->conditions, t, is_condition),
	    .unit = unit_of_metric(table_text(t, table_find(t, "metric"))),
	};
	return &m->reading[i];
}

static void
take_row(struct metrics *m, const struct table *t,
         const struct row_reader *rows)
{
	struct metric_series *r = find_reading(m, t, &rows->key);
	double value = row_value(t, rows->col);
	double time = row_has(t, "time_ns") ? row_number(t, "time_ns") : 0;

	if (r->values.n && time != r->values.point[0].x)
		m->timed = true;
	curve_add(&r->values, time, value);
	if (!row_has(t, "flags"))
		return;
	m->flagged = true;
	curve_add(&r->flagged, time, value);
	if (!r->flags)
		r->flags = xstrdup(table_text(t, table_find(t, "flags")));
}

/* What is left ------------------------------------------------------------ */

static int
by_subject(const void *a, const void *b)
{
	const struct metric_series *r = a;
	const struct metric_series *s = b;

	if (r->unit != s->unit)
		return r->unit < s->unit ? -1 : 1;
	if (r->subject != s->subject)
		return r->subject < s->subject ? -1 : 1;
	return (r->condition > s->condition) - (r->condition < s->condition);
}

static bool
moves(const struct metric_series *r)
{
	if (r->unit != METRIC_GBIT_S && r->unit != METRIC_PER_S)
		return true;
	for (size_t i = 0; i < r->values.n; i++) {
		if (r->values.point[i].y != 0)
			return true;
	}
	return false;
}

static void
free_reading(struct metric_series *r)
{
	free(r->values.point);
	free(r->flagged.point);
	free(r->flags);
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

		moving[r->subject] = moving[r->subject] || moves(r);
		any = any || moving[r->subject];
	}
	for (size_t i = 0; any && i < m->n; i++) {
		if (moving[m->reading[i].subject])
			m->reading[n++] = m->reading[i];
		else
			free_reading(&m->reading[i]);
	}
	if (any) {
		m->idle = m->n - n;
		m->n = n;
	}
	free(moving);
}

static void
finish(struct metrics *m)
{
	leave_out_idle(m);
	for (size_t i = 0; i < m->n; i++) {
		curve_sort(&m->reading[i].values);
		curve_sort(&m->reading[i].flagged);
	}
	if (m->n)
		qsort(m->reading, m->n, sizeof *m->reading, by_subject);
}

void
metrics_read(struct metrics *m, struct table *t)
{
	struct row_reader rows = {.measures = measures,
	                          .place = "metric",
	                          .lacking = "a metric or its value"};

	while (row_reader_next(&rows, t))
		take_row(m, t, &rows);
	row_reader_free(&rows);
	finish(m);
}

void
metrics_free(struct metrics *m)
{
	for (size_t i = 0; i < m->n; i++)
		free_reading(&m->reading[i]);
	free(m->reading);
	key_set_free(&m->subjects);
	key_set_free(&m->conditions);
	key_set_free(&m->all);
	*m = (struct metrics){0};
}

/* Results ----------------------------------------------------------------- */

double
reading_median(const struct metric_series *r)
{
	struct curve values = {0};
	double median;

	for (size_t i = 0; i < r->values.n; i++)
		curve_add(&values, r->values.point[i].y, 0);
	curve_sort(&values);
	median = values.point[(values.n - 1) / 2].x / 2 +
	         values.point[values.n / 2].x / 2;
	free(values.point);
	return median;
}

/* Without the common prefix and what the axis says. */
static char *
words_of(const char *metric)
{
	if (!strncmp(metric, "io_", 3))
		metric += 3;
	if (!strncmp(metric, percent, strlen(percent)))
		metric += strlen(percent);
	return column_words(metric);
}

char *
metric_name(const struct metrics *m, const struct names *names, size_t subject)
{
	const struct key *key = &m->subjects.key[subject];
	ptrdiff_t col = table_find(names->t, "metric");
	char *words = words_of(key_find(key, (size_t)col));
	char *place = names_legend(names, key);
	char *name = xasprintf("%s%s%s", words, *place ? ", " : "", place);

	free(words);
	free(place);
	return name;
}
