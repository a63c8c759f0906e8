/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment of programs on the virtual GPU: memory, link, clocks. */
#include "libcuda.h"

#include <string.h>
#include <time.h>

#define STEP_NS 1024 /* of globaltimer */

/* Cycles of a read of host memory; writes take longer to arrive. */
#define READ_CYCLES   1500
#define WRITE_CYCLES  2100
#define CACHED_CYCLES 400
#define DEVICE_CYCLES 500

/* State of a launch. */
struct launch {
	bool lost;    /* its writes */
	bool looks;   /* CPU reads have filled the CPU's caches */
	bool caches;  /* the device caches lines that it has read */
	bool keeping; /* but only for ordinary loads */
	unsigned warp;
	uint64_t workers; /* that share the link */
	uint64_t busy[2]; /* until when the link carries reads, writes */
	uint64_t reads;
	FILE *record;
};

static uint64_t busy_ns; /* of all launches */

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Moves the data; the program's text decides what happens to them. */
static bool
move(void *of, enum vgpu_way way, uint64_t at, unsigned size, void *data)
{
	const struct launch *launch = of;
	void *memory = memory_at(at);
	bool host = is_on_host(at, size);
	bool in = way == VGPU_LOAD || way == VGPU_COPY_IN;

	if (!host && !is_on_device(at, size))
		return false;
	if (way == VGPU_ADD)
		*(uint32_t *)memory += *(uint32_t *)data;
	else if (in && (!host || launch->looks))
		memcpy(data, memory, size);
	else if (in)
		memset(data, 0, size);
	else if (!host || !launch->lost)
		memcpy(memory, data, size);
	return true;
}

/* Lines that a cache of the device holds, by the lowest bits of their number.
 */
static uint64_t held[1 << 16];

/* Whether a cache of the device answers; it does if it is read again. */
static bool
is_cached(const struct launch *launch, const struct vgpu_access *access)
{
	uint64_t line = access->at / 64;
	uint64_t *slot = &held[line % (sizeof held / sizeof *held)];
	bool holds = *slot == line;

	if (!launch->caches || (launch->keeping && !access->cached))
		return false;
	*slot = line;
	return holds;
}

static uint64_t
read_cycles(struct launch *launch, const struct vgpu_access *access)
{
	bool cached = is_cached(launch, access);

	if (launch->record)
		fprintf(launch->record, "%ju %ju\n", (uintmax_t)access->bytes,
		        (uintmax_t)(access->at - (uintptr_t)registered));
	return cached ? CACHED_CYCLES : READ_CYCLES + launch->reads++ % 100;
}

/* The link starts the next access while a worker prepares it. */
static uint64_t
done(void *of, const struct vgpu_access *access, uint64_t begin)
{
	struct launch *launch = of;
	bool in = access->way == VGPU_LOAD || access->way == VGPU_COPY_IN;
	uint64_t *busy = &launch->busy[in], end;

	if (!is_on_host(access->at, 1))
		return begin + (in ? DEVICE_CYCLES : 0);
	if (launch->warp != access->warp)
		launch->busy[0] = launch->busy[1] = 0;
	launch->warp = access->warp;
	if (begin > READ_CYCLES && *busy < begin - READ_CYCLES)
		*busy = begin - READ_CYCLES;
	*busy += access->bytes * launch->workers * VGPU_MHZ /
	         (UINT64_C(1000) * BYTES_PER_NS);
	end = begin + (in ? read_cycles(launch, access) : WRITE_CYCLES);
	return end > *busy ? end : *busy;
}

/* Clock rates that change at each look, or under load. */
static unsigned
mhz(const char *entry)
{
	static unsigned calibrations;

	if (is("frozen"))
		return 0;
	if (is("sleepy") && busy_ns < UINT64_C(200000000))
		return VGPU_MHZ / 4;
	calibrations += !strcmp(entry, "pcb_calibrate");
	return is("restless") || (is("drifting") && calibrations > 16)
	           ? VGPU_MHZ + 50 * (calibrations % 2)
	           : VGPU_MHZ;
}

static bool
is_lost(const char *entry)
{
	static unsigned fills;

	return !strcmp(entry, "pcb_fill") &&
	       (is("deaf") || (fills++ && is("tired")));
}

/* Skips what takes long and shows nothing on a virtual GPU. */
static bool
skip(const struct vgpu *gpu, const char *entry, const struct gpu_args *args)
{
	bool load = !strcmp(entry, "pcb_load");

	if (!is("brisk") || (!load && strcmp(entry, "pcb_calibrate") != 0))
		return false;
	if (!load)
		*(struct gpu_ticks *)memory_at(args->results) =
		    (struct gpu_ticks){
		        .ns0 = gpu->ns,
		        .ns1 = gpu->ns + args->duration,
		        .cycles1 = args->duration * gpu->mhz / 1000,
		        .step = STEP_NS,
		    };
	return true;
}

int
run_program(const struct vgpu_program *program, const char *entry,
            struct vgpu_grid grid, const struct gpu_args *args)
{
	static uint64_t last;
	bool sums = !strcmp(entry, "pcb_sum");
	struct launch launch = {
	    .lost = is_lost(entry),
	    .looks = sums ? !is("blind") : is("warming"),
	    .workers = args->workers ? args->workers : 1,
	    .caches = is("cached") || is("keeping") || is("caching"),
	    .keeping = is("keeping"),
	    .record = open_record("FAKE_CUDA_READS"),
	};
	struct vgpu gpu = {
	    .memory = {&launch, move, done},
	    .mhz = mhz(entry),
	    .ns = now(),
	    .step = STEP_NS,
	    /* 10 ms. */
	    .apart = is("apart") ? UINT64_C(10000) * VGPU_MHZ : 0,
	    .sms = 4,
	};
	bool ok;

	if (gpu.ns < last)
		gpu.ns = last;
	if (is("caching"))
		memset(held, 0, sizeof held);
	ok = skip(&gpu, entry, args) ||
	     vgpu_run(&gpu, program, entry, grid, args);
	busy_ns += gpu.end * 1000 / VGPU_MHZ;
	last = gpu.ns + gpu.end * 1000 / VGPU_MHZ;
	if (launch.record)
		fclose(launch.record);
	if (!ok)
		fprintf(stderr, "virtual GPU: %s\n", gpu.error);
	return ok ? SUCCESS : LAUNCH_FAILED;
}
