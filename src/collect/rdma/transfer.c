/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Posts transfers, waits for their completions and times both. */
#include "collect/rdma/rdma.h"

#include "common/base/intmath.h"

#include <string.h>

/* How often loops look at the time, and how long they wait for a completion. */
#define LOOK_EVERY 1024
#define LIMIT_NS   UINT64_C(10000000000)

/* Nothing else lets so much time pass between two looks. */
#define STOPPED_NS UINT64_C(1000000000)

/* Units of the window that are transferred before what is timed. */
#define PROVEN_UNITS 256

/* What the device writes, and what is there before; no pattern repeats soon. */
#define FILLED(i) ((unsigned char)(7 * (i) + 1 + ((i) >> 8)))
#define EMPTY     0xee

/* A transfer at this byte of the buffers, by queue pair q. */
static bool
rdma_post_at(struct session *s, uint32_t q, uint64_t at)
{
	struct rdma *r = s->state;
	struct ibv_sge source = {.addr =
	                             (uintptr_t)r->from.buffer.memory.at + at,
	                         .length = (uint32_t)r->from.buffer.point.size,
	                         .lkey = r->from.mr->lkey};
	struct ibv_send_wr wr = {.wr_id = q,
	                         .sg_list = &source,
	                         .num_sge = 1,
	                         .opcode = IBV_WR_RDMA_WRITE,
	                         .send_flags = IBV_SEND_SIGNALED},
	                   *bad;
	int error;

	if (r->set.inlined)
		wr.send_flags |= IBV_SEND_INLINE;
	wr.wr.rdma.remote_addr = (uintptr_t)r->to.buffer.memory.at + at;
	wr.wr.rdma.rkey = r->to.mr->rkey;
	error = ibv_post_send(r->queue[q].qp, &wr, &bad);
	if (error)
		return fail(s, STATUS_TROUBLE, "%s: ibv_post_send: %s",
		            r->device.name, strerror(error));
	r->queue[q].under_way++;
	r->submitted++;
	return true;
}

static bool
rdma_post(struct session *s, uint32_t q)
{
	struct rdma *r = s->state;

	return rdma_post_at(s, q, dma_buffer_next(&r->from.buffer));
}

/* Counts a completion on its queue pair; false after fail() if it is an error.
 */
static bool
rdma_count(struct session *s, const struct ibv_wc *wc)
{
	struct rdma *r = s->state;

	if (wc->status != IBV_WC_SUCCESS)
		return fail(s, STATUS_TROUBLE,
		            "%s: a transfer failed: %s (%d, vendor error "
		            "0x%x)",
		            r->device.name, r->verbs.wc_status_str(wc->status),
		            wc->status, wc->vendor_err);
	r->queue[wc->wr_id].under_way--;
	r->done++;
	return true;
}

/* A process may be stopped at any place: what counts is the time before. */
static bool
rdma_wait(struct session *s, struct ibv_wc *wc)
{
	struct rdma *r = s->state;
	uint64_t begin = 0, now = 0;
	int n;

	for (uint64_t spins = 1; !(n = ibv_poll_cq(r->cq, 1, wc)); spins++) {
		uint64_t before = now;

		if (spins % LOOK_EVERY)
			continue;
		now = now_ns();
		if (!before)
			begin = before = now;
		if (now - before >= STOPPED_NS)
			r->stopped_ns += now - before;
		if (before - begin > LIMIT_NS)
			return fail(s, STATUS_TROUBLE,
			            "%s: a transfer has not ended after 10 s: "
			            "it was removed, or hangs",
			            r->device.name);
	}
	return n > 0 || fail(s, STATUS_TROUBLE, "%s: ibv_poll_cq: error %d",
	                     r->device.name, n);
}

static bool
rdma_finish_one(struct session *s, uint32_t *q)
{
	struct ibv_wc wc;

	if (!rdma_wait(s, &wc) || !rdma_count(s, &wc))
		return false;
	*q = (uint32_t)wc.wr_id;
	return true;
}

/* Proof ------------------------------------------------------------------- */

static uint64_t
rdma_proven_units(const struct dma_buffer *b)
{
	return min_u64(b->order.units, PROVEN_UNITS);
}

/* Whether the proof writes a byte of the window. */
static bool
rdma_is_inside(const struct dma_buffer *b, uint64_t i)
{
	uint64_t in_unit = i % b->unit;

	return i / b->unit < rdma_proven_units(b) &&
	       in_unit >= b->point.offset &&
	       in_unit - b->point.offset < b->point.size;
}

static bool
rdma_compare(struct session *s)
{
	struct rdma *r = s->state;
	const struct dma_buffer *b = &r->from.buffer;
	const unsigned char *at = r->to.buffer.memory.at;

	for (uint64_t i = 0; i < b->point.window; i++) {
		bool inside = rdma_is_inside(b, i);

		if (at[i] == (inside ? FILLED(i) : EMPTY))
			continue;
		return fail(s, STATUS_TROUBLE,
		            inside ? "%s: byte %ju of the window does not "
		                     "hold what was written to it"
		                   : "%s: byte %ju of the window was "
		                     "overwritten, though no transfer goes "
		                     "there",
		            r->device.name, (uintmax_t)i);
	}
	return true;
}

bool
rdma_prove(struct session *s)
{
	struct rdma *r = s->state;
	struct dma_buffer *b = &r->from.buffer;
	uint32_t q;

	for (uint64_t i = 0; i < b->point.window; i++)
		b->memory.at[i] = FILLED(i);
	memset(r->to.buffer.memory.at, EMPTY, b->point.window);
	for (uint64_t i = 0; i < rdma_proven_units(b); i++) {
		if (!rdma_post_at(s, (uint32_t)(i % rdma_qps(s)),
		                  i * b->unit + b->point.offset) ||
		    !rdma_finish_one(s, &q))
			return false;
	}
	return rdma_compare(s);
}

/* Time -------------------------------------------------------------------- */

static void
rdma_set_caches(struct rdma *r)
{
	dma_buffer_set_cache(&r->from.buffer);
	dma_buffer_set_cache(&r->to.buffer);
}

bool
rdma_time_each(struct session *s, uint64_t want)
{
	struct rdma *r = s->state;

	for (uint64_t i = 0; i < want && !*s->interrupted; i++) {
		uint64_t begin, end;
		uint32_t q;

		if (order_is_new(&r->from.buffer.order))
			rdma_set_caches(r);
		begin = counter_begin();
		if (!rdma_post(s, 0) || !rdma_finish_one(s, &q))
			return false;
		end = counter_end();
		s->series->raw[i] = clock_ps(&r->host.clock, end - begin);
		s->series->n = i + 1;
	}
	return true;
}

static bool
rdma_fill_queues(struct session *s, uint64_t limit)
{
	struct rdma *r = s->state;

	for (uint32_t d = 0; d < rdma_depth(s); d++) {
		for (uint32_t q = 0; q < rdma_qps(s) && r->submitted < limit;
		     q++) {
			if (!rdma_post(s, q))
				return false;
		}
	}
	return true;
}

/* All on their way at a time, until `limit` of them or a signal. */
static bool
rdma_run_until(struct session *s, uint64_t limit)
{
	struct rdma *r = s->state;

	if (!rdma_fill_queues(s, limit))
		return false;
	while (r->done < r->submitted) {
		uint32_t q;

		if (!rdma_finish_one(s, &q))
			return false;
		if (r->submitted < limit && !*s->interrupted &&
		    !rdma_post(s, q))
			return false;
	}
	return true;
}

/* Pass by pass, since the cache is set when nothing is on its way. */
bool
rdma_time_many(struct session *s, uint64_t want)
{
	struct rdma *r = s->state;
	const struct order *order = &r->from.buffer.order;
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
	s->series->raw[1] = r->done * r->from.buffer.point.size;
	s->series->raw[2] = clock_ps(&r->host.clock, ticks);
	s->series->n = 1;
	return true;
}
