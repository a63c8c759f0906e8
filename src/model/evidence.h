/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a device, its machine and its sources say of a bandwidth's causes. */
#ifndef PCB_MODEL_EVIDENCE_H
#define PCB_MODEL_EVIDENCE_H

#include "common/cause/cause.h"
#include "model/options.h"

/* Constants: an observation of evidence.csv, its value, and who says so. */
struct evidence {
	const char *name, *value, *source;
};

/*
 * Finds what the sources show of the device of the options; `awake`: its link
 * is the one of the question. What they do not show is left out. Returns the
 * number, at most EVIDENCE_MOST.
 */
#define EVIDENCE_MOST 12
size_t evidence_find(const struct options *o, const struct question *q,
                     bool awake, struct evidence found[EVIDENCE_MOST]);

#endif
