/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Executes the command line of pcb-model. */
#ifndef PCB_MODEL_COMMANDS_H
#define PCB_MODEL_COMMANDS_H

#include "model/options.h"

/* Writes the whole result to `o`; returns the exit status. */
int run_command(struct out *o, const struct options *options);

#endif
