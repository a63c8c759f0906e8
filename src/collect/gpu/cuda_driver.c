/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads libcuda.so.1 and looks up its functions. */
#include "collect/gpu/cuda_driver.h"

#include <dlfcn.h>
#include <string.h>

static const char library_name[] = "libcuda.so.1";

static const struct {
	const char *name;
	size_t at;
} calls[] = {
#define CUDA_ROW(name, ...) {#name, offsetof(struct cuda, name)},
    CUDA_CALLS(CUDA_ROW)
#undef CUDA_ROW
};

/* Stays open: the driver has threads of its own. */
static void *
gpu_open_library(void)
{
	static void *library;

	if (!library)
		library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
	return library;
}

bool
cuda_is_here(const char **why)
{
	*why = "";
	if (gpu_open_library())
		return true;
	*why = dlerror();
	return false;
}

/* A function is stored through its bytes: C has no cast from void * to it. */
static bool
gpu_find_calls(struct session *s, struct cuda *cuda)
{
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		void *symbol = dlsym(cuda->library, calls[i].name);

		if (!symbol)
			return fail(s, STATUS_ABSENT,
			            "%s has no %s: the driver is too old",
			            library_name, calls[i].name);
		memcpy((char *)cuda + calls[i].at, &symbol, sizeof symbol);
	}
	return true;
}

bool
cuda_check(struct session *s, const struct cuda *cuda, const char *call,
           int result)
{
	const char *name = NULL, *text = NULL;

	if (!result)
		return true;
	if (cuda->cuGetErrorName(result, &name) || !name)
		name = "unknown error";
	if (cuda->cuGetErrorString(result, &text) || !text)
		text = "no explanation";
	return fail(s, STATUS_TROUBLE, "%.*s: %s (%d, %s)",
	            (int)strcspn(call, "_"), call, name, result, text);
}

bool
cuda_load(struct session *s, struct cuda *cuda)
{
	cuda->library = gpu_open_library();
	if (!cuda->library)
		return fail(s, STATUS_ABSENT, "no driver of NVIDIA here: %s",
		            dlerror());
	if (!gpu_find_calls(s, cuda))
		return false;
	if (CUDA_DO(s, cuda, cuInit, 0))
		return true;
	s->failure.status = STATUS_ABSENT;
	return false;
}
