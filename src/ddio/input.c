/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by both inputs: finds the aggregate of a count. */
#include "ddio/input.h"

#include <stdlib.h>
#include <string.h>

bool
is_common(const char *name)
{
	return is_identity(name) && strcmp(name, "event") != 0 &&
	       strcmp(name, "unit") != 0 && strcmp(name, "part") != 0;
}

static size_t
aggregate_of(struct input *in, const struct key *common, const char *unit,
             const char *part, const char *time)
{
	struct key key = {.length = common->length, .size = common->length};
	size_t aggregate;

	key.bytes = xmalloc(common->length + 1);
	if (common->length)
		memcpy(key.bytes, common->bytes, common->length);
	key_append(&key, UNIT_COL, unit);
	key_append(&key, PART_COL, part);
	key_append(&key, TIME_COL, time);
	aggregate = counts_aggregate(&in->counts, &key);
	free(key.bytes);
	return aggregate;
}

void
input_add(struct input *in, struct key *key, const char *unit, const char *part,
          const char *time, const struct event_count *sample)
{
	bool of_part = sample->event->scope == OF_PART;
	size_t whole = aggregate_of(in, key, of_part ? unit : "", "", time);
	size_t aggregate = whole;

	if (of_part && *part) {
		aggregate = aggregate_of(in, key, unit, part, time);
		in->counts.aggregate[aggregate].unit = whole;
	}
	counts_add(&in->counts, aggregate, sample);
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
	counts_free(&in->counts);
	free(in->example);
	free(in->lines.buffer);
	*in = (struct input){0};
}
