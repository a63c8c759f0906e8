/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model why: which causes give a number. */
#ifndef PCB_MODEL_WHY_H
#define PCB_MODEL_WHY_H

#include "common/base/number.h"
#include "common/stream/writer.h"

struct options;

/* How far a cause's number may be off by default, in percent. */
#define WHY_TOLERANCE 6

/*
 * Computes what each cause gives, and writes those that fit the number, the
 * likeliest first, and those that cannot be ruled out. STATUS_NO where none
 * fits.
 */
int run_why(struct out *o, const struct options *options);

#endif
