/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens perf counters in groups and reads differences. */
#include "collect/pmu/pmu.h"

#include "collect/host/perf_event.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The kernel ------------------------------------------------------------- */

static int
kernel_open(struct perf_event_attr *attr, int cpu, int group)
{
	return perf_open(attr, -1, cpu, group);
}

static int
kernel_enable(int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

const struct pmu_calls pmu_kernel = {
    .open = kernel_open,
    .enable = kernel_enable,
    .read = read,
    .close = close,
};

/* Groups ----------------------------------------------------------------- */

static int
open_one(const struct pmu_counters *c, const struct pmu_counter *counter,
         int group)
{
	struct perf_event_attr attr = {
	    .type = counter->type,
	    .size = sizeof attr,
	    .config = counter->config.word[0],
	    .config1 = counter->config.word[1],
	    .config2 = counter->config.word[2],
	    .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
	                   PERF_FORMAT_TOTAL_TIME_RUNNING,
	    .disabled = group < 0,
	};

	return c->calls->open(&attr, counter->cpu, group);
}

/* Opens a counter in the group of the latest leader, else as a new leader. */
static bool
join_or_lead(struct pmu_counters *c, size_t number, size_t *latest)
{
	struct pmu_counter *counter = &c->counter[number];
	struct pmu_counter *leader = &c->counter[*latest];

	counter->fd = -1;
	if (number > *latest && leader->fd >= 0 &&
	    leader->together == counter->together &&
	    leader->cpu == counter->cpu && leader->type == counter->type &&
	    leader->members < PMU_GROUP_MAX) {
		counter->fd = open_one(c, counter, leader->fd);
		if (counter->fd >= 0) {
			counter->leader = *latest;
			leader->members++;
			return true;
		}
		if (errno != EINVAL && errno != ENOSPC)
			return false;
	}
	counter->fd = open_one(c, counter, -1);
	counter->leader = number;
	counter->members = 1;
	if (counter->fd < 0 && errno != EINVAL)
		return false;
	if (counter->fd < 0)
		c->nrefused++;
	else
		*latest = number;
	return true;
}

bool
pmu_open(struct pmu_counters *c, size_t *at)
{
	size_t latest = 0;

	c->nrefused = 0;
	for (size_t i = 0; i < c->n; i++)
		c->counter[i].fd = -1;
	for (*at = 0; *at < c->n; ++*at) {
		if (!join_or_lead(c, *at, &latest))
			return false;
	}
	return true;
}

bool
pmu_start(struct pmu_counters *c, size_t *at)
{
	for (*at = 0; *at < c->n; ++*at) {
		const struct pmu_counter *counter = &c->counter[*at];

		if (counter->fd >= 0 && counter->leader == *at &&
		    c->calls->enable(counter->fd))
			return false;
	}
	return true;
}

/* Reads the number of members, time enabled, time running, and each value. */
static bool
read_group(struct pmu_counters *c, size_t leader,
           uint64_t buffer[3 + PMU_GROUP_MAX])
{
	size_t members = c->counter[leader].members;
	size_t size = (3 + members) * sizeof *buffer;
	ssize_t got = c->calls->read(c->counter[leader].fd, buffer, size);

	/* EOF: the CPU is offline, and no other has taken its events. */
	if (!got)
		errno = ENODEV;
	else if (got > 0 && ((size_t)got != size || buffer[0] != members))
		errno = EIO;
	else
		return got > 0;
	return false;
}

bool
pmu_read(struct pmu_counters *c, struct pmu_reading to[], size_t *at)
{
	uint64_t buffer[3 + PMU_GROUP_MAX] = {0};
	size_t member = 0;

	for (*at = 0; *at < c->n; ++*at) {
		struct pmu_counter *counter = &c->counter[*at];
		struct pmu_reading now;

		to[*at] = (struct pmu_reading){0};
		if (counter->fd < 0)
			continue;
		member = counter->leader == *at ? 0 : member + 1;
		if (!member && !read_group(c, *at, buffer))
			return false;
		now = (struct pmu_reading){.value = buffer[3 + member],
		                           .enabled = buffer[1],
		                           .running = buffer[2]};
		to[*at].value = now.value - counter->last.value;
		to[*at].enabled = now.enabled - counter->last.enabled;
		to[*at].running = now.running - counter->last.running;
		counter->last = now;
	}
	return true;
}

void
pmu_close(struct pmu_counters *c)
{
	for (size_t i = c->n; i--;) {
		if (c->counter[i].fd >= 0)
			c->calls->close(c->counter[i].fd);
		c->counter[i].fd = -1;
	}
}
