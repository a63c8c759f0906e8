/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures findings. */
#ifndef PCB_DOCTOR_MEASURE_H
#define PCB_DOCTOR_MEASURE_H

#include "common/doctor/doctor.h"

/*
 * Runs pcb-collect to read config space for each finding about a link, reads
 * the link meanwhile, and adds its state to the finding. Writes to no device
 * and unbinds none.
 */
void measure_findings(struct doctor *d);

#endif
