/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what a collection would be, before it is made. */
#ifndef PCB_COLLECT_RUN_DRY_RUN_H
#define PCB_COLLECT_RUN_DRY_RUN_H

#include "collect/run/collection.h"

/*
 * Writes device, node, CPU, points, rows, duration and size of the output to
 * stdout, a line each. The last four are extrapolated from a fifth of a second
 * at the first point, where that changes nothing: simulations, and reads of
 * config space with no --hold. Elsewhere the device is not touched, and the
 * duration is known only with --time. Returns the exit status.
 */
int collection_dry_run(const struct collection *c);

#endif
