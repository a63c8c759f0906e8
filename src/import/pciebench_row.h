/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells that files of pcie-bench share. */
#ifndef PCB_IMPORT_PCIEBENCH_ROW_H
#define PCB_IMPORT_PCIEBENCH_ROW_H

#include "import/import.h"

/* Largest difference of two columns with the same value: rounding. */
#define PCIEBENCH_TOLERANCE 1e-12

/* Nanoseconds for cycles of the NFP at 1.2 GHz. */
double pciebench_cycles_to_ns(double cycles);

/*
 * Nanoseconds of a column of cycles. Dies unless the published nanoseconds
 * agree, which detects another clock.
 */
double pciebench_ns(const struct table *t, const char *cycles, const char *ns);

/* Sets bench, size, window and so on from a row of a summary. */
void pciebench_point(struct job *job, const struct table *t);

#endif
