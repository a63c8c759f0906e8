/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the programs: SPIR-V modules by the SPIR-V specification 1.5, each a
 * compute shader with 64-bit addresses and one block of push constants.
 */
#include "collect/vulkan/gpu.h"

#include "common/base/intmath.h"
#include "common/base/util.h"

/* A chain may differ by this part from the sum of its loads. */
#define TOLERANCE 0.25

/* Dependent steps per turn of program_spin. */
#define SPIN_STEPS 256

/* Opcodes, as in the specification. */
enum {
	OP_EXTENSION = 10,
	OP_MEMORY_MODEL = 14,
	OP_ENTRY_POINT = 15,
	OP_EXECUTION_MODE = 16,
	OP_CAPABILITY = 17,
	OP_TYPE_VOID = 19,
	OP_TYPE_BOOL = 20,
	OP_TYPE_INT = 21,
	OP_TYPE_VECTOR = 23,
	OP_TYPE_STRUCT = 30,
	OP_TYPE_POINTER = 32,
	OP_TYPE_FUNCTION = 33,
	OP_CONSTANT = 43,
	OP_FUNCTION = 54,
	OP_FUNCTION_END = 56,
	OP_VARIABLE = 59,
	OP_LOAD = 61,
	OP_STORE = 62,
	OP_ACCESS_CHAIN = 65,
	OP_DECORATE = 71,
	OP_MEMBER_DECORATE = 72,
	OP_COMPOSITE_CONSTRUCT = 80,
	OP_COMPOSITE_EXTRACT = 81,
	OP_U_CONVERT = 113,
	OP_CONVERT_U_TO_PTR = 120,
	OP_I_ADD = 128,
	OP_I_SUB = 130,
	OP_I_MUL = 132,
	OP_U_MOD = 137,
	OP_I_EQUAL = 170,
	OP_U_GREATER_THAN_EQUAL = 174,
	OP_U_LESS_THAN = 176,
	OP_SHIFT_RIGHT_LOGICAL = 194,
	OP_BITWISE_XOR = 198,
	OP_MEMORY_BARRIER = 225,
	OP_ATOMIC_I_ADD = 234,
	OP_LOOP_MERGE = 246,
	OP_SELECTION_MERGE = 247,
	OP_LABEL = 248,
	OP_BRANCH = 249,
	OP_BRANCH_CONDITIONAL = 250,
	OP_RETURN = 253,
	OP_READ_CLOCK = 5056,
};

/* Capabilities, storage classes, decorations, built-in variables. */
enum { SHADER = 1, INT64 = 11, SHADER_CLOCK = 5055, ADDRESSES = 5347 };
enum { VULKAN_MEMORY_MODEL = 5345, DEVICE_SCOPE = 5346 };
enum { INPUT = 1, FUNCTION = 7, PUSH_CONSTANT = 9, MEMORY = 5349 };
enum { BLOCK = 2, BUILT_IN = 11, OFFSET = 35 };
enum { WORKGROUP_ID = 26, LOCAL_INVOCATION_INDEX = 29 };

/*
 * Memory operands: volatile (1), so that an access is neither dropped nor
 * merged with another, aligned to the number that follows (2), made available
 * (8) or visible (16) to the scope that follows, not private (32). Volatile
 * alone leaves an access to the cache of a core: on an H100, repeated loads of
 * one line took 74 ns then.
 */
enum { STORE_OPERANDS = 1 | 2 | 8 | 32, LOAD_OPERANDS = 1 | 2 | 16 | 32 };

/*
 * Memory semantics of a barrier: acquire and release, for buffers, which it
 * makes available and visible.
 */
#define BARRIER (0x8 | 0x40 | 0x2000 | 0x4000)

/*
 * Identifiers that each module declares, in this order: interface, types,
 * pointers, and what the entry point needs.
 */
enum { MAIN = 1, ARGUMENTS, PUSH, GROUP, LANE };
enum { VOID = LANE + 1, BOOL, U32, U64, VECTOR2, VECTOR4 };
enum { PUSH_U32 = VECTOR4 + 1, PUSH_U64, INPUT_U32 };
enum { MEMORY_U32 = INPUT_U32 + 1, MEMORY_U64, MEMORY_VECTOR2, MEMORY_VECTOR4 };
enum { LOCAL_U32 = MEMORY_VECTOR4 + 1, LOCAL_U64, PUSH_ARGUMENTS };
enum { VECTOR3 = PUSH_ARGUMENTS + 1, INPUT_VECTOR3, MAIN_TYPE, ENTRY };

/*
 * Variables of the function, of 32 bits; one of 64 bits follows each, of which
 * only MARK is used: the address of the next mark.
 */
enum { I = ENTRY + 1, MARK, DONE, NEXT = DONE + 2, FOUND = NEXT + 2 };

/* Arguments by index in struct gpu_args: 64-bit ones, then 32-bit ones. */
enum { BUFFER, ORDER, RESULTS, DEAD_STORE, WIDE };
enum { COUNT = WIDE, UNIT, PATTERN, WORKERS, WARMUP, TIMED, DURATION };

/* A constant of a type; each is declared once. */
struct constant {
	uint32_t type, id;
	uint64_t value;
};

/* A program being written. */
struct writer {
	const struct program *p;
	const struct gpu_transfer *t;
	struct words global, code;
	struct constant *constant;
	size_t nconstants;
	uint32_t ids;         /* identifiers assigned so far */
	uint32_t lane, first; /* lane index; whether it is 0 */
};

/* Instructions ------------------------------------------------------------ */

static void
append(struct words *to, unsigned opcode, const uint32_t *operand, size_t n)
{
	array_push(to->word, to->n, (uint32_t)(n + 1) << 16 | opcode);
	for (size_t i = 0; i < n; i++)
		array_push(to->word, to->n, operand[i]);
}

/* The arguments as an array, and their number. */
#define LIST(...)                                                              \
	(const uint32_t[]){__VA_ARGS__},                                       \
	    sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

/* Append an instruction: a declaration, one of the function. */
#define GLOBAL(w, opcode, ...) append(&(w)->global, opcode, LIST(__VA_ARGS__))
#define DO(w, opcode, ...)     append(&(w)->code, opcode, LIST(__VA_ARGS__))

/* The same for an instruction with a result; returns its identifier. */
#define GET(w, opcode, type, ...) get_value(w, opcode, type, LIST(__VA_ARGS__))

static uint32_t
get_value(struct writer *w, unsigned opcode, uint32_t type,
          const uint32_t *operand, size_t n)
{
	struct words *to = &w->code;

	array_push(to->word, to->n, (uint32_t)(n + 3) << 16 | opcode);
	array_push(to->word, to->n, type);
	array_push(to->word, to->n, ++w->ids);
	for (size_t i = 0; i < n; i++)
		array_push(to->word, to->n, operand[i]);
	return w->ids;
}

static uint32_t
constant(struct writer *w, uint32_t type, uint64_t value)
{
	for (size_t i = 0; i < w->nconstants; i++) {
		if (w->constant[i].type == type &&
		    w->constant[i].value == value)
			return w->constant[i].id;
	}
	array_push(w->constant, w->nconstants,
	           (struct constant){type, ++w->ids, value});
	if (type == U64)
		GLOBAL(w, OP_CONSTANT, type, w->ids, (uint32_t)value,
		       (uint32_t)(value >> 32));
	else
		GLOBAL(w, OP_CONSTANT, type, w->ids, (uint32_t)value);
	return w->ids;
}

static uint32_t
u32(struct writer *w, uint32_t value)
{
	return constant(w, U32, value);
}

static uint32_t
argument(struct writer *w, unsigned number)
{
	bool wide = number < WIDE;
	uint32_t at = GET(w, OP_ACCESS_CHAIN, wide ? PUSH_U64 : PUSH_U32, PUSH,
	                  u32(w, number));

	return GET(w, OP_LOAD, wide ? U64 : U32, at);
}

static uint32_t
op32(struct writer *w, unsigned opcode, uint32_t a, uint32_t b)
{
	return GET(w, opcode, U32, a, b);
}

static uint32_t
op64(struct writer *w, unsigned opcode, uint32_t a, uint32_t b)
{
	return GET(w, opcode, U64, a, b);
}

static uint32_t
compare(struct writer *w, unsigned opcode, uint32_t a, uint32_t b)
{
	return GET(w, opcode, BOOL, a, b);
}

static uint32_t
get(struct writer *w, uint32_t variable)
{
	return GET(w, OP_LOAD, variable == MARK ? U64 : U32, variable);
}

static void
set(struct writer *w, uint32_t variable, uint32_t value)
{
	DO(w, OP_STORE, variable, value);
}

static void
add(struct writer *w, uint32_t variable, uint32_t value)
{
	set(w, variable, op32(w, OP_I_ADD, get(w, variable), value));
}

/* A 64-bit address plus a 32-bit number times a constant. */
static uint32_t
indexed(struct writer *w, uint32_t address, uint32_t number, uint32_t scale)
{
	uint32_t wide = GET(w, OP_U_CONVERT, U64, number);
	uint32_t bytes = op64(w, OP_I_MUL, wide, constant(w, U64, scale));

	return op64(w, OP_I_ADD, address, bytes);
}

/* Converts an address to a pointer; *align is its alignment in bytes. */
static uint32_t
pointer(struct writer *w, uint32_t type, uint32_t address, uint32_t *align)
{
	*align = type == U32 ? 4 : type == VECTOR4 ? 16 : 8;
	return GET(w, OP_CONVERT_U_TO_PTR, type - U32 + MEMORY_U32, address);
}

/* Load and store a `type` (U32, U64 or a vector) at an address. */
static uint32_t
load(struct writer *w, uint32_t type, uint32_t address)
{
	uint32_t align, at = pointer(w, type, address, &align);

	return GET(w, OP_LOAD, type, at, LOAD_OPERANDS, align,
	           u32(w, SPIRV_DEVICE));
}

static void
store(struct writer *w, uint32_t type, uint32_t address, uint32_t value)
{
	uint32_t align, at = pointer(w, type, address, &align);

	DO(w, OP_STORE, at, value, STORE_OPERANDS, align, u32(w, SPIRV_DEVICE));
}

/* Enclose code that runs only if a condition holds. */
static uint32_t
begin_if(struct writer *w, uint32_t condition)
{
	uint32_t then = ++w->ids, merge = ++w->ids;

	DO(w, OP_SELECTION_MERGE, merge, 0);
	DO(w, OP_BRANCH_CONDITIONAL, condition, then, merge);
	DO(w, OP_LABEL, then);
	return merge;
}

static void
end_if(struct writer *w, uint32_t merge)
{
	DO(w, OP_BRANCH, merge);
	DO(w, OP_LABEL, merge);
}

/* A loop: begin it, leave it on conditions, end it. */
struct loop {
	uint32_t header, next, merge;
};

static struct loop
begin_loop(struct writer *w)
{
	uint32_t header = ++w->ids, body = ++w->ids;
	struct loop loop = {header, header + 2, header + 3};

	w->ids += 2;
	DO(w, OP_BRANCH, header);
	DO(w, OP_LABEL, header);
	DO(w, OP_LOOP_MERGE, loop.merge, loop.next, 0);
	DO(w, OP_BRANCH, body);
	DO(w, OP_LABEL, body);
	return loop;
}

static void
leave_if(struct writer *w, struct loop loop, uint32_t condition)
{
	uint32_t on = ++w->ids;

	DO(w, OP_SELECTION_MERGE, on, 0);
	DO(w, OP_BRANCH_CONDITIONAL, condition, loop.merge, on);
	DO(w, OP_LABEL, on);
}

/* A loop that ends when I reaches the argument COUNT. */
static struct loop
begin_count(struct writer *w)
{
	uint32_t most = argument(w, COUNT);
	struct loop loop = begin_loop(w);

	leave_if(w, loop, compare(w, OP_U_GREATER_THAN_EQUAL, get(w, I), most));
	return loop;
}

/* Adds `step` to I. */
static void
end_loop(struct writer *w, struct loop loop, uint32_t step)
{
	add(w, I, step);
	DO(w, OP_BRANCH, loop.next);
	DO(w, OP_LABEL, loop.next);
	DO(w, OP_BRANCH, loop.header);
	DO(w, OP_LABEL, loop.merge);
}

/* Four bytes of a text. */
#define TEXT(s)                                                                \
	((uint32_t)(s)[0] | (uint32_t)(s)[1] << 8 | (uint32_t)(s)[2] << 16 |   \
	 (uint32_t)(s)[3] << 24)

static void
declare(struct writer *w)
{
	/* The magic number, version 1.5. */
	static const uint32_t header[] = {0x07230203, 0x00010500, 0, 0, 0};
	uint32_t members[2 + DURATION] = {ARGUMENTS};

	for (size_t i = 0; i < ARRAY_LEN(header); i++)
		array_push(w->global.word, w->global.n, header[i]);
	GLOBAL(w, OP_CAPABILITY, SHADER);
	GLOBAL(w, OP_CAPABILITY, INT64);
	GLOBAL(w, OP_CAPABILITY, ADDRESSES);
	GLOBAL(w, OP_CAPABILITY, SHADER_CLOCK);
	GLOBAL(w, OP_CAPABILITY, VULKAN_MEMORY_MODEL);
	GLOBAL(w, OP_CAPABILITY, DEVICE_SCOPE);
	GLOBAL(w, OP_EXTENSION, TEXT("SPV_"), TEXT("KHR_"), TEXT("shad"),
	       TEXT("er_c"), TEXT("lock"), 0);
	/* 64-bit addresses, Vulkan's memory model; a compute shader. */
	GLOBAL(w, OP_MEMORY_MODEL, 5348, 3);
	GLOBAL(w, OP_ENTRY_POINT, 5, MAIN, TEXT("main"), 0, PUSH, GROUP, LANE);
	/* The size of a workgroup is mode 17. */
	GLOBAL(w, OP_EXECUTION_MODE, MAIN, 17, w->p->lanes, 1, 1);
	GLOBAL(w, OP_DECORATE, ARGUMENTS, BLOCK);
	for (uint32_t i = 0, at = 0; i <= DURATION; i++) {
		GLOBAL(w, OP_MEMBER_DECORATE, ARGUMENTS, i, OFFSET, at);
		at += i < WIDE ? 8 : 4;
		members[1 + i] = i < WIDE || i == DURATION ? U64 : U32;
	}
	GLOBAL(w, OP_DECORATE, GROUP, BUILT_IN, WORKGROUP_ID);
	GLOBAL(w, OP_DECORATE, LANE, BUILT_IN, LOCAL_INVOCATION_INDEX);
	GLOBAL(w, OP_TYPE_VOID, VOID);
	GLOBAL(w, OP_TYPE_BOOL, BOOL);
	GLOBAL(w, OP_TYPE_INT, U32, 32, 0);
	GLOBAL(w, OP_TYPE_INT, U64, 64, 0);
	GLOBAL(w, OP_TYPE_VECTOR, VECTOR2, U32, 2);
	GLOBAL(w, OP_TYPE_VECTOR, VECTOR4, U32, 4);
	GLOBAL(w, OP_TYPE_POINTER, PUSH_U32, PUSH_CONSTANT, U32);
	GLOBAL(w, OP_TYPE_POINTER, PUSH_U64, PUSH_CONSTANT, U64);
	GLOBAL(w, OP_TYPE_POINTER, INPUT_U32, INPUT, U32);
	GLOBAL(w, OP_TYPE_POINTER, MEMORY_U32, MEMORY, U32);
	GLOBAL(w, OP_TYPE_POINTER, MEMORY_U64, MEMORY, U64);
	GLOBAL(w, OP_TYPE_POINTER, MEMORY_VECTOR2, MEMORY, VECTOR2);
	GLOBAL(w, OP_TYPE_POINTER, MEMORY_VECTOR4, MEMORY, VECTOR4);
	GLOBAL(w, OP_TYPE_POINTER, LOCAL_U32, FUNCTION, U32);
	GLOBAL(w, OP_TYPE_POINTER, LOCAL_U64, FUNCTION, U64);
	append(&w->global, OP_TYPE_STRUCT, members, ARRAY_LEN(members));
	GLOBAL(w, OP_TYPE_POINTER, PUSH_ARGUMENTS, PUSH_CONSTANT, ARGUMENTS);
	GLOBAL(w, OP_VARIABLE, PUSH_ARGUMENTS, PUSH, PUSH_CONSTANT);
	GLOBAL(w, OP_TYPE_VECTOR, VECTOR3, U32, 3);
	GLOBAL(w, OP_TYPE_POINTER, INPUT_VECTOR3, INPUT, VECTOR3);
	GLOBAL(w, OP_VARIABLE, INPUT_VECTOR3, GROUP, INPUT);
	GLOBAL(w, OP_VARIABLE, INPUT_U32, LANE, INPUT);
	GLOBAL(w, OP_TYPE_FUNCTION, MAIN_TYPE, VOID);
}

/* Begins a program, with I = 0; finish frees it and returns its words. */
static struct writer
begin(const struct program *p, const struct gpu_transfer *t)
{
	struct writer writer = {.p = p, .t = t}, *w = &writer;

	declare(w);
	DO(w, OP_FUNCTION, VOID, MAIN, 0, MAIN_TYPE);
	DO(w, OP_LABEL, ENTRY);
	w->ids = ENTRY;
	while (w->ids <= FOUND) {
		GET(w, OP_VARIABLE, LOCAL_U32, FUNCTION);
		GET(w, OP_VARIABLE, LOCAL_U64, FUNCTION);
	}
	w->lane = get(w, LANE);
	w->first = compare(w, OP_I_EQUAL, w->lane, u32(w, 0));
	set(w, I, u32(w, 0));
	return writer;
}

static struct words
finish(struct writer *w)
{
	/* The bound of identifiers. */
	w->global.word[3] = w->ids + 1;
	append(&w->code, OP_RETURN, NULL, 0);
	append(&w->code, OP_FUNCTION_END, NULL, 0);
	for (size_t i = 0; i < w->code.n; i++)
		array_push(w->global.word, w->global.n, w->code.word[i]);
	free(w->code.word);
	free(w->constant);
	return w->global;
}

/* Parts of programs ------------------------------------------------------- */

static uint32_t
group(struct writer *w)
{
	return GET(w, OP_LOAD, U32,
	           GET(w, OP_ACCESS_CHAIN, INPUT_U32, GROUP, u32(w, 0)));
}

/* The clock has 64 bits, in unspecified units. */
static uint32_t
clock_now(struct writer *w)
{
	return GET(w, OP_READ_CLOCK, U64, u32(w, w->p->scope));
}

/* The lower half of the clock: nothing timed takes 2^32 of its units. */
static uint32_t
read_ticks(struct writer *w)
{
	return GET(w, OP_U_CONVERT, U32, clock_now(w));
}

/*
 * Makes the program wait for a value: it compares the value with a number that
 * only the caller knows, and branches on the result.
 */
static void
wait_for(struct writer *w, uint32_t value)
{
	uint32_t merge =
	    begin_if(w, compare(w, OP_I_EQUAL, value, argument(w, PATTERN)));

	store(w, U32, argument(w, DEAD_STORE), value);
	end_if(w, merge);
}

/* The first lane stores a 32-bit number in the results. */
static void
store_result(struct writer *w, uint32_t index, uint32_t scale, uint32_t offset,
             uint32_t value)
{
	uint32_t merge = begin_if(w, w->first);
	uint32_t at = indexed(w, argument(w, RESULTS), index, scale);

	at = op64(w, OP_I_ADD, at, constant(w, U64, offset));
	store(w, U32, at, value);
	end_if(w, merge);
}

/* The order's entry at I + behind. */
static uint32_t
entry(struct writer *w, uint32_t behind)
{
	uint32_t at = indexed(w, argument(w, ORDER), get(w, I), 4);

	at = op64(w, OP_I_ADD, at, constant(w, U64, UINT64_C(4) * behind));
	return load(w, U32, at);
}

/* The address of a unit. */
static uint32_t
unit_at(struct writer *w, uint32_t number)
{
	uint32_t a = GET(w, OP_U_CONVERT, U64, number);
	uint32_t b = GET(w, OP_U_CONVERT, U64, argument(w, UNIT));
	uint32_t bytes = op64(w, OP_I_MUL, a, b);

	return op64(w, OP_I_ADD, argument(w, BUFFER), bytes);
}

/* Accesses of all lanes together, "rows", of a transfer. */
static unsigned
rows_of(const struct gpu_transfer *t)
{
	return (unsigned)div_round_up(t->size,
	                              (uint64_t)t->lanes * t->bytes_per_lane);
}

/* The type of what a lane takes. */
static uint32_t
row_type(const struct writer *w)
{
	return w->t->bytes_per_lane == 4   ? U32
	       : w->t->bytes_per_lane == 8 ? VECTOR2
	                                   : VECTOR4;
}

/* The lane's address in a row; *merge is not 0 if only some lanes access it. */
static uint32_t
begin_row(struct writer *w, uint32_t unit, unsigned row, unsigned beside,
          uint32_t *merge)
{
	unsigned lane = w->t->bytes_per_lane;
	unsigned from = row * w->p->lanes * lane;
	unsigned left = (w->t->size - from) / lane;
	uint32_t at = indexed(w, unit, w->lane, lane);

	*merge = 0;
	if (left < w->p->lanes)
		*merge = begin_if(
		    w, compare(w, OP_U_LESS_THAN, w->lane, u32(w, left)));
	return op64(w, OP_I_ADD, at, constant(w, U64, from + beside));
}

/* Combines all words that a lane has loaded in a row into one. */
static uint32_t
fold(struct writer *w, uint32_t value)
{
	unsigned n = w->t->bytes_per_lane / 4;
	uint32_t all = value;

	for (unsigned i = 0; n > 1 && i < n; i++) {
		uint32_t part = GET(w, OP_COMPOSITE_EXTRACT, U32, value, i);

		all = i ? op32(w, OP_BITWISE_XOR, all, part) : part;
	}
	return all;
}

/*
 * The row that only some lanes access comes first: after a branch, the program
 * would wait for earlier loads.
 */
static void
load_unit(struct writer *w, uint32_t unit, unsigned beside)
{
	unsigned rows = rows_of(w->t);
	uint32_t value[PROGRAM_WORDS], all;

	set(w, FOUND, u32(w, 0));
	for (unsigned n = 0; n < rows; n++) {
		uint32_t merge, at;

		at = begin_row(w, unit, rows - 1 - n, beside, &merge);
		value[n] = load(w, row_type(w), at);
		if (merge) {
			set(w, FOUND, fold(w, value[n]));
			end_if(w, merge);
			value[n] = 0;
		}
	}
	all = get(w, FOUND);
	for (unsigned n = 0; n < rows; n++) {
		if (value[n])
			all = op32(w, OP_BITWISE_XOR, all, fold(w, value[n]));
	}
	wait_for(w, all);
}

static void
store_unit(struct writer *w, uint32_t unit)
{
	uint32_t data = u32(w, 0x01010101);

	if (row_type(w) == VECTOR2)
		data = GET(w, OP_COMPOSITE_CONSTRUCT, VECTOR2, data, data);
	else if (row_type(w) == VECTOR4)
		data = GET(w, OP_COMPOSITE_CONSTRUCT, VECTOR4, data, data, data,
		           data);
	for (unsigned row = 0; row < rows_of(w->t); row++) {
		uint32_t merge, at = begin_row(w, unit, row, 0, &merge);

		store(w, row_type(w), at, data);
		if (merge)
			end_if(w, merge);
	}
}

static void
barrier(struct writer *w)
{
	DO(w, OP_MEMORY_BARRIER, u32(w, SPIRV_DEVICE), u32(w, BARRIER));
}

/* Transfers --------------------------------------------------------------- */

/* A loop over the order; it ends early at an entry that is no index. */
static void
write_latency(struct writer *w)
{
	const struct gpu_transfer *t = w->t;
	bool has_barrier = t->wrrd == WRRD_FENCE || t->wrrd == WRRD_STORE;
	struct loop loop = begin_count(w);
	uint32_t unit, from, to, number = entry(w, 0);

	leave_if(w, loop, compare(w, OP_I_EQUAL, number, argument(w, PATTERN)));
	unit = unit_at(w, number);
	from = read_ticks(w);
	if (gpu_writes(t))
		store_unit(w, unit);
	if (gpu_writes(t) && has_barrier)
		barrier(w);
	if (gpu_reads(t))
		load_unit(w, unit, t->wrrd == WRRD_SECTOR ? 32 : 0);
	to = read_ticks(w);
	store_result(w, get(w, I), 4, 0, op32(w, OP_I_SUB, to, from));
	end_loop(w, loop, u32(w, 1));
}

/* Stores a mark if it is time for the next one, in steps of `step`. */
static void
write_mark(struct writer *w, uint32_t step)
{
	uint32_t merge =
	    begin_if(w, compare(w, OP_I_EQUAL, get(w, DONE), get(w, NEXT)));
	uint32_t clock = clock_now(w), at = get(w, MARK);
	uint32_t first = begin_if(w, w->first);

	store(w, U64, at, clock);
	end_if(w, first);
	set(w, MARK, op64(w, OP_I_ADD, at, constant(w, U64, 8)));
	add(w, NEXT, step);
	end_if(w, merge);
}

/* One transfer of a bandwidth bench, after I has wrapped. */
static void
write_turn(struct writer *w)
{
	bool reads = gpu_reads(w->t), writes = gpu_writes(w->t);
	uint32_t count = argument(w, COUNT), unit;
	uint32_t merge =
	    begin_if(w, compare(w, OP_U_GREATER_THAN_EQUAL, get(w, I), count));

	set(w, I, op32(w, OP_U_MOD, get(w, I), count));
	end_if(w, merge);
	unit = unit_at(w, entry(w, 0));
	if (reads)
		load_unit(w, unit, 0);
	if (reads && writes)
		unit = unit_at(w, entry(w, 1));
	if (writes)
		store_unit(w, unit);
}

/* Writes are complete when a read after them has returned. */
static void
write_bandwidth(struct writer *w)
{
	bool writes = gpu_writes(w->t);
	uint32_t entries = u32(w, gpu_reads(w->t) && writes ? 2 : 1);
	uint32_t worker = group(w), warmup = argument(w, WARMUP);
	uint32_t timed = op32(w, OP_I_ADD, warmup, argument(w, TIMED));
	uint32_t total = op32(w, OP_I_ADD, timed, warmup);
	uint32_t step = op32(w, OP_SHIFT_RIGHT_LOGICAL,
	                     op32(w, OP_I_ADD, argument(w, TIMED),
	                          u32(w, (1u << GPU_STEP_SHIFT) - 1)),
	                     u32(w, GPU_STEP_SHIFT));
	struct loop loop;

	set(w, I, op32(w, OP_I_MUL, worker, entries));
	set(w, DONE, u32(w, 0));
	set(w, NEXT, warmup);
	set(w, MARK,
	    indexed(w, argument(w, RESULTS), worker, sizeof(struct gpu_span)));
	loop = begin_loop(w);
	leave_if(w, loop,
	         compare(w, OP_U_GREATER_THAN_EQUAL, get(w, DONE), total));
	write_mark(w, step);
	write_turn(w);
	add(w, DONE, u32(w, 1));
	end_loop(w, loop, op32(w, OP_I_MUL, argument(w, WORKERS), entries));
	if (writes) {
		barrier(w);
		load_unit(w, unit_at(w, u32(w, 0)), 0);
	}
}

const char *
program_check(const struct gpu_transfer *t, uint64_t offset)
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
	if (rows_of(t) * (lane / 4) > PROGRAM_WORDS)
		return "too large: a lane of the subgroup holds 256 bytes";
	if (t->wrrd == WRRD_SECTOR && offset % 64 + t->size > 32)
		return "wrrd=sector writes within the first 32 bytes of a line";
	return NULL;
}

struct words
program_transfer(const struct program *p, const struct gpu_transfer *t)
{
	struct writer w = begin(p, t);

	if (gpu_is_latency(t))
		write_latency(&w);
	else
		write_bandwidth(&w);
	return finish(&w);
}

/* Other programs ---------------------------------------------------------- */

struct words
program_chain(const struct program *p, unsigned length)
{
	struct writer writer = begin(p, NULL), *w = &writer;
	struct loop loop = begin_count(w);
	uint32_t from, to, number = entry(w, 0);

	wait_for(w, number);
	from = read_ticks(w);
	for (unsigned i = 0; i < length; i++)
		number = load(w, U32, unit_at(w, number));
	wait_for(w, number);
	to = read_ticks(w);
	store_result(w, get(w, I), sizeof(struct program_link), 0,
	             op32(w, OP_I_SUB, to, from));
	store_result(w, get(w, I), sizeof(struct program_link), 4, number);
	end_loop(w, loop, u32(w, 1));
	return finish(w);
}

bool
program_chain_holds(double overhead, double one, double chain, unsigned length)
{
	double alone = one - overhead;
	double ratio = alone > 0 ? (chain - overhead) / (alone * length) : 0;

	return ratio >= 1 - TOLERANCE && ratio <= 1 + TOLERANCE;
}

static void
write_overhead(struct writer *w)
{
	struct loop loop = begin_count(w);
	uint32_t from = read_ticks(w), to = read_ticks(w);

	store_result(w, get(w, I), 4, 0, op32(w, OP_I_SUB, to, from));
	end_loop(w, loop, u32(w, 1));
}

/* A linear congruential generator: each step depends on the one before. */
static void
write_spin(struct writer *w)
{
	struct loop loop;
	uint32_t from, x;

	set(w, FOUND, w->lane);
	from = read_ticks(w);
	loop = begin_count(w);
	x = get(w, FOUND);
	for (unsigned i = 0; i < SPIN_STEPS; i++) {
		x = op32(w, OP_I_MUL, x, u32(w, 1664525));
		x = op32(w, OP_I_ADD, x, argument(w, UNIT));
	}
	set(w, FOUND, x);
	end_loop(w, loop, u32(w, 1));
	wait_for(w, get(w, FOUND));
	x = read_ticks(w);
	store_result(w, u32(w, 0), 4, 0, from);
	store_result(w, u32(w, 1), 4, 0, x);
}

static void
write_load(struct writer *w)
{
	struct loop loop = begin_count(w);

	wait_for(w, load(w, U32, argument(w, BUFFER)));
	end_loop(w, loop, u32(w, 1));
}

static void
write_fill(struct writer *w)
{
	uint32_t lanes = u32(w, w->p->lanes);
	uint32_t step = op32(w, OP_I_MUL, argument(w, WORKERS), lanes);
	struct loop loop;

	set(w, I,
	    op32(w, OP_I_ADD, w->lane, op32(w, OP_I_MUL, group(w), lanes)));
	loop = begin_count(w);
	store(w, U32, indexed(w, argument(w, BUFFER), get(w, I), 4),
	      op32(w, OP_I_ADD, argument(w, PATTERN), get(w, I)));
	end_loop(w, loop, step);
	barrier(w);
}

static void
write_sum(struct writer *w)
{
	struct loop loop;
	uint32_t at;

	set(w, I, w->lane);
	set(w, FOUND, u32(w, 0));
	loop = begin_count(w);
	at = indexed(w, argument(w, BUFFER), get(w, I), 4);
	add(w, FOUND, load(w, U32, at));
	end_loop(w, loop, u32(w, w->p->lanes));
	at = GET(w, OP_CONVERT_U_TO_PTR, MEMORY_U32, argument(w, RESULTS));
	GET(w, OP_ATOMIC_I_ADD, U32, at, u32(w, SPIRV_DEVICE), u32(w, 0),
	    get(w, FOUND));
}

struct words
program_support(const struct program *p, unsigned which)
{
	static void (*const write[NPIPELINES])(struct writer * w) = {
	    [GPU_OVERHEAD] = write_overhead, [GPU_LOAD] = write_load,
	    [GPU_FILL] = write_fill,         [GPU_SUM] = write_sum,
	    [PROGRAM_SPIN] = write_spin,
	};
	struct writer w = begin(p, NULL);

	write[which](&w);
	return finish(&w);
}
