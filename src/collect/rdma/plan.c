/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps of each bench's transfers. */
#include "collect/rdma/rdma.h"

/* With device memory at one end, a step only reads or writes the host. */
static const struct rdma_step read_window = {IBV_WR_RDMA_WRITE, RDMA_WINDOW,
                                             RDMA_DEVICE};
static const struct rdma_step write_window = {IBV_WR_RDMA_READ, RDMA_WINDOW,
                                              RDMA_DEVICE};
static const struct rdma_step loop = {IBV_WR_RDMA_WRITE, RDMA_WINDOW,
                                      RDMA_TARGET};
static const struct rdma_step start = {IBV_WR_RDMA_READ, RDMA_START_TO,
                                       RDMA_START_FROM};

bool
rdma_needs_memory(enum bench_id bench)
{
	return bench != LAT_RDMA && bench != BW_RDWR;
}

struct rdma_plan
rdma_plan(enum bench_id bench, bool clocked)
{
	struct rdma_plan plan = {.n = 0};

	if (clocked)
		plan.step[plan.n++] = start;
	if (!rdma_needs_memory(bench))
		plan.step[plan.n++] = loop;
	if (bench == BW_WR || bench == LAT_WRRD)
		plan.step[plan.n++] = write_window;
	if (bench == BW_RD || bench == LAT_RD || bench == LAT_WRRD)
		plan.step[plan.n++] = read_window;
	return plan;
}
