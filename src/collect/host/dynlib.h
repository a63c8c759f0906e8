/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A shared library that is loaded when the program runs, and its functions. */
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
 * Loads the library if it is not loaded yet; it stays loaded until the process
 * ends, because drivers have threads of their own. False with the reason of
 * the loader in *why, valid until the next call.
 */
bool dynlib_open(struct dynlib *lib, const char **why);

/* A function and where its address goes in a table of function pointers. */
struct dynlib_symbol {
	const char *name;
	size_t at; /* bytes from the beginning of the table */
};

/*
 * Stores the addresses of n functions of a loaded library in `table`. NULL, or
 * the name of the first function that the library lacks.
 */
const char *dynlib_resolve(const struct dynlib *lib,
                           const struct dynlib_symbol *symbol, size_t n,
                           void *table);

#endif
