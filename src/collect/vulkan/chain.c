/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verifies that the time of a load covers the whole load. */
#include "collect/vulkan/gpu.h"

#include "collect/vulkan/spirv.h"

#include <stdlib.h>

#define LINES_MOST 1024 /* lines of all chains, a power of 2 */
#define CHAINS     64   /* at most, per length */

/*
 * Lines between steps: far away, and odd, so that each line comes once. Chains
 * share no line, since a cache of the GPU may answer a second load.
 */
#define STRIDE 389

/* A chain may differ by this part from the sum of its loads. */
#define TOLERANCE 0.25

bool
vulkan_chain_holds(double overhead, double one, double chain, unsigned length)
{
	double load = one - overhead;
	double ratio = load > 0 ? (chain - overhead) / (load * length) : 0;

	return ratio >= 1 - TOLERANCE && ratio <= 1 + TOLERANCE;
}

static uint32_t
vulkan_chain_lines(const struct gpu *gpu)
{
	uint32_t lines = LINES_MOST;

	while (lines > 1 && lines > gpu->memory.host.size / LINE)
		lines /= 2;
	return lines;
}

static uint32_t
vulkan_next(const struct gpu *gpu, uint32_t line)
{
	return (line + STRIDE) % vulkan_chain_lines(gpu);
}

static void
vulkan_write_chain(const struct gpu *gpu)
{
	uint32_t *word = (void *)gpu->memory.host.at;

	for (uint32_t i = 0; i < vulkan_chain_lines(gpu); i++)
		word[(size_t)i * LINE / sizeof *word] = vulkan_next(gpu, i);
}

static int
vulkan_by_cycles(const void *a, const void *b)
{
	const struct program_link *x = a, *y = b;

	return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

/* Whether each chain ended where the host's copy of it ends. */
static bool
vulkan_check_ends(struct session *s, const uint32_t *from,
                  const struct program_link *link, size_t n, unsigned length)
{
	const struct gpu *gpu = s->state;

	for (size_t i = 0; i < n; i++) {
		uint32_t wanted = from[i];

		for (unsigned k = 0; k < length; k++)
			wanted = vulkan_next(gpu, wanted);
		if (link[i].last != wanted)
			return fail(s, STATUS_TROUBLE,
			            "%s: a chain of %u loads from line %u ends "
			            "at %u, not at %u: the device does not "
			            "read what the host wrote",
			            gpu->bdf, length, from[i], link[i].last,
			            wanted);
	}
	return true;
}

/* Stores the median of chains of this length, in units of the clock. */
static bool
vulkan_time_chain(struct session *s, unsigned length, double *median)
{
	struct vulkan_gpu *vg = s->state;
	struct gpu *gpu = &vg->gpu;
	struct gpu_args args = gpu_args(gpu);
	struct program_link link[CHAINS];
	size_t n;
	uint32_t *word = program_chain(&vg->program, length, &n);
	uint32_t lines = vulkan_chain_lines(gpu);
	uint32_t chains = lines / length < CHAINS ? lines / length : CHAINS;

	for (uint32_t i = 0; i < chains; i++)
		gpu->entries[i] = i * length * STRIDE % lines;
	args.buffer = gpu->memory.address;
	args.unit = LINE;
	args.count = chains;
	vulkan_destroy(&vg->device, &vg->pipeline[GPU_READ]);
	if (!vulkan_use(s, word, n, &vg->pipeline[GPU_READ]) ||
	    !gpu_transfer(s, GPU_READ, &args, 1) ||
	    !gpu->driver->read(s, link, 0, chains * sizeof *link) ||
	    !vulkan_check_ends(s, gpu->entries, link, chains, length))
		return false;
	qsort(link, chains, sizeof *link, vulkan_by_cycles);
	*median = link[chains / 2].cycles;
	return true;
}

bool
vulkan_prove_chain(struct session *s)
{
	struct vulkan_gpu *vg = s->state;
	const struct gpu_clock *clock = &vg->gpu.clock;
	double one = 0, chain = 0;

	vulkan_write_chain(&vg->gpu);
	if (!vulkan_time_chain(s, 1, &one) ||
	    !vulkan_time_chain(s, PROGRAM_CHAIN, &chain))
		return false;
	preamble_set(s->preamble, "chain_check",
	             "1 load %.0f ns, %d dependent loads %.0f ns",
	             one * clock->ps / 1000, PROGRAM_CHAIN,
	             chain * clock->ps / 1000);
	return vulkan_is_software(&vg->device) ||
	       vulkan_chain_holds(clock->overhead, one, chain, PROGRAM_CHAIN) ||
	       fail(s, STATUS_ABSENT,
	            "%s: a load takes %.0f ns, and %d that wait for each other "
	            "%.0f ns: its programs do not wait for a load before they "
	            "read the clock again",
	            vg->gpu.bdf, one * clock->ps / 1000, PROGRAM_CHAIN,
	            chain * clock->ps / 1000);
}
