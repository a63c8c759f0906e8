/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mapped memory of the transfers, and the data that verify it. */
#ifndef PCB_COLLECT_MMIO_WINDOW_H
#define PCB_COLLECT_MMIO_WINDOW_H

#include "collect/core/point.h"
#include "collect/mmio/access.h"
#include "collect/mmio/timing.h"

/* Zero-initialise; release with window_free. */
struct window {
	const struct mmio_access *access;
	struct mmio_range range;
	struct timing timing;
	unsigned char *seen; /* data read back; as large as the range */
	uint64_t fills;      /* number of fills of timing.host */
};

/* Allocates the data for the whole range. False after fail(). */
bool window_allocate(struct session *s, struct window *w);

/* Sets the timing to a point; `width` is an index of store_width. */
void window_set(struct window *w, const struct store *store,
                const struct point *point, size_t width);

/* Fills timing.host with new data, which are never all ones. */
void window_fill(struct window *w);

/*
 * Reads the first units back and compares. False after fail() with this status
 * if they differ.
 */
bool window_verify(struct session *s, struct window *w, uint64_t units,
                   int status);

/*
 * Checks that the device answers and, for a bench that writes, that the window
 * holds what is written. False after fail().
 */
bool window_prove(struct session *s, struct window *w);

void window_free(struct window *w);

#endif
