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

/* Where registers and files are from. */
const char *evidence_source(const struct link_options *o);

/*
 * Finds what the sources show of the device of the options, its link apart.
 * What they do not show is left out. Returns the
 * number, at most EVIDENCE_MOST.
 */
#define EVIDENCE_MOST 12
size_t evidence_find(const struct options *o, const struct question *q,
                     struct evidence found[EVIDENCE_MOST]);

#endif
