/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples of one identity: what a backend gives. */
#ifndef PCB_COLLECT_CORE_SERIES_H
#define PCB_COLLECT_CORE_SERIES_H

#include "collect/core/bench.h"
#include "common/base/util.h"

/*
 * The backend fills id[] with series_set; the caller supplies host, run, bench
 * and labels where it is empty. In run the backend stores samples of
 * bench->width integers each from raw on and counts them in n; the caller has
 * allocated and touched the memory.
 */
struct series {
	char *id[NIDENTITY];
	uint64_t *raw;
	size_t n;
};

/* Sets one identity text, replacing what was there. */
void series_set(struct series *series, enum identity column, const char *fmt,
                ...) PRINTF_LIKE(3, 4);

/*
 * Sets what rows of every device have: the kind of the numbers, the device as
 * the user would name it, and its link, "" if unknown.
 */
void series_identify(struct series *series, const char *kind,
                     const char *device, const char *link);

/* Frees an array of n series and its texts. */
void series_free(struct series *series, size_t n);

#endif
