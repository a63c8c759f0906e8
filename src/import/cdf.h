/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CDFs of pcie-bench, as histograms. */
#ifndef PCB_IMPORT_CDF_H
#define PCB_IMPORT_CDF_H

#include "import/import.h"

/*
 * X.csv for X_cdf.csv, the name under which the summary of a CDF is published;
 * to be freed. Dies if the file has another name, or the summary is missing.
 */
char *cdf_summary_of(const struct table *t);

/*
 * Reads the section that begins with the current row, whose number of samples
 * is in the current row of the summary. False at the end of the file, else the
 * first row of the next section is current.
 */
bool cdf_read_section(struct job *job, struct table *t,
                      const struct table *summary);

#endif
