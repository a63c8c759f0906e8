/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that the device accesses: the host's, and its own. */
#include "collect/rdma/rdma.h"

#include "common/base/intmath.h"

#include <errno.h>
#include <string.h>

/* The step that starts the clock copies START_BYTES within device memory. */
#define START_BYTES 8
#define START_ROOM  64

bool
rdma_register(struct session *s, void *area, const struct memory *m)
{
	struct rdma_area *a = area;

	errno = 0;
	a->mr = a->rdma->verbs.reg_mr(a->rdma->pd, m->at, m->size, RDMA_ACCESS);
	if (a->mr)
		return true;
	if (errno == ENOMEM || errno == EAGAIN)
		return fail(s, STATUS_ABSENT,
		            "%s: %ju bytes cannot be registered (%s): raise "
		            "the limit of locked memory: ulimit -l unlimited",
		            a->rdma->device.name, (uintmax_t)m->size,
		            strerror(errno));
	return rdma_failed(s, "ibv_reg_mr", errno);
}

void
rdma_unregister(void *area, const struct memory *m)
{
	struct rdma_area *a = area;

	(void)m;
	if (a->mr)
		a->rdma->verbs.dereg_mr(a->mr);
	a->mr = NULL;
}

uint64_t
rdma_memory_room(const struct rdma *r)
{
	return r->memory_max > START_ROOM ? r->memory_max - START_ROOM : 0;
}

bool
rdma_memory_make(struct session *s)
{
	struct rdma *r = s->state;
	struct rdma_memory *m = &r->memory;
	struct ibv_alloc_dm_attr attr;

	m->start = div_round_up(r->largest, START_ROOM) * START_ROOM;
	attr = (struct ibv_alloc_dm_attr){.length = m->start + START_ROOM};
	errno = 0;
	m->dm = ibv_alloc_dm(r->context, &attr);
	if (!m->dm)
		return fail(s, STATUS_ABSENT,
		            "%s: %ju bytes of device memory cannot be had "
		            "(%s): other programs may use it",
		            r->device.name, (uintmax_t)attr.length,
		            strerror(errno));
	m->mr = ibv_reg_dm_mr(r->pd, m->dm, 0, attr.length,
	                      RDMA_ACCESS | IBV_ACCESS_ZERO_BASED);
	return m->mr || rdma_failed(s, "ibv_reg_dm_mr", errno);
}

void
rdma_memory_free(struct rdma *r)
{
	if (r->memory.mr)
		r->verbs.dereg_mr(r->memory.mr);
	if (r->memory.dm)
		ibv_free_dm(r->memory.dm);
	r->memory = (struct rdma_memory){0};
}

static struct rdma_spot
rdma_spot_of_area(const struct rdma_area *a, uint64_t at)
{
	return (struct rdma_spot){.address =
	                              (uintptr_t)a->buffer.memory.at + at,
	                          .size = (uint32_t)a->buffer.point.size,
	                          .mr = a->mr};
}

struct rdma_spot
rdma_spot(const struct rdma *r, enum rdma_place place, uint64_t at)
{
	const struct rdma_memory *m = &r->memory;
	struct rdma_spot of_start = {
	    .address = m->start, .size = START_BYTES, .mr = m->mr};

	switch (place) {
	case RDMA_WINDOW:
		return rdma_spot_of_area(&r->window, at);
	case RDMA_TARGET:
		return rdma_spot_of_area(&r->target, at);
	case RDMA_START_TO:
		of_start.address += START_BYTES;
		break;
	case RDMA_START_FROM:
		break;
	case RDMA_DEVICE:
		return (struct rdma_spot){
		    .size = (uint32_t)r->window.buffer.point.size, .mr = m->mr};
	}
	return of_start;
}
