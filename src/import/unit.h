/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units of other programs. */
#ifndef PCB_IMPORT_UNIT_H
#define PCB_IMPORT_UNIT_H

#include <stdbool.h>

/* Whether a unit is known: of time, or of bandwidth. */
bool is_time_unit(const char *unit);
bool is_bandwidth_unit(const char *unit);

/*
 * Writes a number in a unit that is known ("us", "GiB/s") to `to`, which has
 * DECIMAL_MAX bytes: a time in nanoseconds, a bandwidth in Gbit/s, exactly.
 * Returns NULL, or the reason why not: see multiply_decimals; or it is
 * negative.
 */
const char *scale_unit(const char *text, const char *unit, char *to);

#endif
