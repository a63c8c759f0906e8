/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --find: finds the part that counts more while there is traffic. */
#include "collect/pmu/find_search.h"

#include "common/base/list.h"
#include "common/base/util.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* The first must exceed the second by this factor. */
#define CLEAR 2

struct state {
	struct pmu_search *search;
	struct pmu_reading *reading; /* one per counter */
	size_t *spot;                /* one per counter; nspots: none */
	double *rate;                /* one per spot, in one interval */
};

static size_t
find_spot(struct pmu_search *search, const struct pmu_source *source)
{
	size_t i = 0;

	for (; i < search->nspots; i++) {
		const struct pmu_spot *spot = &search->spot[i];

		if (spot->unit == source->unit && spot->at == source->at &&
		    spot->part == source->part)
			return i;
	}
	array_push(search->spot, search->nspots,
	           (struct pmu_spot){.unit = source->unit,
	                             .at = source->at,
	                             .part = source->part,
	                             .busy_min = INFINITY});
	return i;
}

static bool
is_counted(const struct pmu_plan *plan, size_t counter)
{
	return plan->source[counter].part >= 0 &&
	       plan->counters.counter[counter].fd >= 0;
}

static void
make_spots(struct state *state)
{
	const struct pmu_plan *plan = state->search->plan;

	for (size_t i = 0; i < plan->counters.n; i++) {
		if (is_counted(plan, i))
			state->spot[i] =
			    find_spot(state->search, &plan->source[i]);
	}
}

/* Adds up the rates of each spot; scales counters that did not always run. */
static bool
add_rates(struct state *state, size_t *at)
{
	const struct pmu_search *search = state->search;

	for (size_t i = 0; i < search->nspots; i++)
		state->rate[i] = 0;
	for (*at = 0; *at < search->plan->counters.n; ++*at) {
		const struct pmu_reading *r = &state->reading[*at];

		if (!is_counted(search->plan, *at))
			continue;
		errno = ENODATA;
		if (!r->running)
			return false;
		state->rate[state->spot[*at]] +=
		    1e9 * (double)r->value / (double)r->running;
	}
	return true;
}

static void
record(struct state *state, bool busy)
{
	struct pmu_search *search = state->search;

	for (size_t i = 0; i < search->nspots; i++) {
		struct pmu_spot *spot = &search->spot[i];
		double rate = state->rate[i];
		double share = rate / (double)search->rounds;

		if (busy) {
			spot->busy += share;
			spot->busy_min = fmin(spot->busy_min, rate);
		} else {
			spot->quiet += share;
			spot->quiet_max = fmax(spot->quiet_max, rate);
		}
	}
}

/* Discards counts from before the interval. */
static bool
count_interval(struct state *state, bool busy, size_t *at)
{
	struct pmu_search *search = state->search;
	struct pmu_counters *c = &search->plan->counters;

	if (!pmu_read(c, state->reading, at))
		return false;
	if (!search->pass(search->context, busy)) {
		errno = ECANCELED;
		return false;
	}
	if (!pmu_read(c, state->reading, at) || !add_rates(state, at))
		return false;
	record(state, busy);
	return true;
}

static bool
count_rounds(struct state *state, size_t *at)
{
	struct pmu_search *search = state->search;

	if (!pmu_start(&search->plan->counters, at))
		return false;
	for (uint64_t i = 0; i < 2 * search->rounds; i++) {
		if (!count_interval(state, i % 2, at))
			return false;
		if (search->progress)
			search->progress(search->context,
			                 (double)(i + 1) /
			                     (double)(2 * search->rounds));
	}
	return true;
}

bool
pmu_search_run(struct pmu_search *search, size_t *at)
{
	size_t n = search->plan->counters.n;
	struct state state = {
	    .search = search,
	    .reading = xcalloc(n, sizeof *state.reading),
	    .spot = xcalloc(n, sizeof *state.spot),
	};
	bool ok;
	int error;

	make_spots(&state);
	state.rate = xcalloc(search->nspots, sizeof *state.rate);
	ok = !search->nspots || count_rounds(&state, at);
	error = errno;
	free(state.reading);
	free(state.spot);
	free(state.rate);
	errno = error;
	return ok;
}

double
pmu_spot_rise(const struct pmu_spot *spot)
{
	return spot->busy - spot->quiet;
}

static bool
is_higher(const struct pmu_spot *spot, const struct pmu_spot *than)
{
	return !than || pmu_spot_rise(spot) > pmu_spot_rise(than);
}

enum pmu_verdict
pmu_search_judge(const struct pmu_search *search, const struct pmu_spot **best,
                 const struct pmu_spot **next)
{
	*best = *next = NULL;
	for (size_t i = 0; i < search->nspots; i++) {
		const struct pmu_spot *spot = &search->spot[i];

		if (spot->busy_min > spot->quiet_max && is_higher(spot, *best))
			*best = spot;
	}
	for (size_t i = 0; i < search->nspots; i++) {
		const struct pmu_spot *spot = &search->spot[i];

		if (spot != *best && is_higher(spot, *next))
			*next = spot;
	}
	if (!*best)
		return PMU_NONE;
	if (*next && pmu_spot_rise(*best) < CLEAR * pmu_spot_rise(*next))
		return PMU_UNCLEAR;
	return PMU_FOUND;
}

void
pmu_search_free(struct pmu_search *search)
{
	free(search->spot);
	search->spot = NULL;
	search->nspots = 0;
}
