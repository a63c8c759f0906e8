/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes from results what was measured of each device. */
#ifndef PCB_DOCTOR_RESULTS_H
#define PCB_DOCTOR_RESULTS_H

#include "doctor/device.h"

/* A machine of the devices that results name, whose links are not known. */
struct machine *machine_of_results(const struct input *in);

/* Stores what was measured of each device. */
void take_results(struct devices *all);

#endif
