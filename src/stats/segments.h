/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that read later parts of a large file. */
#ifndef PCB_STATS_SEGMENTS_H
#define PCB_STATS_SEGMENTS_H

#include "stats/reading.h"

#include <pthread.h>

#define SEGMENTS_MAX 3

/* How files are divided. */
struct division {
	size_t threads; /* including this one; up to 1 + SEGMENTS_MAX */
	uint64_t least; /* bytes per thread */
};

/* One thread per CPU that this process may use, if a file is large enough. */
struct division division_by_cpus(void);

/* Parts of the open file that other threads read. Zero-initialise. */
struct segments {
	struct division division;
	size_t n, next; /* how many; the next one to take up */
	struct segment {
		pthread_t thread;
		uint64_t begin; /* its offset in the file */
		struct table *fork;
		struct columns columns;
		struct groups groups;
		struct reading reading;
	} segment[SEGMENTS_MAX];
};

/*
 * For a table that has paused: takes up the samples of the segment that starts
 * there, or divides the rest of the file. The table can go on then.
 */
void segments_continue(struct segments *s, struct reading *r);

/* Waits for segments that are of no use, because the table has read them. */
void segments_end(struct segments *s);

#endif
