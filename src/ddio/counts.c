/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ddio/counts.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

size_t
counts_place(struct counts *c, const struct key *key)
{
	size_t before = c->keys.n;
	size_t number = key_set_intern(&c->keys, key);

	if (c->nplaces < c->keys.n) {
		c->nplaces = c->keys.max;
		c->place =
		    xreallocarray(c->place, c->nplaces, sizeof *c->place);
	}
	if (number == before)
		c->place[number] = (struct place){.unit = number};
	return number;
}

static struct total *
total_of(struct place *place, const struct event *event)
{
	for (size_t i = 0; i < place->n; i++) {
		if (place->total[i].event == event)
			return &place->total[i];
	}
	place->total =
	    xreallocarray(place->total, place->n + 1, sizeof *place->total);
	place->total[place->n] = (struct total){.event = event};
	return &place->total[place->n++];
}

void
counts_add(struct counts *c, size_t place, const struct sample *sample)
{
	struct total *total = total_of(&c->place[place], sample->event);

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
counts_find(const struct place *place, const char *event)
{
	for (size_t i = 0; i < place->n; i++) {
		if (!strcmp(place->total[i].event->name, event))
			return &place->total[i];
	}
	return NULL;
}

void
counts_free(struct counts *c)
{
	for (size_t i = 0; i < c->keys.n; i++)
		free(c->place[i].total);
	free(c->place);
	key_set_free(&c->keys);
	*c = (struct counts){0};
}
