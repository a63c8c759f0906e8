/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads libcuda.so.1, opens a GPU, loads modules and launches programs. */
#include "collect/cuda/driver.h"

#include "collect/host/dynlib.h"

#include <stdlib.h>
#include <string.h>

static struct dynlib libcuda = {.soname = CUDA_SONAME};
struct cuda cuda;

static const struct dynlib_symbol calls[] = {
#define CUDA_ROW(name, ...) {#name, offsetof(struct cuda, name)},
    CUDA_CALLS(CUDA_ROW)
#undef CUDA_ROW
};

bool
cuda_is_here(const char **why)
{
	return dynlib_open(&libcuda, why);
}

bool
cuda_check(struct session *s, const char *call, int result)
{
	const char *name = NULL, *text = NULL;

	if (!result)
		return true;
	if (cuda.cuGetErrorName(result, &name) || !name)
		name = "unknown error";
	if (cuda.cuGetErrorString(result, &text) || !text)
		text = "no explanation";
	return fail(s, STATUS_TROUBLE, "%.*s: %s (%d, %s)",
	            (int)strcspn(call, "_"), call, name, result, text);
}

/* Loads and initialises the driver. */
static bool
cuda_load(struct session *s)
{
	const char *why, *missing;

	if (!dynlib_open(&libcuda, &why))
		return fail(s, STATUS_ABSENT, "NVIDIA driver not found: %s",
		            why);
	missing = dynlib_resolve(&libcuda, calls, ARRAY_LEN(calls), &cuda);
	if (missing)
		return fail(s, STATUS_ABSENT,
		            "%s has no %s: the driver is too old", CUDA_SONAME,
		            missing);
	if (CUDA_DO(s, cuInit, 0))
		return true;
	s->failure.status = STATUS_ABSENT;
	return false;
}

#define NAMES_MAX 256

/* The BDF of the driver's n-th GPU, as lspci prints it. */
static bool
cuda_bdf_of(struct session *s, struct cuda_device *d, int n)
{
	char text[32] = "";

	if (!CUDA_DO(s, cuDeviceGet, &d->number, n) ||
	    !CUDA_DO(s, cuDeviceGetPCIBusId, text, sizeof text, d->number))
		return false;
	if (!parse_bdf(text, d->bdf))
		return fail(s, STATUS_TROUBLE,
		            "cuDeviceGetPCIBusId: '%s' is not a BDF", text);
	return true;
}

/* Finds the wanted GPU; fails with the names of all GPUs. */
static bool
cuda_find_device(struct session *s, struct cuda_device *d, const char *wanted)
{
	char names[NAMES_MAX] = "";
	int n = 0;

	if (!CUDA_DO(s, cuDeviceGetCount, &n))
		return false;
	for (int i = 0; i < n; i++) {
		size_t used = strlen(names);

		if (!cuda_bdf_of(s, d, i))
			return false;
		if (!wanted || !strcmp(d->bdf, wanted))
			return true;
		snprintf(names + used, sizeof names - used, " %s", d->bdf);
	}
	return fail(s, STATUS_ABSENT, "%s: no such GPU; the driver has%s",
	            wanted ? wanted : "gpu", *names ? names : " none");
}

static bool
cuda_read_properties(struct session *s, struct cuda_device *d)
{
	int major = 0, minor = 0, n = d->number;

	if (!CUDA_DO(s, cuDriverGetVersion, &d->driver) ||
	    !CUDA_DO(s, cuDeviceGetName, d->name, sizeof d->name - 1, n) ||
	    !CUDA_DO(s, cuDeviceGetAttribute, &d->sms, CUDA_SM_COUNT, n) ||
	    !CUDA_DO(s, cuDeviceGetAttribute, &major, CUDA_CAPABILITY_MAJOR,
	             n) ||
	    !CUDA_DO(s, cuDeviceGetAttribute, &minor, CUDA_CAPABILITY_MINOR, n))
		return false;
	d->capability = 10 * major + minor;
	/* A driver that does not know this attribute has no such GPU. */
	if (cuda.cuDeviceGetAttribute(&d->coherent, CUDA_HOST_PAGE_TABLES, n))
		d->coherent = 0;
	return true;
}

bool
cuda_device_open(struct session *s, struct cuda_device *d, const char *which)
{
	char bdf[BDF_MAX];
	cuda_context context = NULL;

	if (which && !parse_bdf(which, bdf))
		return fail(s, STATUS_TROUBLE,
		            "gpu:%s: not a device (such as 03:00.0)", which);
	if (!cuda_load(s) || !cuda_find_device(s, d, which ? bdf : NULL) ||
	    !cuda_read_properties(s, d) ||
	    !CUDA_DO(s, cuDevicePrimaryCtxRetain, &context, d->number))
		return false;
	d->context = context;
	return CUDA_DO(s, cuCtxSetCurrent, context);
}

void
cuda_device_close(struct cuda_device *d)
{
	if (d->context)
		cuda.cuDevicePrimaryCtxRelease_v2(d->number);
	d->context = NULL;
}

bool
cuda_load_module(struct session *s, char *text, cuda_module *module)
{
	static const int option[] = {CUDA_JIT_ERROR_LOG,
	                             CUDA_JIT_ERROR_LOG_SIZE};
	char log[1024] = "";
	size_t size = sizeof log - 1;
	void *value[] = {log, NULL};
	char *reason;
	bool ok;

	/* The API passes numbers as pointers. */
	memcpy(&value[1], &size, sizeof size);
	ok = CUDA_DO(s, cuModuleLoadDataEx, module, text, ARRAY_LEN(option),
	             option, value);
	free(text);
	if (ok)
		return true;
	*module = NULL;
	log[strcspn(log, "\n")] = '\0';
	if (!*log)
		return false;
	reason = xstrdup(s->failure.text);
	fail(s, STATUS_TROUBLE, "%s: %s", reason, log);
	free(reason);
	return false;
}

void
cuda_unload(cuda_module *module)
{
	if (*module)
		cuda.cuModuleUnload(*module);
	*module = NULL;
}

bool
cuda_launch(struct session *s, cuda_module module, const char *program,
            const struct gpu_args *args, struct cuda_grid grid)
{
	struct gpu_args copy = *args;
	void *parameter[] = {&copy};
	cuda_function function = NULL;

	/* With more shared memory, all blocks run at once. */
	return CUDA_DO(s, cuModuleGetFunction, &function, module, program) &&
	       (!grid.shared || CUDA_DO(s, cuFuncSetAttribute, function,
	                                CUDA_SHARED_CARVEOUT, 100)) &&
	       CUDA_DO(s, cuLaunchKernel, function, grid.blocks, 1, 1,
	               grid.threads, 1, 1, grid.shared, NULL, parameter, NULL);
}

bool
cuda_wait(struct session *s)
{
	return cuda_check(s, "cuCtxSynchronize", cuda.cuCtxSynchronize());
}
