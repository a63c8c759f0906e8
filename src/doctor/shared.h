/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What devices share, or reach only through the CPU. */
#ifndef PCB_DOCTOR_SHARED_H
#define PCB_DOCTOR_SHARED_H

#include "common/doctor/doctor.h"

/*
 * Adds findings about GPUs, NVMe drives and NICs together: shared_uplink,
 * peer_path, remote_node. `chosen` has an element for each function, or is NULL
 * for all; a finding needs one of its devices among them.
 */
void shared_check(struct doctor *d, const bool *chosen);

#endif
