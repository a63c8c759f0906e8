/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --links FILE: where devices are and what their links are. */
#ifndef PCB_DIFF_TOPOLOGY_H
#define PCB_DIFF_TOPOLOGY_H

#include "common/link/dword_time.h"

#include <stddef.h>

/* Columns of the file. */
enum told {
	TOLD_DEVICE,
	TOLD_PARENT,
	TOLD_LINK,
	TOLD_DEVSEL,
	TOLD_BENCH,
	TOLD_SPLIT_OF,
	NTOLD
};

/* What is told of a device; "" where nothing is. */
struct told_device {
	char *text[NTOLD];
};

/* Zero-initialise; release with topology_free. */
struct topology {
	struct told_device *device;
	size_t n;
	bool given;      /* there is a file */
	bool has[NTOLD]; /* it has the column */
};

/* Reads the file ("-": stdin); dies if it is bad. */
void topology_read(struct topology *y, const char *file);

/* What the file tells of a device; "" where it tells nothing. */
const char *topology_text(const struct topology *y, const char *device,
                          enum told told);

/* How soon the device claims a transaction: slow, unless told otherwise. */
enum devsel topology_devsel(const struct topology *y, const char *device);

void topology_free(struct topology *y);

#endif
