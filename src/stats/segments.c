/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/segments.h"

#include "common/base/debug.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_BYTES (UINT64_C(4) << 20)

struct division
division_by_cpus(void)
{
	struct division division = {.threads = 1, .least = LEAST_BYTES};
	cpu_set_t cpus;

	if (!sched_getaffinity(0, sizeof cpus, &cpus))
		division.threads = (size_t)CPU_COUNT(&cpus);
	if (division.threads > 1 + SEGMENTS_MAX)
		division.threads = 1 + SEGMENTS_MAX;
	return division;
}

static void *
read_segment(void *data)
{
	struct reading *r = data;

	reading_take_plain_rows(r);
	reading_finish(r);
	reading_free(r);
	return NULL;
}

/* The columns as they are known; the request stays with the owner. */
static struct columns
copy_of(const struct columns *c)
{
	struct columns copy = *c;

	copy.by = NULL;
	copy.nby = 0;
	copy.key = xreallocarray(NULL, c->nkey + 1, sizeof *copy.key);
	memcpy(copy.key, c->key, c->nkey * sizeof *copy.key);
	return copy;
}

static void
close_segment(struct segment *s)
{
	table_close(s->fork);
	free(s->reading.tally);
	groups_free(&s->groups);
	columns_free(&s->columns);
}

/* False if there is no thread for it. */
static bool
open_segment(struct segment *s, const struct reading *r, uint64_t begin,
             uint64_t end)
{
	*s = (struct segment){
	    .begin = begin,
	    .fork = table_fork(r->table, begin, end),
	    .columns = copy_of(r->columns),
	};
	s->reading = (struct reading){
	    .table = s->fork,
	    .columns = &s->columns,
	    .groups = &s->groups,
	    .tally = xcalloc(1, sizeof *s->reading.tally),
	};
	reading_begin(&s->reading);
	if (!pthread_create(&s->thread, NULL, read_segment, &s->reading))
		return true;
	close_segment(s);
	return false;
}

/* Rows are traced in order, and weights may exceed the largest count. */
static bool
may_divide(const struct reading *r)
{
	const struct columns *c = r->columns;

	return !(debug_mask & DEBUG_ROWS) && c->known == r->table->ncols &&
	       c->measure_col >= 0 && c->count_col < 0;
}

static void
divide(struct segments *s, const struct reading *r)
{
	uint64_t begin[SEGMENTS_MAX + 1];
	size_t n = 0;

	if (may_divide(r))
		n = table_cut(r->table, s->division.threads - 1, begin);
	begin[n] = 0;
	while (s->n < n &&
	       open_segment(&s->segment[s->n], r, begin[s->n], begin[s->n + 1]))
		s->n++;
}

static void
take_groups(struct reading *r, const struct segment *s)
{
	const struct groups *from = &s->groups;
	struct groups *to = r->groups;

	for (size_t k = 0; k < from->keys.n; k++) {
		if (!histogram_merge(groups_find(to, &from->keys.key[k]),
		                     &from->histogram[k]))
			table_die(r->table, (size_t)r->columns->measure_col,
			          "more samples than can be counted");
	}
	r->skipped += s->reading.skipped;
}

/* Sorts what has been read while the other thread sorts. */
static void
take_segment(struct segments *s, struct reading *r)
{
	struct segment *segment = &s->segment[s->next++];

	reading_finish(r);
	pthread_join(segment->thread, NULL);
	if (table_join(r->table, segment->fork))
		take_groups(r, segment);
	close_segment(segment);
}

void
segments_continue(struct segments *s, struct reading *r)
{
	if (s->next < s->n &&
	    s->segment[s->next].begin == table_tell(r->table)) {
		take_segment(s, r);
	} else {
		segments_end(s);
		divide(s, r);
	}
	table_pause(r->table, s->next < s->n ? s->segment[s->next].begin : 0);
}

void
segments_end(struct segments *s)
{
	for (; s->next < s->n; s->next++) {
		pthread_join(s->segment[s->next].thread, NULL);
		close_segment(&s->segment[s->next]);
	}
	s->n = s->next = 0;
}
