/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bulk copies between shared memory and other memory, the barriers that
 * incoming copies complete, and the groups of outgoing ones. PTX ISA, "Data
 * Movement and Conversion Instructions: Bulk copy", and "mbarrier".
 */
#include "vgpu_warp.h"

/* Most bytes that a barrier may wait for. */
#define TX_MAX ((1 << 20) - 1)

static bool
is_made(struct warp *w, unsigned operand)
{
	return (w->block->barrier.made && !warp_number(w, operand)) ||
	       warp_wrong(w, "a barrier that was not made");
}

/* A phase ends when all threads have arrived and all bytes are there. */
static void
look_at_phase(struct barrier *b, uint64_t now)
{
	if (b->pending || b->bytes)
		return;
	b->phase++;
	b->pending = b->expected;
	b->completed = b->last > now ? b->last : now;
}

static void
expect(struct warp *w)
{
	struct barrier *b = &w->block->barrier;

	if (!is_made(w, 1))
		return;
	b->bytes += (int64_t)warp_number(w, 2);
	if (!b->pending || b->bytes > TX_MAX) {
		warp_wrong(w, "more than the barrier waits for");
		return;
	}
	b->pending--;
	w->reg[w->at->operand[0].reg].of[0] = b->phase;
	w->set[w->at->operand[0].reg] |= w->active;
	look_at_phase(b, w->now);
}

static void
try_wait(struct warp *w)
{
	struct barrier *b = &w->block->barrier;
	int reg = w->at->operand[0].reg;

	if (!is_made(w, 1))
		return;
	/* Only this warp could end the phase. */
	if ((b->phase & 1) == (warp_number(w, 2) & 1)) {
		warp_wrong(w, "waits for what never comes");
		return;
	}
	if (w->now < b->completed)
		w->now = b->completed;
	for (unsigned l = 0; l < w->lanes; l++)
		w->reg[reg].of[l] = 1;
	w->set[reg] |= w->active;
}

/* Splits a copy into the pieces of memory accesses. */
static bool
move(struct warp *w, enum vgpu_way way, uint64_t at, uint64_t area,
     uint64_t size)
{
	const struct vgpu_memory *m = &w->gpu->memory;

	if (at % 16 || area % 16 || size % 16 || !size)
		return warp_wrong(w, "not of 16 bytes");
	if (area < AREA_AT || area + size > AREA_AT + w->block->grid.shared)
		return warp_wrong(w, "outside of shared memory");
	for (uint64_t i = 0; i < size; i += 16) {
		if (!m->move(m->of, way, at + i, 16, w->block->area + area + i))
			return warp_wrong(w, "an illegal address");
	}
	return true;
}

/* Copies the bytes of operand 2; returns the cycle of completion, or 0. */
static uint64_t
copy(struct warp *w, enum vgpu_way way, unsigned at, unsigned area)
{
	const struct vgpu_memory *m = &w->gpu->memory;
	struct vgpu_access access = {.way = way,
	                             .warp = w->number,
	                             .at = warp_number(w, at),
	                             .bytes = warp_number(w, 2)};

	if (!move(w, way, access.at, warp_number(w, area), access.bytes))
		return 0;
	return m->done(m->of, &access, w->now);
}

static void
copy_in(struct warp *w)
{
	struct barrier *b = &w->block->barrier;
	uint64_t done;

	if (!is_made(w, 3))
		return;
	if (!b->seen) {
		warp_wrong(w, "no fence behind the barrier");
		return;
	}
	done = copy(w, VGPU_COPY_IN, 1, 0);
	if (b->last < done)
		b->last = done;
	b->bytes -= (int64_t)warp_number(w, 2);
	look_at_phase(b, w->now);
}

static void
copy_out(struct warp *w)
{
	struct groups *g = &w->block->groups;
	uint64_t done = copy(w, VGPU_COPY_OUT, 0, 1);

	if (g->open < done)
		g->open = done;
	if (w->stored < done)
		w->stored = done;
	g->any = true;
}

/* Waits for all but the last n groups. */
static void
wait_group(struct warp *w, uint64_t n)
{
	struct groups *g = &w->block->groups;
	uint64_t done;

	if (n >= GROUPS) {
		warp_wrong(w, "more groups than are kept here");
		return;
	}
	if (g->n <= n)
		return;
	g->waited_for = g->n - n;
	done = g->done[(g->waited_for - 1) % GROUPS];
	if (w->now < done)
		w->now = done;
}

void
warp_bulk(struct warp *w)
{
	struct barrier *b = &w->block->barrier;
	struct groups *g = &w->block->groups;

	if (w->active != 1) {
		warp_wrong(w, "of one thread only");
		return;
	}
	switch (w->at->of->op) {
	case OP_PROXY:
		b->seen = b->made;
		break;
	case OP_BARRIER_INIT:
		*b = (struct barrier){.made = true,
		                      .expected = warp_number(w, 1),
		                      .pending = warp_number(w, 1)};
		break;
	case OP_EXPECT:
		expect(w);
		break;
	case OP_TRY_WAIT:
		try_wait(w);
		break;
	case OP_COPY_IN:
		copy_in(w);
		break;
	case OP_COPY_OUT:
		copy_out(w);
		break;
	case OP_COMMIT:
		g->done[g->n++ % GROUPS] = g->open;
		g->any = false;
		break;
	default:
		wait_group(w, warp_number(w, 0));
	}
}

bool
warp_bulk_is_left(const struct warp *w)
{
	const struct groups *g = &w->block->groups;
	const struct barrier *b = &w->block->barrier;

	return g->any || g->waited_for < g->n || b->bytes ||
	       b->completed > w->now;
}
