/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A series: samples of one identity, from a backend. */
#ifndef PCB_COLLECT_CORE_SERIES_H
#define PCB_COLLECT_CORE_SERIES_H

#include "collect/core/bench.h"
#include "common/base/util.h"

/*
 * The backend fills id[] with series_set; the caller supplies host, run, bench
 * and labels where a text is empty. The backend's run stores samples of
 * bench->width integers each in raw and counts them in n; the caller has
 * allocated and touched the memory.
 */
struct series {
	char *id[NIDENTITY];
	uint64_t *raw;
	size_t n;
};

/* Sets one text of the identity; frees the old one. */
void series_set(struct series *series, enum identity column, const char *fmt,
                ...) PRINTF_LIKE(3, 4);

/*
 * Sets the columns of every device: the kind of its numbers, its name for -d,
 * and its link, "" if unknown.
 */
void series_identify(struct series *series, const char *kind,
                     const char *device, const char *link);

/* Frees an array of n series and their texts. */
void series_free(struct series *series, size_t n);

#endif
