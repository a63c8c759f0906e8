/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that run on the buffer: what they are told, and what they leave. */
#include "collect/gpu/gpu.h"

struct ptx_args
gpu_args(const struct gpu *gpu)
{
	return (struct ptx_args){.buffer =
	                             gpu->memory.address + gpu->point.offset,
	                         .order = gpu->order_at,
	                         .results = gpu->results_at,
	                         .dead_store = gpu->dead_store_at,
	                         .unit = (uint32_t)gpu->unit,
	                         .pattern = GPU_PATTERN};
}

bool
gpu_support(struct session *s, const char *program, struct ptx_args args,
            unsigned threads)
{
	const struct gpu *gpu = s->state;
	struct gpu_grid grid = {.blocks = 1, .threads = threads};

	return gpu_start(s, &gpu->device, gpu->support, program, &args, grid) &&
	       gpu_wait(s, &gpu->device);
}

bool
gpu_fetch(struct session *s, void *to, size_t from, size_t size)
{
	const struct gpu *gpu = s->state;

	return CUDA_DO(s, &gpu->device.cuda, cuMemcpyDtoH_v2, to,
	               gpu->results_at + from, size);
}

bool
gpu_transfer(struct session *s, cuda_module module, const struct ptx_args *args,
             struct gpu_grid grid)
{
	const struct gpu *gpu = s->state;

	return CUDA_DO(s, &gpu->device.cuda, cuMemcpyHtoD_v2, gpu->order_at,
	               gpu->entries, args->count * sizeof *gpu->entries) &&
	       gpu_start(s, &gpu->device, module, PTX_ENTRY, args, grid) &&
	       gpu_wait(s, &gpu->device);
}
