/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the format pciebench. */
#ifndef PCB_IMPORT_PCIEBENCH_H
#define PCB_IMPORT_PCIEBENCH_H

#include "import/import.h"

/*
 * Nanoseconds of a column of cycles of the NFP, at 1.2 GHz. The published
 * nanoseconds beside it must agree, lest another clock pass unseen.
 */
double pciebench_ns(const struct table *t, const char *cycles, const char *ns);

/* Fills in bench, size, window and so on from a row of a summary. */
void pciebench_point(struct job *job, const struct table *t);

/*
 * Reads a CDF, whose first row is current, as histograms; what its sections
 * are and how many samples each has is taken from its summary.
 */
void pciebench_cdf(struct job *job, struct table *t);

/* Ends the program unless a summary of latencies is what has been opened. */
void pciebench_check_summary(const struct table *t);

#endif
