/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts samples by text: a cache with one entry per hash. */
#include "stats/tally.h"

#include "common/stream/swar.h"

static struct tallied *
find(struct tally *tally, size_t group, uint64_t text)
{
	uint64_t hash = (text + group) * UINT64_C(0x9e3779b97f4a7c15);

	return &tally->entry[hash >> 32 & (TALLY_TEXTS - 1)];
}

bool
tally_add(struct tally *tally, size_t group, uint64_t word)
{
	struct tallied *e = find(tally, group, word);

	if (!word || e->text != word || e->group != group)
		return false;
	e->count++;
	return true;
}

struct tallied
tally_learn(struct tally *tally, const struct tallied *sample, uint64_t word)
{
	struct tallied *e = find(tally, sample->group, word);
	struct tallied former = *e;

	if (!word)
		return *sample;
	*e = *sample;
	e->text = word;
	return former;
}
