/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums counts by socket, unit, part and interval. */
#include "ddio/counts.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

size_t
counts_aggregate(struct counts *c, const struct key *key)
{
	size_t before = c->keys.n;
	size_t number = key_set_intern(&c->keys, key);

	if (c->room < c->keys.n) {
		c->room = c->keys.max;
		c->aggregate =
		    xreallocarray(c->aggregate, c->room, sizeof *c->aggregate);
	}
	if (number == before)
		c->aggregate[number] = (struct aggregate){.unit = number};
	return number;
}

static struct total *
total_of(struct aggregate *aggregate, const struct event *event)
{
	for (size_t i = 0; i < aggregate->n; i++) {
		if (aggregate->total[i].event == event)
			return &aggregate->total[i];
	}
	aggregate->total = xreallocarray(aggregate->total, aggregate->n + 1,
	                                 sizeof *aggregate->total);
	aggregate->total[aggregate->n] = (struct total){.event = event};
	return &aggregate->total[aggregate->n++];
}

void
counts_add(struct counts *c, size_t aggregate, const struct event_count *sample)
{
	struct total *total = total_of(&c->aggregate[aggregate], sample->event);

	total->n += sample->weight;
	total->missing = total->missing || sample->missing;
	if (sample->missing)
		return;
	total->value += sample->weight * sample->value;
	total->enabled += sample->weight * sample->enabled;
	total->running += sample->weight * sample->running;
	total->duration += sample->weight * sample->duration;
}

const struct total *
counts_find(const struct aggregate *aggregate, const char *event)
{
	for (size_t i = 0; i < aggregate->n; i++) {
		if (!strcmp(aggregate->total[i].event->name, event))
			return &aggregate->total[i];
	}
	return NULL;
}

void
counts_free(struct counts *c)
{
	for (size_t i = 0; i < c->keys.n; i++)
		free(c->aggregate[i].total);
	free(c->aggregate);
	key_set_free(&c->keys);
	*c = (struct counts){0};
}
