/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times transfers, one at a time or many. */
#include "collect/rdma/rdma.h"

#include "common/base/intmath.h"

/* Transfers between looks at the clock. */
#define LOOK_EVERY 64

static void
rdma_set_caches(struct rdma *r)
{
	dma_buffer_set_cache(&r->window.buffer);
	if (r->target.mr)
		dma_buffer_set_cache(&r->target.buffer);
}

/* Picoseconds of one transfer, by the device's clock if it has one. */
static bool
rdma_time_one(struct session *s, uint64_t at, uint64_t *ps)
{
	struct rdma *r = s->state;
	struct rdma_done first, last;
	uint64_t begin = counter_begin(), end;

	if (!rdma_submit(s, &r->plan, 0, at) ||
	    (r->stamped && !rdma_finish_one(s, &first)) ||
	    !rdma_finish_one(s, &last))
		return false;
	end = counter_end();
	*ps = r->stamped ? rdma_clock_ps(&r->clock, first.stamp, last.stamp)
	                 : clock_ps(&r->host.clock, end - begin);
	return true;
}

bool
rdma_time_each(struct session *s, uint64_t want)
{
	struct rdma *r = s->state;
	struct dma_buffer *window = &r->window.buffer;

	for (uint64_t i = 0; i < want && !*s->interrupted; i++) {
		if (order_is_new(&window->order))
			rdma_set_caches(r);
		if (!rdma_time_one(s, dma_buffer_next(window),
		                   &s->series->raw[i]))
			return false;
		s->series->n = i + 1;
	}
	return true;
}

static bool
rdma_submit_next(struct session *s, uint32_t q)
{
	struct rdma *r = s->state;

	r->submitted++;
	return rdma_submit(s, &r->plan, q, dma_buffer_next(&r->window.buffer));
}

static bool
rdma_fill_queues(struct session *s, uint64_t limit)
{
	struct rdma *r = s->state;

	for (uint32_t d = 0; d < rdma_depth(s); d++) {
		for (uint32_t q = 0; q < rdma_qps(s) && r->submitted < limit;
		     q++) {
			if (!rdma_submit_next(s, q))
				return false;
		}
	}
	return true;
}

/* Keeps all queues full until `limit` transfers are done, or a signal. */
static bool
rdma_run_until(struct session *s, uint64_t limit)
{
	struct rdma *r = s->state;

	stops_begin(&r->stops);
	if (!rdma_fill_queues(s, limit))
		return false;
	while (r->done < r->submitted) {
		struct rdma_done done;

		if (!rdma_finish_one(s, &done))
			return false;
		if (!(++r->done % LOOK_EVERY))
			stops_look(&r->stops);
		if (r->submitted < limit && !*s->interrupted &&
		    !rdma_submit_next(s, (uint32_t)done.q))
			return false;
	}
	stops_end(&r->stops);
	return true;
}

/* One pass at a time: the cache is set while no transfer is under way. */
bool
rdma_time_many(struct session *s, uint64_t want)
{
	struct rdma *r = s->state;
	const struct order *order = &r->window.buffer.order;
	uint64_t ticks = 0;

	r->submitted = r->done = 0;
	while (r->done < want && !*s->interrupted) {
		uint64_t left = min_u64(want - r->done, order_left(order));
		uint64_t begin, limit = r->done + left;

		if (order_is_new(order))
			rdma_set_caches(r);
		begin = counter_begin();
		if (!rdma_run_until(s, limit))
			return false;
		ticks += counter_end() - begin;
	}
	if (!r->done)
		return true;
	s->series->raw[0] = r->done;
	s->series->raw[1] = r->done * r->window.buffer.point.size;
	s->series->raw[2] = clock_ps(&r->host.clock, ticks);
	s->series->n = 1;
	return true;
}
