/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine of the options, and its transfers. */
#ifndef PCB_MODEL_FLOWS_H
#define PCB_MODEL_FLOWS_H

#include "common/cell/cells.h"
#include "model/options.h"

/*
 * The machine, with settings, moves, caps and calibration. Ends the program if
 * a part of it is not there. Free with machine_free.
 */
struct machine *flows_machine(const struct options *o);

/* How the options count its transfers. */
struct flow_rules flows_rules(const struct options *o);

/* The node of this name, or ends the program. */
size_t flows_node(const struct machine *m, const char *name);

/* The bound of an edge alone, NAN if it is no link that the model knows. */
double flows_bound(const struct machine *m, const struct options *o,
                   size_t edge, bool down);

#endif
