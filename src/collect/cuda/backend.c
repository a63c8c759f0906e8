/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DMA by an NVIDIA GPU: kernels read and write a buffer in host memory. */
#include "collect/cuda/gpu.h"

#include "collect/pci/device.h"
#include "common/sys/root.h"

#include <stdlib.h>
#include <string.h>

static const char name[] = "gpu";

/* A list does not start the driver, which can take seconds. */
static void
cuda_probe(const struct request *request, struct findings *list)
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
		found->benches = found->automatic ? GPU_BENCHES : 0;
		finding_text(&found->why_not, "%s", why);
	}
	pci_tree_free(tree);
}

static bool
cuda_allocate_areas(struct session *s)
{
	struct gpu *gpu = s->state;
	cuda_address at[3] = {0};
	bool ok = cuda_allocate(s, &at[0], GPU_ORDER * sizeof *gpu->entries) &&
	          cuda_allocate(s, &at[1], GPU_WORKERS * sizeof *gpu->span) &&
	          cuda_allocate(s, &at[2], LINE);

	gpu->order_at = at[0];
	gpu->results_at = at[1];
	gpu->dead_store_at = at[2];
	return ok;
}

static bool
cuda_load_support(struct session *s)
{
	struct cuda_gpu *cg = s->state;
	char *text = ptx_support();
	bool ok = cuda_load_module(s, &cg->device, text, &cg->support);

	free(text);
	return ok;
}

/* Numbers of the API: capability 90 is 9.0, driver 12020 is 12.2. */
static bool
cuda_check_versions(struct session *s, const char *what, const char *text,
                    int capability, int driver)
{
	const struct cuda_device *d = &((struct cuda_gpu *)s->state)->device;

	if (d->capability < capability)
		return fail(
		    s, STATUS_ABSENT,
		    "-O %s: %s has compute capability %d.%d; %s need %d.%d",
		    what, d->bdf, d->capability / 10, d->capability % 10, text,
		    capability / 10, capability % 10);
	return d->driver >= driver ||
	       fail(s, STATUS_ABSENT,
	            "-O %s: the driver has CUDA %d.%d; %s need %d.%d", what,
	            d->driver / 1000, d->driver % 1000 / 10, text,
	            driver / 1000, driver % 1000 / 10);
}

static bool
cuda_check_capability(struct session *s)
{
	const struct gpu *gpu = s->state;

	if (gpu->set.engine == ENGINE_BULK)
		return cuda_check_versions(s, "engine=bulk", "bulk copies", 90,
		                           12000);
	return !gpu->set.mmio ||
	       cuda_check_versions(s, "load=mmio", "such loads", 70, 12020);
}

/* 32-byte sectors: CUDA C++ Programming Guide, "Device Memory Accesses". */
#define GRANULE 32

static void
cuda_know_device(struct cuda_gpu *cg)
{
	struct gpu *gpu = &cg->gpu;

	memcpy(gpu->bdf, cg->device.bdf, sizeof gpu->bdf);
	gpu->sms = cg->device.sms;
	gpu->coherent = cg->device.coherent;
	gpu->granule = GRANULE;
}

static bool
cuda_open(struct session *s)
{
	struct cuda_gpu *cg = xcalloc(1, sizeof *cg);

	s->state = cg;
	cg->gpu.driver = &cuda_gpu_driver;
	if (!cuda_settings_read(s, &cg->gpu.set) ||
	    !cuda_device_open(s, &cg->device, s->request->device) ||
	    !cuda_check_capability(s))
		return false;
	cuda_know_device(cg);
	if (!gpu_begin(s) || !cuda_allocate_areas(s) || !cuda_load_support(s))
		return false;
	return cg->gpu.set.engine != ENGINE_CE || cuda_copies_open(s);
}

static void
cuda_close(struct session *s)
{
	struct cuda_gpu *cg = s->state;

	if (!cg)
		return;
	cuda_copies_close(cg);
	cuda_unload(&cg->device, &cg->transfer.module);
	cuda_unload(&cg->device, &cg->read.module);
	cuda_unload(&cg->device, &cg->support);
	cuda_free(cg, cg->gpu.order_at);
	cuda_free(cg, cg->gpu.results_at);
	cuda_free(cg, cg->gpu.dead_store_at);
	gpu_memory_free(&cg->gpu);
	cuda_device_close(&cg->device);
	gpu_end(&cg->gpu);
	free(cg);
	s->state = NULL;
}

const struct backend cuda_backend = {
    .name = name,
    .help = "an NVIDIA GPU that reads and writes host memory",
    .benches = GPU_BENCHES,
    .flags = BACKEND_BDF | BACKEND_STEADY_TOTALS,
    .options = cuda_options,
    .probe = cuda_probe,
    .open = cuda_open,
    .check = gpu_check,
    .prepare = gpu_prepare,
    .run = gpu_run,
    .end = gpu_describe_end,
    .close = cuda_close,
};
