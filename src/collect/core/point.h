/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One point of a sweep: its parameters, units, checks, columns. */
#ifndef PCB_COLLECT_CORE_POINT_H
#define PCB_COLLECT_CORE_POINT_H

#include "collect/core/session.h"
#include "common/base/cache_state.h"

enum pattern { PATTERN_RANDOM, PATTERN_SEQUENTIAL };

/* The words of pcb-csv(5) for them. */
extern const char *const pattern_names[];

enum { NODE_LOCAL = -1, NODE_REMOTE = -2 };

/* Sizes in bytes. */
struct point {
	uint64_t size, offset, window;
	enum pattern pattern;
	enum cache cache;
	int node; /* a number, or NODE_LOCAL, NODE_REMOTE */
};

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
