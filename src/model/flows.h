/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine of the options. */
#ifndef PCB_MODEL_FLOWS_H
#define PCB_MODEL_FLOWS_H

#include "common/machine/machine.h"
#include "model/options.h"

/*
 * The machine, with settings, moves, caps and calibration. Ends the program if
 * a part of it is not there. Free with machine_free.
 */
struct machine *flows_machine(const struct options *o);

#endif
