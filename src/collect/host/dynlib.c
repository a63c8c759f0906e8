/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads a shared library and looks up its functions. */
#include "collect/host/dynlib.h"

#include <dlfcn.h>
#include <string.h>

bool
dynlib_open(struct dynlib *lib, const char **why)
{
	*why = "";
	if (!lib->handle)
		lib->handle = dlopen(lib->soname, RTLD_NOW | RTLD_LOCAL);
	if (!lib->handle)
		*why = dlerror();
	return lib->handle;
}

/* Copies the bytes of the pointer: C cannot cast void * to a function. */
const char *
dynlib_resolve(const struct dynlib *lib, const struct dynlib_symbol *symbol,
               size_t n, void *table)
{
	for (size_t i = 0; i < n; i++) {
		void *address = dlsym(lib->handle, symbol[i].name);

		if (!address)
			return symbol[i].name;
		memcpy((char *)table + symbol[i].at, &address, sizeof address);
	}
	return NULL;
}
