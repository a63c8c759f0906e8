/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a port, and connects queue pairs to themselves. */
#include "collect/rdma/rdma.h"

#include "common/base/intmath.h"
#include "common/sys/root.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 4.096 us * 2^14, seven times: half a second. */
#define ACK_TIMEOUT 14
#define RETRIES     7
#define RNR_TIMER   12 /* 0.64 ms */

/* The library's device with the name that sysfs shows. */
static struct ibv_device *
rdma_pick(const struct rdma *r, struct ibv_device **list, int n)
{
	for (int i = 0; i < n; i++) {
		if (!strcmp(r->verbs.get_device_name(list[i]), r->device.name))
			return list[i];
	}
	return NULL;
}

/* Checks permissions: the library does not say why it cannot open a device. */
static bool
rdma_may_open(struct session *s, const struct ibv_device *device)
{
	const struct rdma *r = s->state;
	char *path =
	    xasprintf("%s/%s", root_path("/dev/infiniband"), device->dev_name);
	bool may = !access(path, R_OK | W_OK);

	if (!may)
		fail(s, STATUS_ABSENT, "%s: %s: %s: sudo chmod a+rw %s",
		     r->device.name, path, strerror(errno), path);
	free(path);
	return may;
}

static bool
rdma_open_context(struct session *s, struct ibv_device *device)
{
	struct rdma *r = s->state;

	if (!device)
		return fail(s, STATUS_ABSENT,
		            "%s: " VERBS_SONAME " has no provider of it: apt "
		            "install ibverbs-providers",
		            r->device.name);
	if (!rdma_may_open(s, device))
		return false;
	errno = 0;
	r->context = r->verbs.open_device(device);
	return r->context || rdma_failed(s, "ibv_open_device", errno);
}

/*
 * ibv_query_device_ex of the header would need linking with the library. The
 * context of an older provider is smaller: new members come first.
 */
static int
rdma_query_extended(struct rdma *r, struct ibv_device_attr_ex *all)
{
	struct verbs_context *v = verbs_get_ctx(r->context);
	size_t needed =
	    sizeof *v - offsetof(struct verbs_context, query_device_ex);
	bool can = v && v->sz >= needed && v->query_device_ex;
	int error = can ? v->query_device_ex(r->context, NULL, all, sizeof *all)
	                : EOPNOTSUPP;

	if (error != EOPNOTSUPP && error != ENOSYS)
		return error;
	*all = (struct ibv_device_attr_ex){0};
	return r->verbs.query_device(r->context, &all->orig_attr);
}

static bool
rdma_query_device(struct session *s)
{
	struct rdma *r = s->state;
	struct ibv_device_attr_ex all = {0};
	int error = rdma_query_extended(r, &all);

	if (error)
		return rdma_failed(s, "ibv_query_device", error);
	r->limits = all.orig_attr;
	r->memory_max = all.max_dm_size;
	if (all.completion_timestamp_mask) {
		r->clock.mask = all.completion_timestamp_mask;
		r->clock.hz = 1000 * (double)all.hca_core_clock;
	}
	return true;
}

static bool
rdma_open_device(struct session *s)
{
	struct rdma *r = s->state;
	struct ibv_device **list;
	int n = 0;
	bool ok;

	errno = 0;
	list = r->verbs.get_device_list(&n);
	if (!list)
		return fail(s, STATUS_ABSENT,
		            "%s: RDMA devices cannot be opened (%s): sudo "
		            "modprobe ib_uverbs",
		            r->device.name, strerror(errno));
	ok = rdma_open_context(s, rdma_pick(r, list, n));
	r->verbs.free_device_list(list);
	return ok && rdma_query_device(s);
}

static const char *
rdma_state_name(enum ibv_port_state state)
{
	static const char *const names[] = {"NOP",   "DOWN",   "INIT",
	                                    "ARMED", "ACTIVE", "ACTIVE_DEFER"};

	return (size_t)state < ARRAY_LEN(names) ? names[state] : "unknown";
}

/* The function takes the old structure, which is the start of this one. */
static bool
rdma_query_port(struct session *s, uint32_t number)
{
	struct rdma *r = s->state;
	int error;

	memset(&r->port, 0, sizeof r->port);
	error =
	    r->verbs.query_port(r->context, (uint8_t)number, (void *)&r->port);
	return !error || rdma_failed(s, "ibv_query_port", error);
}

/* The port of -O port, or the first active one. */
static bool
rdma_choose_port(struct session *s)
{
	struct rdma *r = s->state;
	uint32_t last = r->set.port ? r->set.port : r->limits.phys_port_cnt;
	uint32_t n = r->set.port ? r->set.port : 1;

	if (last > r->limits.phys_port_cnt)
		return fail(s, STATUS_ABSENT, "-O port=%u: %s has %u", last,
		            r->device.name, r->limits.phys_port_cnt);
	for (; n <= last; n++) {
		if (!rdma_query_port(s, n))
			return false;
		r->set.port = n;
		if (r->port.state == IBV_PORT_ACTIVE)
			return true;
	}
	return fail(s, STATUS_ABSENT,
	            "%s: port %u is not active, but %s: plug in a cable, or "
	            "set up its interface (ip link set ... up)",
	            r->device.name, r->set.port,
	            rdma_state_name(r->port.state));
}

/* Empty places of the GID table are errors only with some drivers. */
static bool
rdma_read_gid(struct rdma *r)
{
	static const union ibv_gid none;

	return !r->verbs.query_gid(r->context, (uint8_t)r->set.port, r->set.gid,
	                           &r->gid) &&
	       memcmp(&r->gid, &none, sizeof none) != 0;
}

static bool
rdma_choose_gid(struct session *s)
{
	struct rdma *r = s->state;

	if (r->port.link_layer != IBV_LINK_LAYER_ETHERNET)
		return r->set.gid < 0 ||
		       fail(s, STATUS_TROUBLE,
		            "-O gid=%d: port %u of %s is not Ethernet",
		            r->set.gid, r->set.port, r->device.name);
	if (r->set.gid < 0)
		r->set.gid = rdma_gid_choose(&r->device, r->set.port);
	if (r->set.gid < 0)
		return fail(s, STATUS_ABSENT,
		            "%s: port %u has no GID: set up its interface (ip "
		            "link set ... up), or give it an address",
		            r->device.name, r->set.port);
	return rdma_read_gid(r) ||
	       fail(s, STATUS_ABSENT,
	            "-O gid=%d: port %u of %s has no such "
	            "GID",
	            r->set.gid, r->set.port, r->device.name);
}

bool
rdma_open_port(struct session *s)
{
	struct rdma *r = s->state;

	if (!rdma_open_device(s) || !rdma_choose_port(s) || !rdma_choose_gid(s))
		return false;
	errno = 0;
	r->pd = r->verbs.alloc_pd(r->context);
	return r->pd || rdma_failed(s, "ibv_alloc_pd", errno);
}

/* Queues ------------------------------------------------------------------ */

/* NULL after fail(). */
static struct ibv_qp *
rdma_create_qp(struct session *s)
{
	struct rdma *r = s->state;
	struct ibv_qp_init_attr attr = {
	    .send_cq = r->cq, .recv_cq = r->cq, .qp_type = IBV_QPT_RC};
	struct ibv_qp *qp;

	attr.cap.max_send_wr = rdma_depth(s) * r->plan.n;
	attr.cap.max_recv_wr = 1;
	attr.cap.max_send_sge = attr.cap.max_recv_sge = 1;
	attr.cap.max_inline_data = r->set.inlined ? (uint32_t)r->largest : 0;
	errno = 0;
	qp = r->verbs.create_qp(r->pd, &attr);
	if (!qp && r->set.inlined && errno == EINVAL)
		fail(s, STATUS_ABSENT,
		     "-O inline=yes: %s does not take %ju bytes in a "
		     "work request",
		     r->device.name, (uintmax_t)r->largest);
	else if (!qp)
		rdma_failed(s, "ibv_create_qp", errno);
	return qp;
}

static bool
rdma_modify(struct session *s, struct ibv_qp *qp, struct ibv_qp_attr *attr,
            enum ibv_qp_state to, int mask)
{
	struct rdma *r = s->state;
	int error;

	attr->qp_state = to;
	error = r->verbs.modify_qp(qp, attr, mask | IBV_QP_STATE);
	return !error || rdma_failed(s, "ibv_modify_qp", error);
}

static bool
rdma_to_init(struct session *s, struct ibv_qp *qp)
{
	const struct rdma *r = s->state;
	struct ibv_qp_attr attr = {.port_num = (uint8_t)r->set.port,
	                           .qp_access_flags = RDMA_ACCESS};

	return rdma_modify(s, qp, &attr, IBV_QPS_INIT,
	                   IBV_QP_PKEY_INDEX | IBV_QP_PORT |
	                       IBV_QP_ACCESS_FLAGS);
}

/* The path to itself: the port's own address. */
static struct ibv_ah_attr
rdma_own_address(const struct rdma *r)
{
	struct ibv_ah_attr own = {.dlid = r->port.lid,
	                          .port_num = (uint8_t)r->set.port};

	if (r->port.link_layer != IBV_LINK_LAYER_ETHERNET)
		return own;
	own.is_global = 1;
	own.grh.dgid = r->gid;
	own.grh.sgid_index = (uint8_t)r->set.gid;
	own.grh.hop_limit = 1;
	return own;
}

/* RDMA reads and atomics under way: the queue depth, within the limit. */
static uint8_t
rdma_reads(const struct session *s, int limit)
{
	uint64_t most = limit > 0 && limit < UINT8_MAX ? (uint64_t)limit : 1;

	return (uint8_t)min_u64(most, rdma_depth(s));
}

static bool
rdma_to_rtr(struct session *s, struct ibv_qp *qp)
{
	const struct rdma *r = s->state;
	struct ibv_qp_attr attr = {.path_mtu = r->port.active_mtu,
	                           .dest_qp_num = qp->qp_num,
	                           .max_dest_rd_atomic =
	                               rdma_reads(s, r->limits.max_qp_rd_atom),
	                           .min_rnr_timer = RNR_TIMER,
	                           .ah_attr = rdma_own_address(r)};

	return rdma_modify(s, qp, &attr, IBV_QPS_RTR,
	                   IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
	                       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
	                       IBV_QP_MIN_RNR_TIMER);
}

static bool
rdma_to_rts(struct session *s, struct ibv_qp *qp)
{
	const struct rdma *r = s->state;
	struct ibv_qp_attr attr = {
	    .timeout = ACK_TIMEOUT,
	    .retry_cnt = RETRIES,
	    .rnr_retry = RETRIES,
	    .max_rd_atomic = rdma_reads(s, r->limits.max_qp_init_rd_atom)};

	return rdma_modify(s, qp, &attr, IBV_QPS_RTS,
	                   IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
	                       IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
	                       IBV_QP_MAX_QP_RD_ATOMIC);
}

/* Completions have timestamps if the plan uses the device's clock. */
static bool
rdma_create_cq(struct session *s)
{
	struct rdma *r = s->state;
	struct ibv_cq_init_attr_ex attr = {
	    .cqe = rdma_qps(s) * rdma_depth(s) * r->plan.n,
	    .wc_flags = IBV_WC_EX_WITH_COMPLETION_TIMESTAMP};

	errno = 0;
	if (r->clock.hz > 0) {
		r->stamped = ibv_create_cq_ex(r->context, &attr);
		r->cq = r->stamped ? ibv_cq_ex_to_cq(r->stamped) : NULL;
	} else {
		r->cq = r->verbs.create_cq(r->context, (int)attr.cqe, NULL,
		                           NULL, 0);
	}
	return r->cq || rdma_failed(s, "ibv_create_cq", errno);
}

bool
rdma_connect(struct session *s)
{
	struct rdma *r = s->state;

	if (!rdma_create_cq(s))
		return false;
	for (uint32_t i = 0; i < rdma_qps(s); i++) {
		struct ibv_qp *qp = rdma_create_qp(s);

		r->qp[i] = qp;
		if (!qp || !rdma_to_init(s, qp) || !rdma_to_rtr(s, qp) ||
		    !rdma_to_rts(s, qp))
			return false;
	}
	return true;
}

void
rdma_close_port(struct rdma *r)
{
	for (size_t i = 0; i < RDMA_QPS_MAX; i++) {
		if (r->qp[i])
			r->verbs.destroy_qp(r->qp[i]);
	}
	if (r->cq)
		r->verbs.destroy_cq(r->cq);
	dma_buffer_close(&r->window.buffer);
	dma_buffer_close(&r->target.buffer);
	rdma_memory_free(r);
	if (r->pd)
		r->verbs.dealloc_pd(r->pd);
	if (r->context)
		r->verbs.close_device(r->context);
}
