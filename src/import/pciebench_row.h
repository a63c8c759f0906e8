/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells that the files of pcie-bench have in common. */
#ifndef PCB_IMPORT_PCIEBENCH_ROW_H
#define PCB_IMPORT_PCIEBENCH_ROW_H

#include "import/import.h"

/* How far from each other two columns of the same value may be: rounding. */
#define PCIEBENCH_TOLERANCE 1e-12

/* The time of so many cycles of the NFP, at 1.2 GHz. */
double pciebench_cycles_to_ns(double cycles);

/*
 * Nanoseconds of a column of cycles. The published nanoseconds beside it must
 * agree, lest another clock pass unseen.
 */
double pciebench_ns(const struct table *t, const char *cycles, const char *ns);

/* Fills in bench, size, window and so on from a row of a summary. */
void pciebench_point(struct job *job, const struct table *t);

#endif
