/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What -O and other options mean to the backend that was chosen. */
#ifndef PCB_COLLECT_CLI_BACKEND_OPTIONS_H
#define PCB_COLLECT_CLI_BACKEND_OPTIONS_H

#include "collect/run/collection.h"

/*
 * Dies if an -O names no option of the backend, or if another option has no
 * meaning with it; prints the help of its options and exits 0 for -O help.
 */
void check_settings(const struct collection *c);

/* The same for a list, which asks all backends: a setting may be any one's. */
void check_list_settings(const struct request *request);

/*
 * After that: the backend's own defaults, and columns for those of its options
 * that tell rows apart.
 */
void add_defaults(struct collection *c);

#endif
