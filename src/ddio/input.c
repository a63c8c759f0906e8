/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums counts by place and interval, and reads the rows of pcb-collect ddio. */
#include "ddio/ddio.h"

#include "common/stream/columns.h"

#include <math.h>

bool
is_common(const char *name)
{
	return is_identity(name) && strcmp(name, "event") != 0 &&
	       strcmp(name, "unit") != 0 && strcmp(name, "part") != 0;
}

/* The index of the aggregate, added if it is new. */
static size_t
aggregate_of(struct input *in, const struct key *common, const char *unit,
             const char *part, const char *time)
{
	struct key key = *common;
	size_t before = in->keys.n, number;

	key.bytes = xmalloc(key.size + 1);
	if (common->length)
		memcpy(key.bytes, common->bytes, common->length);
	key_append(&key, UNIT_COL, unit);
	key_append(&key, PART_COL, part);
	key_append(&key, TIME_COL, time);
	number = key_set_intern(&in->keys, &key);
	free(key.bytes);
	in->aggregate = key_set_grow(&in->keys, in->aggregate, &in->room,
	                             sizeof *in->aggregate);
	if (number == before)
		in->aggregate[number].unit = number;
	return number;
}

void
input_add(struct input *in, const struct key *key, const char *unit,
          const char *part, const char *time, const struct event_count *sample)
{
	bool of_part = sample->event->of_part;
	size_t whole = aggregate_of(in, key, of_part ? unit : "", "", time);
	struct aggregate *aggregate = &in->aggregate[whole];
	struct event_count *total;
	size_t i = 0;

	if (of_part && *part) {
		i = aggregate_of(in, key, unit, part, time);
		aggregate = &in->aggregate[i];
		aggregate->unit = whole;
	}
	for (i = 0; i < aggregate->n; i++) {
		if (aggregate->total[i].event == sample->event)
			break;
	}
	if (i == aggregate->n)
		array_push(aggregate->total, aggregate->n,
		           (struct event_count){.event = sample->event});
	total = &aggregate->total[i];
	total->weight += sample->weight;
	total->missing = total->missing || sample->missing;
	total->scaled = total->scaled || sample->scaled;
	if (sample->missing)
		return;
	total->value += sample->weight * sample->value;
	total->enabled += sample->weight * sample->enabled;
	total->running += sample->weight * sample->running;
	total->duration += sample->weight * sample->duration;
}

void
input_unknown(struct input *in, const char *event)
{
	in->unknown++;
	if (!in->example)
		in->example = xstrdup(event);
}

void
input_free(struct input *in)
{
	for (size_t i = 0; i < in->keys.n; i++)
		free(in->aggregate[i].total);
	free(in->aggregate);
	key_set_free(&in->keys);
	free(in->example);
	*in = (struct input){0};
}

/* Rows of pcb-collect ddio ------------------------------------------------- */

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

	if (isnan(s.running) != isnan(s.enabled))
		table_die(t, need_column(t, "event"),
		          "enabled_ns and running_ns belong together");
	if (s.running > s.enabled)
		table_die(t, need_column(t, "running_ns"),
		          "longer than enabled_ns");
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
	key->length = 0;
	for (size_t i = 0; i < t->ncols; i++) {
		if (is_common(t->name[i]))
			key_append(key, i, t->field[i]);
	}
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
