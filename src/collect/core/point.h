/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What backends that transfer data do with a point: units, checks, columns. */
#ifndef PCB_COLLECT_CORE_POINT_H
#define PCB_COLLECT_CORE_POINT_H

#include "collect/core/backend.h"

#define LINE 64 /* bytes of a line of the host's caches */

/*
 * A window is divided into units, each of which holds offset and size of a
 * transfer and ends with a line. Bytes of a unit, and how many there are; 0 if
 * the window holds none.
 */
uint64_t point_unit(const struct point *point);
uint64_t point_units(const struct point *point);

/*
 * Bytes of the buffer: those of -b, else four last-level caches of `llc` bytes
 * (0: unknown), at least 64 MiB.
 */
uint64_t point_buffer(const struct request *request, uint64_t llc);

/*
 * False after fail() if nothing is transferred, if a buffer of so many bytes
 * does not hold the window, or that no unit.
 */
bool point_check(struct session *s, const struct point *point, uint64_t buffer);

/* Sets the columns of a point but `node`, which may have to be looked up. */
void point_identify(struct series *series, const struct point *point);

#endif
