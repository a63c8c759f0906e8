/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs programs on the buffer. */
#include "collect/gpu/gpu.h"

struct gpu_args
gpu_args(const struct gpu *gpu)
{
	return (struct gpu_args){.buffer =
	                             gpu->memory.address + gpu->point.offset,
	                         .order = gpu->order_at,
	                         .results = gpu->results_at,
	                         .dead_store = gpu->dead_store_at,
	                         .unit = (uint32_t)gpu->unit,
	                         .pattern = GPU_PATTERN};
}

bool
gpu_run_program(struct session *s, enum gpu_program program,
                const struct gpu_args *args)
{
	const struct gpu *gpu = s->state;

	return gpu->driver->start(s, program, args, 1) && gpu->driver->wait(s);
}

bool
gpu_transfer(struct session *s, enum gpu_program program,
             const struct gpu_args *args, uint64_t workers)
{
	const struct gpu *gpu = s->state;

	return gpu->driver->write(s, AREA_ORDER, gpu->entries,
	                          args->count * sizeof *gpu->entries) &&
	       gpu->driver->start(s, program, args, workers) &&
	       gpu->driver->wait(s);
}
