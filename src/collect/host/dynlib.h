/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads a shared library at run time and finds its functions. */
#ifndef PCB_COLLECT_HOST_DYNLIB_H
#define PCB_COLLECT_HOST_DYNLIB_H

#include <stdbool.h>
#include <stddef.h>

/* Set soname, and zero the rest. */
struct dynlib {
	const char *soname; /* such as "libvulkan.so.1" */
	void *handle;       /* NULL: not loaded */
};

/*
 * Loads the library, unless it is loaded. It stays loaded until exit, because
 * drivers start threads of their own. False, with the loader's reason in *why,
 * which is valid until the next call.
 */
bool dynlib_open(struct dynlib *lib, const char **why);

/* A function, and the place of its address in a table of pointers. */
struct dynlib_symbol {
	const char *name;
	size_t at; /* offset in the table, bytes */
};

/*
 * Stores the addresses of n functions in `table`. NULL, or the name of the
 * first function that the library lacks.
 */
const char *dynlib_resolve(const struct dynlib *lib,
                           const struct dynlib_symbol *symbol, size_t n,
                           void *table);

#endif
