/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model why: the causes that explain a number. */
#ifndef PCB_MODEL_WHY_H
#define PCB_MODEL_WHY_H

#include "common/base/number.h"
#include "common/stream/writer.h"

struct options;

/* Default tolerance of a cause's number, in per cent. */
#define WHY_TOLERANCE 6

/*
 * Computes the number of each cause, and writes matching ones, likeliest first,
 * and those that cannot be excluded. STATUS_NO if none matches.
 */
int run_why(struct out *o, const struct options *options);

#endif
