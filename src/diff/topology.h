/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --links FILE: positions and links of devices. */
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
	bool given;           /* --links is given */
	bool has[NTOPO_COLS]; /* the file has the column */
};

/* Reads the file ("-": stdin); dies if it is bad. */
void topology_read(struct topology *y, const char *file);

/* The file's text for a device; "" if it has none. */
const char *topology_text(const struct topology *y, const char *device,
                          enum topo_col col);

/* The devsel of a device: slow unless the file has it. */
enum devsel topology_devsel(const struct topology *y, const char *device);

void topology_free(struct topology *y);

#endif
