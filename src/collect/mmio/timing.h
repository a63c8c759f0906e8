/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The timed loops. */
#ifndef PCB_COLLECT_MMIO_TIMING_H
#define PCB_COLLECT_MMIO_TIMING_H

#include "collect/core/bench.h"
#include "collect/host/store.h"

#include <signal.h>

/* Transfers of one size to or from mapped memory. */
struct timing {
	enum bench_id bench;
	store_write *write;
	store_read *read;
	volatile unsigned char *device;
	unsigned char *host; /* source of writes, or destination of reads */
	uint64_t size;       /* bytes of a transfer */
	uint64_t stride;     /* bytes between transfers */
	uint64_t units;      /* transfers in the window */
};

/* Whether the bench writes to the device. */
bool timing_writes(enum bench_id bench);

/* Ticks for one transfer of a latency bench, in this unit of the window. */
uint64_t timing_one(const struct timing *t, uint64_t unit);

/*
 * Goes through the window, unit by unit and again from the start, until n
 * transfers are done or *stop is set. Returns the ticks until the last transfer
 * has left the CPU, and sets *done to the number of transfers.
 */
uint64_t timing_many(const struct timing *t, uint64_t n,
                     const volatile sig_atomic_t *stop, uint64_t *done);

/*
 * The least ticks of a sample without its access, over many tries. For
 * bandwidth benches: the least ticks of one access of 8 bytes in the same loop,
 * to cached memory.
 */
double timing_overhead(enum bench_id bench);

#endif
