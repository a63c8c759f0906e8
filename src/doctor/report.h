/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes findings as rows, as text, or as metrics. */
#ifndef PCB_DOCTOR_REPORT_H
#define PCB_DOCTOR_REPORT_H

#include "common/doctor/doctor.h"
#include "common/stream/writer.h"

/* Sorts by certainty, highest first; stable. */
void report_sort(struct doctor_findings *all);

/* Writes a header and a row per finding; the caller calls out_finish. */
void report_rows(struct out *out, const struct doctor_findings *all);

/* Prints a paragraph per finding, and the numbers of findings and functions. */
void report_text(const struct doctor *d);

/* Prints findings in the format of OpenMetrics, with "# EOF". */
void report_metrics(const struct doctor_findings *all);

#endif
