/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a GPU, loads modules, launches programs and waits for them. */
#include "collect/cuda/device.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_MAX 256

/* The BDF of the driver's n-th GPU, as lspci prints it. */
static bool
cuda_bdf_of(struct session *s, struct cuda_device *d, int n)
{
	char text[32] = "";

	if (!CUDA_DO(s, &d->cuda, cuDeviceGet, &d->number, n) ||
	    !CUDA_DO(s, &d->cuda, cuDeviceGetPCIBusId, text, sizeof text,
	             d->number))
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

	if (!CUDA_DO(s, &d->cuda, cuDeviceGetCount, &n))
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

/* A driver that does not know the attribute has no such GPU. */
static int
cuda_is_coherent(const struct cuda_device *d)
{
	int value = 0;

	if (d->cuda.cuDeviceGetAttribute(&value, CUDA_HOST_PAGE_TABLES,
	                                 d->number))
		return 0;
	return value;
}

static bool
describe(struct session *s, struct cuda_device *d)
{
	const struct cuda *cuda = &d->cuda;
	int major = 0, minor = 0;

	if (!CUDA_DO(s, cuda, cuDriverGetVersion, &d->driver) ||
	    !CUDA_DO(s, cuda, cuDeviceGetName, d->name, sizeof d->name - 1,
	             d->number) ||
	    !CUDA_DO(s, cuda, cuDeviceGetAttribute, &d->sms, CUDA_SM_COUNT,
	             d->number) ||
	    !CUDA_DO(s, cuda, cuDeviceGetAttribute, &major,
	             CUDA_CAPABILITY_MAJOR, d->number) ||
	    !CUDA_DO(s, cuda, cuDeviceGetAttribute, &minor,
	             CUDA_CAPABILITY_MINOR, d->number))
		return false;
	d->capability = 10 * major + minor;
	d->coherent = cuda_is_coherent(d);
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
	if (!cuda_load(s, &d->cuda) ||
	    !cuda_find_device(s, d, which ? bdf : NULL) || !describe(s, d) ||
	    !CUDA_DO(s, &d->cuda, cuDevicePrimaryCtxRetain, &context,
	             d->number))
		return false;
	d->context = context;
	return CUDA_DO(s, &d->cuda, cuCtxSetCurrent, context);
}

void
cuda_device_close(struct cuda_device *d)
{
	if (d->context)
		d->cuda.cuDevicePrimaryCtxRelease_v2(d->number);
	d->context = NULL;
}

bool
cuda_load_module(struct session *s, const struct cuda_device *d,
                 const char *text, cuda_module *module)
{
	static const int option[] = {CUDA_JIT_ERROR_LOG,
	                             CUDA_JIT_ERROR_LOG_SIZE};
	char log[1024] = "";
	size_t size = sizeof log - 1;
	void *value[] = {log, NULL};
	char *reason;

	/* The API passes numbers as pointers. */
	memcpy(&value[1], &size, sizeof size);
	if (CUDA_DO(s, &d->cuda, cuModuleLoadDataEx, module, text,
	            ARRAY_LEN(option), option, value))
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
cuda_unload(const struct cuda_device *d, cuda_module *module)
{
	if (*module)
		d->cuda.cuModuleUnload(*module);
	*module = NULL;
}

/* Raises the share of shared memory so that all blocks run at once. */
static bool
cuda_share_memory(struct session *s, const struct cuda_device *d,
                  cuda_function function, struct cuda_grid grid)
{
	return !grid.shared || CUDA_DO(s, &d->cuda, cuFuncSetAttribute,
	                               function, CUDA_SHARED_CARVEOUT, 100);
}

bool
cuda_launch(struct session *s, const struct cuda_device *d, cuda_module module,
            const char *program, const struct gpu_args *args,
            struct cuda_grid grid)
{
	struct gpu_args copy = *args;
	void *parameter[] = {&copy};
	cuda_function function = NULL;

	return CUDA_DO(s, &d->cuda, cuModuleGetFunction, &function, module,
	               program) &&
	       cuda_share_memory(s, d, function, grid) &&
	       CUDA_DO(s, &d->cuda, cuLaunchKernel, function, grid.blocks, 1, 1,
	               grid.threads, 1, 1, grid.shared, NULL, parameter, NULL);
}

bool
cuda_wait(struct session *s, const struct cuda_device *d)
{
	return cuda_check(s, &d->cuda, "cuCtxSynchronize",
	                  d->cuda.cuCtxSynchronize());
}
