/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parameters that a session of pcb-collect asks for. */
#ifndef PCB_COLLECT_SIM_OPTIONS_H
#define PCB_COLLECT_SIM_OPTIONS_H

#include "collect/core/session.h"
#include "common/sim/params.h"

/*
 * Reads the profile and -O of the session's request: an option counts before
 * the profile, and that before the default. False after fail(): the profile
 * is missing (STATUS_ABSENT), or -O NAME=VALUE: why it cannot be. What is
 * wrong in a profile ends the program with file:line. The request must outlive
 * the parameters, which sim_params_free releases in any case.
 */
bool sim_params_read(struct session *s, struct sim_params *params);

#endif
