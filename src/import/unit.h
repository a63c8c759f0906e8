/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units of other programs. */
#ifndef PCB_IMPORT_UNIT_H
#define PCB_IMPORT_UNIT_H

#include <stdbool.h>

/* Whether a unit is a known one of time, or of bandwidth. */
bool is_time_unit(const char *unit);
bool is_bandwidth_unit(const char *unit);

/*
 * Converts a number in a known unit ("us", "GiB/s") exactly, a time to
 * nanoseconds, a bandwidth to Gbit/s; writes it to `to`, of DECIMAL_MAX bytes.
 * Returns NULL, or why not: as multiply_decimals, or the number is negative.
 */
const char *scale_unit(const char *text, const char *unit, char *to);

#endif
