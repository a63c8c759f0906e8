/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of settings: what they are, and the record of them. */
#ifndef PCB_COLLECT_HOST_CHANGE_H
#define PCB_COLLECT_HOST_CHANGE_H

#include "collect/host/guardian.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The file below /run that says what was changed. Zero-initialise. */
struct record {
	char *path; /* NULL: there is none */
	int fd;     /* locked as long as a process has it */
};

/*
 * The one line of a text file, some bits of a byte in a file, or the driver
 * of a function of PCI.
 */
struct change {
	char *path;
	char *before, *wanted; /* NULL: bits */
	char *override;        /* driver_override before; NULL: no driver */
	char *function; /* whose driver makes the file; NULL: no matter */
	off_t at;
	unsigned char byte; /* all of it, before */
	unsigned char mask, bits_before, bits_wanted;
	enum { CHANGE_IS_BACK, CHANGE_IS_ANOTHERS, CHANGE_FAILED } end;
	int error; /* why it failed: errno; 0: it took another value */
};

/* Zero-initialise; release with changes_undo. */
struct changes {
	struct change *changed;
	size_t nchanged;
	struct change *unchanged; /* what was so before */
	size_t nunchanged;
	struct guardian guardian;
	struct record record;
	unsigned lost_tries; /* how often files of a driver were looked for */
};

#endif
