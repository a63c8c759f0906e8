/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does what the command line of pcb-model asks for. */
#ifndef PCB_MODEL_COMMANDS_H
#define PCB_MODEL_COMMANDS_H

#include "model/options.h"

/* Writes the result to `o`, whole; the exit status of the program. */
int run_command(struct out *o, const struct options *options);

#endif
