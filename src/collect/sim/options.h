/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the parameters of a session of pcb-collect. */
#ifndef PCB_COLLECT_SIM_OPTIONS_H
#define PCB_COLLECT_SIM_OPTIONS_H

#include "collect/core/session.h"
#include "common/sim/params.h"

/*
 * Reads the profile and -O of the session's request: an option overrides the
 * profile, which overrides the default. False after fail(): the profile is
 * missing (STATUS_ABSENT), or -O is invalid. An invalid profile ends the
 * program with file:line. The request must outlive the parameters; release
 * these with sim_params_free in any case.
 */
bool sim_params_read(struct session *s, struct sim_params *params);

#endif
