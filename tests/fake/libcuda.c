/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A replacement of NVIDIA's driver for tests: records calls and runs programs
 * on a virtual GPU. Its numbers mean nothing, and no kernel shows its GPU, so
 * that they cannot pass for measured.
 *
 * FAKE_CUDA_FAIL=CALL[:N]  the N-th call (1) fails; or launch, for the name of
 *                          a program
 * FAKE_CUDA_LOG=FILE       appends calls, and at the end memory not freed
 * FAKE_CUDA_READS=FILE     appends bytes and offset of reads of host memory
 * FAKE_CUDA_IS=WORDS       old (7.5), ancient (6.0), outdated (of CUDA 11.8),
 *                          coherent (its path to memory), none (no GPU),
 *                          nameless, mute (no message about bad code), frozen,
 *                          restless or drifting (its clock, at once or later),
 *                          wandering (by a few per cent),
 *                          sleepy (slow until it has worked for a while),
 *                          cached (lines that it has read), keeping (cached,
 *                          but for loads of another kind), caching (cached
 *                          during a launch), deaf (its writes are lost), tired
 * (those after the first), blind (reads nothing), instant (its copies), apart
 * (its workers), warming (its reads fill the CPU's caches), brisk (skips the
 * check of its clock)
 */
#include "collect/cuda/cuda.h"

#include "vgpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BYTES_PER_NS 2

#define SUCCESS       0
#define OUT_OF_MEMORY 2
#define LAUNCH_FAILED 719

#define CUDA_DECLARE(name, ...) int name(__VA_ARGS__);
CUDA_CALLS(CUDA_DECLARE)
#undef CUDA_DECLARE

struct cuda_module {
	struct vgpu_program *program;
	struct cuda_function *function;
};
struct cuda_stream {
	uint64_t ns;
};

#define NO_DEVICE       100
#define INVALID_CONTEXT 201
#define INVALID_PTX     218
#define NOT_FOUND       500

/* Opaque to the caller. */
struct cuda_context {
	int current;
};
struct cuda_function {
	struct cuda_module *module;
	char name[64];
	int shared_pct;
	struct cuda_function *next;
};
struct cuda_event {
	uint64_t ns;
};

static struct cuda_context context;
static struct cuda_stream default_stream;
static unsigned contexts, modules, streams, events;

/* Whether FAKE_CUDA_IS contains this word. */
static bool
is(const char *word)
{
	const char *words = getenv("FAKE_CUDA_IS");

	return words && strstr(words, word);
}

/* Opens the file in this variable to append to; NULL if it is not set. */
static FILE *
open_record(const char *variable)
{
	const char *path = getenv(variable);

	return path ? fopen(path, "ae") : NULL;
}

static void
record(const char *what)
{
	FILE *f = open_record("FAKE_CUDA_LOG");

	if (!f)
		return;
	fprintf(f, "%s\n", what);
	fclose(f);
}

/* Records a call or a program; returns whether it must fail. */
static bool
fails(const char *call)
{
	static unsigned seen;
	const char *wanted = getenv("FAKE_CUDA_FAIL");
	size_t length = strlen(call);
	unsigned long n = 1;

	record(call);
	if (!wanted || strncmp(wanted, call, length) != 0 ||
	    (wanted[length] && wanted[length] != ':'))
		return false;
	if (wanted[length])
		n = strtoul(wanted + length + 1, NULL, 10);
	return ++seen == n;
}

#define MAY_FAIL(code)                                                         \
	do {                                                                   \
		if (fails(__func__))                                           \
			return code;                                           \
	} while (0)

/* Memory of the virtual GPU, and host memory that it may access. */

#define BLOCKS 16

static struct block {
	cuda_address at;
	size_t size;
} block[BLOCKS];

/* Host memory that the device may access. */
static unsigned char *registered;
static size_t registered_size;

static void *
memory_at(cuda_address at)
{
	return (void *)(uintptr_t)at;
}

/* Memory ------------------------------------------------------------------ */

/* The block at an address, or an unused one (for 0). */
static struct block *
find_block(cuda_address at)
{
	size_t i = 0;

	while (i < BLOCKS && block[i].at != at)
		i++;
	return i < BLOCKS ? &block[i] : NULL;
}

int
cuMemAlloc_v2(cuda_address *at, size_t size)
{
	struct block *new = find_block(0);

	MAY_FAIL(OUT_OF_MEMORY);
	if (!new)
		return OUT_OF_MEMORY;
	*at = (uintptr_t)calloc(size, 1);
	*new = (struct block){*at, size};
	return SUCCESS;
}

int
cuMemFree_v2(cuda_address at)
{
	struct block *old = find_block(at);

	MAY_FAIL(1);
	if (!old)
		return 1;
	*old = (struct block){0};
	free(memory_at(at));
	return SUCCESS;
}

static unsigned
blocks_in_use(void)
{
	unsigned n = 0;

	for (size_t i = 0; i < BLOCKS; i++)
		n += block[i].at != 0;
	return n;
}

static bool
is_on_device(cuda_address at, size_t size)
{
	for (size_t i = 0; i < BLOCKS; i++) {
		if (at >= block[i].at &&
		    at + size <= block[i].at + block[i].size)
			return true;
	}
	return false;
}

static bool
is_on_host(cuda_address at, size_t size)
{
	return registered && at >= (uintptr_t)registered &&
	       at + size <= (uintptr_t)registered + registered_size;
}

int
cuMemcpyHtoD_v2(cuda_address to, const void *from, size_t size)
{
	MAY_FAIL(LAUNCH_FAILED);
	memcpy(memory_at(to), from, size);
	return SUCCESS;
}

int
cuMemcpyDtoH_v2(void *to, cuda_address from, size_t size)
{
	MAY_FAIL(LAUNCH_FAILED);
	memcpy(to, memory_at(from), size);
	return SUCCESS;
}

static int
enqueue(struct cuda_stream *stream, const unsigned char *host, size_t size)
{
	if (host < registered || host + size > registered + registered_size)
		return 1;
	stream->ns += is("instant") ? 0 : 400 + size / BYTES_PER_NS;
	return SUCCESS;
}

/* Reads by the device do not fill the CPU's caches. */
int
cuMemcpyHtoDAsync_v2(cuda_address to, const void *from, size_t size,
                     cuda_stream stream)
{
	MAY_FAIL(LAUNCH_FAILED);
	memset(memory_at(to), 2, size);
	return enqueue(stream, from, size);
}

int
cuMemcpyDtoHAsync_v2(void *to, cuda_address from, size_t size,
                     cuda_stream stream)
{
	MAY_FAIL(LAUNCH_FAILED);
	memcpy(to, memory_at(from), size);
	return enqueue(stream, to, size);
}

int
cuMemHostRegister_v2(void *at, size_t size, unsigned flags)
{
	MAY_FAIL(OUT_OF_MEMORY);
	if (registered || flags != CUDA_REGISTER_DEVICEMAP)
		return 1;
	registered = at;
	registered_size = size;
	return SUCCESS;
}

int
cuMemHostUnregister(void *at)
{
	MAY_FAIL(1);
	if (at != registered)
		return 1;
	registered = NULL;
	return SUCCESS;
}

int
cuMemHostGetDevicePointer_v2(cuda_address *device, void *host, unsigned flags)
{
	MAY_FAIL(1);
	*device = (uintptr_t)host;
	return host == registered && !flags ? SUCCESS : 1;
}

/* The environment of programs on the virtual GPU: memory, link, clocks. */

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
	uintptr_t seen = -(uintptr_t)(!in || !host || launch->looks);
	static const char zeros[VGPU_WARP * 16];

	if (!host && !is_on_device(at, size))
		return false;
	/* A CPU that speculates past a branch would fill its caches. */
	__asm__("" : "+r"(seen));
	memory =
	    (void *)((seen & (uintptr_t)memory) | (~seen & (uintptr_t)zeros));
	if (way == VGPU_ADD)
		*(uint32_t *)memory += *(uint32_t *)data;
	else if (in)
		memcpy(data, memory, size);
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
	if (is("wandering"))
		return VGPU_MHZ + 50 * (calibrations % 2);
	return is("restless") || (is("drifting") && calibrations > 16)
	           ? VGPU_MHZ + 500 * (calibrations % 2)
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

/* Runs an entry on the virtual GPU; SUCCESS or LAUNCH_FAILED. */
static int
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

/* When the context is released, and at exit, unless a signal kills it. */
__attribute__((destructor)) static void
account(void)
{
	char text[128];

	snprintf(text, sizeof text,
	         "left: contexts %u modules %u memory %u registered %d "
	         "streams %u events %u",
	         contexts, modules, blocks_in_use(), registered != NULL,
	         streams, events);
	record(text);
}

/* Driver and device ------------------------------------------------------- */

int
cuInit(unsigned flags)
{
	MAY_FAIL(NO_DEVICE);
	return flags ? 1 : SUCCESS;
}

int
cuDriverGetVersion(int *version)
{
	MAY_FAIL(1);
	*version = is("outdated") ? 11080 : 13000;
	return SUCCESS;
}

int
cuDeviceGetCount(int *n)
{
	MAY_FAIL(1);
	*n = is("none") ? 0 : 1;
	return SUCCESS;
}

int
cuDeviceGet(int *device, int n)
{
	MAY_FAIL(101);
	*device = n;
	return SUCCESS;
}

int
cuDeviceGetName(char *name, int size, int device)
{
	MAY_FAIL(101);
	(void)device;
	snprintf(name, (size_t)size, "fake GPU of the tests");
	return SUCCESS;
}

int
cuDeviceGetAttribute(int *value, int attribute, int device)
{
	MAY_FAIL(101);
	(void)device;
	switch (attribute) {
	case CUDA_SM_COUNT:
		*value = 4;
		break;
	case CUDA_CAPABILITY_MAJOR:
		*value = is("ancient") ? 6 : is("old") ? 7 : 9;
		break;
	case CUDA_HOST_PAGE_TABLES:
		*value = is("coherent");
		break;
	case CUDA_CAPABILITY_MINOR:
		*value = is("old") ? 5 : 0;
		break;
	default:
		return 1;
	}
	return SUCCESS;
}

int
cuDeviceGetPCIBusId(char *text, int size, int device)
{
	MAY_FAIL(101);
	(void)device;
	snprintf(text, (size_t)size, is("nameless") ? "GPU0" : "0000:FF:1F.7");
	return SUCCESS;
}

int
cuDevicePrimaryCtxRetain(cuda_context *result, int device)
{
	MAY_FAIL(OUT_OF_MEMORY);
	(void)device;
	contexts++;
	*result = &context;
	return SUCCESS;
}

int
cuDevicePrimaryCtxRelease_v2(int device)
{
	MAY_FAIL(1);
	(void)device;
	contexts--;
	account();
	return SUCCESS;
}

int
cuCtxSetCurrent(cuda_context wanted)
{
	MAY_FAIL(INVALID_CONTEXT);
	wanted->current = 1;
	return SUCCESS;
}

int
cuCtxSynchronize(void)
{
	MAY_FAIL(LAUNCH_FAILED);
	return context.current ? SUCCESS : INVALID_CONTEXT;
}

/* Modules ----------------------------------------------------------------- */

int
cuModuleLoadDataEx(cuda_module *result, const void *text, unsigned n,
                   const int *option, void **value)
{
	char error[VGPU_ERROR] = "line 3: this is no instruction";
	struct vgpu_program *program = vgpu_parse(text, error);

	for (unsigned i = 0; i < n; i++) {
		if (option[i] == CUDA_JIT_ERROR_LOG && !is("mute"))
			snprintf(value[i], VGPU_ERROR + 16, "ptxas: %s\n",
			         error);
	}
	if (!program || fails(__func__)) {
		if (program)
			vgpu_free(program);
		return INVALID_PTX;
	}
	modules++;
	*result = calloc(1, sizeof **result);
	(*result)->program = program;
	return SUCCESS;
}

int
cuModuleUnload(cuda_module module)
{
	MAY_FAIL(1);
	modules--;
	while (module->function) {
		struct cuda_function *next = module->function->next;

		free(module->function);
		module->function = next;
	}
	vgpu_free(module->program);
	free(module);
	return SUCCESS;
}

int
cuModuleGetFunction(cuda_function *result, cuda_module module, const char *name)
{
	MAY_FAIL(NOT_FOUND);
	if (!vgpu_has(module->program, name))
		return NOT_FOUND;
	*result = calloc(1, sizeof **result);
	snprintf((*result)->name, sizeof(*result)->name, "%s", name);
	(*result)->module = module;
	(*result)->next = module->function;
	module->function = *result;
	return SUCCESS;
}

int
cuFuncSetAttribute(cuda_function function, int attribute, int value)
{
	MAY_FAIL(1);
	function->shared_pct = value;
	return attribute == CUDA_SHARED_CARVEOUT ? SUCCESS : 1;
}

/* Launches ---------------------------------------------------------------- */

int
cuLaunchKernel(cuda_function function, unsigned grid_x, unsigned grid_y,
               unsigned grid_z, unsigned block_x, unsigned block_y,
               unsigned block_z, unsigned shared, cuda_stream stream,
               void **parameters, void **extra)
{
	struct vgpu_grid grid = {grid_x, block_x, shared};
	const struct gpu_args *args = parameters[0];

	(void)stream;
	MAY_FAIL(701);
	if (fails(function->name))
		return LAUNCH_FAILED;
	if (shared && grid_x > 1 && function->shared_pct != 100)
		return 701;
	if (!grid_x || !block_x || grid_y * grid_z * block_y * block_z != 1 ||
	    block_x > 1024 || shared > 49152 || extra || !args->results)
		return 1;
	return run_program(function->module->program, function->name, grid,
	                   args);
}

/* Streams and events ------------------------------------------------------ */

int
cuStreamCreate(cuda_stream *stream, unsigned flags)
{
	MAY_FAIL(OUT_OF_MEMORY);
	(void)flags;
	streams++;
	*stream = calloc(1, sizeof **stream);
	return SUCCESS;
}

int
cuStreamDestroy_v2(cuda_stream stream)
{
	MAY_FAIL(1);
	streams--;
	free(stream);
	return SUCCESS;
}

int
cuEventCreate(cuda_event *event, unsigned flags)
{
	MAY_FAIL(OUT_OF_MEMORY);
	(void)flags;
	events++;
	*event = calloc(1, sizeof **event);
	return SUCCESS;
}

int
cuEventDestroy_v2(cuda_event event)
{
	MAY_FAIL(1);
	events--;
	free(event);
	return SUCCESS;
}

int
cuEventRecord(cuda_event event, cuda_stream stream)
{
	MAY_FAIL(1);
	event->ns = (stream ? stream : &default_stream)->ns;
	return SUCCESS;
}

int
cuEventElapsedTime(float *ms, cuda_event from, cuda_event to)
{
	MAY_FAIL(600);
	*ms = (float)(((double)to->ns - (double)from->ns) / 1e6);
	return SUCCESS;
}

static const struct {
	int error;
	const char *name, *text;
} errors[] = {
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

/* The name of an error, or its text. */
static int
tell(int error, bool name, const char **text)
{
	*text = NULL;
	for (size_t i = 0; i < ARRAY_LEN(errors); i++) {
		if (errors[i].error == error)
			*text = name ? errors[i].name : errors[i].text;
	}
	return *text ? SUCCESS : 1;
}

int
cuGetErrorName(int error, const char **text)
{
	return tell(error, true, text);
}

int
cuGetErrorString(int error, const char **text)
{
	return tell(error, false, text);
}
