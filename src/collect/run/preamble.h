/* SPDX-License-Identifier: GPL-2.0-or-later */
/* First lines of the preamble of every stream of pcb-collect. */
#ifndef PCB_COLLECT_RUN_PREAMBLE_H
#define PCB_COLLECT_RUN_PREAMBLE_H

#include "common/stream/preamble.h"

/* Adds tool, command and date. */
void run_describe(struct preamble *pre);

#endif
