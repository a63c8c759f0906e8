/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other CPUs that read the same registers during a measurement. */
#ifndef PCB_COLLECT_PIO_LOAD_THREADS_H
#define PCB_COLLECT_PIO_LOAD_THREADS_H

#include "collect/pio/targets.h"

struct bitmask;
struct load_reader;

/* Zero-initialise; release with load_end. */
struct load {
	struct load_reader *reader;
	size_t n;
};

/*
 * Starts `n` threads, each on its own CPU of `allowed`: none on the measuring
 * CPU `cpu` (-1: any), and those on its core last. Each has its own descriptors
 * or mappings of all targets and reads them in turn, as fast as it can; all
 * have started on return. False after fail().
 */
bool load_begin(struct session *s, struct load *load,
                const struct targets *targets, size_t n,
                const struct bitmask *allowed, int cpu);

/* The number of reads that they have done. */
uint64_t load_count(const struct load *load);

/* Warns of each thread that is no longer on its CPU. */
void load_check(const struct load *load);

void load_end(struct load *load);

#endif
