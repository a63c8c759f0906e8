/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Composes the words of a SPIR-V module. */
#include "collect/vulkan/spirv.h"

#include "common/base/list.h"
#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC   0x07230203
#define VERSION 0x00010500

/* Opcodes outside of the function. */
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
	OP_DECORATE = 71,
	OP_MEMBER_DECORATE = 72,
	OP_LOOP_MERGE = 246,
	OP_SELECTION_MERGE = 247,
	OP_LABEL = 248,
	OP_BRANCH = 249,
	OP_BRANCH_CONDITIONAL = 250,
	OP_RETURN = 253,
};

/* Capabilities, storage classes, decorations, built-in variables. */
enum { SHADER = 1, INT64 = 11, SHADER_CLOCK = 5055, ADDRESSES = 5347 };
enum { VULKAN_MEMORY_MODEL = 5345, DEVICE_SCOPE = 5346 };
enum { INPUT = 1, FUNCTION = 7, PUSH_CONSTANT = 9, MEMORY = 5349 };
enum { BLOCK = 2, BUILT_IN = 11, OFFSET = 35 };
enum { WORKGROUP_ID = 26, LOCAL_INVOCATION_INDEX = 29 };

/*
 * Memory operands: volatile (1), aligned to the number that follows (2), made
 * available (8) or visible (16) to the scope that follows, not private (32).
 * Volatile alone leaves an access to the cache of a core: on an H100, repeated
 * loads of one line took 74 ns then.
 */
enum { STORE_OPERANDS = 1 | 2 | 8 | 32, LOAD_OPERANDS = 1 | 2 | 16 | 32 };

static void
spirv_append(struct spirv_words *to, unsigned opcode, const uint32_t *operand,
             size_t n)
{
	array_push(to->word, to->n, (uint32_t)(n + 1) << 16 | opcode);
	for (size_t i = 0; i < n; i++)
		array_push(to->word, to->n, operand[i]);
}

#define GLOBAL(m, opcode, ...)                                                 \
	spirv_append(&(m)->global, opcode, (const uint32_t[]){__VA_ARGS__},    \
	             sizeof((const uint32_t[]){__VA_ARGS__}) /                 \
	                 sizeof(uint32_t))

void
spirv_emit(struct spirv *m, unsigned opcode, const uint32_t *operand, size_t n)
{
	spirv_append(&m->code, opcode, operand, n);
}

static uint32_t
spirv_id(struct spirv *m)
{
	return ++m->ids;
}

uint32_t
spirv_value(struct spirv *m, unsigned opcode, uint32_t type,
            const uint32_t *operand, size_t n)
{
	uint32_t id = spirv_id(m);

	array_push(m->code.word, m->code.n, (uint32_t)(n + 3) << 16 | opcode);
	array_push(m->code.word, m->code.n, type);
	array_push(m->code.word, m->code.n, id);
	for (size_t i = 0; i < n; i++)
		array_push(m->code.word, m->code.n, operand[i]);
	return id;
}

/*
 * An instruction with a NUL-terminated text between operands, 4 bytes a word.
 */
static void
spirv_text(struct spirv *m, unsigned opcode, const uint32_t *before,
           size_t nbefore, const char *text, const uint32_t *after,
           size_t nafter)
{
	uint32_t operand[16] = {0};
	size_t words = strlen(text) / 4 + 1;

	for (size_t i = 0; i < nbefore; i++)
		operand[i] = before[i];
	for (size_t i = 0; text[i]; i++)
		operand[nbefore + i / 4] |= (uint32_t)(unsigned char)text[i]
		                            << i % 4 * 8;
	for (size_t i = 0; i < nafter; i++)
		operand[nbefore + words + i] = after[i];
	spirv_append(&m->global, opcode, operand, nbefore + words + nafter);
}

static uint32_t
spirv_constant(struct spirv *m, uint32_t type, uint64_t value, bool wide)
{
	uint32_t id;

	for (size_t i = 0; i < m->constants.n; i++) {
		const struct spirv_constant *c = &m->constants.item[i];

		if (c->type == type && c->value == value)
			return c->id;
	}
	id = spirv_id(m);
	array_push(m->constants.item, m->constants.n,
	           (struct spirv_constant){type, id, value});
	if (wide)
		GLOBAL(m, OP_CONSTANT, type, id, (uint32_t)value,
		       (uint32_t)(value >> 32));
	else
		GLOBAL(m, OP_CONSTANT, type, id, (uint32_t)value);
	return id;
}

uint32_t
spirv_u32(struct spirv *m, uint32_t value)
{
	return spirv_constant(m, m->u32, value, false);
}

uint32_t
spirv_u64(struct spirv *m, uint64_t value)
{
	return spirv_constant(m, m->u64, value, true);
}

static uint32_t
spirv_pointer(struct spirv *m, uint32_t storage, uint32_t type)
{
	uint32_t id = spirv_id(m);

	GLOBAL(m, OP_TYPE_POINTER, id, storage, type);
	return id;
}

static uint32_t
spirv_vector(struct spirv *m, uint32_t n)
{
	uint32_t id = spirv_id(m);

	GLOBAL(m, OP_TYPE_VECTOR, id, m->u32, n);
	return id;
}

static void
spirv_declare_types(struct spirv *m)
{
	m->void_type = spirv_id(m);
	GLOBAL(m, OP_TYPE_VOID, m->void_type);
	m->bool_type = spirv_id(m);
	GLOBAL(m, OP_TYPE_BOOL, m->bool_type);
	m->u32 = spirv_id(m);
	GLOBAL(m, OP_TYPE_INT, m->u32, 32, 0);
	m->u64 = spirv_id(m);
	GLOBAL(m, OP_TYPE_INT, m->u64, 64, 0);
	m->vector2 = spirv_vector(m, 2);
	m->vector4 = spirv_vector(m, 4);
	m->pointer_push_u32 = spirv_pointer(m, PUSH_CONSTANT, m->u32);
	m->pointer_push_u64 = spirv_pointer(m, PUSH_CONSTANT, m->u64);
	m->pointer_input = spirv_pointer(m, INPUT, m->u32);
	m->memory_u32 = spirv_pointer(m, MEMORY, m->u32);
	m->memory_u64 = spirv_pointer(m, MEMORY, m->u64);
	m->memory_vector2 = spirv_pointer(m, MEMORY, m->vector2);
	m->memory_vector4 = spirv_pointer(m, MEMORY, m->vector4);
	m->local_u32 = spirv_pointer(m, FUNCTION, m->u32);
	m->local_u64 = spirv_pointer(m, FUNCTION, m->u64);
}

/* Declares what precedes types; `block` is the type of the push constants. */
static void
spirv_declare_module(struct spirv *m, uint32_t function, uint32_t block,
                     unsigned lanes, unsigned wide, unsigned narrow)
{
	uint32_t at = 0;

	GLOBAL(m, OP_CAPABILITY, SHADER);
	GLOBAL(m, OP_CAPABILITY, INT64);
	GLOBAL(m, OP_CAPABILITY, ADDRESSES);
	GLOBAL(m, OP_CAPABILITY, SHADER_CLOCK);
	GLOBAL(m, OP_CAPABILITY, VULKAN_MEMORY_MODEL);
	GLOBAL(m, OP_CAPABILITY, DEVICE_SCOPE);
	spirv_text(m, OP_EXTENSION, NULL, 0, "SPV_KHR_shader_clock", NULL, 0);
	/* 64-bit addresses, Vulkan's memory model; a compute shader. */
	GLOBAL(m, OP_MEMORY_MODEL, 5348, 3);
	spirv_text(m, OP_ENTRY_POINT, (const uint32_t[]){5, function}, 2,
	           "main", (const uint32_t[]){m->push, m->group, m->lane}, 3);
	/* The size of a workgroup is mode 17. */
	GLOBAL(m, OP_EXECUTION_MODE, function, 17, lanes, 1, 1);
	GLOBAL(m, OP_DECORATE, block, BLOCK);
	for (uint32_t i = 0; i < wide + narrow + 1; i++) {
		GLOBAL(m, OP_MEMBER_DECORATE, block, i, OFFSET, at);
		at += i < wide ? 8 : 4;
	}
	GLOBAL(m, OP_DECORATE, m->group, BUILT_IN, WORKGROUP_ID);
	GLOBAL(m, OP_DECORATE, m->lane, BUILT_IN, LOCAL_INVOCATION_INDEX);
}

static void
spirv_declare_variables(struct spirv *m, uint32_t block, unsigned wide,
                        unsigned narrow)
{
	uint32_t operand[32] = {block};
	uint32_t pointer, vector, id;

	for (unsigned i = 0; i < wide + narrow + 1; i++)
		operand[1 + i] =
		    i < wide || i == wide + narrow ? m->u64 : m->u32;
	spirv_append(&m->global, OP_TYPE_STRUCT, operand, wide + narrow + 2);
	pointer = spirv_pointer(m, PUSH_CONSTANT, block);
	GLOBAL(m, OP_VARIABLE, pointer, m->push, PUSH_CONSTANT);
	vector = spirv_vector(m, 3);
	id = spirv_pointer(m, INPUT, vector);
	GLOBAL(m, OP_VARIABLE, id, m->group, INPUT);
	GLOBAL(m, OP_VARIABLE, m->pointer_input, m->lane, INPUT);
}

void
spirv_begin(struct spirv *m, unsigned lanes, unsigned wide, unsigned narrow,
            unsigned variables, uint32_t *local32, uint32_t *local64)
{
	uint32_t function, block, type;

	*m = (struct spirv){0};
	function = spirv_id(m);
	block = spirv_id(m);
	m->push = spirv_id(m);
	m->group = spirv_id(m);
	m->lane = spirv_id(m);
	spirv_declare_module(m, function, block, lanes, wide, narrow);
	spirv_declare_types(m);
	spirv_declare_variables(m, block, wide, narrow);
	type = spirv_id(m);
	GLOBAL(m, OP_TYPE_FUNCTION, type, m->void_type);
	SPIRV_DO(m, OP_FUNCTION, m->void_type, function, 0, type);
	SPIRV_DO(m, OP_LABEL, spirv_id(m));
	for (unsigned i = 0; i < variables; i++) {
		local32[i] = SPIRV_GET(m, OP_VARIABLE, m->local_u32, FUNCTION);
		local64[i] = SPIRV_GET(m, OP_VARIABLE, m->local_u64, FUNCTION);
	}
}

uint32_t *
spirv_end(struct spirv *m, size_t *n)
{
	uint32_t header[] = {MAGIC, VERSION, 0, m->ids + 1, 0};
	size_t at = ARRAY_LEN(header);
	uint32_t *word;

	spirv_emit(m, OP_RETURN, NULL, 0);
	spirv_emit(m, OP_FUNCTION_END, NULL, 0);
	*n = at + m->global.n + m->code.n;
	word = xcalloc(*n, sizeof *word);
	memcpy(word, header, sizeof header);
	memcpy(word + at, m->global.word, m->global.n * sizeof *word);
	memcpy(word + at + m->global.n, m->code.word, m->code.n * sizeof *word);
	free(m->global.word);
	free(m->code.word);
	free(m->constants.item);
	*m = (struct spirv){0};
	return word;
}

uint32_t
spirv_argument(struct spirv *m, unsigned number, bool wide)
{
	uint32_t type = wide ? m->u64 : m->u32;
	uint32_t at =
	    SPIRV_GET(m, SPIRV_ACCESS_CHAIN,
	              wide ? m->pointer_push_u64 : m->pointer_push_u32, m->push,
	              spirv_u32(m, number));

	return SPIRV_GET(m, SPIRV_LOAD, type, at);
}

uint32_t
spirv_get(struct spirv *m, uint32_t type, uint32_t variable)
{
	return SPIRV_GET(m, SPIRV_LOAD, type, variable);
}

void
spirv_set(struct spirv *m, uint32_t variable, uint32_t value)
{
	SPIRV_DO(m, SPIRV_STORE, variable, value);
}

/* Converts an address to a pointer; *align is its alignment in bytes. */
static uint32_t
spirv_at(struct spirv *m, uint32_t type, uint32_t address, uint32_t *align)
{
	uint32_t pointer = m->memory_u32;

	*align = 4;
	if (type == m->u64 || type == m->vector2) {
		*align = 8;
		pointer = type == m->u64 ? m->memory_u64 : m->memory_vector2;
	}
	if (type == m->vector4) {
		*align = 16;
		pointer = m->memory_vector4;
	}
	return SPIRV_GET(m, SPIRV_CONVERT_U_TO_PTR, pointer, address);
}

uint32_t
spirv_load(struct spirv *m, uint32_t type, uint32_t address)
{
	uint32_t align, at = spirv_at(m, type, address, &align);

	return SPIRV_GET(m, SPIRV_LOAD, type, at, LOAD_OPERANDS, align,
	                 spirv_u32(m, SPIRV_DEVICE));
}

void
spirv_store(struct spirv *m, uint32_t type, uint32_t address, uint32_t value)
{
	uint32_t align, at = spirv_at(m, type, address, &align);

	SPIRV_DO(m, SPIRV_STORE, at, value, STORE_OPERANDS, align,
	         spirv_u32(m, SPIRV_DEVICE));
}

uint32_t
spirv_index(struct spirv *m, uint32_t address, uint32_t number, uint32_t scale)
{
	uint32_t wide = SPIRV_GET(m, SPIRV_U_CONVERT, m->u64, number);
	uint32_t bytes =
	    SPIRV_GET(m, SPIRV_I_MUL, m->u64, wide, spirv_u64(m, scale));

	return SPIRV_GET(m, SPIRV_I_ADD, m->u64, address, bytes);
}

uint32_t
spirv_clock(struct spirv *m, uint32_t scope)
{
	return SPIRV_GET(m, SPIRV_READ_CLOCK, m->u64, spirv_u32(m, scope));
}

uint32_t
spirv_if(struct spirv *m, uint32_t condition)
{
	uint32_t then = spirv_id(m), merge = spirv_id(m);

	SPIRV_DO(m, OP_SELECTION_MERGE, merge, 0);
	SPIRV_DO(m, OP_BRANCH_CONDITIONAL, condition, then, merge);
	SPIRV_DO(m, OP_LABEL, then);
	return merge;
}

void
spirv_endif(struct spirv *m, uint32_t merge)
{
	SPIRV_DO(m, OP_BRANCH, merge);
	SPIRV_DO(m, OP_LABEL, merge);
}

struct spirv_loop
spirv_loop_begin(struct spirv *m)
{
	struct spirv_loop loop = {.header = spirv_id(m)};
	uint32_t body = spirv_id(m);

	loop.next = spirv_id(m);
	loop.merge = spirv_id(m);
	SPIRV_DO(m, OP_BRANCH, loop.header);
	SPIRV_DO(m, OP_LABEL, loop.header);
	SPIRV_DO(m, OP_LOOP_MERGE, loop.merge, loop.next, 0);
	SPIRV_DO(m, OP_BRANCH, body);
	SPIRV_DO(m, OP_LABEL, body);
	return loop;
}

void
spirv_leave_if(struct spirv *m, const struct spirv_loop *loop,
               uint32_t condition)
{
	uint32_t on = spirv_id(m);

	SPIRV_DO(m, OP_SELECTION_MERGE, on, 0);
	SPIRV_DO(m, OP_BRANCH_CONDITIONAL, condition, loop->merge, on);
	SPIRV_DO(m, OP_LABEL, on);
}

void
spirv_loop_end(struct spirv *m, const struct spirv_loop *loop)
{
	SPIRV_DO(m, OP_BRANCH, loop->next);
	SPIRV_DO(m, OP_LABEL, loop->next);
	SPIRV_DO(m, OP_BRANCH, loop->header);
	SPIRV_DO(m, OP_LABEL, loop->merge);
}
