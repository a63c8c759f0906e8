/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs what proves findings. */
#ifndef PCB_DOCTOR_MEASURE_H
#define PCB_DOCTOR_MEASURE_H

#include "common/doctor/doctor.h"

/*
 * Runs reads of config space by pcb-collect for each finding about a link, and
 * reads the link meanwhile: what it shows is added to its text.
 * Nothing is written to a device, and none is taken from its driver.
 */
void measure_findings(struct doctor *d);

#endif
