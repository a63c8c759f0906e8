/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads rows of pcb-collect ddio. */
#include "ddio/input.h"

#include "common/stream/columns.h"

#include <math.h>
#include <stdlib.h>

static void
row_key(struct key *key, const struct table *t)
{
	key->length = 0;
	for (size_t i = 0; i < t->ncols; i++) {
		if (is_common(t->name[i]))
			key_append(key, i, t->field[i]);
	}
}

/* A number that is not negative; NAN if it is missing. */
static double
amount(const struct table *t, const char *name)
{
	double value;

	if (!*optional_text(t, name))
		return NAN;
	value = table_number(t, need_column(t, name));
	if (value < 0)
		table_die(t, need_column(t, name), "less than 0");
	return value;
}

static void
check_times(const struct table *t, const struct event_count *s)
{
	if (isnan(s->running) != isnan(s->enabled))
		table_die(t, need_column(t, "event"),
		          "enabled_ns and running_ns belong together");
	if (s->running > s->enabled)
		table_die(t, need_column(t, "running_ns"),
		          "longer than enabled_ns");
}

/* A count, extrapolated to the time that the counter was enabled. */
static struct event_count
sample_of(const struct table *t, const struct event *event)
{
	struct event_count s = {
	    .event = event,
	    .value = amount(t, "value"),
	    .enabled = amount(t, "enabled_ns"),
	    .running = amount(t, "running_ns"),
	    .weight = (double)table_weight(t, table_find(t, "count"))};

	check_times(t, &s);
	s.duration = s.enabled;
	s.missing = isnan(s.value) || s.running <= 0;
	if (!s.missing && !isnan(s.enabled))
		s.value *= s.enabled / s.running;
	return s;
}

static void
take_row(struct input *in, const struct table *t, struct key *key)
{
	const char *name = need_text(t, "event");
	const char *part = optional_text(t, "part");
	const char *time = optional_text(t, "time_ns");
	char own_part[PART_MAX];
	const struct event *event = find_event(name, own_part);
	struct event_count sample;

	if (!event) {
		input_unknown(in, name);
		return;
	}
	sample = sample_of(t, event);
	if (sample.weight == 0)
		return;
	if (*time)
		in->has_time = true;
	row_key(key, t);
	input_add(in, key, optional_text(t, "unit"), *part ? part : own_part,
	          time, &sample);
}

void
read_rows(struct input *in, struct table *t)
{
	struct key key = {0};

	while (table_next(t)) {
		if (table_find(t, "event") < 0 || table_find(t, "value") < 0)
			break;
		take_row(in, t, &key);
	}
	need_column(t, "event");
	need_column(t, "value");
	free(key.bytes);
}
