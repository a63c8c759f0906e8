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

/*
 * Zeroed memory for n items that a thread writes all the time: it shares no
 * cache line with other memory, or two threads could take longer than one. Dies
 * when memory is out; free it. Align items to THREAD_ALIGN.
 */
#define THREAD_ALIGN 128 /* CPUs fetch lines of 64 bytes in pairs */
void *thread_memory(size_t n, size_t size);

#endif
