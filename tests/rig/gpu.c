/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig/gpu.h"
#include "rig/cmocka.h"

#define HOST_AT UINT64_C(0x100000)
#define DEV_AT  UINT64_C(0x900000000)
#define JOURNAL 4096
#define SINK    8128

struct world world;

static bool
move(void *of, enum vgpu_way way, uint64_t at, unsigned size, void *data)
{
	struct world *w = of;
	bool in = way == VGPU_LOAD || way == VGPU_COPY_IN;
	unsigned char *place;

	if (at >= HOST_AT && at + size <= HOST_AT + HOST) {
		place = w->host + (at - HOST_AT);
		for (unsigned i = 0; i < size; i++)
			(in ? w->loads : w->stores)[at - HOST_AT + i]++;
	} else if (at >= DEV_AT && at + size <= DEV_AT + DEVICE) {
		place = w->device + (at - DEV_AT);
	} else {
		return false;
	}
	if (way == VGPU_ADD)
		*(uint32_t *)(void *)place += *(uint32_t *)data;
	else
		memcpy(in ? data : place, in ? place : data, size);
	return true;
}

static uint64_t
done(void *of, const struct vgpu_access *access, uint64_t now)
{
	struct world *w = of;
	bool in = access->way == VGPU_LOAD || access->way == VGPU_COPY_IN;
	size_t n = w->transfers ? (w->transfers - 1) / w->entries : 0;
	struct span *span = &w->span[n % ARRAY_LEN(w->span)];
	uint64_t end;

	if (access->at >= DEV_AT) {
		w->transfers += access->at < DEV_AT + JOURNAL;
		return now + 700;
	}
	w->random = w->random * 6364136223846793005u + 1442695040888963407u;
	end = now + (w->fixed ? w->fixed : 500 + (w->random >> 40) % 2000);
	if (span->begin == NOTHING)
		span->begin = now;
	if (in && span->first_load == NOTHING)
		span->first_load = now;
	if (end > *(in ? &span->loaded : &span->stored))
		*(in ? &span->loaded : &span->stored) = end;
	return end;
}

uint32_t *
world_order(void)
{
	return (uint32_t *)(void *)world.device;
}

const void *
world_journal(void)
{
	return world.device + JOURNAL;
}

const uint32_t *
world_sink(void)
{
	return (const void *)(world.device + SINK);
}

void
begin_world(unsigned entries)
{
	memset(&world, 0, sizeof world);
	for (size_t i = 0; i < HOST; i++)
		world.host[i] = (unsigned char)(i * 7 + i / 256);
	for (size_t i = 0; i < ARRAY_LEN(world.span); i++)
		world.span[i].begin = world.span[i].first_load = NOTHING;
	world.entries = entries;
	world.random = 1;
}

struct vgpu
virtual_gpu(void)
{
	return (struct vgpu){.memory = {&world, move, done},
	                     .mhz = VGPU_MHZ,
	                     .ns = 1000000,
	                     .step = 1,
	                     .sms = 4};
}

void
run_text(struct vgpu *gpu, char *text, const char *entry, struct vgpu_grid grid,
         const struct gpu_args *args)
{
	struct vgpu_program *program = vgpu_parse(text, gpu->error);

	if (!program)
		fail_msg("%s\n%s", gpu->error, text);
	if (!vgpu_run(gpu, program, entry, grid, args))
		fail_msg("%s\n%s", gpu->error, text);
	vgpu_free(program);
	free(text);
}

struct gpu_args
arguments(uint32_t count, unsigned unit, unsigned offset)
{
	return (struct gpu_args){.buffer = HOST_AT + offset,
	                         .order = DEV_AT,
	                         .results = DEV_AT + JOURNAL,
	                         .dead_store = DEV_AT + SINK,
	                         .count = count,
	                         .unit = unit,
	                         .pattern = MAGIC};
}
