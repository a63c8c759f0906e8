/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event_open(2), which the C library lacks. */
#ifndef PCB_COLLECT_HOST_PERF_OPEN_H
#define PCB_COLLECT_HOST_PERF_OPEN_H

#include <linux/perf_event.h>
#include <sys/types.h>

/*
 * Opens an event of a process (-1: all) on a CPU (-1: any), in the group of a
 * descriptor (-1: none). Returns a descriptor to close, or -1 with errno.
 */
int perf_open(struct perf_event_attr *attr, pid_t process, int cpu, int group);

#endif
