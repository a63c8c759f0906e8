/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicts a collection without making it. */
#ifndef PCB_COLLECT_RUN_DRY_RUN_H
#define PCB_COLLECT_RUN_DRY_RUN_H

#include "collect/run/collection.h"

/*
 * Writes device, node, CPU, points, rows, duration and size of the output to
 * stdout, one per line. It extrapolates the last four from a fifth of a second
 * at the first point if that changes nothing: for simulations, and for reads of
 * config space without --hold. Otherwise it does not access the device, and
 * knows the duration only with --time. Returns the exit status.
 */
int collection_dry_run(const struct collection *c);

#endif
