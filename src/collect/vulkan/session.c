/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Vulkan does for a session with a GPU. */
#include "collect/vulkan/gpu.h"

#include "collect/vulkan/spirv.h"
#include "common/base/intmath.h"
#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <stdlib.h>
#include <string.h>

/* Workers that keep a device busy: discrete, integrated, or one CPU. */
#define WORKERS            512
#define WORKERS_INTEGRATED 128

/* Workgroups of GPU_FILL. */
#define FILL_GROUPS 4096

/* GPU_LOAD runs several times in a row, with this many reads each. */
#define LOAD_RUNS  8
#define LOAD_TURNS 30000

/* Whether it is a display function with a driver. */
static bool
vulkan_is_in_kernel(const struct gpu *gpu, const struct pci_function *function)
{
	return !gpu->software && function && function->class_code >> 24 == 3 &&
	       *function->driver && is_sysfs(root_path("/sys/bus/pci"));
}

static void
vulkan_describe(struct session *s)
{
	const struct vulkan_device *d =
	    &((struct vulkan_gpu *)s->state)->device;

	preamble_set(s->preamble, "gpu", "%s, subgroups of %u, driver %s",
	             d->name, d->lanes, d->driver);
}

static const char *
vulkan_check_transfer(const struct gpu *gpu, const struct gpu_transfer *t,
                      uint64_t offset)
{
	return program_check(&((const struct vulkan_gpu *)gpu)->program, t,
	                     offset);
}

static unsigned
vulkan_lane(const struct gpu *gpu, const struct gpu_transfer *t,
            uint64_t offset)
{
	return program_lane(&((const struct vulkan_gpu *)gpu)->program, t,
	                    offset);
}

static uint64_t
vulkan_workers(const struct gpu *gpu)
{
	if (gpu->software)
		return 1;
	return gpu->linkless ? WORKERS_INTEGRATED : WORKERS;
}

static bool
vulkan_import_memory(struct session *s)
{
	struct vulkan_gpu *vg = s->state;
	struct gpu_memory *m = &vg->gpu.memory;

	m->imported = true;
	if (!vulkan_import(s, &vg->device, &vg->window, m->host.at,
	                   m->host.size))
		return false;
	m->address = vg->window.address;
	return true;
}

static void
vulkan_release(struct gpu *gpu)
{
	struct vulkan_gpu *vg = (struct vulkan_gpu *)gpu;

	vulkan_free(&vg->device, &vg->window);
}

static bool
vulkan_load_transfer(struct session *s, enum gpu_program program,
                     const struct gpu_transfer *t)
{
	struct vulkan_gpu *vg = s->state;
	size_t n;
	uint32_t *word;

	if (t->engine == ENGINE_CE) {
		vulkan_free(&vg->device, &vg->scratch);
		return vulkan_allocate(s, &vg->device, &vg->scratch,
		                       (size_t)2 * t->size, false);
	}
	vulkan_destroy(&vg->device, &vg->pipeline[program]);
	word = program_transfer(&vg->program, t, &n);
	return vulkan_use(s, word, n, &vg->pipeline[program]);
}

static bool
vulkan_start(struct session *s, enum gpu_program program,
             const struct gpu_args *args, uint64_t workers)
{
	struct vulkan_gpu *vg = s->state;
	struct vulkan_device *d = &vg->device;
	struct gpu_args copy = *args;
	unsigned runs = 1;

	if (program == GPU_FILL)
		workers = FILL_GROUPS;
	copy.workers = (uint32_t)workers;
	if (program == GPU_LOAD) {
		copy.count = LOAD_TURNS;
		runs = LOAD_RUNS;
	}
	if (!vulkan_begin(s, d, &d->compute))
		return false;
	while (runs--)
		vulkan_dispatch(d, vg->pipeline[program], &copy, sizeof copy,
		                (uint32_t)workers);
	return vulkan_submit(s, d, &d->compute);
}

static bool
vulkan_wait_for_end(struct session *s)
{
	struct vulkan_device *d = &((struct vulkan_gpu *)s->state)->device;

	return vulkan_wait(s, d, &d->compute);
}

/* Copies between host-visible memory and device memory. */
static bool
vulkan_move(struct session *s, VkBuffer from, uint64_t at, VkBuffer to,
            size_t size)
{
	struct vulkan_device *d = &((struct vulkan_gpu *)s->state)->device;
	VkBufferCopy region = {.srcOffset = at, .size = size};

	if (!vulkan_begin(s, d, &d->compute))
		return false;
	d->vk.CmdCopyBuffer(d->compute.commands, from, to, 1, &region);
	return vulkan_submit(s, d, &d->compute) &&
	       vulkan_wait(s, d, &d->compute);
}

static bool
vulkan_write(struct session *s, enum gpu_area area, const void *from,
             size_t size)
{
	const struct vulkan_gpu *vg = s->state;

	memcpy(vg->staging.mapped, from, size);
	return vulkan_move(
	    s, vg->staging.buffer, 0,
	    area == AREA_ORDER ? vg->order.buffer : vg->results.buffer, size);
}

static bool
vulkan_read(struct session *s, void *to, size_t from, size_t size)
{
	const struct vulkan_gpu *vg = s->state;

	if (!vulkan_move(s, vg->results.buffer, from, vg->staging.buffer, size))
		return false;
	memcpy(to, vg->staging.mapped, size);
	return true;
}

/* Time since a base in ns, from the lower half of the clock, which may wrap. */
static uint64_t
vulkan_clock_ns(uint64_t clock, uint64_t base, double ps)
{
	uint32_t since = (uint32_t)(clock - base);

	return (uint64_t)((double)since * ps / 1000);
}

static void
vulkan_spans_to_ns(const struct gpu *gpu, struct gpu_span *span, size_t n)
{
	uint64_t base = span->mark[0] - (UINT32_MAX >> 2);

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < GPU_MARKS; k++)
			span[i].mark[k] = vulkan_clock_ns(span[i].mark[k], base,
			                                  gpu->clock.ps);
	}
}

static bool
vulkan_allocate_areas(struct session *s)
{
	struct vulkan_gpu *vg = s->state;
	struct vulkan_device *d = &vg->device;
	size_t order = GPU_ORDER * sizeof *vg->gpu.entries;
	size_t results = GPU_WORKERS * sizeof *vg->gpu.span;

	if (!vulkan_allocate(s, d, &vg->order, order, false) ||
	    !vulkan_allocate(s, d, &vg->results, results, false) ||
	    !vulkan_allocate(s, d, &vg->sink, LINE, false) ||
	    !vulkan_allocate(s, d, &vg->staging, max_u64(order, results), true))
		return false;
	vg->gpu.order_at = vg->order.address;
	vg->gpu.results_at = vg->results.address;
	vg->gpu.dead_store_at = vg->sink.address;
	return true;
}

bool
vulkan_prepare_programs(struct session *s)
{
	static uint32_t *(*const program[NPROGRAMS])(const struct program *,
	                                             size_t *) = {
	    [GPU_OVERHEAD] = program_overhead,
	    [GPU_LOAD] = program_load,
	    [GPU_FILL] = program_fill,
	    [GPU_SUM] = program_sum,
	};
	struct vulkan_gpu *vg = s->state;
	uint32_t *word;
	size_t n;

	for (size_t i = 0; i < NPROGRAMS; i++) {
		if (!program[i])
			continue;
		word = program[i](&vg->program, &n);
		if (!vulkan_use(s, word, n, &vg->pipeline[i]))
			return false;
	}
	word = program_spin(&vg->program, &n);
	return vulkan_use(s, word, n, &vg->spin) && vulkan_allocate_areas(s);
}

const struct gpu_driver vulkan_gpu_driver = {
    .soname = VULKAN_SONAME,
    /* Timestamps around a program are accurate to some microseconds. */
    .steady_part = 0.01,
    .most_turns = PROGRAM_TURNS,
    .is_in_kernel = vulkan_is_in_kernel,
    .describe = vulkan_describe,
    .describe_clock = vulkan_describe_clock,
    .check = vulkan_check_transfer,
    .lane = vulkan_lane,
    .workers = vulkan_workers,
    .import = vulkan_import_memory,
    .release = vulkan_release,
    .load = vulkan_load_transfer,
    .start = vulkan_start,
    .wait = vulkan_wait_for_end,
    .write = vulkan_write,
    .read = vulkan_read,
    .spans_to_ns = vulkan_spans_to_ns,
    .read_ticks = vulkan_read_ticks,
    .prove = vulkan_prove_chain,
    .copy = vulkan_copy,
};
