/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table and the rows of devices. */
#ifndef PCB_DOCTOR_DEVICE_TABLE_H
#define PCB_DOCTOR_DEVICE_TABLE_H

#include "common/stream/writer.h"
#include "doctor/device.h"

/*
 * Prints the table, at most so many lines (0: all). Returns the lines printed.
 */
size_t devices_print(const struct devices *all, size_t most);

/* Writes a row for each. */
void devices_write(const struct devices *all, struct out *out);

#endif
