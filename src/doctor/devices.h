/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line for each device: its link, what was measured, and the verdict. */
#ifndef PCB_DOCTOR_DEVICES_H
#define PCB_DOCTOR_DEVICES_H

#include "doctor/device.h"

/*
 * The GPUs, drives and NICs of d->tree and of the results, of those chosen
 * (NULL: all), what is low first. Adds a finding `bandwidth` for each that is
 * low, unless one about its link says why. Free with devices_free; the tree
 * must outlive it.
 */
struct devices *devices_judge(struct doctor *d, const struct input *in,
                              const bool *chosen);
void devices_free(struct devices *all);

/* What numbers are if no device and no user gave them: " (simulated)"; or "".
 */
const char *devices_kind(const struct devices *all);

/* The part of its bound, or NaN. */
double share_of(const struct measure *w);

/* Whether what is worst of a device is below what it should be, or above. */
bool device_is_low(const struct device *e);

/* Whether nothing is known of it but its place. */
bool device_is_blank(const struct device *e);

#endif
