/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The percentages of -p. */
#ifndef PCB_STATS_PERCENTILES_H
#define PCB_STATS_PERCENTILES_H

#include "common/base/number.h"

/* Zero-initialise; free(part). */
struct percentiles {
	struct fraction *part; /* ascending */
	size_t n;
};

/*
 * Parses "95,99.9". Returns NULL, or why the text is refused, as the parsers
 * of common/units.h do. 50 is accepted and left out: it is the median.
 */
const char *parse_percentiles(const char *list, struct percentiles *p);

/* "p99_9" for 99.9; free the result. */
char *percentile_name(struct fraction part);

#endif
