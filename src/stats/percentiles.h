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
 * Parses "95,99.9". Returns NULL, or why the text is refused, as the parsers of
 * common/base/number.h do. Accepts and drops 50, the median.
 */
const char *parse_percentiles(const char *list, struct percentiles *p);

/* "p99_9" for 99.9; free the text. */
char *percentile_name(struct fraction part);

#endif
