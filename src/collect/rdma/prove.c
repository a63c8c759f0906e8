/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verifies that transfers write their data, and nothing else. */
#include "collect/rdma/rdma.h"

#include "common/base/intmath.h"

#include <string.h>

/* Units of the window that are verified before a measurement. */
#define PROVEN_UNITS 256

/* Data written, different for each unit, and the bytes before. */
#define FILLED(i) ((unsigned char)(7 * (i) + 1 + ((i) >> 8) + ((i) >> 16)))
#define EMPTY     0xee

static uint64_t
rdma_proven_units(const struct dma_buffer *b)
{
	return min_u64(b->order.units, PROVEN_UNITS);
}

/* Whether the check writes this byte of the window. */
static bool
rdma_is_inside(const struct dma_buffer *b, uint64_t i)
{
	uint64_t in_unit = i % b->unit;

	return i / b->unit < rdma_proven_units(b) &&
	       in_unit >= b->point.offset &&
	       in_unit - b->point.offset < b->point.size;
}

static bool
rdma_compare(struct session *s, const unsigned char *at)
{
	struct rdma *r = s->state;
	const struct dma_buffer *b = &r->window.buffer;

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

static bool
rdma_do(struct session *s, struct rdma_step step, uint64_t at)
{
	struct rdma_plan plan = {.step = {step}, .n = 1};
	struct rdma_done done;

	return rdma_submit(s, &plan, 0, at) && rdma_finish_one(s, &done);
}

/* Copies a unit to the other window, or to the device and back. */
static bool
rdma_move(struct session *s, uint64_t at)
{
	struct rdma *r = s->state;
	struct dma_buffer *b = &r->window.buffer;
	enum rdma_place other = r->memory.mr ? RDMA_DEVICE : RDMA_TARGET;
	struct rdma_step there = {IBV_WR_RDMA_WRITE, RDMA_WINDOW, other};
	struct rdma_step back = {IBV_WR_RDMA_READ, RDMA_WINDOW, other};

	for (uint64_t i = at; i < at + b->point.size; i++)
		b->memory.at[i] = FILLED(i);
	if (!rdma_do(s, there, at))
		return false;
	if (!r->memory.mr)
		return true;
	memset(b->memory.at + at, EMPTY, b->point.size);
	return rdma_do(s, back, at);
}

bool
rdma_prove(struct session *s)
{
	struct rdma *r = s->state;
	struct dma_buffer *b = &r->window.buffer;
	unsigned char *to =
	    (r->memory.mr ? &r->window : &r->target)->buffer.memory.at;

	memset(b->memory.at, EMPTY, b->point.window);
	memset(to, EMPTY, b->point.window);
	for (uint64_t i = 0; i < rdma_proven_units(b); i++) {
		if (!rdma_move(s, i * b->unit + b->point.offset))
			return false;
	}
	return rdma_compare(s, to);
}
