#include "collect/host.h"

#include "common/sysfs.h"
#include "common/units.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <numa.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

#define CPU_DIR "/sys/devices/system/cpu"

/* Records a line if there is one, and frees it. */
static void
record(struct preamble *pre, const char *key, char *line)
{
	if (line && *line)
		preamble_set(pre, key, "%s", line);
	free(line);
}

/* Where /proc/cpuinfo has no name, as on arm64, the register that tells. */
static void
describe_cpu(struct preamble *pre)
{
	char *midr =
	    read_first_line(CPU_DIR "/cpu0/regs/identification/midr_el1");
	char *line = NULL;
	size_t size = 0;
	FILE *f = fopen("/proc/cpuinfo", "re");

	if (midr)
		preamble_set(pre, "cpu", "MIDR %s", midr);
	free(midr);
	while (f && getline(&line, &size, f) > 0) {
		const char *value = strstr(line, ": ");

		if (value && !strncmp(line, "model name", 10)) {
			line[strcspn(line, "\n")] = '\0';
			preamble_set(pre, "cpu", "%s", value + 2);
			break;
		}
	}
	if (f)
		fclose(f);
	free(line);
}

/* "off" without IOMMU groups, else the kinds of groups there are. */
static void
describe_iommu(struct preamble *pre)
{
	static const char groups[] = "/sys/kernel/iommu_groups";
	char kinds[256] = "";
	DIR *dir = opendir(groups);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		size_t used = strlen(kinds);
		char *type;

		if (*entry->d_name == '.')
			continue;
		type = read_first_line("%s/%s/type", groups, entry->d_name);
		if (!type)
			type = xstrdup("on");
		if (!strstr(kinds, type))
			snprintf(kinds + used, sizeof kinds - used, "%s%s",
			         used ? " " : "", type);
		free(type);
	}
	if (dir)
		closedir(dir);
	preamble_set(pre, "iommu", "%s", *kinds ? kinds : "off");
}

/* The word in brackets. */
static void
describe_lockdown(struct preamble *pre)
{
	char *line = read_first_line("/sys/kernel/security/lockdown");
	char *word = line ? strchr(line, '[') : NULL;

	if (word) {
		word[strcspn(word, "]")] = '\0';
		preamble_set(pre, "lockdown", "%s", word + 1);
	}
	free(line);
}

/* The idle states the kernel may choose on CPU 0; those switched off not. */
static void
describe_idle(struct preamble *pre)
{
	char states[256] = "";

	for (int i = 0; i < 32; i++) {
		char *name =
		    read_first_line(CPU_DIR "/cpu0/cpuidle/state%d/name", i);
		char *off =
		    read_first_line(CPU_DIR "/cpu0/cpuidle/state%d/disable", i);
		size_t used = strlen(states);

		if (name && (!off || !strcmp(off, "0")))
			snprintf(states + used, sizeof states - used, "%s%s",
			         used ? " " : "", name);
		free(off);
		if (!name)
			break;
		free(name);
	}
	if (*states)
		preamble_set(pre, "idle_states", "%s", states);
	record(pre, "max_cstate",
	       read_first_line("/sys/module/intel_idle/parameters/max_cstate"));
}

void
host_describe_date(struct preamble *pre)
{
	char text[64];
	time_t now = time(NULL);
	struct tm utc;

	if (gmtime_r(&now, &utc) &&
	    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
		preamble_set(pre, "date", "%s", text);
}

void
host_describe(struct preamble *pre)
{
	char hypervisor[HYPERVISOR_NAME_MAX];
	struct utsname name;

	if (!uname(&name))
		preamble_set(pre, "kernel", "%s %s %s", name.sysname,
		             name.release, name.machine);
	describe_cpu(pre);
	preamble_set(pre, "hypervisor", "%s",
	             arch_hypervisor(hypervisor) ? hypervisor : "none");
	describe_iommu(pre);
	describe_lockdown(pre);
	record(pre, "governor",
	       read_first_line(CPU_DIR "/cpu0/cpufreq/scaling_governor"));
	record(pre, "uncore_khz",
	       read_first_line(CPU_DIR "/intel_uncore_frequency/"
	                               "package_00_die_00/current_freq_khz"));
	record(pre, "smt", read_first_line(CPU_DIR "/smt/control"));
	describe_idle(pre);
}

void
host_describe_clock(struct preamble *pre, const struct clock *clock)
{
	char tick[32], overhead[32];

	*print_double(tick, clock_tick_ns(clock)) = '\0';
	*print_ns(overhead, clock_ps(clock, clock->overhead)) = '\0';
	preamble_set(pre, "clock", "%s, rate from %s%s", clock->name,
	             clock->source, clock->invariant ? "" : ", not invariant");
	preamble_set(pre, "clock_tick_ns", "%s", tick);
	preamble_set(pre, "clock_overhead_ns", "%s", overhead);
}

void
host_not_set(struct preamble *pre, const char *what)
{
	int error = errno;
	const char *reason = strerror(error);
	const char *before = preamble_get(pre, "not_set");
	char *text = before ? xasprintf("%s; %s (%s)", before, what, reason)
	                    : xasprintf("%s (%s)", what, reason);

	preamble_set(pre, "not_set", "%s", text);
	free(text);
	errno = error;
}

/* The CPU to pin to: this one if it serves, else the first that does. */
static int
choose_cpu(int node)
{
	struct bitmask *cpus = numa_allocate_cpumask();
	int here = sched_getcpu();
	int chosen = -1;
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof allowed, &allowed))
		CPU_ZERO(&allowed);
	if (node < 0 || numa_available() < 0 ||
	    numa_node_to_cpus(node, cpus) < 0)
		numa_bitmask_setall(cpus);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed) ||
		    !numa_bitmask_isbitset(cpus, cpu))
			continue;
		if (chosen < 0 || (int)cpu == here)
			chosen = (int)cpu;
	}
	numa_free_cpumask(cpus);
	return chosen < 0 ? here : chosen;
}

int
host_pin(struct preamble *pre, int cpu, int node)
{
	cpu_set_t set;

	if (cpu < 0)
		cpu = choose_cpu(node);
	CPU_ZERO(&set);
	if (cpu >= 0 && cpu < CPU_SETSIZE)
		CPU_SET((unsigned)cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set)) {
		host_not_set(pre, "pinning to a CPU");
		return -1;
	}
	preamble_set(pre, "cpu_pinned", "%d", cpu);
	return cpu;
}

void
host_lock_memory(struct preamble *pre)
{
	if (mlockall(MCL_CURRENT))
		host_not_set(pre, "locking memory");
}

/* The number of the column of /proc/interrupts headed "CPU<cpu>", or -1. */
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

		errno = 0;
		count = strtoull(p, &end, 10);
		if (end == p || errno)
			return 0;
		p = end;
	}
	return count;
}

static uint64_t
interrupts_on(int cpu)
{
	FILE *f = fopen("/proc/interrupts", "re");
	char *line = NULL;
	size_t size = 0;
	uint64_t sum = 0;
	int column = -1;

	if (!f)
		return 0;
	if (getline(&line, &size, f) > 0)
		column = interrupt_column(line, cpu);
	while (column >= 0 && getline(&line, &size, f) > 0)
		sum += interrupts_in(line, column);
	free(line);
	fclose(f);
	return sum;
}

struct disturbance
host_disturbance(int cpu)
{
	struct disturbance d = {.interrupts = interrupts_on(cpu)};
	struct rusage usage;

	if (!getrusage(RUSAGE_THREAD, &usage))
		d.switches = (uint64_t)usage.ru_nivcsw;
	return d;
}

void
host_describe_end(struct preamble *end, const struct clock *clock, int cpu,
                  struct disturbance before)
{
	struct disturbance now = host_disturbance(cpu);

	preamble_set(end, "clock_drift_ppm", "%.3f", clock_drift_ppm(clock));
	if (cpu >= 0)
		preamble_set(end, "interrupts", "%ju",
		             (uintmax_t)(now.interrupts - before.interrupts));
	preamble_set(end, "involuntary_switches", "%ju",
	             (uintmax_t)(now.switches - before.switches));
}
