/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the preamble of every stream of pcb-collect begins. */
#ifndef PCB_COLLECT_RUN_PREAMBLE_H
#define PCB_COLLECT_RUN_PREAMBLE_H

#include "common/stream/preamble.h"

/* Adds tool, command and date. */
void run_describe(struct preamble *pre);

#endif
