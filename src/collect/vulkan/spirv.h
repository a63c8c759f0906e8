/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a SPIR-V module, by the SPIR-V specification 1.5: one compute shader
 * with 64-bit addresses and one block of push constants.
 */
#ifndef PCB_COLLECT_VULKAN_SPIRV_H
#define PCB_COLLECT_VULKAN_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opcodes of programs, as in the specification. */
enum {
	SPIRV_LOAD = 61,
	SPIRV_STORE = 62,
	SPIRV_ACCESS_CHAIN = 65,
	SPIRV_COMPOSITE = 80, /* OpCompositeConstruct */
	SPIRV_COMPOSITE_EXTRACT = 81,
	SPIRV_U_CONVERT = 113,
	SPIRV_CONVERT_U_TO_PTR = 120,
	SPIRV_I_ADD = 128,
	SPIRV_I_SUB = 130,
	SPIRV_I_MUL = 132,
	SPIRV_U_MOD = 137,
	SPIRV_I_EQUAL = 170,
	SPIRV_U_GREATER_THAN_EQUAL = 174,
	SPIRV_U_LESS_THAN = 176,
	SPIRV_SHIFT_RIGHT = 194, /* OpShiftRightLogical */
	SPIRV_BITWISE_XOR = 198,
	SPIRV_MEMORY_BARRIER = 225,
	SPIRV_ATOMIC_I_ADD = 234,
	SPIRV_READ_CLOCK = 5056,
};

/* Scopes of SPIRV_READ_CLOCK and of barriers. */
enum { SPIRV_DEVICE = 1, SPIRV_SUBGROUP = 3 };

struct spirv_words {
	uint32_t *word;
	size_t n;
};

/* A constant of a type; each is declared once. */
struct spirv_constant {
	uint32_t type, id;
	uint64_t value;
};

struct spirv {
	struct spirv_words global, code;
	struct {
		struct spirv_constant *item;
		size_t n;
	} constants;
	uint32_t ids; /* identifiers assigned so far */

	/* Types, and pointers to them; vectors have 2 or 4 words. */
	uint32_t void_type, bool_type, u32, u64, vector2, vector4;
	uint32_t pointer_push_u32, pointer_push_u64, pointer_input;
	uint32_t memory_u32, memory_u64, memory_vector2, memory_vector4;
	uint32_t local_u32, local_u64; /* for variables of the function */

	/* The push constants, and built-in variables. */
	uint32_t push, group, lane;
};

/*
 * Begins a module whose shader "main" has `lanes` invocations per workgroup.
 * The push constants are `wide` 64-bit numbers, `narrow` 32-bit ones, then one
 * of 64 bits. The function declares `variables` of 32 bits and as many of 64;
 * local32 and local64 get their identifiers.
 */
void spirv_begin(struct spirv *m, unsigned lanes, unsigned wide,
                 unsigned narrow, unsigned variables, uint32_t *local32,
                 uint32_t *local64);

/* Ends the function. Returns the *n words of the module; free them. */
uint32_t *spirv_end(struct spirv *m, size_t *n);

/* Appends an instruction to the function. */
void spirv_emit(struct spirv *m, unsigned opcode, const uint32_t *operand,
                size_t n);
#define SPIRV_DO(m, opcode, ...)                                               \
	spirv_emit(m, opcode, (const uint32_t[]){__VA_ARGS__},                 \
	           sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* The same for an instruction with a result; returns its identifier. */
uint32_t spirv_value(struct spirv *m, unsigned opcode, uint32_t type,
                     const uint32_t *operand, size_t n);
#define SPIRV_GET(m, opcode, type, ...)                                        \
	spirv_value(m, opcode, type, (const uint32_t[]){__VA_ARGS__},          \
	            sizeof((const uint32_t[]){__VA_ARGS__}) /                  \
	                sizeof(uint32_t))

/* Identifiers of constants. */
uint32_t spirv_u32(struct spirv *m, uint32_t value);
uint32_t spirv_u64(struct spirv *m, uint64_t value);

/* The push constant at index `number`, of 64 bits if `wide`. */
uint32_t spirv_argument(struct spirv *m, unsigned number, bool wide);

/* Read and write a variable; `type` is m->u32 or m->u64. */
uint32_t spirv_get(struct spirv *m, uint32_t type, uint32_t variable);
void spirv_set(struct spirv *m, uint32_t variable, uint32_t value);

/*
 * Load and store a `type` (u32, u64 or a vector) at an address. The access is
 * volatile: neither dropped nor merged with another.
 */
uint32_t spirv_load(struct spirv *m, uint32_t type, uint32_t address);
void spirv_store(struct spirv *m, uint32_t type, uint32_t address,
                 uint32_t value);

/* A 64-bit address plus a 32-bit number times a constant. */
uint32_t spirv_index(struct spirv *m, uint32_t address, uint32_t number,
                     uint32_t scale);

/* The clock of this scope: 64 bits, in unspecified units. */
uint32_t spirv_clock(struct spirv *m, uint32_t scope);

/* Enclose code that runs only if a condition holds. */
uint32_t spirv_if(struct spirv *m, uint32_t condition);
void spirv_endif(struct spirv *m, uint32_t merge);

/* A loop: begin it, leave it on conditions, end it. */
struct spirv_loop {
	uint32_t header, next, merge;
};
struct spirv_loop spirv_loop_begin(struct spirv *m);
void spirv_leave_if(struct spirv *m, const struct spirv_loop *loop,
                    uint32_t condition);
void spirv_loop_end(struct spirv *m, const struct spirv_loop *loop);

#endif
