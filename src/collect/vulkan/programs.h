/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of a device, in SPIR-V. Their push constants are a struct
 * gpu_args. A worker is a workgroup of one subgroup.
 */
#ifndef PCB_COLLECT_VULKAN_PROGRAMS_H
#define PCB_COLLECT_VULKAN_PROGRAMS_H

#include "collect/gpu/gpu.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Most iterations of a program: llvmpipe stops all loops of a program after
 * 65535 in total.
 */
#define PROGRAM_TURNS 65000

/* Words of data that one invocation can have in flight. */
#define PROGRAM_WORDS 64

/* Loads of program_chain. */
#define PROGRAM_CHAIN 8

/* Scopes of clocks, in SPIR-V. */
enum { SPIRV_DEVICE = 1, SPIRV_SUBGROUP = 3 };

struct program {
	unsigned lanes; /* invocations per subgroup */
	uint32_t scope; /* of the clock */
};

/* Results of program_spin and program_chain. */
struct program_ticks {
	uint32_t from, to; /* lower half of the clock */
};
struct program_link {
	uint32_t cycles, last; /* the index that the last load returned */
};

/* NULL, or why this number of lanes cannot do the transfer (a constant). */
const char *program_check(const struct gpu_transfer *t, uint64_t offset);

/* Default bytes per lane: the fewest with which a subgroup needs one access. */
unsigned program_lane(const struct gpu_transfer *t, uint64_t offset);

/*
 * The functions below return the *n words of a module; free them. The transfer
 * must have passed program_check.
 */
uint32_t *program_transfer(const struct program *p,
                           const struct gpu_transfer *t, size_t *n);

/*
 * `count` times, from the order's next unit on: `length` dependent loads, each
 * of which returns the index of the next unit. Stores a program_link each.
 */
uint32_t *program_chain(const struct program *p, unsigned length, size_t *n);

/*
 * Whether `length` chained loads take `length` times one load, both without the
 * overhead of the clock. All times are in its units.
 */
bool program_chain_holds(double overhead, double one, double chain,
                         unsigned length);

/* Stores the cycles of `count` empty timings. */
uint32_t *program_overhead(const struct program *p, size_t *n);

/* Computes for `count` turns, without memory; stores a program_ticks. */
uint32_t *program_spin(const struct program *p, size_t *n);

/* Reads the first word of the buffer `count` times. */
uint32_t *program_load(const struct program *p, size_t *n);

/* Write `count` words with `workers` workgroups; add them in one workgroup. */
uint32_t *program_fill(const struct program *p, size_t *n);
uint32_t *program_sum(const struct program *p, size_t *n);

#endif
