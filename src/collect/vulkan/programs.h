/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs that a device runs, in SPIR-V. Their push constants are a
 * struct gpu_args. A worker is a workgroup, which is one subgroup.
 */
#ifndef PCB_COLLECT_VULKAN_PROGRAMS_H
#define PCB_COLLECT_VULKAN_PROGRAMS_H

#include "collect/gpu/transfer.h"

#include <stddef.h>
#include <stdint.h>

/*
 * llvmpipe ends all loops of a program after 65535 turns in all: no program
 * takes more than these.
 */
#define PROGRAM_TURNS 65000

/* Words of data that one invocation can have under way. */
#define PROGRAM_WORDS 64

/* Loads of program_chain. */
#define PROGRAM_CHAIN 8

struct program {
	unsigned lanes; /* invocations of a subgroup */
	uint32_t scope; /* of the clock: SPIRV_DEVICE or SPIRV_SUBGROUP */
};

/* What program_spin and program_chain leave. */
struct program_ticks {
	uint32_t from, to; /* the clock's lower half */
};
struct program_link {
	uint32_t cycles, last; /* the number that the last load found */
};

/* NULL, or why a device of so many lanes has no such transfer (a constant). */
const char *program_check(const struct program *p, const struct gpu_transfer *t,
                          uint64_t offset);

/* Bytes that a lane takes: the fewest with which a subgroup does it at once. */
unsigned program_lane(const struct program *p, const struct gpu_transfer *t,
                      uint64_t offset);

/*
 * Each returns the words of a module, *n of them, to be freed. The transfer
 * has passed program_check.
 */
uint32_t *program_transfer(const struct program *p,
                           const struct gpu_transfer *t, size_t *n);

/*
 * `count` times, from the unit that the order says: `length` loads, each of
 * the unit whose number the one before has found. Leaves a program_link for
 * each.
 */
uint32_t *program_chain(const struct program *p, unsigned length, size_t *n);

/* The cycles of `count` empty timings. */
uint32_t *program_overhead(const struct program *p, size_t *n);

/* Computes for `count` turns, without memory; leaves a program_ticks. */
uint32_t *program_spin(const struct program *p, size_t *n);

/* Reads the first word of the buffer `count` times. */
uint32_t *program_load(const struct program *p, size_t *n);

/* Writes `count` words by `workers` workgroups; adds them up by one. */
uint32_t *program_fill(const struct program *p, size_t *n);
uint32_t *program_sum(const struct program *p, size_t *n);

#endif
