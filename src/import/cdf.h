/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CDFs of pcie-bench as histograms. */
#ifndef PCB_IMPORT_CDF_H
#define PCB_IMPORT_CDF_H

#include "import/import.h"

/*
 * X.csv for X_cdf.csv, the published name of the summary; free it. Dies if the
 * file has another name, or the summary is missing.
 */
char *cdf_summary_of(const struct table *t);

/*
 * Reads the section that starts at the current row; the summary's current row
 * has its number of samples. True if the current row is then the first of
 * another section, false at the end of the file.
 */
bool cdf_read_section(struct job *job, struct table *t,
                      const struct table *summary);

#endif
