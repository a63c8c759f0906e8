/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loops that time transfers of queues. */
#include "collect/host/queue.h"

#include "common/base/intmath.h"

/* Turns of a loop between looks at the clock. */
#define LOOK_EVERY 1024

/*
 * Time between looks at the device: a look may read a register, which delays
 * the CPU and the device.
 */
#define LOOK_NS UINT64_C(1000000)

/* A wait for transfers; zero-initialise. */
struct wait {
	uint64_t turns, done;
	uint64_t since;       /* time of the last progress */
	uint64_t looked, now; /* times of looks; 0: none yet */
};

/*
 * Call in each turn; `done` counts transfers. Times are taken before the turn:
 * the process may be stopped anywhere.
 */
static bool
queue_look(struct session *s, struct queue *q, struct wait *w, uint64_t done)
{
	uint64_t before = w->now;

	if (++w->turns % LOOK_EVERY && !q->type->sleeps)
		return true;
	w->now = stops_look(&q->stops);
	if (!before)
		w->looked = w->now;
	if (!before || done != w->done)
		before = w->since = w->now;
	w->done = done;
	if (w->now - w->looked < LOOK_NS)
		return true;
	w->looked = w->now;
	return !q->type->look || q->type->look(s, before - w->since);
}

static bool
queue_wait(struct session *s, struct queue *q)
{
	struct wait w = {0};

	while (!q->type->is_done(s)) {
		if (!queue_look(s, q, &w, 0))
			return false;
	}
	return true;
}

bool
queue_finish(struct session *s, struct queue *q)
{
	uint32_t slot;

	return q->type->submit(s) && queue_wait(s, q) &&
	       q->type->take(s, &slot);
}

/* Before a pass, while no transfer is under way. */
static void
queue_set_caches(const struct queue *q)
{
	if (!order_is_new(&q->buffer->order))
		return;
	dma_buffer_set_cache(q->buffer);
	if (q->second)
		dma_buffer_set_cache(q->second);
}

static bool
queue_time_each(struct session *s, struct queue *q, uint64_t want)
{
	const struct queue_type *type = q->type;

	for (uint64_t i = 0; i < want && !*s->interrupted; i++) {
		uint64_t begin, ticks;
		uint32_t slot;

		queue_set_caches(q);
		type->put(s, 0, order_next(&q->buffer->order));
		begin = counter_begin();
		if (!type->submit(s) || !queue_wait(s, q))
			return false;
		ticks = counter_end() - begin;
		if (!type->take(s, &slot))
			return false;
		s->series->raw[i] =
		    type->ps ? type->ps(s, ticks) : clock_ps(q->clock, ticks);
		s->series->n = i + 1;
	}
	return true;
}

static bool
queue_flush(struct session *s, struct queue *q)
{
	if (!q->ready)
		return true;
	q->ready = 0;
	return q->type->submit(s);
}

static bool
queue_put(struct session *s, struct queue *q, uint32_t slot)
{
	q->type->put(s, slot, order_next(&q->buffer->order));
	q->begun++;
	return ++q->ready < q->batch || queue_flush(s, q);
}

/* Keeps all slots full until `limit` transfers have begun, or a signal. */
static bool
queue_run_until(struct session *s, struct queue *q, uint64_t limit)
{
	struct wait w = {.done = q->done};

	for (uint32_t slot = 0; slot < q->slots && q->begun < limit; slot++) {
		if (!queue_put(s, q, slot))
			return false;
	}
	while (q->done < q->begun) {
		uint32_t slot;

		if (!q->type->is_done(s)) {
			if (!queue_flush(s, q))
				return false;
		} else {
			if (!q->type->take(s, &slot))
				return false;
			q->done++;
			if (q->begun < limit && !*s->interrupted &&
			    !queue_put(s, q, slot))
				return false;
		}
		if (!queue_look(s, q, &w, q->done))
			return false;
	}
	return true;
}

/* Pass by pass, because the caches are set while nothing is under way. */
static bool
queue_time_many(struct session *s, struct queue *q, uint64_t want)
{
	const struct order *order = &q->buffer->order;
	uint64_t ticks = 0;

	q->begun = q->done = 0;
	q->ready = 0;
	while (q->done < want && !*s->interrupted) {
		bool kept = q->buffer->point.cache == CACHE_DEVICE_WARM;
		uint64_t left = want - q->done;
		uint64_t begin;

		if (!kept)
			left = min_u64(left, order_left(order));
		queue_set_caches(q);
		begin = counter_begin();
		stops_begin(&q->stops);
		if (!queue_run_until(s, q, q->done + left))
			return false;
		stops_end(&q->stops);
		ticks += counter_end() - begin;
	}
	if (!q->done)
		return true;
	s->series->raw[0] = q->done;
	s->series->raw[1] = q->done * q->buffer->point.size;
	s->series->raw[2] = clock_ps(q->clock, ticks);
	s->series->n = 1;
	return true;
}

bool
queue_run(struct session *s, struct queue *q, uint64_t want)
{
	return s->request->bench->totals ? queue_time_many(s, q, want)
	                                 : queue_time_each(s, q, want);
}

bool
queue_prove(struct session *s, struct queue *q, uint64_t *missed)
{
	const struct point *point = &q->buffer->point;
	unsigned char *at = q->buffer->memory.at + point->offset;
	unsigned char *first = xmalloc(point->size);
	bool ok;

	memset(at, 0xee, point->size);
	q->type->put(s, 0, 0);
	ok = queue_finish(s, q);
	memcpy(first, at, point->size);
	memset(at, 0x11, point->size);
	q->type->put(s, 0, 0);
	ok = ok && queue_finish(s, q);
	*missed = 0;
	while (*missed < point->size &&
	       !(first[*missed] == 0xee && at[*missed] == 0x11))
		++*missed;
	free(first);
	return ok;
}
