/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What NVIDIA's driver does for a session with a GPU. */
#include "collect/cuda/gpu.h"

#include "collect/host/clock.h"
#include "common/base/intmath.h"
#include "common/base/number.h"
#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BULK_PER_SM 65536 /* bytes in flight per SM */

#define NVIDIA 0x10de /* vendor ID */

/*
 * Trusts a library that claims to be the driver only if the kernel has bound
 * this GPU to it.
 */
static bool
cuda_is_in_kernel(const struct gpu *gpu, const struct pci_function *function)
{
	char *path =
	    xasprintf("%s/%s", root_path("/proc/driver/nvidia/gpus"), gpu->bdf);
	bool there = !access(path, F_OK);

	free(path);
	if (there)
		return true;
	return function && (function->id & 0xffff) == NVIDIA &&
	       !strcmp(function->driver, "nvidia") &&
	       is_sysfs(root_path("/sys/bus/pci"));
}

static void
cuda_describe(struct session *s)
{
	const struct cuda_device *d = &((struct cuda_gpu *)s->state)->device;

	preamble_set(s->preamble, "gpu",
	             "%s, compute capability %d.%d, %d SMs, driver %d.%d",
	             d->name, d->capability / 10, d->capability % 10, d->sms,
	             d->driver / 1000, d->driver % 1000 / 10);
}

static void
cuda_describe_clock(struct session *s)
{
	const struct gpu *gpu = s->state;
	const struct gpu_clock *clock = &gpu->clock;

	if (s->request->bench->totals) {
		preamble_set(s->preamble, "clock",
		             gpu->set.engine == ENGINE_CE
		                 ? "events of the driver"
		                 : "globaltimer");
	} else {
		preamble_set(s->preamble, "clock",
		             "clock64 of SM %ju, rate from globaltimer",
		             (uintmax_t)clock->sm);
		gpu_describe_tick(s);
	}
	preamble_set(s->preamble, "globaltimer_step_ns", "%ju",
	             (uintmax_t)clock->step);
}

static const char *
cuda_check_transfer(const struct gpu *gpu, const struct gpu_transfer *t,
                    uint64_t offset)
{
	(void)gpu;
	return ptx_check(t, offset);
}

static unsigned
cuda_lane(const struct gpu *gpu, const struct gpu_transfer *t, uint64_t offset)
{
	(void)gpu;
	return ptx_lane(t, offset);
}

static uint64_t
cuda_workers(const struct gpu *gpu)
{
	uint64_t sms = (uint64_t)gpu->sms;
	uint64_t workers = sms * PTX_WARPS_PER_SM;

	if (gpu->set.engine != ENGINE_BULK)
		return workers;
	return min_u64(workers,
	               max_u64(sms, sms * BULK_PER_SM / gpu->transfer.size));
}

static bool
cuda_import(struct session *s)
{
	struct cuda_gpu *cg = s->state;
	struct gpu_memory *m = &cg->gpu.memory;
	const struct cuda *cuda = &cg->device.cuda;
	cuda_address address = 0;

	if (!CUDA_DO(s, cuda, cuMemHostRegister_v2, m->host.at, m->host.size,
	             CUDA_REGISTER_DEVICEMAP))
		return false;
	m->imported = true;
	if (!CUDA_DO(s, cuda, cuMemHostGetDevicePointer_v2, &address,
	             m->host.at, 0))
		return false;
	m->address = address;
	return true;
}

static void
cuda_release(struct gpu *gpu)
{
	((struct cuda_gpu *)gpu)
	    ->device.cuda.cuMemHostUnregister(gpu->memory.host.at);
}

static bool
cuda_load_transfer(struct session *s, enum gpu_program program,
                   const struct gpu_transfer *t)
{
	struct cuda_gpu *cg = s->state;
	struct cuda_transfer *loaded =
	    program == GPU_READ ? &cg->read : &cg->transfer;
	char *text;
	bool ok;

	cuda_unload(&cg->device, &loaded->module);
	loaded->is = *t;
	if (t->engine == ENGINE_CE) {
		cuda_free(cg, cg->scratch);
		return cuda_allocate(s, &cg->scratch, (size_t)2 * t->size);
	}
	text = ptx_transfer(t);
	ok = cuda_load_module(s, &cg->device, text, &loaded->module);
	free(text);
	return ok;
}

/* Workers are warps for loads and stores, single threads for bulk copies. */
static bool
cuda_start_transfer(struct session *s, const struct cuda_transfer *loaded,
                    const struct gpu_args *args, uint64_t workers)
{
	const struct cuda_gpu *cg = s->state;
	uint64_t most = (uint64_t)(PTX_WARPS_PER_BLOCK * cg->gpu.sms);
	unsigned warps = workers >= most ? PTX_WARPS_PER_BLOCK : 1;
	struct cuda_grid grid = {.blocks =
	                             (unsigned)div_round_up(workers, warps),
	                         .threads = 32 * warps};

	if (loaded->is.engine == ENGINE_BULK)
		grid = (struct cuda_grid){.blocks = (unsigned)workers,
		                          .threads = 1,
		                          .shared = loaded->is.size};
	return cuda_launch(s, &cg->device, loaded->module, PTX_ENTRY, args,
	                   grid);
}

static bool
cuda_start(struct session *s, enum gpu_program program,
           const struct gpu_args *args, uint64_t workers)
{
	static const struct {
		const char *name;
		unsigned threads;
	} support[NPROGRAMS] = {
	    [GPU_OVERHEAD] = {"pcb_overhead", 1},
	    [GPU_LOAD] = {"pcb_load", 32},
	    [GPU_FILL] = {"pcb_fill", 256},
	    [GPU_SUM] = {"pcb_sum", 32},
	};
	const struct cuda_gpu *cg = s->state;
	struct cuda_grid grid = {.blocks = 1};

	if (program == GPU_TRANSFER || program == GPU_READ)
		return cuda_start_transfer(
		    s, program == GPU_READ ? &cg->read : &cg->transfer, args,
		    workers);
	grid.threads = support[program].threads;
	if (program == GPU_FILL)
		grid.blocks = (unsigned)cg->gpu.sms;
	return cuda_launch(s, &cg->device, cg->support, support[program].name,
	                   args, grid);
}

static bool
cuda_wait_for_end(struct session *s)
{
	return cuda_wait(s, &((struct cuda_gpu *)s->state)->device);
}

static bool
cuda_write(struct session *s, enum gpu_area area, const void *from, size_t size)
{
	const struct cuda_gpu *cg = s->state;

	return CUDA_DO(s, &cg->device.cuda, cuMemcpyHtoD_v2,
	               area == AREA_ORDER ? cg->gpu.order_at
	                                  : cg->gpu.results_at,
	               from, size);
}

static bool
cuda_read(struct session *s, void *to, size_t from, size_t size)
{
	const struct cuda_gpu *cg = s->state;

	return CUDA_DO(s, &cg->device.cuda, cuMemcpyDtoH_v2, to,
	               cg->gpu.results_at + from, size);
}

static bool
cuda_read_ticks(struct session *s, uint64_t duration, struct gpu_ticks *ticks)
{
	const struct cuda_gpu *cg = s->state;
	struct gpu_args args = gpu_args(&cg->gpu);
	struct cuda_grid grid = {.blocks = 1, .threads = 1};

	args.duration = duration;
	return cuda_launch(s, &cg->device, cg->support, "pcb_calibrate", &args,
	                   grid) &&
	       cuda_wait_for_end(s) && cuda_read(s, ticks, 0, sizeof *ticks);
}

bool
cuda_allocate(struct session *s, cuda_address *at, size_t size)
{
	const struct cuda_gpu *cg = s->state;

	*at = 0;
	return CUDA_DO(s, &cg->device.cuda, cuMemAlloc_v2, at, size);
}

void
cuda_free(const struct cuda_gpu *cg, cuda_address at)
{
	if (at)
		cg->device.cuda.cuMemFree_v2(at);
}

const struct gpu_driver cuda_gpu_driver = {
    .soname = CUDA_SONAME,
    /* The clock has steps of 15 in 2000 MHz; its reading is good to 0.01 %. */
    .steady_part = 0.001,
    .most_turns = UINT32_MAX,
    .is_in_kernel = cuda_is_in_kernel,
    .describe = cuda_describe,
    .describe_clock = cuda_describe_clock,
    .check = cuda_check_transfer,
    .lane = cuda_lane,
    .workers = cuda_workers,
    .import = cuda_import,
    .release = cuda_release,
    .load = cuda_load_transfer,
    .start = cuda_start,
    .wait = cuda_wait_for_end,
    .write = cuda_write,
    .read = cuda_read,
    .read_ticks = cuda_read_ticks,
    .copy = cuda_copy,
};
