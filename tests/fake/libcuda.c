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
 *                          sleepy (slow until it has worked for a while),
 *                          cached (lines that it has read), keeping (cached,
 *                          but for loads of another kind), caching (cached
 *                          during a launch), deaf (its writes are lost), tired
 * (those after the first), blind (reads nothing), instant (its copies), apart
 * (its workers), warming (its reads fill the CPU's caches), brisk (skips the
 * check of its clock)
 */
#include "libcuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool
is(const char *word)
{
	const char *words = getenv("FAKE_CUDA_IS");

	return words && strstr(words, word);
}

FILE *
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

bool
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

int
cuGetErrorName(int error, const char **text)
{
	*text = NULL;
	for (size_t i = 0; i < ARRAY_LEN(errors); i++) {
		if (errors[i].error == error)
			*text = errors[i].name;
	}
	return *text ? SUCCESS : 1;
}

int
cuGetErrorString(int error, const char **text)
{
	*text = NULL;
	for (size_t i = 0; i < ARRAY_LEN(errors); i++) {
		if (errors[i].error == error)
			*text = errors[i].text;
	}
	return *text ? SUCCESS : 1;
}
