/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings of the checks. */
#ifndef PCB_COMMON_DOCTOR_FINDING_H
#define PCB_COMMON_DOCTOR_FINDING_H

#include "common/base/util.h"
#include "common/pci/tree.h"

/* Certainty of a finding; by design means that nothing is wrong. */
enum sure { SURE_BY_DESIGN, SURE_LIKELY, SURE_CERTAIN };
extern const char *const doctor_sure_names[];

/* One finding; unused texts are "". */
struct doctor_finding {
	const char *check; /* its name, such as "link_width" */
	enum sure sure;
	const char *reason;   /* for by design, such as "idle" */
	char device[BDF_MAX]; /* "": the whole machine */
	char *what;
	char *cost;
	double now_gbit_s, could_gbit_s; /* by the model; NaN: none */
	char *mend, *risk, *prove;       /* commands; `risk` is that of
	                                  * `mend` */
};

/* Zero-initialise; release with doctor_findings_free. */
struct doctor_findings {
	struct doctor_finding *row;
	size_t n, certain;
};

/*
 * Adds a finding about a function (NULL: the machine), without texts. The
 * result is valid until the next call.
 */
struct doctor_finding *doctor_add(struct doctor_findings *all,
                                  const char *check, enum sure sure,
                                  const struct pci_function *f);

/* Sets a text of a finding; frees the old one. */
void doctor_say(char **text, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Sets the cost as numbers and text: "28.4 of 56.8 Gbit/s of WHAT". */
void doctor_set_cost(struct doctor_finding *f, double now, double could,
                     const char *what);

void doctor_findings_free(struct doctor_findings *all);

#endif
