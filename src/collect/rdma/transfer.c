/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Posts transfers and takes their completions; verifies what they write. */
#include "collect/rdma/rdma.h"

#include "common/base/intmath.h"
#include "common/base/number.h"

#include <time.h>

/* Limit of the wait for a completion. */
#define LIMIT_NS UINT64_C(10000000000)

/* The step that starts the clock copies START_BYTES within device memory. */
#define START_BYTES 8

/* Units of the window that are verified before a measurement. */
#define PROVEN_UNITS 256

/* Data written, different for each unit, and the bytes before. */
#define FILLED(i) ((unsigned char)(7 * (i) + 1 + ((i) >> 8) + ((i) >> 16)))
#define EMPTY     0xee

/* Time between two readings, and the relative error of the rate allowed. */
#define PAUSE_NS  50000000
#define TOLERANCE 0.01

/* What a step accesses, if its unit is at byte `at` of the window. */
struct rdma_spot {
	uint64_t address;
	uint32_t size;
	const struct ibv_mr *mr;
};

static struct rdma_spot
rdma_spot(const struct rdma *r, enum rdma_place place, uint64_t at)
{
	const struct rdma_memory *m = &r->memory;
	uint32_t size = (uint32_t)r->window.buffer.point.size;
	const struct rdma_area *area =
	    place == RDMA_WINDOW ? &r->window : &r->target;

	if (place == RDMA_WINDOW || place == RDMA_TARGET)
		return (struct rdma_spot){
		    at + (uintptr_t)area->buffer.memory.at, size, area->mr};
	if (place == RDMA_DEVICE)
		return (struct rdma_spot){0, size, m->mr};
	at = m->start + (place == RDMA_START_TO ? START_BYTES : 0);
	return (struct rdma_spot){at, START_BYTES, m->mr};
}

static void
rdma_put(struct session *s, uint32_t slot, uint64_t unit)
{
	struct rdma *r = s->state;

	r->next.slot = slot;
	r->next.qp = r->qp[slot % r->set.qps];
	r->next.at = dma_buffer_at(&r->window.buffer, unit);
}

/*
 * Posts the steps of a transfer. The last step completes; with the device's
 * clock, also the first. A fence delays a step until reads before it are
 * complete. It does not wait for writes, so only the last step of a plan is a
 * write.
 */
static bool
rdma_submit(struct session *s)
{
	struct rdma *r = s->state;
	const struct rdma_plan *plan = &r->plan;
	struct ibv_send_wr request[RDMA_STEPS_MAX], *bad;
	struct ibv_sge memory[RDMA_STEPS_MAX];
	int error;

	r->looped += r->window.buffer.point.size;
	for (uint32_t i = 0; i < plan->n; i++) {
		const struct rdma_step *step = &plan->step[i];
		struct rdma_spot local = rdma_spot(r, step->local, r->next.at);
		struct rdma_spot remote =
		    rdma_spot(r, step->remote, r->next.at);
		struct ibv_send_wr *wr = &request[i];
		bool last = i + 1 == plan->n;

		memory[i] = (struct ibv_sge){.addr = local.address,
		                             .length = local.size,
		                             .lkey = local.mr->lkey};
		*wr = (struct ibv_send_wr){.wr_id = r->next.slot,
		                           .next = last ? NULL : wr + 1,
		                           .sg_list = &memory[i],
		                           .num_sge = 1,
		                           .opcode = step->opcode};
		wr->wr.rdma.remote_addr = remote.address;
		wr->wr.rdma.rkey = remote.mr->rkey;
		if (last || (r->stamped && !i))
			wr->send_flags |= IBV_SEND_SIGNALED;
		if (i)
			wr->send_flags |= IBV_SEND_FENCE;
		if (r->set.inlined)
			wr->send_flags |= IBV_SEND_INLINE;
	}
	error = ibv_post_send(r->next.qp, request, &bad);
	return !error || rdma_failed(s, "ibv_post_send", error);
}

/* Completions ------------------------------------------------------------- */

static int
rdma_poll_stamped(struct rdma *r, struct rdma_done *done)
{
	struct ibv_poll_cq_attr none = {0};
	int error = ibv_start_poll(r->stamped, &none);

	if (error)
		return error == ENOENT ? 0 : -error;
	done->slot = (uint32_t)r->stamped->wr_id;
	done->status = r->stamped->status;
	if (done->status == IBV_WC_SUCCESS)
		done->stamp = ibv_wc_read_completion_ts(r->stamped);
	else
		done->vendor_error = ibv_wc_read_vendor_err(r->stamped);
	ibv_end_poll(r->stamped);
	return 1;
}

/* Takes a completion: 1; 0: none; below 0: an error. */
static int
rdma_poll(struct rdma *r, struct rdma_done *done)
{
	struct ibv_wc wc;
	int n;

	if (r->stamped)
		return rdma_poll_stamped(r, done);
	n = ibv_poll_cq(r->cq, 1, &wc);
	if (n > 0)
		*done = (struct rdma_done){.slot = (uint32_t)wc.wr_id,
		                           .status = wc.status,
		                           .vendor_error = wc.vendor_err};
	return n;
}

/* With the device's clock, the first step of a transfer completes, too. */
static bool
rdma_is_done(struct session *s)
{
	struct rdma *r = s->state;

	r->done = (struct rdma_done){0};
	r->polled = rdma_poll(r, &r->done);
	if (r->polled > 0 && r->done.status == IBV_WC_SUCCESS && r->stamped &&
	    r->plan.n > 1 && !r->started) {
		r->started = true;
		r->start = r->done.stamp;
		return false;
	}
	return r->polled != 0;
}

static bool
rdma_take(struct session *s, uint32_t *slot)
{
	struct rdma *r = s->state;

	r->started = false;
	*slot = r->done.slot;
	if (r->polled < 0)
		return fail(s, STATUS_TROUBLE, "%s: ibv_poll_cq: error %d",
		            r->device.name, -r->polled);
	return r->done.status == IBV_WC_SUCCESS ||
	       fail(s, STATUS_TROUBLE,
	            "%s: a transfer failed: %s (%d, vendor error 0x%x)",
	            r->device.name, verbs.wc_status_str(r->done.status),
	            r->done.status, r->done.vendor_error);
}

static bool
rdma_look(struct session *s, uint64_t ns)
{
	const struct rdma *r = s->state;

	return ns <= LIMIT_NS ||
	       fail(s, STATUS_TROUBLE,
	            "%s: a transfer has not ended after 10 s: the device was "
	            "removed, or hangs",
	            r->device.name);
}

/* By the device's clock if it has one. */
static uint64_t
rdma_ps(struct session *s, uint64_t ticks)
{
	const struct rdma *r = s->state;

	return r->stamped ? rdma_clock_ps(&r->clock, r->start, r->done.stamp)
	                  : clock_ps(&r->host.clock, ticks);
}

const struct queue_type rdma_queue_type = {.put = rdma_put,
                                           .submit = rdma_submit,
                                           .is_done = rdma_is_done,
                                           .take = rdma_take,
                                           .look = rdma_look,
                                           .ps = rdma_ps};

/* The proof --------------------------------------------------------------- */

/* Runs one step, for this unit. */
static bool
rdma_do(struct session *s, struct rdma_step step, uint64_t unit)
{
	struct rdma *r = s->state;
	struct rdma_plan plan = r->plan;
	bool ok;

	r->plan = (struct rdma_plan){.step = {step}, .n = 1};
	rdma_put(s, 0, unit);
	ok = queue_finish(s, &r->queue);
	r->plan = plan;
	return ok;
}

/* Copies a unit to the other window, or to the device and back. */
static bool
rdma_move(struct session *s, uint64_t unit)
{
	struct rdma *r = s->state;
	struct dma_buffer *b = &r->window.buffer;
	uint64_t at = dma_buffer_at(b, unit);
	enum rdma_place other = r->memory.mr ? RDMA_DEVICE : RDMA_TARGET;
	struct rdma_step there = {IBV_WR_RDMA_WRITE, RDMA_WINDOW, other};
	struct rdma_step back = {IBV_WR_RDMA_READ, RDMA_WINDOW, other};

	for (uint64_t i = at; i < at + b->point.size; i++)
		b->memory.at[i] = FILLED(i);
	if (!rdma_do(s, there, unit))
		return false;
	if (!r->memory.mr)
		return true;
	memset(b->memory.at + at, EMPTY, b->point.size);
	return rdma_do(s, back, unit);
}

bool
rdma_prove(struct session *s)
{
	struct rdma *r = s->state;
	struct dma_buffer *b = &r->window.buffer;
	const struct point *p = &b->point;
	unsigned char *to =
	    (r->memory.mr ? &r->window : &r->target)->buffer.memory.at;
	uint64_t proven = min_u64(b->order.units, PROVEN_UNITS);

	memset(b->memory.at, EMPTY, p->window);
	memset(to, EMPTY, p->window);
	for (uint64_t i = 0; i < proven; i++) {
		if (!rdma_move(s, i))
			return false;
	}
	for (uint64_t i = 0; i < p->window; i++) {
		uint64_t within = i % b->unit;
		bool inside = i / b->unit < proven && within >= p->offset &&
		              within - p->offset < p->size;

		if (to[i] == (inside ? FILLED(i) : EMPTY))
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

/* The device's clock ------------------------------------------------------ */

/* A timestamp, and the CPU's time before and after the device took it. */
struct reading {
	uint64_t stamp, before, after;
};

uint64_t
rdma_clock_ps(const struct rdma_clock *clock, uint64_t from, uint64_t to)
{
	double ticks = (double)((to - from) & clock->mask);

	return (uint64_t)(1e12 * ticks / clock->hz + 0.5);
}

static bool
rdma_clock_read(struct session *s, struct reading *reading)
{
	const struct rdma *r = s->state;

	reading->before = read_clock(CLOCK_MONOTONIC_RAW);
	if (!rdma_do(s, r->plan.step[0], 0))
		return false;
	reading->after = read_clock(CLOCK_MONOTONIC_RAW);
	reading->stamp = r->done.stamp;
	return true;
}

bool
rdma_clock_check(struct session *s)
{
	const struct rdma *r = s->state;
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	struct reading from, to;
	char tick[NUMBER_MAX];
	double ns;

	*print_double(tick, 1e9 / r->clock.hz) = '\0';
	preamble_set(s->preamble, "clock",
	             "completion timestamps of %s, %.0f kHz, %d bits",
	             r->device.name, r->clock.hz / 1000,
	             __builtin_popcountll(r->clock.mask));
	preamble_set(s->preamble, "clock_tick_ns", "%s", tick);
	preamble_set(s->preamble, "clock_overhead_ns", "0");
	/* A clock that wraps between the readings cannot be checked. */
	if ((double)r->clock.mask / r->clock.hz < 4e-9 * PAUSE_NS)
		return true;
	if (!rdma_clock_read(s, &from))
		return false;
	nanosleep(&pause, NULL);
	if (!rdma_clock_read(s, &to))
		return false;
	ns = (double)rdma_clock_ps(&r->clock, from.stamp, to.stamp) / 1000;
	if (ns < (1 + TOLERANCE) * (double)(to.after - from.before) &&
	    ns > (1 - TOLERANCE) * (double)(to.before - from.after))
		return true;
	return fail(s, STATUS_TROUBLE,
	            "%s: its clock does not run at the %.0f kHz that its "
	            "driver says: timestamps are %.0f ns apart, and the CPU's "
	            "times %ju",
	            r->device.name, r->clock.hz / 1000, ns,
	            (uintmax_t)(to.after - from.after));
}
