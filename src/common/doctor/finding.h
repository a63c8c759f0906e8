/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the checks of a machine find. */
#ifndef PCB_COMMON_DOCTOR_FINDING_H
#define PCB_COMMON_DOCTOR_FINDING_H

#include "common/base/util.h"
#include "common/pci/tree.h"

/* How sure a finding is: by design nothing is wrong. */
enum sure { SURE_BY_DESIGN, SURE_LIKELY, SURE_CERTAIN };
extern const char *const doctor_sure_names[];

/* One finding; texts are "" where there is nothing to say. */
struct doctor_finding {
	const char *check; /* its name, such as "link_width" */
	enum sure sure;
	const char *reason;   /* of by design, such as "idle" */
	char device[BDF_MAX]; /* "": the machine */
	char *what;
	char *cost;
	double now_gbit_s, could_gbit_s; /* of the model; NaN: none */
	char *mend, *risk, *prove;       /* commands, and what they risk */
};

/* Zero-initialise; release with doctor_findings_free. */
struct doctor_findings {
	struct doctor_finding *row;
	size_t n, certain;
};

/*
 * Adds a finding about a function, NULL for the machine, without texts. The
 * result is valid until the next one is added.
 */
struct doctor_finding *doctor_add(struct doctor_findings *all,
                                  const char *check, enum sure sure,
                                  const struct pci_function *f);

/* Sets one of its texts; an older one is freed. */
void doctor_say(char **text, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Sets the cost in numbers and words: "28.4 of 56.8 Gbit/s of WHAT". */
void doctor_set_cost(struct doctor_finding *f, double now, double could,
                     const char *what);

void doctor_findings_free(struct doctor_findings *all);

#endif
