/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a warp in order, one instruction per cycle; it stalls on a register that
 * is not loaded yet. If lanes diverge, it runs those furthest behind, so that
 * they converge.
 */
#include "vgpu_warp.h"

#include "common/base/util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT_END SIZE_MAX

/* Cycles of a clock reading, the cost of an empty timing. */
#define CLOCK_CYCLES 32
#define TIMER_CYCLES 1400

bool
warp_wrong(struct warp *w, const char *what)
{
	if (!w->failed)
		snprintf(w->gpu->error, VGPU_ERROR, "line %u: %s: %s",
		         w->at->line, w->at->of->name, what);
	w->failed = true;
	return false;
}

bool
warp_has(const struct warp *w, unsigned lane)
{
	return w->active >> lane & 1;
}

unsigned
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

const struct lanes *
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

uint64_t
warp_number(const struct warp *w, unsigned operand)
{
	const struct operand *o = &w->at->operand[operand];

	return (o->reg < 0 ? 0 : w->reg[o->reg].of[warp_first(w)]) + o->number;
}

void
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

#define LANES(value)                                                           \
	do {                                                                   \
		for (unsigned l = 0; l < VGPU_WARP; l++)                       \
			r.of[l] = (value)&mask;                                \
	} while (0)

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
	case OP_EQ:
		LANES(a->of[l] == b->of[l]);
		break;
	case OP_LT:
		LANES(a->of[l] < b->of[l]);
		break;
	case OP_GE:
		LANES(a->of[l] >= b->of[l]);
		break;
	case OP_GT:
		LANES(a->of[l] > b->of[l]);
		break;
	case OP_ADD:
		LANES(a->of[l] + b->of[l]);
		break;
	case OP_SUB:
		LANES(a->of[l] - b->of[l]);
		break;
	case OP_MUL:
		LANES(a->of[l] * b->of[l]);
		break;
	case OP_MAD:
		c = warp_fetch(w, 3, &room[2]);
		LANES(a->of[l] * b->of[l] + c->of[l]);
		break;
	case OP_MIN:
		LANES(a->of[l] < b->of[l] ? a->of[l] : b->of[l]);
		break;
	case OP_REM:
		LANES(b->of[l] ? a->of[l] % b->of[l] : UINT32_MAX);
		break;
	case OP_SHR:
		LANES(a->of[l] >> b->of[l]);
		break;
	default:
		LANES(a->of[l] ^ b->of[l]);
		break;
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
