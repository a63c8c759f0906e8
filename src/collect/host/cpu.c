/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The measuring CPU: pinning and disturbances. */
#include "collect/host/cpu.h"

#include "collect/host/arch.h"
#include "collect/host/perf_event.h"
#include "common/base/number.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <numa.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

void
host_not_set(struct preamble *pre, const char *what)
{
	int error = errno;

	preamble_note(pre, "not_set", what, strerror(error));
	errno = error;
}

/*
 * The CPUs that this process may use, in a mask for all of the kernel's; empty
 * if unknown. Free with numa_free_cpumask.
 */
static struct bitmask *
host_allowed(void)
{
	struct bitmask *cpus = numa_allocate_cpumask();

	if (sched_getaffinity(0, numa_bitmask_nbytes(cpus),
	                      (cpu_set_t *)cpus->maskp))
		numa_bitmask_clearall(cpus);
	return cpus;
}

/* The NUMA distance from a CPU to a node: 0 on it, and if unknown. */
static int
distance_of(int cpu, int node)
{
	int its = node < 0 ? -1 : numa_node_of_cpu(cpu);

	return its < 0 || its == node ? 0 : 1 + numa_distance(its, node);
}

/* The CPU nearest to the node: of equal ones the current, else the first. */
static int
choose_cpu(const struct bitmask *allowed, int node)
{
	int chosen = sched_getcpu();
	int least = distance_of(chosen, node);

	for (int cpu = 0; least && cpu < (int)allowed->size; cpu++) {
		int distance;

		if (!numa_bitmask_isbitset(allowed, (unsigned)cpu))
			continue;
		distance = distance_of(cpu, node);
		if (distance < least) {
			least = distance;
			chosen = cpu;
		}
	}
	if (least)
		warn("this process may use no CPU of node %d, where the device "
		     "is: CPU %d of node %d measures",
		     node, chosen, numa_node_of_cpu(chosen));
	return chosen;
}

bool
host_pin(struct session *s, int node, int *cpu)
{
	int asked = s->request->cpu;
	struct bitmask *cpus = host_allowed();
	bool pinned;

	*cpu = asked < 0 ? choose_cpu(cpus, node) : asked;
	numa_bitmask_clearall(cpus);
	if (*cpu >= 0)
		numa_bitmask_setbit(cpus, (unsigned)*cpu);
	pinned = !sched_setaffinity(0, numa_bitmask_nbytes(cpus),
	                            (const cpu_set_t *)cpus->maskp);
	numa_free_cpumask(cpus);
	if (pinned) {
		preamble_set(s->preamble, "cpu_pinned", "%d", *cpu);
		return true;
	}
	host_not_set(s->preamble, "pinning to a CPU");
	*cpu = -1;
	return asked < 0 ||
	       fail(s, STATUS_TROUBLE, "--cpu %d: %s", asked,
	            errno == EINVAL ? "no CPU that this process may use"
	                            : strerror(errno));
}

bool
host_prepare(struct session *s, struct host *h, int node)
{
	const struct clock *clock = &h->clock;
	char tick[32], overhead[32];

	if (!host_pin(s, node, &h->cpu))
		return false;
	clock_open(&h->clock);
	*print_double(tick, clock_tick_ns(clock)) = '\0';
	*print_ns(overhead, clock_ps(clock, clock->overhead)) = '\0';
	preamble_set(s->preamble, "clock", "%s, rate from %s%s", clock->name,
	             clock->source, clock->invariant ? "" : ", not invariant");
	preamble_set(s->preamble, "clock_tick_ns", "%s", tick);
	preamble_set(s->preamble, "clock_overhead_ns", "%s", overhead);
	if (mlockall(MCL_CURRENT))
		host_not_set(s->preamble, "locking memory");
	return true;
}

/* Count of interrupts if it cannot be read. */
#define NO_COUNT UINT64_MAX

/* The index of the column "CPU<cpu>" in /proc/interrupts, or -1. */
static int
interrupt_column(char *header, int cpu)
{
	int column = 0;

	for (char *word = strtok_r(header, " \n", &header); word;
	     word = strtok_r(NULL, " \n", &header), column++) {
		uint64_t n;

		if (!strncmp(word, "CPU", 3) && !parse_integer(word + 3, &n) &&
		    n == (uint64_t)cpu)
			return column;
	}
	return -1;
}

static uint64_t
interrupts_in(const char *line, int column)
{
	const char *p = strchr(line, ':');
	unsigned long long count = 0;

	if (!p)
		return 0;
	p++;
	for (int i = 0; i <= column; i++) {
		char *end;

		count = strtoull(p, &end, 10);
		if (end == p)
			return 0;
		p = end;
	}
	return count;
}

static uint64_t
interrupts_on(int cpu)
{
	char *text = read_whole("%s", root_path("/proc/interrupts")),
	     *rest = text;
	char *line = strsep(&rest, "\n");
	int column = line ? interrupt_column(line, cpu) : -1;
	uint64_t sum = 0;

	while (column >= 0 && (line = strsep(&rest, "\n")))
		sum += interrupts_in(line, column);
	free(text);
	return column < 0 ? NO_COUNT : sum;
}

/* Involuntary context switches of this thread. */
static uint64_t
switches(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : (uint64_t)usage.ru_nivcsw;
}

void
host_begin(const struct session *s, struct host *h)
{
	const char *not_set = preamble_get(s->preamble, "not_set");

	if (!h->clock.invariant)
		warn("the rate of this CPU's %s varies: times are unreliable",
		     h->clock.name);
	if (not_set)
		warn("failed: %s: the run may be disturbed", not_set);
	h->interrupts = interrupts_on(h->cpu);
	h->switches = switches();
}

void
host_describe_end(const struct host *h, struct preamble *end)
{
	uint64_t interrupts = interrupts_on(h->cpu);
	struct bitmask *cpus = host_allowed();
	unsigned n = numa_bitmask_weight(cpus);

	/* The kernel moves it if the CPU goes offline or a cpuset changes. */
	if (h->cpu >= 0 && n &&
	    (n > 1 || !numa_bitmask_isbitset(cpus, (unsigned)h->cpu))) {
		warn("the program was moved away from CPU %d (it was switched "
		     "off, or a cpuset or taskset changed): samples may come "
		     "from several CPUs",
		     h->cpu);
		interrupts = NO_COUNT;
	}
	numa_free_cpumask(cpus);
	preamble_set(end, "clock_drift_ppm", "%.3f",
	             clock_drift_ppm(&h->clock));
	if (h->interrupts != NO_COUNT && interrupts != NO_COUNT)
		preamble_set(end, "interrupts", "%ju",
		             (uintmax_t)(interrupts - h->interrupts));
	preamble_set(end, "involuntary_switches", "%ju",
	             (uintmax_t)(switches() - h->switches));
}

/* The kernel numbers a CPU's caches from 0. */
uint64_t
host_llc(const char *cpus)
{
	uint64_t largest = 0;
	glob_t found = {0};
	char *text;

	find_files(&found, "%s/cpu[0-9]*", cpus);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		for (unsigned k = 0;
		     (text = read_first_line("%s/cache/index%u/size",
		                             found.gl_pathv[i], k));
		     k++) {
			uint64_t size;

			if (!parse_size(text, &size) && size > largest)
				largest = size;
			free(text);
		}
	}
	globfree(&found);
	return largest;
}

/* Package idle states ------------------------------------------------------ */

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
	char *events = xasprintf("%s/events", pmu);
	uint64_t type = read_number(UINT64_MAX, "%s/type", pmu);
	bool known = cpu >= 0 && type != UINT64_MAX;
	DIR *dir = known ? opendir(events) : NULL;
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		open_state(p, pmu, entry->d_name, type, cpu);
	if (dir)
		closedir(dir);
	free(events);
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
	close_file(fd);
	if (us >= NO_LIMIT || us < 0)
		return;
	preamble_set(pre, "latency_limit_us", "%d", (int)us);
	warn("a program keeps the CPUs from idle states that take longer than "
	     "%d us to leave (/dev/cpu_dma_latency)",
	     (int)us);
}
