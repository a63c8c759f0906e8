/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of benches in which the CPU reads. */
#ifndef PCB_COLLECT_CLI_PIO_OPTIONS_H
#define PCB_COLLECT_CLI_PIO_OPTIONS_H

#include "collect/run/collection.h"

/*
 * Takes the value of the long option `name`: aspm, hold, cross-traffic or
 * load. Dies as a usage error of a wrong one.
 */
void cpu_option(struct collection *c, const char *name, const char *text);

/* What these options add to every row: to be called when all are known. */
void cpu_labels(struct collection *c);

#endif
