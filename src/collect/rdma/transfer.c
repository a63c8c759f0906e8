/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Posts transfers and waits for their completions. */
#include "collect/rdma/rdma.h"

#include <errno.h>

/* Polls per look at the time; limit of the wait for a completion, in ns. */
#define LOOK_EVERY 1024
#define LIMIT_NS   UINT64_C(10000000000)

/* Work requests of a plan's steps, each with its memory. */
struct requests {
	struct ibv_send_wr wr[RDMA_STEPS_MAX];
	struct ibv_sge local[RDMA_STEPS_MAX];
};

/*
 * A fence delays a step until reads before it are complete. It does not wait
 * for writes, so only the last step of a plan is a write.
 */
static unsigned
rdma_flags(const struct rdma *r, const struct rdma_plan *plan, uint32_t i)
{
	bool last = i + 1 == plan->n;
	unsigned flags = 0;

	if (last || (r->stamped && !i))
		flags |= IBV_SEND_SIGNALED;
	if (i)
		flags |= IBV_SEND_FENCE;
	if (r->set.inlined)
		flags |= IBV_SEND_INLINE;
	return flags;
}

static void
rdma_set_request(const struct rdma *r, const struct rdma_plan *plan, uint32_t i,
                 uint64_t at, struct requests *to)
{
	const struct rdma_step *step = &plan->step[i];
	struct rdma_spot local = rdma_spot(r, step->local, at);
	struct rdma_spot remote = rdma_spot(r, step->remote, at);
	struct ibv_send_wr *wr = &to->wr[i];

	to->local[i] = (struct ibv_sge){.addr = local.address,
	                                .length = local.size,
	                                .lkey = local.mr->lkey};
	wr->sg_list = &to->local[i];
	wr->num_sge = 1;
	wr->opcode = step->opcode;
	wr->send_flags = rdma_flags(r, plan, i);
	wr->next = i + 1 < plan->n ? &to->wr[i + 1] : NULL;
	wr->wr.rdma.remote_addr = remote.address;
	wr->wr.rdma.rkey = remote.mr->rkey;
}

bool
rdma_submit(struct session *s, const struct rdma_plan *plan, uint32_t q,
            uint64_t at)
{
	struct rdma *r = s->state;
	struct requests requests;
	struct ibv_send_wr *bad;
	int error;

	r->looped += r->window.buffer.point.size;
	for (uint32_t i = 0; i < plan->n; i++) {
		requests.wr[i] = (struct ibv_send_wr){.wr_id = q};
		rdma_set_request(r, plan, i, at, &requests);
	}
	error = ibv_post_send(r->qp[q], requests.wr, &bad);
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
	done->q = r->stamped->wr_id;
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
		*done = (struct rdma_done){.q = wc.wr_id,
		                           .status = wc.status,
		                           .vendor_error = wc.vendor_err};
	return n;
}

/* The limit excludes a stop of the process just before this look. */
static bool
rdma_wait(struct session *s, struct rdma_done *done)
{
	struct rdma *r = s->state;
	uint64_t begin = 0, now = 0;
	int n;

	for (uint64_t spins = 1; !(n = rdma_poll(r, done)); spins++) {
		uint64_t before = now;

		if (spins % LOOK_EVERY)
			continue;
		now = stops_look(&r->stops);
		if (!before)
			begin = before = now;
		if (before - begin > LIMIT_NS)
			return fail(s, STATUS_TROUBLE,
			            "%s: a transfer has not ended after 10 s: "
			            "the device was removed, or hangs",
			            r->device.name);
	}
	return n > 0 || fail(s, STATUS_TROUBLE, "%s: ibv_poll_cq: error %d",
	                     r->device.name, -n);
}

bool
rdma_finish_one(struct session *s, struct rdma_done *done)
{
	struct rdma *r = s->state;

	if (!rdma_wait(s, done))
		return false;
	return done->status == IBV_WC_SUCCESS ||
	       fail(s, STATUS_TROUBLE,
	            "%s: a transfer failed: %s (%d, vendor error 0x%x)",
	            r->device.name, r->verbs.wc_status_str(done->status),
	            done->status, done->vendor_error);
}
