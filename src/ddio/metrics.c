/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes metrics by their formulas. */
#include "ddio/ddio.h"

#include "common/base/util.h"

#include <math.h>

/* The counts of a metric; missing ones are `none`. */
struct operands {
	const struct event_count *total[3];
	size_t n;
};

static const struct event_count none;

/* The count of an event in the aggregate itself, or NULL. */
static const struct event_count *
find_own(const struct aggregate *aggregate, const char *event)
{
	for (size_t i = 0; i < aggregate->n; i++) {
		if (!strcmp(aggregate->total[i].event->name, event))
			return &aggregate->total[i];
	}
	return NULL;
}

/* The clock is counted for the part's unit. */
static const struct event_count *
find(const struct input *in, size_t aggregate, const char *event)
{
	const struct event_count *total =
	    find_own(&in->aggregate[aggregate], event);

	if (total)
		return total;
	return find_own(&in->aggregate[in->aggregate[aggregate].unit], event);
}

/* The first operand is in this aggregate: a metric belongs to its subject. */
static enum metric_outcome
find_operands(const struct metric *m, const struct input *in, size_t aggregate,
              struct operands *o)
{
	enum metric_outcome outcome = METRIC_GIVEN;

	if (!find_own(&in->aggregate[aggregate], m->event[0]))
		return METRIC_ABSENT;
	for (; o->n < ARRAY_LEN(m->event) && m->event[o->n]; o->n++) {
		const struct event_count *total =
		    find(in, aggregate, m->event[o->n]);

		if (!total)
			return METRIC_ABSENT;
		if (total->missing)
			outcome = METRIC_MISSING;
		o->total[o->n] = total;
	}
	return outcome;
}

static unsigned
flags_of_times(const struct metric *m, const struct operands *o)
{
	unsigned flags = 0;

	for (size_t i = 0; i < o->n; i++) {
		const struct event_count *t = o->total[i];
		const struct event_count *first = o->total[0];
		/*
		 * A clock counted all the time has the interval's rate, so
		 * other counts need not cover the same time. A unit's clock is
		 * in no group.
		 */
		bool whole_clock = m->formula == CLOCKS_AS_NS && i == 2 &&
		                   t->running >= t->enabled;

		if (t->running < t->enabled || t->scaled)
			flags |= METRIC_SCALED;
		if (!whole_clock &&
		    (islessgreater(t->running, first->running) ||
		     islessgreater(t->enabled, first->enabled)))
			flags |= METRIC_UNGROUPED;
	}
	return flags;
}

/* Largest difference of hits and misses from all, as a part: 2 %. */
#define INCONSISTENT_ABOVE 0.02

/* If hit or miss was not counted, the other cannot exceed the whole. */
static bool
is_inconsistent(const struct metric *m, const struct input *in,
                size_t aggregate)
{
	const struct event_count *whole, *hit, *miss;
	double sum;

	if (!m->whole)
		return false;
	whole = find(in, aggregate, m->whole);
	hit = find(in, aggregate, m->hit);
	miss = find(in, aggregate, m->miss);
	if (!whole || whole->missing)
		return false;
	sum = (hit ? hit->value : 0) + (miss ? miss->value : 0);
	if (hit && miss && !hit->missing && !miss->missing)
		return fabs(sum - whole->value) >
		       INCONSISTENT_ABOVE * whole->value;
	return sum > (1 + INCONSISTENT_ABOVE) * whole->value;
}

/* Of one interval, in nanoseconds; NAN if unknown. */
static double
duration_of(const struct event_count *t, double duration)
{
	double own = t->duration / t->weight;

	return isnan(own) ? duration : own;
}

/* Clocks per nanosecond of one unit: both sums are over equally many. */
static double
clock_rate(const struct event_count *clock, double duration)
{
	if (isnan(clock->enabled))
		return clock->value / clock->weight /
		       duration_of(clock, duration);
	return clock->value / clock->enabled;
}

static double
formula_value(const struct metric *m, const struct operands *o, double duration)
{
	const struct event_count *const *t = o->total;
	double sum = 0;

	switch (m->formula) {
	case PERCENT:
		return 100 * t[0]->value / t[1]->value;
	case PER_SECOND:
		return t[0]->value * 1e9 / duration_of(t[0], duration);
	case GBIT_S:
		for (size_t i = 0; i < o->n; i++)
			sum += 8 * t[i]->event->bytes * t[i]->value /
			       duration_of(t[i], duration);
		return sum;
	case CLOCKS_AS_NS:
		return t[0]->value / t[1]->value / clock_rate(t[2], duration);
	default:
		return t[0]->value / t[1]->value;
	}
}

enum metric_outcome
metric_compute(const struct metric *metric, const struct input *in,
               size_t aggregate, double duration, struct metric_value *result)
{
	struct operands o = {.total = {&none, &none, &none}};
	bool divides =
	    metric->formula != PER_SECOND && metric->formula != GBIT_S;
	enum metric_outcome outcome = find_operands(metric, in, aggregate, &o);

	if (outcome != METRIC_GIVEN)
		return outcome;
	for (size_t i = 1; divides && i < o.n; i++) {
		if (o.total[i]->value <= 0)
			return METRIC_ABSENT;
	}
	result->value = formula_value(metric, &o, duration);
	if (!isfinite(result->value))
		return METRIC_UNTIMED;
	result->flags = flags_of_times(metric, &o);
	if (is_inconsistent(metric, in, aggregate))
		result->flags |= METRIC_INCONSISTENT;
	/* Above 100 % the value is dropped; the counts show the error. */
	if (result->flags & METRIC_INCONSISTENT && metric->formula == PERCENT &&
	    result->value > 100)
		result->value = NAN;
	return METRIC_GIVEN;
}
