/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DMA by an NVIDIA GPU: its kernels read and write a buffer in host memory. */
#include "collect/gpu/gpu.h"

#include "collect/host/cpu.h"
#include "collect/pci/device.h"
#include "common/sys/root.h"

#include <stdlib.h>
#include <string.h>

#define BENCHES                                                                \
	(BENCH_BIT(LAT_RD) | BENCH_BIT(LAT_WRRD) | BENCH_BIT(BW_RD) |          \
	 BENCH_BIT(BW_WR) | BENCH_BIT(BW_RDWR))

static const char name[] = "gpu";

/* The driver is not started for a list: that can take seconds. */
static void
gpu_probe(const struct request *request, struct findings *list)
{
	struct pci_tree *tree = pci_tree_read(root_path("/sys/bus/pci"));

	(void)request;
	for (size_t i = 0; tree && i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		struct finding *found;
		const char *why;

		if (strcmp(f->driver, "nvidia") != 0)
			continue;
		found = function_found(list, name, f);
		found->automatic = cuda_is_here(&why);
		found->benches = found->automatic ? BENCHES : 0;
		finding_text(&found->why_not, "%s", why);
	}
	pci_tree_free(tree);
}

static bool
gpu_allocate(struct session *s, cuda_address *at, size_t size)
{
	struct gpu *gpu = s->state;

	*at = 0;
	return CUDA_DO(s, &gpu->device.cuda, cuMemAlloc_v2, at, size);
}

static bool
gpu_allocate_arrays(struct session *s)
{
	struct gpu *gpu = s->state;

	gpu->entries = xcalloc(GPU_ORDER, sizeof *gpu->entries);
	gpu->cycles = xcalloc(GPU_LAUNCH, sizeof *gpu->cycles);
	gpu->span = xcalloc(GPU_WORKERS, sizeof *gpu->span);
	return gpu_allocate(s, &gpu->order_at,
	                    GPU_ORDER * sizeof *gpu->entries) &&
	       gpu_allocate(s, &gpu->results_at,
	                    GPU_WORKERS * sizeof *gpu->span) &&
	       gpu_allocate(s, &gpu->dead_store_at, LINE);
}

static bool
gpu_load_support(struct session *s)
{
	struct gpu *gpu = s->state;
	char *text = ptx_support();
	bool ok = gpu_load(s, &gpu->device, text, &gpu->support);

	free(text);
	return ok;
}

/* The CPU only sets the state of caches, but near the GPU's memory. */
static bool
gpu_prepare_host(struct session *s)
{
	struct gpu *gpu = s->state;
	int cpu;

	clock_open(&gpu->cpu);
	if (!host_pin(s, gpu->home, &cpu))
		return false;
	memory_warn_local(gpu->device.bdf, gpu->home);
	gpu->states.llc = host_llc(HOST_CPUS);
	for (size_t i = 0; i < NCACHES; i++)
		gpu->states.cached_pct[i] = -1;
	return true;
}

/* Versions are those of the API: 9.0 is 90, and 12.2 is 12020. */
static bool
gpu_check_versions(struct session *s, const char *what, const char *text,
                   int capability, int driver)
{
	const struct gpu_device *d = &((struct gpu *)s->state)->device;

	if (d->capability < capability)
		return fail(s, STATUS_ABSENT,
		            "-O %s: %s has compute capability %d.%d; %s are "
		            "there from %d.%d",
		            what, d->bdf, d->capability / 10,
		            d->capability % 10, text, capability / 10,
		            capability % 10);
	return d->driver >= driver ||
	       fail(s, STATUS_ABSENT,
	            "-O %s: the driver is of CUDA %d.%d; %s are there from "
	            "%d.%d",
	            what, d->driver / 1000, d->driver % 1000 / 10, text,
	            driver / 1000, driver % 1000 / 10);
}

static bool
gpu_check_capability(struct session *s)
{
	const struct gpu *gpu = s->state;

	if (gpu->set.engine == ENGINE_BULK)
		return gpu_check_versions(s, "engine=bulk", "bulk copies", 90,
		                          12000);
	return !gpu->set.mmio ||
	       gpu_check_versions(s, "load=mmio", "such loads", 70, 12020);
}

static bool
gpu_open_gpu(struct session *s)
{
	struct gpu *gpu = xcalloc(1, sizeof *gpu);

	s->state = gpu;
	gpu->order.state = s->request->seed;
	if (!gpu_settings_read(s, &gpu->set) ||
	    !gpu_device_open(s, &gpu->device, s->request->device) ||
	    !gpu_check_capability(s))
		return false;
	gpu_describe(s);
	if (!gpu_prepare_host(s) || !gpu_allocate_arrays(s) ||
	    !gpu_load_support(s))
		return false;
	return gpu->set.engine != ENGINE_CE || gpu_copies_open(s);
}

static bool
gpu_check(struct session *s, const struct point *asked)
{
	struct gpu *gpu = s->state;
	struct ptx_transfer t;
	struct point point;

	if (!gpu_point_resolve(s, asked, &point, &t))
		return false;
	if (gpu_room_for(&point) > gpu->largest)
		gpu->largest = gpu_room_for(&point);
	gpu->seen |= 1u << point.cache;
	return true;
}

/* Before the first point: the clock, the way, the link, all states. */
static bool
gpu_prove(struct session *s)
{
	struct gpu *gpu = s->state;

	if (!gpu_clock_open(s) || !gpu_path_check(s) || !gpu_describe_link(s))
		return false;
	for (size_t i = 0; i < NCACHES; i++) {
		if (gpu->seen & 1u << i && !gpu_state_prove(s, (enum cache)i))
			return false;
	}
	gpu_describe_states(s);
	gpu->proven = true;
	return true;
}

static bool
gpu_load_transfer(struct session *s)
{
	struct gpu *gpu = s->state;
	char *text;
	bool ok;

	gpu_unload(&gpu->device, &gpu->module);
	if (gpu->set.engine == ENGINE_CE) {
		if (gpu->scratch)
			gpu->device.cuda.cuMemFree_v2(gpu->scratch);
		return gpu_allocate(s, &gpu->scratch,
		                    (size_t)2 * gpu->transfer.size);
	}
	text = ptx_transfer(&gpu->transfer);
	ok = gpu_load(s, &gpu->device, text, &gpu->module);
	free(text);
	return ok;
}

static bool
gpu_prepare(struct session *s, const struct point *asked)
{
	struct gpu *gpu = s->state;
	struct gpu_memory *memory = &gpu->memory;

	if (!gpu_point_resolve(s, asked, &gpu->point, &gpu->transfer))
		return false;
	gpu->unit = point_unit(&gpu->point);
	if ((!memory->registered || memory->host.node != gpu->point.node) &&
	    !gpu_memory_place(s, &gpu->device, memory, gpu->largest,
	                      gpu->set.page, gpu->point.node))
		return false;
	if (!(gpu->proven ? gpu_state_prove(s, gpu->point.cache)
	                  : gpu_prove(s)) ||
	    !gpu_load_transfer(s))
		return false;
	order_begin(&gpu->order, point_units(&gpu->point),
	            gpu->point.pattern == PATTERN_RANDOM,
	            gpu_is_once(s, &gpu->point, gpu_count(s)));
	gpu_identify(s);
	return true;
}

static bool
gpu_run(struct session *s, uint64_t want)
{
	return s->request->bench->totals ? gpu_run_bandwidth(s, want)
	                                 : gpu_run_latency(s, want);
}

static void
gpu_free_on_device(const struct gpu *gpu, cuda_address at)
{
	if (at)
		gpu->device.cuda.cuMemFree_v2(at);
}

static void
gpu_close_gpu(struct session *s)
{
	struct gpu *gpu = s->state;

	if (!gpu)
		return;
	gpu_copies_close(gpu);
	gpu_unload(&gpu->device, &gpu->module);
	gpu_unload(&gpu->device, &gpu->support);
	gpu_free_on_device(gpu, gpu->order_at);
	gpu_free_on_device(gpu, gpu->results_at);
	gpu_free_on_device(gpu, gpu->dead_store_at);
	gpu_memory_free(&gpu->device, &gpu->memory);
	gpu_device_close(&gpu->device);
	thrash_free(&gpu->states.thrash);
	order_free(&gpu->order);
	free(gpu->entries);
	free(gpu->cycles);
	free(gpu->span);
	free(gpu->link);
	free(gpu->iommu);
	free(gpu);
	s->state = NULL;
}

const struct backend gpu_backend = {
    .name = name,
    .help = "an NVIDIA GPU that reads and writes host memory",
    .benches = BENCHES,
    .flags = BACKEND_BDF | BACKEND_STEADY_TOTALS,
    .options = gpu_options,
    .probe = gpu_probe,
    .open = gpu_open_gpu,
    .check = gpu_check,
    .prepare = gpu_prepare,
    .run = gpu_run,
    .end = gpu_describe_end,
    .close = gpu_close_gpu,
};
