/*
 * A library that takes the place of NVIDIA's driver in tests: it records what
 * it is asked to do, and makes up what a GPU would answer. Its numbers mean
 * nothing, and its GPU is one that no kernel shows, so that they cannot be
 * taken for measured.
 *
 * FAKE_CUDA_FAIL=CALL[:N]  the N-th call fails (1)
 * FAKE_CUDA_LOG=FILE       appends calls, and at the end what was not freed
 * FAKE_CUDA_UNITS=FILE     appends size and unit of what latency benches do
 * FAKE_CUDA_IS=WORDS       old (7.5), none (no GPU), drifting, cached, deaf
 *                          (its writes are lost), blind (reads nothing)
 */
#include "collect/gpu_cuda.h"
#include "collect/gpu_ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MHZ          1500
#define BYTES_PER_NS 10
#define STEP_NS      32

#define SUCCESS         0
#define NO_DEVICE       100
#define INVALID_PTX     218
#define INVALID_CONTEXT 201
#define NOT_FOUND       500
#define LAUNCH_FAILED   719

#define CUDA_DECLARE(name, ...) int name(__VA_ARGS__);
CUDA_CALLS(CUDA_DECLARE)
#undef CUDA_DECLARE

/* Opaque to the caller. */
struct cuda_context {
	int current;
};
struct cuda_module {
	char *text;
	struct cuda_function *function;
};
struct cuda_function {
	struct cuda_module *module;
	char name[64];
	struct cuda_function *next;
};
struct cuda_stream {
	uint64_t ns;
};
struct cuda_event {
	uint64_t ns;
};

static struct cuda_context context;
static struct cuda_stream default_stream;
static unsigned contexts, modules, blocks, streams, events;
static unsigned char *registered;
static size_t registered_size;
static unsigned calibrations;

static bool
is(const char *word)
{
	const char *words = getenv("FAKE_CUDA_IS");

	return words && strstr(words, word);
}

/* A stream to append to, or NULL if nobody wants to know. */
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

/* Whether this call is to fail. */
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

/* When the context is given back, and at the end, which a signal prevents. */
__attribute__((destructor)) static void
account(void)
{
	char text[128];

	snprintf(text, sizeof text,
	         "left: contexts %u modules %u memory %u registered %d "
	         "streams %u events %u",
	         contexts, modules, blocks, registered != NULL, streams,
	         events);
	record(text);
}

static void *
memory_at(cuda_address at)
{
	return (void *)(uintptr_t)at;
}

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
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
	*version = 13000;
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
	snprintf(text, (size_t)size, "0000:FF:1F.7");
	return SUCCESS;
}

int
cuDevicePrimaryCtxRetain(cuda_context *result, int device)
{
	MAY_FAIL(2);
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
	for (unsigned i = 0; i < n; i++) {
		if (option[i] == CUDA_JIT_ERROR_LOG)
			snprintf(value[i], 64,
			         "ptxas: line 3: this is no instruction\n");
	}
	MAY_FAIL(INVALID_PTX);
	modules++;
	*result = calloc(1, sizeof **result);
	(*result)->text = strdup(text);
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
	free(module->text);
	free(module);
	return SUCCESS;
}

int
cuModuleGetFunction(cuda_function *result, cuda_module module, const char *name)
{
	char entry[96];

	MAY_FAIL(NOT_FOUND);
	snprintf(entry, sizeof entry, ".entry %s(", name);
	if (!strstr(module->text, entry))
		return NOT_FOUND;
	*result = calloc(1, sizeof **result);
	snprintf((*result)->name, sizeof(*result)->name, "%s", name);
	(*result)->module = module;
	(*result)->next = module->function;
	module->function = *result;
	return SUCCESS;
}

/* What the programs do ---------------------------------------------------- */

static void
calibrate(const struct ptx_args *args)
{
	uint64_t end = now();
	uint64_t mhz = MHZ;

	if (is("drifting") && ++calibrations > 16)
		mhz += 50 * (calibrations % 2);
	*(struct ptx_ticks *)memory_at(args->journal) = (struct ptx_ticks){
	    .ns0 = end - args->duration,
	    .ns1 = end,
	    .cycles0 = 1000,
	    .cycles1 = 1000 + args->duration * mhz / 1000,
	    .step = STEP_NS,
	    .sm = 3,
	};
}

static void
overhead(const struct ptx_args *args)
{
	uint32_t *cycles = memory_at(args->journal);

	for (uint32_t i = 0; i < args->count; i++)
		cycles[i] = 33 + i % 2;
}

static void
fill(const struct ptx_args *args)
{
	uint32_t *word = memory_at(args->buffer);

	for (uint32_t i = 0, n = is("deaf") ? 0 : args->count; i < n; i++)
		word[i] = args->magic + i;
}

static void
sum(const struct ptx_args *args)
{
	const uint32_t *word = memory_at(args->buffer);
	uint32_t *result = memory_at(args->journal);

	for (uint32_t i = 0, n = is("blind") ? 0 : args->count; i < n; i++)
		*result += word[i];
}

/* The transfer that the text is about, as its first line says. */
static bool
about(const struct cuda_module *module, char bench[16], unsigned *size)
{
	const char *comma = strchr(module->text, ',');

	if (strncmp(module->text, "// ", 3) != 0 || !comma)
		return false;
	snprintf(bench, 16, "%.*s", (int)(comma - module->text - 3),
	         module->text + 3);
	*size = (unsigned)strtoul(comma + 1, NULL, 10);
	return *size;
}

/* A place outside of the buffer would be an error of the bus. */
static bool
touch(const struct ptx_args *args, uint32_t unit, unsigned size, bool write)
{
	unsigned char *at = (unsigned char *)memory_at(args->buffer) +
	                    (uint64_t)unit * args->unit;

	if (at < registered || at + size > registered + registered_size)
		return false;
	if (write)
		memset(at, 1, size);
	return true;
}

static int
transfer_one_by_one(const struct ptx_args *args, const char *bench,
                    unsigned size)
{
	const uint32_t *order = memory_at(args->order);
	uint32_t *cycles = memory_at(args->journal);
	bool write = !strcmp(bench, "lat_wrrd");
	FILE *units = open_record("FAKE_CUDA_UNITS");

	for (uint32_t i = 0; i < args->count; i++) {
		bool same = i && order[i] == order[i - 1];

		if (!touch(args, order[i], size, write))
			return LAUNCH_FAILED;
		if (units)
			fprintf(units, "%u %u\n", size, order[i]);
		cycles[i] = (write ? 1800 : 1500) + i % 100;
		if (same && is("cached"))
			cycles[i] = 400;
	}
	if (units)
		fclose(units);
	return SUCCESS;
}

static int
transfer_by_workers(const struct ptx_args *args, const char *bench,
                    unsigned size)
{
	const uint32_t *order = memory_at(args->order);
	struct ptx_span *span = memory_at(args->journal);
	uint64_t pace = (uint64_t)size * args->workers / BYTES_PER_NS;
	bool write = strcmp(bench, "bw_rd") != 0;

	for (uint32_t i = 0; i < args->count; i++) {
		if (!touch(args, order[i], size, write))
			return LAUNCH_FAILED;
	}
	for (uint32_t i = 0; i < args->workers; i++) {
		struct ptx_span *at = &span[i];

		at->start = 1000000 + i % 7 * STEP_NS;
		at->from = at->start + args->lead * pace;
		at->to = at->from + args->each * pace;
		at->end = at->to + args->lead * pace;
	}
	return SUCCESS;
}

static int
transfer(const struct cuda_module *module, const struct ptx_args *args)
{
	char bench[16];
	unsigned size;

	if (!about(module, bench, &size))
		return LAUNCH_FAILED;
	return strncmp(bench, "lat", 3) != 0
	           ? transfer_by_workers(args, bench, size)
	           : transfer_one_by_one(args, bench, size);
}

int
cuLaunchKernel(cuda_function function, unsigned grid_x, unsigned grid_y,
               unsigned grid_z, unsigned block_x, unsigned block_y,
               unsigned block_z, unsigned shared, cuda_stream stream,
               void **parameters, void **extra)
{
	const struct ptx_args *args = parameters[0];
	const char *name = function->name;

	(void)stream;
	MAY_FAIL(701);
	if (!grid_x || !block_x || grid_y * grid_z * block_y * block_z != 1 ||
	    block_x > 1024 || shared > 49152 || extra || !args->journal)
		return 1;
	if (!strcmp(name, "pcb_calibrate"))
		calibrate(args);
	else if (!strcmp(name, "pcb_overhead"))
		overhead(args);
	else if (!strcmp(name, "pcb_fill"))
		fill(args);
	else if (!strcmp(name, "pcb_sum"))
		sum(args);
	else if (!strcmp(name, "pcb_transfer"))
		return transfer(function->module, args);
	return SUCCESS;
}

/* Memory ------------------------------------------------------------------ */

int
cuMemAlloc_v2(cuda_address *at, size_t size)
{
	MAY_FAIL(2);
	blocks++;
	*at = (uintptr_t)calloc(size, 1);
	return SUCCESS;
}

int
cuMemFree_v2(cuda_address at)
{
	MAY_FAIL(1);
	blocks--;
	free(memory_at(at));
	return SUCCESS;
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
	stream->ns += 400 + size / BYTES_PER_NS;
	return SUCCESS;
}

/* A read of the device does not bring anything into the CPU's caches. */
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
	MAY_FAIL(2);
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

/* Streams and events ------------------------------------------------------ */

int
cuStreamCreate(cuda_stream *stream, unsigned flags)
{
	MAY_FAIL(2);
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
	MAY_FAIL(2);
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

/* Errors ------------------------------------------------------------------ */

int
cuGetErrorName(int error, const char **text)
{
	*text = error == 2               ? "CUDA_ERROR_OUT_OF_MEMORY"
	        : error == NO_DEVICE     ? "CUDA_ERROR_NO_DEVICE"
	        : error == LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
	                                 : NULL;
	return *text ? SUCCESS : 1;
}

int
cuGetErrorString(int error, const char **text)
{
	*text = error == 2               ? "out of memory"
	        : error == NO_DEVICE     ? "no CUDA-capable device is detected"
	        : error == LAUNCH_FAILED ? "unspecified launch failure"
	                                 : NULL;
	return *text ? SUCCESS : 1;
}
