/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DMA by any GPU with a Vulkan driver. */
#include "collect/vulkan/gpu.h"

#include "collect/vulkan/spirv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AMD 0x1002 /* vendor ID */

static void
vulkan_know_device(struct vulkan_gpu *vg)
{
	struct gpu *gpu = &vg->gpu;
	const struct vulkan_device *d = &vg->device;

	if (*d->bdf)
		memcpy(gpu->bdf, d->bdf, sizeof gpu->bdf);
	else
		snprintf(gpu->bdf, sizeof gpu->bdf, "vulkan:%u", d->number);
	gpu->software = vulkan_is_software(d);
	gpu->linkless = gpu->software || vulkan_is_integrated(d);
}

/*
 * A bandwidth bench needs one clock for all workers. The subgroup clock of
 * AMD's newer GPUs has 20 bits, which wrap every millisecond.
 */
static bool
vulkan_choose_clock(struct session *s, enum vulkan_clock clock)
{
	struct vulkan_gpu *vg = s->state;
	const struct vulkan_device *d = &vg->device;
	bool finer =
	    d->subgroup_clock && (d->vendor != AMD || !d->device_clock);
	bool device = s->request->bench->totals || clock == CLOCK_DEVICE ||
	              (clock == CLOCK_AUTO && !finer);

	vg->program.scope = device ? SPIRV_DEVICE : SPIRV_SUBGROUP;
	vg->program.lanes = d->lanes;
	return (device ? d->device_clock : d->subgroup_clock) ||
	       fail(s, STATUS_ABSENT, "%s: its driver (%s) has no %s", d->name,
	            d->driver,
	            device ? "shaderDeviceClock" : "shaderSubgroupClock");
}

static bool
vulkan_open(struct session *s)
{
	struct vulkan_gpu *vg = xcalloc(1, sizeof *vg);
	enum vulkan_clock clock;

	s->state = vg;
	vg->gpu.driver = &vulkan_gpu_driver;
	if (!vulkan_settings_read(s, &vg->gpu.set, &clock) ||
	    !vulkan_device_open(s, &vg->device, s->request->device,
	                        vg->gpu.set.engine == ENGINE_CE) ||
	    !vulkan_choose_clock(s, clock))
		return false;
	vulkan_know_device(vg);
	return gpu_begin(s) && vulkan_prepare_programs(s);
}

static void
vulkan_close(struct session *s)
{
	struct vulkan_gpu *vg = s->state;
	struct vulkan_device *d;

	if (!vg)
		return;
	d = &vg->device;
	if (d->device)
		d->vk.DeviceWaitIdle(d->device);
	for (size_t i = 0; i < NPROGRAMS; i++)
		vulkan_destroy(d, &vg->pipeline[i]);
	vulkan_destroy(d, &vg->spin);
	gpu_memory_free(&vg->gpu);
	vulkan_free(d, &vg->order);
	vulkan_free(d, &vg->results);
	vulkan_free(d, &vg->sink);
	vulkan_free(d, &vg->staging);
	vulkan_free(d, &vg->scratch);
	vulkan_device_close(d);
	gpu_end(&vg->gpu);
	free(vg);
	s->state = NULL;
}

const struct backend vulkan_backend = {
    .name = "vulkan",
    .help = "a GPU with a Vulkan driver that reads and writes host memory",
    .benches = GPU_BENCHES,
    .flags = BACKEND_STEADY_TOTALS,
    .options = vulkan_options,
    .probe = vulkan_probe,
    .open = vulkan_open,
    .check = gpu_check,
    .prepare = gpu_prepare,
    .run = gpu_run,
    .end = gpu_describe_end,
    .close = vulkan_close,
};
