/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verifies that the path between the GPU and host memory works. */
#include "collect/gpu/gpu.h"

#include <stdlib.h>

#define WORDS 256u /* written and read in each direction */
#define READS 256u /* of one line, and of as many lines once */

/* Bytes of a read: what one lane reads, or the least of a bulk copy. */
#define SM_READ   4
#define BULK_READ 16

/* Reads of one line that are faster than this part of others were cached. */
#define CACHED_PART 0.6

static bool
gpu_device_to_host(struct session *s)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);
	const volatile uint32_t *word = (const void *)gpu->memory.host.at;

	args.buffer = gpu->memory.address;
	args.count = WORDS;
	args.pattern = 0x01234567;
	if (!gpu_run_program(s, GPU_FILL, &args))
		return false;
	for (uint32_t i = 0; i < WORDS; i++) {
		if (word[i] != args.pattern + i)
			return fail(s, STATUS_TROUBLE,
			            "%s: the CPU does not see what the GPU "
			            "wrote to host memory",
			            gpu->bdf);
	}
	return true;
}

static bool
gpu_host_to_device(struct session *s)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);
	volatile uint32_t *word = (void *)gpu->memory.host.at;
	uint32_t wanted = 0, sum = 0;

	for (uint32_t i = 0; i < WORDS; i++) {
		word[i] = i * 2654435761u;
		wanted += word[i];
	}
	args.buffer = gpu->memory.address;
	args.count = WORDS;
	if (!gpu->driver->write(s, AREA_RESULTS, &sum, sizeof sum) ||
	    !gpu_run_program(s, GPU_SUM, &args) ||
	    !gpu->driver->read(s, &sum, 0, sizeof sum))
		return false;
	return sum == wanted ||
	       fail(s, STATUS_TROUBLE,
	            "%s: the GPU does not see what the CPU wrote to host "
	            "memory",
	            gpu->bdf);
}

static int
by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Stores the median of n reads, in cycles, from line `first` on, in steps. */
static bool
gpu_time_reads(struct session *s, uint32_t first, uint32_t step, uint32_t n,
               uint32_t *median)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);

	for (uint32_t i = 0; i < n; i++)
		gpu->entries[i] = first + i * step;
	args.buffer = gpu->memory.address;
	args.unit = LINE;
	args.count = n;
	if (!gpu_transfer(s, GPU_READ, &args, 1) ||
	    !gpu->driver->read(s, gpu->cycles, 0, n * sizeof *gpu->cycles))
		return false;
	qsort(gpu->cycles, n, sizeof *gpu->cycles, by_value);
	*median = gpu->cycles[n / 2];
	return true;
}

/*
 * A cache of the GPU answered repeated reads. That does not matter if a new
 * launch reads from memory again, as on NVIDIA's Vulkan driver.
 */
static bool
gpu_avoid_cache(struct session *s, uint32_t again, uint32_t others,
                uint32_t later)
{
	struct gpu *gpu = s->state;

	if (later < CACHED_PART * others)
		return fail(s, STATUS_TROUBLE,
		            "%s: reads of one line take %.0f ns, and reads of "
		            "others %.0f ns: the GPU answers them itself",
		            gpu->bdf, again * gpu->clock.ps / 1000,
		            others * gpu->clock.ps / 1000);
	if (s->request->bench->id == LAT_WRRD)
		return fail(s, STATUS_ABSENT,
		            "%s: a cache of the GPU answers reads of what it "
		            "has just written: lat_wrrd cannot measure the "
		            "way to memory",
		            gpu->bdf);
	gpu->caches = true;
	preamble_set(s->preamble, "repeated_reads",
	             "a cache of the GPU answers them: each launch reads a "
	             "line once");
	return true;
}

/*
 * Reads the first line repeatedly, then lines that nothing has read yet, then
 * these again: only the first and the last could be answered by a GPU cache of
 * host memory.
 */
static bool
gpu_compare_reads(struct session *s)
{
	struct gpu *gpu = s->state;
	uint32_t lines = (uint32_t)(gpu->memory.host.size / LINE) - 1;
	uint32_t again, others, later;

	if (lines > READS)
		lines = READS;
	if (!gpu_time_reads(s, 0, 0, READS, &again) ||
	    !gpu_time_reads(s, 1, 1, lines, &others) ||
	    !gpu_time_reads(s, 1, 1, lines, &later))
		return false;
	preamble_set(s->preamble, "repeated_read_ns", "%.0f",
	             again * gpu->clock.ps / 1000);
	/*
	 * A cache may answer loads, but not the copy engine. The CPU of a
	 * software driver always has one.
	 */
	return again >= CACHED_PART * others || gpu->software ||
	       gpu->set.engine == ENGINE_CE ||
	       gpu_avoid_cache(s, again, others, later);
}

/* Checks reads of the kind that the bench uses. */
static bool
gpu_reads_go_all_the_way(struct session *s)
{
	struct gpu *gpu = s->state;
	bool bulk = gpu->set.engine == ENGINE_BULK;
	struct gpu_transfer read = {
	    .bench = LAT_RD,
	    .engine = bulk ? ENGINE_BULK : ENGINE_SM,
	    .mmio = gpu->set.mmio,
	    .size = bulk ? BULK_READ : SM_READ,
	    .bytes_per_lane = SM_READ,
	};

	return gpu->driver->load(s, GPU_READ, &read) && gpu_compare_reads(s);
}

bool
gpu_path_check(struct session *s)
{
	return gpu_reads_go_all_the_way(s) && gpu_device_to_host(s) &&
	       gpu_host_to_device(s);
}
