/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of settings, and their record in a file. */
#ifndef PCB_COLLECT_HOST_CHANGE_H
#define PCB_COLLECT_HOST_CHANGE_H

#include "collect/host/guardian.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The file below /run that lists the changes. Zero-initialise. */
struct record {
	char *path; /* NULL: no record */
	int fd;     /* locked while a process has it open */
};

/*
 * A changed setting: the one line of a text file, bits of a byte in a file, or
 * the driver of a PCI function.
 */
struct change {
	char *path;
	char *before, *wanted; /* NULL: bits */
	char *override;        /* old driver_override; NULL: no driver change */
	char *function;        /* whose driver creates the file; or NULL */
	off_t at;
	unsigned char byte; /* the whole old byte */
	unsigned char mask, bits_before, bits_wanted;
	enum { CHANGE_IS_BACK, CHANGE_IS_ANOTHERS, CHANGE_FAILED } end;
	int error; /* errno, or 0 if the setting took another value */
};

/* Zero-initialise; free with changes_undo. */
struct changes {
	struct change *changed;
	size_t nchanged;
	struct change *unchanged; /* had the wanted value before */
	size_t nunchanged;
	struct guardian guardian;
	struct record record;
	unsigned lost_tries; /* how often a driver's file was waited for */
};

#endif
