/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Residencies of package C-states, and latency limits. */
#include "collect/host/package_cstate.h"

#include "collect/host/arch.h"
#include "collect/host/perf_event.h"
#include "common/base/number.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kernel's value for no limit, in microseconds. */
#define NO_LIMIT 2000000000

static void
open_state(struct package_idle *p, const char *pmu, const char *event,
           uint64_t type, int cpu)
{
	struct perf_event_attr attr = {.size = sizeof attr,
	                               .type = (uint32_t)type};
	struct package_state *state = &p->state[p->n];
	size_t length = strcspn(event, "-");
	struct pmu_config config;
	char *why = NULL;

	if (p->n == PACKAGE_STATES_MAX || length >= sizeof state->name ||
	    strcmp(event + length, "-residency") != 0)
		return;
	if (!pmu_encode(pmu, event, &config, &why)) {
		free(why);
		return;
	}
	attr.config = config.word[0];
	*state = (struct package_state){0};
	memcpy(state->name, event, length);
	state->fd = perf_open(&attr, -1, cpu, -1);
	if (state->fd < 0)
		return;
	if (read(state->fd, &state->before, sizeof state->before) ==
	    sizeof state->before)
		p->n++;
	else
		close(state->fd);
}

/* The package of a CPU; "" if unknown. */
static char *
package_of(const char *cpus, int cpu)
{
	char *package = cpu < 0 ? NULL
	                        : read_first_line("%s/cpu%d/topology/"
	                                          "physical_package_id",
	                                          cpus, cpu);

	return package ? package : xstrdup("");
}

int
package_idle_cpu(const char *pmu, const char *cpus, int near)
{
	char *text = read_first_line("%s/cpumask", pmu);
	char *wanted = package_of(cpus, near);
	struct cpulist list;
	int chosen = -1;
	bool found = false;

	if (cpulist_parse(text, &list))
		chosen = (int)list.cpu[0];
	for (size_t i = 0; *wanted && !found && i < list.n; i++) {
		char *package = package_of(cpus, (int)list.cpu[i]);

		found = !strcmp(package, wanted);
		if (found)
			chosen = (int)list.cpu[i];
		free(package);
	}
	free(list.cpu);
	free(text);
	free(wanted);
	return chosen;
}

void
package_idle_open(struct package_idle *p, const char *pmu, int cpu)
{
	char *text = read_first_line("%s/type", pmu);
	char *events = xasprintf("%s/events", pmu);
	uint64_t type;
	bool known = text && cpu >= 0 && !parse_integer(text, &type);
	DIR *dir = known ? opendir(events) : NULL;
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		open_state(p, pmu, entry->d_name, type, cpu);
	if (dir)
		closedir(dir);
	free(events);
	free(text);
	p->start = counter_begin();
}

void
package_idle_describe(const struct package_idle *p, struct preamble *end)
{
	double ticks = (double)(counter_end() - p->start);

	for (unsigned i = 0; i < p->n; i++) {
		const struct package_state *state = &p->state[i];
		uint64_t now;
		char key[32];

		if (read(state->fd, &now, sizeof now) != sizeof now)
			continue;
		snprintf(key, sizeof key, "package_%s_pct", state->name);
		preamble_set(end, key, "%.3f",
		             100 * (double)(now - state->before) / ticks);
	}
}

void
package_idle_close(struct package_idle *p)
{
	for (unsigned i = 0; i < p->n; i++)
		close(p->state[i].fd);
	*p = (struct package_idle){0};
}

void
package_idle_describe_limit(struct preamble *pre)
{
	int fd = open(root_path("/dev/cpu_dma_latency"), O_RDONLY | O_CLOEXEC);
	int32_t us = NO_LIMIT;

	if (fd >= 0 && read(fd, &us, sizeof us) != sizeof us)
		us = NO_LIMIT;
	if (fd >= 0)
		close(fd);
	if (us >= NO_LIMIT || us < 0)
		return;
	preamble_set(pre, "latency_limit_us", "%d", (int)us);
	warn("a program keeps the CPUs from idle states that take longer than "
	     "%d us to leave (/dev/cpu_dma_latency)",
	     (int)us);
}
