/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A range of a device's memory. */
#ifndef PCB_COLLECT_MMIO_RANGE_H
#define PCB_COLLECT_MMIO_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* Offset and size in bytes. */
struct mmio_range {
	int bar; /* 0 to 5 */
	uint64_t offset, size;
};

/*
 * Parses "BAR2+0x1000,4K": offset and size are multiples of 64. Returns NULL,
 * or why the text is refused (a constant), and leaves *range alone.
 */
const char *mmio_range_parse(const char *text, struct mmio_range *range);

/* Whether `inner` lies completely in `outer`. */
bool mmio_range_holds(const struct mmio_range *outer,
                      const struct mmio_range *inner);

#endif
