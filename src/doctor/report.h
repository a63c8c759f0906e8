/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings as rows, as text for people, and as metrics. */
#ifndef PCB_DOCTOR_REPORT_H
#define PCB_DOCTOR_REPORT_H

#include "common/doctor/doctor.h"
#include "common/stream/writer.h"

/* The most certain ones first; of equal ones the order stays. */
void report_sort(struct doctor_findings *all);

/* Writes a header and a row for each finding; leaves out_finish to the caller.
 */
void report_rows(struct out *out, const struct doctor_findings *all);

/* Prints a paragraph for each finding, how many there are, and of how many. */
void report_text(const struct doctor *d);

/* Prints them in the format of OpenMetrics, its "# EOF" included. */
void report_metrics(const struct doctor_findings *all);

#endif
