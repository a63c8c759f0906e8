/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event_open(2), which the C library lacks. */
#include "collect/host/perf_open.h"

#include "common/base/debug.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int
perf_open(struct perf_event_attr *attr, pid_t process, int cpu, int group)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, process, cpu, group,
	                      PERF_FLAG_FD_CLOEXEC);

	debug(
	    DEBUG_PMU,
	    "perf_event_open: type %u, config 0x%jx, CPU %d, group %d = %d%s%s",
	    attr->type, (uintmax_t)attr->config, cpu, group, fd,
	    fd < 0 ? ": " : "", fd < 0 ? strerror(errno) : "");
	return fd;
}
