/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a warp in order, one instruction per cycle; it stalls on a register that
 * is not loaded yet. If lanes diverge, it runs those furthest behind, so that
 * they converge.
 */
#include "vgpu_program.h"

#include "common/base/util.h"

#define AT_END SIZE_MAX

/* Cycles of a clock reading, the cost of an empty timing. */
#define CLOCK_CYCLES 32
#define TIMER_CYCLES 1400

#define SHARED_MAX 65536
#define GROUPS     16
#define STORES     4

/* An mbarrier: PTX ISA, "Parallel Synchronization and Communication". */
struct barrier {
	bool made, seen; /* the copies see it: fence.proxy.async */
	uint64_t expected, pending, phase;
	int64_t bytes;
	uint64_t last, completed; /* cycles: of a copy, of the previous phase */
};

/* Copies out of shared memory, by groups; times only grow. */
struct groups {
	uint64_t open;          /* completion of copies in no group yet */
	bool any;               /* copies in no group exist */
	uint64_t done[GROUPS];  /* of the last groups */
	uint64_t n, waited_for; /* of all so far */
};

struct block {
	unsigned number;
	struct vgpu_grid grid;
	unsigned char area[SHARED_MAX];
	struct barrier barrier;
	struct groups groups;
};

/* Values of a register, one per lane. */
struct lanes {
	uint64_t of[VGPU_WARP];
};

struct warp {
	struct vgpu *gpu;
	const struct entry *entry;
	const unsigned char *args;
	struct block *block;
	unsigned number;
	unsigned first, lanes; /* index of the first lane's thread; number */
	uint32_t all;          /* its lanes, as bits */
	bool together;         /* all lanes are at `common` */
	size_t common, pc[VGPU_WARP];
	uint64_t now;           /* cycles */
	uint64_t stored;        /* completion of all stores */
	uint64_t store[STORES]; /* of the last ones */
	size_t stores;
	struct lanes *reg;
	uint32_t *set;   /* lanes with a value */
	uint64_t *ready; /* completion of the load */
	const struct instruction *at;
	uint32_t active;
	bool failed;
};

/* Stores the text of an error at this instruction. Returns false. */
static bool
warp_wrong(struct warp *w, const char *what)
{
	if (!w->failed)
		snprintf(w->gpu->error, VGPU_ERROR, "line %u: %s: %s",
		         w->at->line, w->at->of->name, what);
	w->failed = true;
	return false;
}

static bool
warp_has(const struct warp *w, unsigned lane)
{
	return w->active >> lane & 1;
}

static unsigned
warp_first(const struct warp *w)
{
	unsigned lane = 0;

	while (!warp_has(w, lane))
		lane++;
	return lane;
}

static uint64_t
timer(const struct warp *w)
{
	uint64_t step = w->gpu->step;
	uint64_t ns = w->gpu->ns + w->now * 1000 / VGPU_MHZ;

	return step ? ns / step * step : w->gpu->ns;
}

static uint64_t
special(const struct warp *w, enum special is, unsigned lane)
{
	const struct block *block = w->block;

	switch (is) {
	case IS_LANE:
		return lane;
	case IS_TID:
		return w->first + lane;
	case IS_NTID:
		return block->grid.threads;
	case IS_CTAID:
		return block->number;
	case IS_NCTAID:
		return block->grid.blocks;
	case IS_SMID:
		return (block->number + 3) % w->gpu->sms;
	case IS_CLOCK:
		return w->now * w->gpu->mhz / VGPU_MHZ;
	default:
		return timer(w);
	}
}

/* Waits for a loaded register; an unset register is an error. */
static void
need(struct warp *w, int reg)
{
	if (reg < 0)
		return;
	if (w->active & ~w->set[reg])
		warp_wrong(w, "a register that nothing is in");
	if (w->now < w->ready[reg])
		w->now = w->ready[reg];
}

/* Fills in the operand, the same for all lanes or by lane. */
static void
fill(const struct warp *w, const struct operand *o, struct lanes *to)
{
	uint64_t number = o->is < IS_LANE ? o->number : special(w, o->is, 0);
	bool own = o->is == IS_LANE || o->is == IS_TID;

	for (unsigned l = 0; l < VGPU_WARP; l++)
		to->of[l] = number + (own ? l : 0);
}

/*
 * The values of an operand, for which the warp waits: in the register, or in
 * `room`. An address is the sum of the register and its offset.
 */
static const struct lanes *
warp_fetch(struct warp *w, unsigned operand, struct lanes *room)
{
	const struct operand *o = &w->at->operand[operand];
	const struct lanes *reg = o->reg < 0 ? NULL : &w->reg[o->reg];

	need(w, o->reg);
	if (reg && !o->number)
		return reg;
	for (unsigned l = 0; l < VGPU_WARP && reg; l++)
		room->of[l] = reg->of[l] + o->number;
	if (!reg)
		fill(w, o, room);
	return room;
}

static uint64_t
warp_number(const struct warp *w, unsigned operand)
{
	const struct operand *o = &w->at->operand[operand];

	return (o->reg < 0 ? 0 : w->reg[o->reg].of[warp_first(w)]) + o->number;
}

static void
warp_set(struct warp *w, unsigned operand, const struct lanes *value,
         uint64_t ready)
{
	int reg = w->at->operand[operand].reg;

	for (unsigned l = 0; l < w->lanes && w->active != w->all; l++) {
		if (warp_has(w, l))
			w->reg[reg].of[l] = value->of[l];
	}
	if (w->active == w->all)
		w->reg[reg] = *value;
	w->set[reg] |= w->active;
	w->ready[reg] = ready;
}

/* Copies between registers of lanes and contiguous memory. */
static void
copy_lanes(const struct warp *w, unsigned first, unsigned lanes,
           struct lanes *value, unsigned char *data, bool load)
{
	unsigned size = w->at->of->out, n = w->at->of->vector;

	for (unsigned l = first; l < first + lanes; l++) {
		for (unsigned i = 0; i < n; i++, data += size) {
			if (load)
				memcpy(&value[i].of[l], data, size);
			else
				memcpy(data, &value[i].of[l], size);
		}
	}
}

/* The number of active lanes from this one on with contiguous addresses. */
static unsigned
piece(const struct warp *w, unsigned first, const struct lanes *address,
      unsigned size)
{
	unsigned n = 1;

	while (first + n < w->lanes && warp_has(w, first + n) &&
	       address->of[first + n] ==
	           address->of[first] + (uint64_t)n * size)
		n++;
	return n;
}

/* Loads or stores for all active lanes. */
static bool
transfer(struct warp *w, enum vgpu_way way, const struct lanes *address,
         struct lanes *value)
{
	const struct vgpu_memory *m = &w->gpu->memory;
	unsigned size = w->at->of->out * w->at->of->vector, n;
	unsigned char data[VGPU_WARP * 16];

	for (unsigned l = 0; l < w->lanes; l += n) {
		n = 1;
		if (!warp_has(w, l))
			continue;
		if (address->of[l] % size)
			return warp_wrong(w, "a misaligned address");
		n = way == VGPU_ADD ? 1 : piece(w, l, address, size);
		if (way != VGPU_LOAD)
			copy_lanes(w, l, n, value, data, false);
		if (!m->move(m->of, way, address->of[l], n * size, data))
			return warp_wrong(w, "an illegal address");
		if (way == VGPU_LOAD)
			copy_lanes(w, l, n, value, data, true);
	}
	return true;
}

static unsigned
count_active(const struct warp *w)
{
	unsigned n = 0;

	for (unsigned l = 0; l < w->lanes; l++)
		n += warp_has(w, l);
	return n;
}

/* Waits while too many stores are in flight. */
static void
wait_for_room(struct warp *w)
{
	uint64_t oldest = w->store[w->stores % STORES];

	if (w->now < oldest)
		w->now = oldest;
}

static void
keep(struct warp *w, uint64_t done)
{
	w->store[w->stores++ % STORES] = done;
	if (w->stored < done)
		w->stored = done;
}

static void
warp_touch(struct warp *w, enum vgpu_way way)
{
	const struct vgpu_memory *m = &w->gpu->memory;
	const struct mnemonic *of = w->at->of;
	bool load = way == VGPU_LOAD;
	struct lanes room, value[4];
	const struct lanes *address =
	    warp_fetch(w, load ? of->vector : 0, &room);
	struct vgpu_access access = {
	    .way = way,
	    .cached = of->cached,
	    .at = address->of[warp_first(w)],
	    .bytes = (uint64_t)count_active(w) * of->out * of->vector,
	    .warp = w->number,
	};
	uint64_t done;

	memset(value, 0, of->vector * sizeof *value);
	for (unsigned i = 0; i < of->vector && !load; i++) {
		struct lanes own;

		value[i] = *warp_fetch(w, 1 + i, &own);
	}
	if (!load)
		wait_for_room(w);
	if (!transfer(w, way, address, value))
		return;
	done = m->done(m->of, &access, w->now);
	for (unsigned i = 0; i < of->vector && load; i++)
		warp_set(w, i, &value[i], done);
	if (!load)
		keep(w, done);
}

/*
 * Bulk copies between shared memory and other memory, the barriers that
 * incoming copies complete, and the groups of outgoing ones. PTX ISA, "Data
 * Movement and Conversion Instructions: Bulk copy", and "mbarrier".
 */

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
move_shared(struct warp *w, enum vgpu_way way, uint64_t at, uint64_t area,
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

	if (!move_shared(w, way, access.at, warp_number(w, area), access.bytes))
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

static void
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

static bool
warp_bulk_is_left(const struct warp *w)
{
	const struct groups *g = &w->block->groups;
	const struct barrier *b = &w->block->barrier;

	return g->any || g->waited_for < g->n || b->bytes ||
	       b->completed > w->now;
}

#define LANES(value)                                                           \
	do {                                                                   \
		for (unsigned l = 0; l < VGPU_WARP; l++)                       \
			r.of[l] = (value)&mask;                                \
	} while (0)

#define CASE(op, value)                                                        \
	case op:                                                               \
		LANES(value);                                                  \
		break

static uint64_t
mask_of(const struct warp *w)
{
	return w->at->of->out == 4 ? UINT32_MAX : UINT64_MAX;
}

static void
move(struct warp *w)
{
	struct lanes r, room;
	const struct lanes *a = warp_fetch(w, 1, &room);
	uint64_t mask = mask_of(w);

	LANES(a->of[l]);
	warp_set(w, 0, &r, w->now);
	if (w->at->operand[1].is == IS_CLOCK)
		w->now += CLOCK_CYCLES;
	if (w->at->operand[1].is == IS_TIMER)
		w->now += TIMER_CYCLES;
}

/* Computes from two or three registers. */
static void
compute(struct warp *w)
{
	struct lanes r, room[3];
	const struct lanes *a = warp_fetch(w, 1, &room[0]);
	const struct lanes *b = warp_fetch(w, 2, &room[1]), *c;
	uint64_t mask = mask_of(w);

	switch (w->at->of->op) {
		CASE(OP_EQ, a->of[l] == b->of[l]);
		CASE(OP_LT, a->of[l] < b->of[l]);
		CASE(OP_GE, a->of[l] >= b->of[l]);
		CASE(OP_GT, a->of[l] > b->of[l]);
		CASE(OP_ADD, a->of[l] + b->of[l]);
		CASE(OP_SUB, a->of[l] - b->of[l]);
		CASE(OP_MUL, a->of[l] * b->of[l]);
		CASE(OP_MIN, a->of[l] < b->of[l] ? a->of[l] : b->of[l]);
		CASE(OP_REM, b->of[l] ? a->of[l] % b->of[l] : UINT32_MAX);
		CASE(OP_SHR, a->of[l] >> b->of[l]);
		CASE(OP_XOR, a->of[l] ^ b->of[l]);
	default:
		c = warp_fetch(w, 3, &room[2]);
		LANES(a->of[l] * b->of[l] + c->of[l]);
	}
	warp_set(w, 0, &r, w->now);
}

static void
load_parameter(struct warp *w)
{
	uint64_t at = w->at->operand[1].number, value = 0;
	struct lanes r;

	if (at % w->at->of->out || at + w->at->of->out > 64) {
		warp_wrong(w, "outside of the arguments");
		return;
	}
	memcpy(&value, w->args + at, w->at->of->out);
	for (unsigned l = 0; l < VGPU_WARP; l++)
		r.of[l] = value;
	warp_set(w, 0, &r, w->now);
}

/* Bulk copies take numbers, which must be ready. */
static void
bulk(struct warp *w)
{
	for (unsigned n = 0; n < w->at->operands; n++) {
		if (n || w->at->operand[n].is == IS_MEMORY)
			need(w, w->at->operand[n].reg);
	}
	if (!w->failed)
		warp_bulk(w);
}

/* Sets the next instruction of the active lanes, mostly all. */
static void
go_to(struct warp *w, size_t pc)
{
	bool apart = w->active != w->all;

	for (unsigned l = 0; l < w->lanes && w->together && apart; l++)
		w->pc[l] = w->common;
	w->together = w->together && !apart;
	for (unsigned l = 0; l < w->lanes && !w->together; l++) {
		if (warp_has(w, l))
			w->pc[l] = pc;
	}
	w->common = pc;
}

static void
carry_out(struct warp *w)
{
	switch (w->at->of->op) {
	case OP_PARAM:
		load_parameter(w);
		break;
	case OP_MOVE:
		move(w);
		break;
	case OP_LOAD:
		warp_touch(w, VGPU_LOAD);
		break;
	case OP_STORE:
		warp_touch(w, VGPU_STORE);
		break;
	case OP_RED:
		warp_touch(w, VGPU_ADD);
		break;
	case OP_BRA:
		go_to(w, w->at->target);
		break;
	case OP_RET:
		go_to(w, AT_END);
		break;
	case OP_MEMBAR:
		if (w->now < w->stored)
			w->now = w->stored;
		break;
	default:
		if (w->at->of->op >= OP_PROXY)
			bulk(w);
		else
			compute(w);
	}
}

/* Selects the lanes for which the guard holds. */
static void
guard(struct warp *w)
{
	uint32_t holds = 0;

	if (w->at->guard < 0)
		return;
	need(w, w->at->guard);
	for (unsigned l = 0; l < w->lanes; l++) {
		if (w->reg[w->at->guard].of[l] != w->at->guard_not)
			holds |= UINT32_C(1) << l;
	}
	w->active &= holds;
}

/* Finds the lanes furthest behind, and their position. */
static void
find_last(struct warp *w)
{
	w->common = AT_END;
	for (unsigned l = 0; l < w->lanes; l++)
		w->common = w->pc[l] < w->common ? w->pc[l] : w->common;
	w->active = 0;
	for (unsigned l = 0; l < w->lanes; l++)
		w->active |= (uint32_t)(w->pc[l] == w->common) << l;
	w->together = w->active == w->all;
}

/* Chooses the next instruction; false at the end. */
static bool
choose(struct warp *w)
{
	w->active = w->all;
	if (!w->together)
		find_last(w);
	if (w->common == AT_END || w->failed)
		return false;
	w->at = &w->entry->code[w->common];
	go_to(w, w->common + 1);
	return true;
}

static void
run_warp(struct warp *w)
{
	unsigned threads = w->block->grid.threads - w->first;

	w->lanes = threads < VGPU_WARP ? threads : VGPU_WARP;
	w->all = UINT32_MAX >> (VGPU_WARP - w->lanes);
	w->together = true;
	w->common = 0;
	memset(w->store, 0, sizeof w->store);
	memset(w->set, 0, w->entry->regs * sizeof *w->set);
	memset(w->ready, 0, w->entry->regs * sizeof *w->ready);
	w->stored = 0;
	while (choose(w)) {
		w->now++;
		guard(w);
		if (w->active)
			carry_out(w);
	}
	if (!w->failed && warp_bulk_is_left(w))
		warp_wrong(w, "copies are under way");
}

/* Checks a launch as the driver does. */
static bool
check_launch(struct vgpu *gpu, const struct entry *entry, struct vgpu_grid grid)
{
	const char *why = NULL;

	if (!entry)
		why = "no such entry";
	else if (!grid.blocks || !grid.threads)
		why = "no threads";
	else if (entry->most_threads && grid.threads > entry->most_threads)
		why = "more threads than .maxntid says";
	else if (AREA_AT + grid.shared > SHARED_MAX)
		why = "too much shared memory";
	if (why)
		snprintf(gpu->error, VGPU_ERROR, "%s", why);
	return !why;
}

static bool
run_blocks(struct warp *w, struct vgpu_grid grid)
{
	for (unsigned b = 0; b < grid.blocks && !w->failed; b++) {
		w->block->number = b;
		w->block->grid = grid;
		w->block->barrier = (struct barrier){0};
		w->block->groups = (struct groups){0};
		for (w->first = 0; w->first < grid.threads && !w->failed;
		     w->first += VGPU_WARP) {
			w->now = w->number * w->gpu->apart;
			run_warp(w);
			w->number++;
			if (w->gpu->end < w->now)
				w->gpu->end = w->now;
		}
	}
	return !w->failed;
}

bool
vgpu_run(struct vgpu *gpu, const struct vgpu_program *program,
         const char *entry, struct vgpu_grid grid, const void *args)
{
	struct warp w = {.gpu = gpu, .args = args};
	bool ok;

	gpu->end = 0;
	w.entry = vgpu_entry(program, entry);
	if (!check_launch(gpu, w.entry, grid))
		return false;
	w.block = calloc(1, sizeof *w.block);
	w.reg = calloc(w.entry->regs, sizeof *w.reg);
	w.set = calloc(w.entry->regs, sizeof *w.set);
	w.ready = calloc(w.entry->regs, sizeof *w.ready);
	ok = run_blocks(&w, grid);
	free(w.block);
	free(w.reg);
	free(w.set);
	free(w.ready);
	return ok;
}
