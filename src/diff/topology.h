/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --links FILE: where devices are and what their links are. */
#ifndef PCB_DIFF_TOPOLOGY_H
#define PCB_DIFF_TOPOLOGY_H

#include "common/link/dword_time.h"

#include <stddef.h>

/* Columns of the file. */
enum topo_col {
	TOPO_DEVICE,
	TOPO_PARENT,
	TOPO_LINK,
	TOPO_DEVSEL,
	TOPO_BENCH,
	TOPO_SPLIT_OF,
	NTOPO_COLS
};

/* A row of the file; "" where a cell is missing. */
struct topo_row {
	char *text[NTOPO_COLS];
};

/* Zero-initialise; release with topology_free. */
struct topology {
	struct topo_row *row;
	size_t n;
	bool given;           /* there is a file */
	bool has[NTOPO_COLS]; /* it has the column */
};

/* Reads the file ("-": stdin); dies if it is bad. */
void topology_read(struct topology *y, const char *file);

/* What the file says of a device; "" where it says nothing. */
const char *topology_text(const struct topology *y, const char *device,
                          enum topo_col col);

/* How soon the device claims a transaction: slow, if the file does not say. */
enum devsel topology_devsel(const struct topology *y, const char *device);

void topology_free(struct topology *y);

#endif
