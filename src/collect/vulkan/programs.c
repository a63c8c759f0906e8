/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the programs with the instructions of spirv.h. */
#include "collect/vulkan/programs.h"

#include "collect/vulkan/spirv.h"

/* A chain may differ by this part from the sum of its loads. */
#define TOLERANCE 0.25

/* Dependent steps per turn of program_spin. */
#define SPIN_STEPS 256

/*
 * Memory semantics of a barrier: acquire and release, for buffers, which it
 * makes available and visible.
 */
#define BARRIER (0x8 | 0x40 | 0x2000 | 0x4000)

/* Arguments by index in struct gpu_args: 64-bit ones, then 32-bit ones. */
enum { BUFFER, ORDER, RESULTS, DEAD_STORE, WIDE };
enum { COUNT = WIDE, UNIT, PATTERN, WORKERS, WARMUP, TIMED, NARROW_END };

/* Variables of the function. */
enum { I, DONE, NEXT, FOUND, NVARIABLES };
enum { MARK }; /* address of the next mark */

/* State of a program being written. */
struct writer {
	struct spirv m;
	const struct program *p;
	const struct gpu_transfer *t;
	uint32_t v32[NVARIABLES], v64[NVARIABLES];
	uint32_t lane, first; /* lane index; whether it is 0 */
};

static uint32_t
narrow(struct writer *w, unsigned argument)
{
	return spirv_argument(&w->m, argument, false);
}

static uint32_t
wide(struct writer *w, unsigned argument)
{
	return spirv_argument(&w->m, argument, true);
}

static uint32_t
op32(struct writer *w, unsigned opcode, uint32_t a, uint32_t b)
{
	return SPIRV_GET(&w->m, opcode, w->m.u32, a, b);
}

static uint32_t
compare(struct writer *w, unsigned opcode, uint32_t a, uint32_t b)
{
	return SPIRV_GET(&w->m, opcode, w->m.bool_type, a, b);
}

static uint32_t
get(struct writer *w, unsigned variable)
{
	return spirv_get(&w->m, w->m.u32, w->v32[variable]);
}

static void
set(struct writer *w, unsigned variable, uint32_t value)
{
	spirv_set(&w->m, w->v32[variable], value);
}

static void
add(struct writer *w, unsigned variable, uint32_t value)
{
	set(w, variable, op32(w, SPIRV_I_ADD, get(w, variable), value));
}

static void
program_begin(struct writer *w, const struct program *p)
{
	struct spirv *m = &w->m;

	w->p = p;
	spirv_begin(m, p->lanes, WIDE, NARROW_END - WIDE, NVARIABLES, w->v32,
	            w->v64);
	w->lane = spirv_get(m, m->u32, m->lane);
	w->first = compare(w, SPIRV_I_EQUAL, w->lane, spirv_u32(m, 0));
	set(w, I, spirv_u32(m, 0));
}

static uint32_t
program_group(struct writer *w)
{
	struct spirv *m = &w->m;

	return SPIRV_GET(m, SPIRV_LOAD, m->u32,
	                 SPIRV_GET(m, SPIRV_ACCESS_CHAIN, m->pointer_input,
	                           m->group, spirv_u32(m, 0)));
}

/* A loop that ends when I reaches a number. */
static struct spirv_loop
program_loop(struct writer *w, uint32_t end)
{
	struct spirv_loop loop = spirv_loop_begin(&w->m);

	spirv_leave_if(&w->m, &loop,
	               compare(w, SPIRV_U_GREATER_THAN_EQUAL, get(w, I), end));
	return loop;
}

static void
program_loop_end(struct writer *w, const struct spirv_loop *loop, uint32_t step)
{
	add(w, I, step);
	spirv_loop_end(&w->m, loop);
}

/* The lower half of the clock: nothing timed takes 2^32 of its units. */
static uint32_t
program_clock(struct writer *w)
{
	uint32_t clock = spirv_clock(&w->m, w->p->scope);

	return SPIRV_GET(&w->m, SPIRV_U_CONVERT, w->m.u32, clock);
}

/*
 * Makes the program wait for a value: it compares the value with a number that
 * only the caller knows, and branches on the result.
 */
static void
program_wait(struct writer *w, uint32_t value)
{
	uint32_t merge = spirv_if(
	    &w->m, compare(w, SPIRV_I_EQUAL, value, narrow(w, PATTERN)));

	spirv_store(&w->m, w->m.u32, wide(w, DEAD_STORE), value);
	spirv_endif(&w->m, merge);
}

/* The first lane stores a 32-bit number in the results. */
static void
program_store(struct writer *w, uint32_t index, uint32_t scale, uint32_t offset,
              uint32_t value)
{
	struct spirv *m = &w->m;
	uint32_t merge = spirv_if(m, w->first);
	uint32_t at = spirv_index(m, wide(w, RESULTS), index, scale);

	at = SPIRV_GET(m, SPIRV_I_ADD, m->u64, at, spirv_u64(m, offset));
	spirv_store(m, m->u32, at, value);
	spirv_endif(m, merge);
}

/* The order's entry at I + behind. */
static uint32_t
program_number(struct writer *w, uint32_t behind)
{
	struct spirv *m = &w->m;
	uint32_t at = spirv_index(m, wide(w, ORDER), get(w, I), 4);

	at = SPIRV_GET(m, SPIRV_I_ADD, m->u64, at,
	               spirv_u64(m, UINT64_C(4) * behind));
	return spirv_load(m, m->u32, at);
}

/* The address of a unit. */
static uint32_t
program_unit(struct writer *w, uint32_t number)
{
	struct spirv *m = &w->m;
	uint32_t a = SPIRV_GET(m, SPIRV_U_CONVERT, m->u64, number);
	uint32_t b = SPIRV_GET(m, SPIRV_U_CONVERT, m->u64, narrow(w, UNIT));
	uint32_t bytes = SPIRV_GET(m, SPIRV_I_MUL, m->u64, a, b);

	return SPIRV_GET(m, SPIRV_I_ADD, m->u64, wide(w, BUFFER), bytes);
}

/* Bytes per access of all lanes together. */
static unsigned
program_width(const struct program *p, const struct gpu_transfer *t)
{
	return p->lanes * t->bytes_per_lane;
}

static unsigned
program_rows(const struct program *p, const struct gpu_transfer *t)
{
	unsigned width = program_width(p, t);

	return (t->size + width - 1) / width;
}

static uint32_t
program_type(const struct writer *w)
{
	if (w->t->bytes_per_lane == 4)
		return w->m.u32;
	return w->t->bytes_per_lane == 8 ? w->m.vector2 : w->m.vector4;
}

/* The lane's address in a row; *merge is not 0 if only some lanes access it. */
static uint32_t
program_row(struct writer *w, uint32_t unit, unsigned row, unsigned beside,
            uint32_t *merge)
{
	struct spirv *m = &w->m;
	unsigned lane = w->t->bytes_per_lane;
	unsigned from = row * program_width(w->p, w->t);
	unsigned left = (w->t->size - from) / lane;
	uint32_t at = spirv_index(m, unit, w->lane, lane);

	*merge = 0;
	if (left < w->p->lanes)
		*merge = spirv_if(m, compare(w, SPIRV_U_LESS_THAN, w->lane,
		                             spirv_u32(m, left)));
	return SPIRV_GET(m, SPIRV_I_ADD, m->u64, at,
	                 spirv_u64(m, from + beside));
}

static void
program_row_end(struct writer *w, uint32_t merge)
{
	if (merge)
		spirv_endif(&w->m, merge);
}

/* Combines all words that a lane has loaded in a row into one. */
static uint32_t
program_fold(struct writer *w, uint32_t value)
{
	struct spirv *m = &w->m;
	unsigned n = w->t->bytes_per_lane / 4;
	uint32_t all = value;

	for (unsigned i = 0; n > 1 && i < n; i++) {
		uint32_t part =
		    SPIRV_GET(m, SPIRV_COMPOSITE_EXTRACT, m->u32, value, i);

		all = i ? op32(w, SPIRV_BITWISE_XOR, all, part) : part;
	}
	return all;
}

/*
 * The row that only some lanes access comes first: after a branch, the program
 * would wait for earlier loads.
 */
static void
program_loads(struct writer *w, uint32_t unit, unsigned beside)
{
	unsigned rows = program_rows(w->p, w->t);
	uint32_t value[PROGRAM_WORDS], all;

	set(w, FOUND, spirv_u32(&w->m, 0));
	for (unsigned n = 0; n < rows; n++) {
		uint32_t merge, at;

		at = program_row(w, unit, rows - 1 - n, beside, &merge);
		value[n] = spirv_load(&w->m, program_type(w), at);
		if (merge)
			set(w, FOUND, program_fold(w, value[n]));
		program_row_end(w, merge);
		if (merge)
			value[n] = 0;
	}
	all = get(w, FOUND);
	for (unsigned n = 0; n < rows; n++) {
		if (value[n])
			all = op32(w, SPIRV_BITWISE_XOR, all,
			           program_fold(w, value[n]));
	}
	program_wait(w, all);
}

static uint32_t
program_data(struct writer *w)
{
	struct spirv *m = &w->m;
	uint32_t word = spirv_u32(m, 0x01010101);

	if (w->t->bytes_per_lane == 4)
		return word;
	if (w->t->bytes_per_lane == 8)
		return SPIRV_GET(m, SPIRV_COMPOSITE, m->vector2, word, word);
	return SPIRV_GET(m, SPIRV_COMPOSITE, m->vector4, word, word, word,
	                 word);
}

static void
program_stores(struct writer *w, uint32_t unit)
{
	uint32_t data = program_data(w);

	for (unsigned row = 0; row < program_rows(w->p, w->t); row++) {
		uint32_t merge, at = program_row(w, unit, row, 0, &merge);

		spirv_store(&w->m, program_type(w), at, data);
		program_row_end(w, merge);
	}
}

static void
program_barrier(struct writer *w)
{
	SPIRV_DO(&w->m, SPIRV_MEMORY_BARRIER, spirv_u32(&w->m, SPIRV_DEVICE),
	         spirv_u32(&w->m, BARRIER));
}

/* A loop over the order; it ends early at an entry that is no index. */
static struct spirv_loop
program_order_loop(struct writer *w, uint32_t *unit)
{
	struct spirv_loop loop = program_loop(w, narrow(w, COUNT));
	uint32_t number = program_number(w, 0);

	spirv_leave_if(&w->m, &loop,
	               compare(w, SPIRV_I_EQUAL, number, narrow(w, PATTERN)));
	*unit = program_unit(w, number);
	return loop;
}

static void
program_latency(struct writer *w)
{
	const struct gpu_transfer *t = w->t;
	bool has_barrier = t->wrrd == WRRD_FENCE || t->wrrd == WRRD_STORE;
	uint32_t unit, from, to;
	struct spirv_loop loop = program_order_loop(w, &unit);

	from = program_clock(w);
	if (gpu_writes(t))
		program_stores(w, unit);
	if (gpu_writes(t) && has_barrier)
		program_barrier(w);
	if (gpu_reads(t))
		program_loads(w, unit, t->wrrd == WRRD_SECTOR ? 32 : 0);
	to = program_clock(w);
	program_store(w, get(w, I), 4, 0, op32(w, SPIRV_I_SUB, to, from));
	program_loop_end(w, &loop, spirv_u32(&w->m, 1));
}

/* Stores a mark if it is time for the next one, in steps of `step`. */
static void
program_mark(struct writer *w, uint32_t step)
{
	struct spirv *m = &w->m;
	uint32_t merge =
	    spirv_if(m, compare(w, SPIRV_I_EQUAL, get(w, DONE), get(w, NEXT)));
	uint32_t clock = spirv_clock(m, w->p->scope);
	uint32_t at = spirv_get(m, m->u64, w->v64[MARK]);
	uint32_t first = spirv_if(m, w->first);

	spirv_store(m, m->u64, at, clock);
	spirv_endif(m, first);
	spirv_set(m, w->v64[MARK],
	          SPIRV_GET(m, SPIRV_I_ADD, m->u64, at, spirv_u64(m, 8)));
	add(w, NEXT, step);
	spirv_endif(m, merge);
}

static void
program_wrap(struct writer *w)
{
	uint32_t count = narrow(w, COUNT);
	uint32_t merge = spirv_if(
	    &w->m, compare(w, SPIRV_U_GREATER_THAN_EQUAL, get(w, I), count));

	set(w, I, op32(w, SPIRV_U_MOD, get(w, I), count));
	spirv_endif(&w->m, merge);
}

/* One transfer of a bandwidth bench. */
static void
program_bandwidth_turn(struct writer *w)
{
	bool reads = gpu_reads(w->t), writes = gpu_writes(w->t);
	uint32_t unit = program_unit(w, program_number(w, 0));

	if (reads)
		program_loads(w, unit, 0);
	if (reads && writes)
		unit = program_unit(w, program_number(w, 1));
	if (writes)
		program_stores(w, unit);
}

/* Writes are complete when a read after them has returned. */
static void
program_bandwidth(struct writer *w)
{
	struct spirv *m = &w->m;
	bool writes = gpu_writes(w->t);
	uint32_t entries = spirv_u32(m, gpu_reads(w->t) && writes ? 2 : 1);
	uint32_t group = program_group(w), warmup = narrow(w, WARMUP);
	uint32_t timed = op32(w, SPIRV_I_ADD, warmup, narrow(w, TIMED));
	uint32_t total = op32(w, SPIRV_I_ADD, timed, warmup);
	uint32_t step = op32(w, SPIRV_SHIFT_RIGHT,
	                     op32(w, SPIRV_I_ADD, narrow(w, TIMED),
	                          spirv_u32(m, (1u << GPU_STEP_SHIFT) - 1)),
	                     spirv_u32(m, GPU_STEP_SHIFT));
	struct spirv_loop loop;

	set(w, I, op32(w, SPIRV_I_MUL, group, entries));
	set(w, DONE, spirv_u32(m, 0));
	set(w, NEXT, warmup);
	spirv_set(
	    m, w->v64[MARK],
	    spirv_index(m, wide(w, RESULTS), group, sizeof(struct gpu_span)));
	loop = spirv_loop_begin(m);
	spirv_leave_if(
	    m, &loop,
	    compare(w, SPIRV_U_GREATER_THAN_EQUAL, get(w, DONE), total));
	program_mark(w, step);
	program_wrap(w);
	program_bandwidth_turn(w);
	add(w, DONE, spirv_u32(m, 1));
	program_loop_end(w, &loop,
	                 op32(w, SPIRV_I_MUL, narrow(w, WORKERS), entries));
	if (writes) {
		program_barrier(w);
		program_loads(w, program_unit(w, spirv_u32(m, 0)), 0);
	}
}

const char *
program_check(const struct program *p, const struct gpu_transfer *t,
              uint64_t offset)
{
	unsigned lane = t->bytes_per_lane;

	if (!t->size)
		return "a transfer of 0 bytes";
	if (t->engine == ENGINE_CE)
		return gpu_is_latency(t)
		           ? "the copy queue measures bandwidth only"
		           : NULL;
	if (lane != 4 && lane != 8 && lane != 16)
		return "a lane takes 4, 8 or 16 bytes";
	if (t->size % lane || offset % lane)
		return "size and offset must be multiples of 4 bytes and of "
		       "what a lane takes";
	if (program_rows(p, t) * (lane / 4) > PROGRAM_WORDS)
		return "too large: a lane of the subgroup holds 256 bytes";
	if (t->wrrd == WRRD_SECTOR && offset % 64 + t->size > 32)
		return "wrrd=sector writes within the first 32 bytes of a line";
	return NULL;
}

unsigned
program_lane(const struct program *p, const struct gpu_transfer *t,
             uint64_t offset)
{
	unsigned lane = 4;

	while (lane < 16 && t->size > p->lanes * lane &&
	       (t->size | offset) % ((uint64_t)2 * lane) == 0)
		lane *= 2;
	return lane;
}

uint32_t *
program_transfer(const struct program *p, const struct gpu_transfer *t,
                 size_t *n)
{
	struct writer w = {.t = t};

	program_begin(&w, p);
	if (gpu_is_latency(t))
		program_latency(&w);
	else
		program_bandwidth(&w);
	return spirv_end(&w.m, n);
}

uint32_t *
program_chain(const struct program *p, unsigned length, size_t *n)
{
	struct writer w = {0};
	uint32_t from, to, number;
	struct spirv_loop loop;

	program_begin(&w, p);
	loop = program_loop(&w, narrow(&w, COUNT));
	number = program_number(&w, 0);
	program_wait(&w, number);
	from = program_clock(&w);
	for (unsigned i = 0; i < length; i++)
		number = spirv_load(&w.m, w.m.u32, program_unit(&w, number));
	program_wait(&w, number);
	to = program_clock(&w);
	program_store(&w, get(&w, I), sizeof(struct program_link), 0,
	              op32(&w, SPIRV_I_SUB, to, from));
	program_store(&w, get(&w, I), sizeof(struct program_link), 4, number);
	program_loop_end(&w, &loop, spirv_u32(&w.m, 1));
	return spirv_end(&w.m, n);
}

bool
program_chain_holds(double overhead, double one, double chain, unsigned length)
{
	double load = one - overhead;
	double ratio = load > 0 ? (chain - overhead) / (load * length) : 0;

	return ratio >= 1 - TOLERANCE && ratio <= 1 + TOLERANCE;
}

uint32_t *
program_overhead(const struct program *p, size_t *n)
{
	struct writer w = {0};
	struct spirv_loop loop;
	uint32_t from, to;

	program_begin(&w, p);
	loop = program_loop(&w, narrow(&w, COUNT));
	from = program_clock(&w);
	to = program_clock(&w);
	program_store(&w, get(&w, I), 4, 0, op32(&w, SPIRV_I_SUB, to, from));
	program_loop_end(&w, &loop, spirv_u32(&w.m, 1));
	return spirv_end(&w.m, n);
}

/* A linear congruential generator: each step depends on the one before. */
uint32_t *
program_spin(const struct program *p, size_t *n)
{
	struct writer w = {0};
	struct spirv_loop loop;
	uint32_t from, x;

	program_begin(&w, p);
	set(&w, FOUND, w.lane);
	from = program_clock(&w);
	loop = program_loop(&w, narrow(&w, COUNT));
	x = get(&w, FOUND);
	for (unsigned i = 0; i < SPIN_STEPS; i++) {
		x = op32(&w, SPIRV_I_MUL, x, spirv_u32(&w.m, 1664525));
		x = op32(&w, SPIRV_I_ADD, x, narrow(&w, UNIT));
	}
	set(&w, FOUND, x);
	program_loop_end(&w, &loop, spirv_u32(&w.m, 1));
	program_wait(&w, get(&w, FOUND));
	x = program_clock(&w);
	program_store(&w, spirv_u32(&w.m, 0), 4, 0, from);
	program_store(&w, spirv_u32(&w.m, 1), 4, 0, x);
	return spirv_end(&w.m, n);
}

uint32_t *
program_load(const struct program *p, size_t *n)
{
	struct writer w = {0};
	struct spirv_loop loop;

	program_begin(&w, p);
	loop = program_loop(&w, narrow(&w, COUNT));
	program_wait(&w, spirv_load(&w.m, w.m.u32, wide(&w, BUFFER)));
	program_loop_end(&w, &loop, spirv_u32(&w.m, 1));
	return spirv_end(&w.m, n);
}

uint32_t *
program_fill(const struct program *p, size_t *n)
{
	struct writer w = {0};
	uint32_t lanes, step;
	struct spirv_loop loop;

	program_begin(&w, p);
	lanes = spirv_u32(&w.m, p->lanes);
	step = op32(&w, SPIRV_I_MUL, narrow(&w, WORKERS), lanes);
	set(&w, I,
	    op32(&w, SPIRV_I_ADD, w.lane,
	         op32(&w, SPIRV_I_MUL, program_group(&w), lanes)));
	loop = program_loop(&w, narrow(&w, COUNT));
	spirv_store(&w.m, w.m.u32,
	            spirv_index(&w.m, wide(&w, BUFFER), get(&w, I), 4),
	            op32(&w, SPIRV_I_ADD, narrow(&w, PATTERN), get(&w, I)));
	program_loop_end(&w, &loop, step);
	program_barrier(&w);
	return spirv_end(&w.m, n);
}

uint32_t *
program_sum(const struct program *p, size_t *n)
{
	struct writer w = {0};
	struct spirv *m = &w.m;
	struct spirv_loop loop;
	uint32_t at;

	program_begin(&w, p);
	set(&w, I, w.lane);
	set(&w, FOUND, spirv_u32(m, 0));
	loop = program_loop(&w, narrow(&w, COUNT));
	at = spirv_index(m, wide(&w, BUFFER), get(&w, I), 4);
	add(&w, FOUND, spirv_load(m, m->u32, at));
	program_loop_end(&w, &loop, spirv_u32(m, p->lanes));
	at = SPIRV_GET(m, SPIRV_CONVERT_U_TO_PTR, m->memory_u32,
	               wide(&w, RESULTS));
	SPIRV_GET(m, SPIRV_ATOMIC_I_ADD, m->u32, at, spirv_u32(m, SPIRV_DEVICE),
	          spirv_u32(m, 0), get(&w, FOUND));
	return spirv_end(m, n);
}
