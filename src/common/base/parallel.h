/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work for several threads. */
#ifndef PCB_COMMON_BASE_PARALLEL_H
#define PCB_COMMON_BASE_PARALLEL_H

#include <stddef.h>

/* The most threads that in_parallel starts. */
#define THREADS_MAX 64

/* The number of CPUs that this process may use, at most THREADS_MAX. */
unsigned usable_cpus(void);

/*
 * Calls work(job, i) for each i below n, at most THREADS_MAX, in a thread of
 * its own, and waits for all calls. Call 0 runs in the caller's thread, and so
 * does a call for which no thread can be started.
 */
void in_parallel(size_t n, void (*work)(void *job, size_t i), void *job);

#endif
