/* Brings the window into the state that a point asks for. */
#include "collect/gpu.h"

#include <sys/mman.h>

static bool
fill(struct session *s)
{
	struct gpu *gpu = s->state;
	struct ptx_args args = gpu_args(gpu);
	uint64_t words = gpu->point.window / 4;
	struct gpu_grid grid = {.blocks = (unsigned)gpu->device.sms,
	                        .threads = 256};

	args.buffer = gpu->memory.address;
	args.count = (uint32_t)words;
	args.magic = ++gpu->states.written << 24;
	return gpu_start(s, &gpu->device, gpu->support, "pcb_fill", &args,
	                 grid) &&
	       gpu_wait(s, &gpu->device);
}

/* By ordinary stores: memset may go past the caches. */
static void
write_lines(unsigned char *from, uint64_t size)
{
	for (uint64_t at = 0; at + 8 <= size; at += LINE)
		*(volatile uint64_t *)(void *)(from + at) = at;
}

static void
make_thrash_area(struct session *s)
{
	struct gpu_states *states = &((struct gpu *)s->state)->states;
	void *area;

	if (!states->llc) {
		fail(s, STATUS_ABSENT,
		     "thrashed: the size of the last-level cache is not known "
		     "here");
		return;
	}
	states->thrash_size = 2 * states->llc + states->llc / 4 + LINE;
	area = mmap(NULL, states->thrash_size, PROT_READ | PROT_WRITE,
	            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		fail(s, STATUS_ABSENT, "thrashed: no memory for %zu bytes",
		     states->thrash_size);
	else
		states->thrash = area;
}

static bool
thrash(struct session *s)
{
	struct gpu_states *states = &((struct gpu *)s->state)->states;

	if (!states->thrash)
		make_thrash_area(s);
	if (states->thrash)
		write_lines(states->thrash, states->thrash_size);
	return states->thrash;
}

bool
gpu_state_set(struct session *s)
{
	struct gpu *gpu = s->state;

	switch (gpu->point.cache) {
	case COLD:
		return arch_flush(gpu->memory.host.at, gpu->point.window) ||
		       fail(s, STATUS_ABSENT,
		            "cold: a program cannot flush caches here");
	case THRASHED:
		return thrash(s);
	case HOST_WARM:
		write_lines(gpu->memory.host.at, gpu->point.window);
		return true;
	default:
		return fill(s);
	}
}
