/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads libcuda.so.1 and finds its functions. */
#include "collect/cuda/driver.h"

#include "collect/host/dynlib.h"

#include <string.h>

static struct dynlib libcuda = {.soname = CUDA_SONAME};

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
	const char *why, *missing;

	if (!dynlib_open(&libcuda, &why))
		return fail(s, STATUS_ABSENT, "NVIDIA driver not found: %s",
		            why);
	missing = dynlib_resolve(&libcuda, calls, ARRAY_LEN(calls), cuda);
	if (missing)
		return fail(s, STATUS_ABSENT,
		            "%s has no %s: the driver is too old", CUDA_SONAME,
		            missing);
	if (CUDA_DO(s, cuda, cuInit, 0))
		return true;
	s->failure.status = STATUS_ABSENT;
	return false;
}
