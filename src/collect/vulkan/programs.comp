// SPDX-License-Identifier: GPL-2.0-or-later
// The programs of a device: a worker is a workgroup of one subgroup. The build
// compiles them for each number of bytes that a lane takes at a time, LANE, and
// for each scope of the clock, CLOCK. programs.c sets the constants below for
// each pipeline, and the driver removes what they exclude. tools/spirv-order
// shows the order of what is timed.
#version 460
#pragma use_vulkan_memory_model
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_spirv_intrinsics : require
#extension GL_ARB_shader_clock : require
#extension GL_EXT_shader_realtime_clock : require

// What a lane takes, all words of it in one, and the most that it can hold.
#if LANE == 4
#define T uint
#define FOLD(v) (v)
#define MOST 64
#elif LANE == 8
#define T uvec2
#define FOLD(v) ((v).x ^ (v).y)
#define MOST 32
#else
#define T uvec4
#define FOLD(v) ((v).x ^ (v).y ^ (v).z ^ (v).w)
#define MOST 16
#endif

#if CLOCK == 1
#define CLOCK_NOW() clockRealtimeEXT()
#else
#define CLOCK_NOW() clockARB()
#endif

// As enum program_constant.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint PROGRAM = 0;
layout(constant_id = 2) const bool READS = false;
layout(constant_id = 3) const bool WRITES = false;
layout(constant_id = 4) const bool BARRIER = false; // between the two
layout(constant_id = 5) const uint ROWS = 0; // accesses of all lanes together
layout(constant_id = 6) const uint LEFT = 0; // lanes that access one row more
layout(constant_id = 7) const uint BESIDE = 0; // bytes behind what is written
layout(constant_id = 8) const uint LENGTH = 1; // of a chain
layout(constant_id = 9) const uint STEP_SHIFT = 0; // GPU_STEP_SHIFT
layout(constant_id = 10) const uint SPAN = 8; // bytes of a struct gpu_span

// As enum program_number.
#define LATENCY   0
#define BANDWIDTH 1
#define OVERHEAD  2
#define LOAD      3
#define FILL      4
#define SUM       5
#define SPIN      6
#define CHAIN     7

// As struct gpu_args.
layout(push_constant) uniform Arguments {
	uint64_t window, order, results, dead_store;
	uint count, unit, pattern, workers, warmup, timed;
	uint64_t duration;
} arg;

// An access is volatile (1), so that it is neither dropped nor merged with
// another, aligned to the number that follows (2), made available (8) or
// visible (16) to the scope that follows, not private (32). Volatile alone
// leaves it to the cache of a core: on an H100, repeated loads of one line took
// 74 ns then.
// GLSL has no words for volatile and the scope of the device together.
#define ACCESS(type)                                                           \
	spirv_instruction(id = 61) type                                        \
	    load_from(spirv_by_reference type from, spirv_literal int access,  \
	              spirv_literal int align, uint scope);                    \
	spirv_instruction(id = 62) void                                        \
	    store_to(spirv_by_reference type to, type value,                   \
	             spirv_literal int access, spirv_literal int align,        \
	             uint scope);
ACCESS(uint)
ACCESS(uint64_t)
#if LANE > 4
ACCESS(T)
#endif
#define GET(at, align)    load_from(at.value, 51, align, gl_ScopeDevice)
#define SET(at, align, v) store_to(at.value, v, 43, align, gl_ScopeDevice)

#define POINTER(name, type, align)                                             \
	layout(buffer_reference, buffer_reference_align = align) buffer name   \
	{                                                                      \
		type value;                                                    \
	};
POINTER(Word, uint, 4)
POINTER(Long, uint64_t, 8)
POINTER(Row, T, LANE)

#define lane  gl_LocalInvocationIndex
#define lanes gl_WorkGroupSize.x

// Parts ----------------------------------------------------------------------

// The lower half of the clock: nothing timed takes 2^32 of its units.
#define ticks() uint(CLOCK_NOW())

// Waits for a value: compares it with a number that only the caller knows, and
// branches on the result.
void wait_for(uint value)
{
	if (value == arg.pattern)
		SET(Word(arg.dead_store), 4, value);
}

// The first lane stores number `index` of the results.
void store_result(uint index, uint value)
{
	if (lane == 0)
		SET(Word(arg.results + uint64_t(index) * 4), 4, value);
}

uint entry(uint index)
{
	return GET(Word(arg.order + uint64_t(index) * 4), 4);
}

uint64_t unit_at(uint number)
{
	return arg.window + uint64_t(number) * uint64_t(arg.unit);
}

void barrier_for_all()
{
	memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer,
	              gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable |
	                  gl_SemanticsMakeVisible);
}

uint fold(T part)
{
	return FOLD(part);
}

// This lane's part of a row.
Row row_at(uint64_t unit, uint number)
{
	return Row(unit + uint64_t(lane) * LANE +
	           uint64_t(number) * (lanes * LANE));
}

// Without loops, so that all loads of a unit are under way together.
#define FOUR(x, n)    x(n) x(n + 1) x(n + 2) x(n + 3)
#define SIXTEEN(x, n) FOUR(x, n) FOUR(x, n + 4) FOUR(x, n + 8) FOUR(x, n + 12)
#if MOST == 64
#define EACH(x) SIXTEEN(x, 0) SIXTEEN(x, 16) SIXTEEN(x, 32) SIXTEEN(x, 48)
#elif MOST == 32
#define EACH(x) SIXTEEN(x, 0) SIXTEEN(x, 16)
#else
#define EACH(x) SIXTEEN(x, 0)
#endif

// The row that only some lanes access comes first: after a branch, the program
// would wait for earlier loads.
void load_unit(uint64_t unit)
{
	T part[MOST];
	uint all = 0;

	if (LEFT > 0 && lane < LEFT)
		all = fold(GET(row_at(unit, ROWS), LANE));
#define LOAD_ROW(n)                                                            \
	if (n < ROWS)                                                          \
		part[n] = GET(row_at(unit, n), LANE);
#define FOLD_ROW(n)                                                            \
	if (n < ROWS)                                                          \
		all ^= fold(part[n]);
	EACH(LOAD_ROW)
	EACH(FOLD_ROW)
	wait_for(all);
}

void store_unit(uint64_t unit)
{
#define STORE_ROW(n)                                                           \
	if (n < ROWS)                                                          \
		SET(row_at(unit, n), LANE, T(0x01010101));
	EACH(STORE_ROW)
	if (LEFT > 0 && lane < LEFT)
		SET(row_at(unit, ROWS), LANE, T(0x01010101));
}

// Transfers ------------------------------------------------------------------

// A loop over the order; it ends early at an entry that is no index.
void latency()
{
	for (uint i = 0; i < arg.count; i++) {
		uint number = entry(i);
		uint64_t unit;
		uint from, to;

		if (number == arg.pattern)
			break;
		unit = unit_at(number);
		from = ticks();
		if (WRITES)
			store_unit(unit);
		if (BARRIER)
			barrier_for_all();
		if (READS)
			load_unit(unit + BESIDE);
		to = ticks();
		store_result(i, to - from);
	}
}

// Writes are complete when a read after them has returned.
void bandwidth()
{
	uint entries = READS && WRITES ? 2 : 1;
	uint worker = gl_WorkGroupID.x;
	uint total = arg.warmup + arg.timed + arg.warmup;
	uint step = arg.timed + (1 << STEP_SHIFT) - 1 >> STEP_SHIFT;
	uint i = worker * entries, next = arg.warmup;
	uint64_t mark = arg.results + uint64_t(worker) * SPAN;

	for (uint done = 0; done < total; done++) {
		if (done == next) {
			uint64_t now = CLOCK_NOW();

			if (lane == 0)
				SET(Long(mark), 8, now);
			mark += 8;
			next += step;
		}
		if (i >= arg.count)
			i %= arg.count;
		if (READS)
			load_unit(unit_at(entry(i)));
		if (WRITES)
			store_unit(unit_at(entry(i + entries - 1)));
		i += arg.workers * entries;
	}
	if (WRITES) {
		barrier_for_all();
		load_unit(unit_at(0));
	}
}

// Other programs -------------------------------------------------------------

void overhead()
{
	for (uint i = 0; i < arg.count; i++) {
		uint from = ticks();
		uint to = ticks();

		store_result(i, to - from);
	}
}

void load()
{
	for (uint i = 0; i < arg.count; i++)
		wait_for(GET(Word(arg.window), 4));
}

void fill()
{
	uint step = arg.workers * lanes;

	for (uint i = gl_GlobalInvocationID.x; i < arg.count; i += step)
		SET(Word(arg.window + uint64_t(i) * 4), 4, arg.pattern + i);
	barrier_for_all();
}

void sum()
{
	uint found = 0;

	for (uint i = lane; i < arg.count; i += lanes)
		found += GET(Word(arg.window + uint64_t(i) * 4), 4);
	atomicAdd(Word(arg.results).value, found, gl_ScopeDevice, 0, 0);
}

// A linear congruential generator: each step depends on the one before.
void spin()
{
	uint x = lane, from = ticks(), to;

	for (uint i = 0; i < arg.count; i++) {
#define STEP(n) x = x * 1664525 + arg.unit;
		SIXTEEN(STEP, 0) SIXTEEN(STEP, 0) SIXTEEN(STEP, 0)
		SIXTEEN(STEP, 0) SIXTEEN(STEP, 0) SIXTEEN(STEP, 0)
		SIXTEEN(STEP, 0) SIXTEEN(STEP, 0) SIXTEEN(STEP, 0)
		SIXTEEN(STEP, 0) SIXTEEN(STEP, 0) SIXTEEN(STEP, 0)
		SIXTEEN(STEP, 0) SIXTEEN(STEP, 0) SIXTEEN(STEP, 0)
		SIXTEEN(STEP, 0)
	}
	wait_for(x);
	to = ticks();
	store_result(0, from);
	store_result(1, to);
}

// Each load returns the index of the next unit.
void chain()
{
	for (uint i = 0; i < arg.count; i++) {
		uint number = entry(i), from, to;

		wait_for(number);
		from = ticks();
		number = GET(Word(unit_at(number)), 4);
		if (LENGTH > 1) {
#define LINK(n) number = GET(Word(unit_at(number)), 4);
			FOUR(LINK, 0) LINK(0) LINK(0) LINK(0)
		}
		wait_for(number);
		to = ticks();
		store_result(2 * i, to - from);
		store_result(2 * i + 1, number);
	}
}

void main()
{
	if (PROGRAM == LATENCY)
		latency();
	else if (PROGRAM == BANDWIDTH)
		bandwidth();
	else if (PROGRAM == OVERHEAD)
		overhead();
	else if (PROGRAM == LOAD)
		load();
	else if (PROGRAM == FILL)
		fill();
	else if (PROGRAM == SUM)
		sum();
	else if (PROGRAM == SPIN)
		spin();
	else
		chain();
}
