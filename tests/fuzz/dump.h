/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For fuzz targets of dumps: reads one, and ends if something is untrue. */
#ifndef PCB_TESTS_FUZZ_DUMP_H
#define PCB_TESTS_FUZZ_DUMP_H

#include "common/pci/tree.h"
#include "fuzz/ending.h"

/* Opened by libpci, which may not close it when it refuses a file. */
static FILE *opened;

/* Replace those of the C library. */
FILE *
fopen(const char *path, const char *mode)
{
	union {
		void *object;
		FILE *(*function)(const char *path, const char *mode);
	} real;

	real.object = dlsym(RTLD_NEXT, "fopen");
	opened = real.function(path, mode);
	return opened;
}

int
fclose(FILE *f)
{
	union {
		void *object;
		int (*function)(FILE *f);
	} real;

	if (f == opened)
		opened = NULL;
	real.object = dlsym(RTLD_NEXT, "fclose");
	return real.function(f);
}

/* The functions of a dump; NULL if it is refused. */
static struct pci_tree *
read_dump(const uint8_t *bytes, size_t size)
{
	struct pci_tree *volatile tree = NULL;

	set_stdin(bytes, size);
	opened = NULL;
	is_reading = true;
	if (!setjmp(refused))
		tree = pci_tree_read_dump("/dev/stdin", 0);
	else if (opened)
		fclose(opened);
	is_reading = false;
	return tree;
}

#endif
