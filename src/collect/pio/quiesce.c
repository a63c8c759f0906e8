/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --hold turns power management off; --load-threads lets other CPUs read. */
#include "collect/pio/pio.h"

#include "collect/host/cpu.h"
#include "common/base/debug.h"
#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <fcntl.h>
#include <limits.h>
#include <numa.h>
#include <pci/header.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LATENCY_FILE root_path("/dev/cpu_dma_latency")

static const char *const hold_names[NHOLDS] = {
    [HOLD_IDLE] = "idle",   [HOLD_GOVERNOR] = "governor",
    [HOLD_POWER] = "power", [HOLD_PRIORITY] = "priority",
    [HOLD_ASPM] = "aspm",
};

const char *
hold_parse(const char *text, unsigned *holds)
{
	char **item = list_split(text);
	const char *why = NULL;

	*holds = 0;
	for (size_t i = 0; !why && item[i]; i++) {
		size_t id = find_word(item[i], hold_names, NHOLDS);

		if (id == NHOLDS)
			why = "not aspm, idle, governor, power or priority";
		else
			*holds |= 1u << id;
	}
	free(item);
	return why;
}

bool
hold_asked(const struct request *request, enum hold_id id)
{
	const char *text = bench_option(request, "hold");
	unsigned holds = 0;

	if (text)
		hold_parse(text, &holds);
	return holds & 1u << id;
}

static bool
refused(struct session *s, const char *option, const char *what)
{
	return fail(s, STATUS_ABSENT, "%s: %s: %s%s", option, what,
	            errno ? strerror(errno) : "the kernel does not accept it",
	            errno == EACCES || errno == EPERM ? " (root only)" : "");
}

/* Plans a text; false after fail(). Adds `who` to *list if it changes. */
static bool
plan(struct session *s, struct quiesce *h, const char *option, const char *path,
     const char *wanted, char **list, const char *who)
{
	if (changes_add_text(&h->changes, path, wanted))
		xappend(list, " ", "%s", who);
	else if (errno && errno != ENOENT)
		return refused(s, option, path);
	return true;
}

/* Files for ASPM of the link above a function, if the kernel manages it. */
static const char *const aspm_files[] = {"l0s_aspm",   "l1_aspm",
                                         "l1_1_aspm",  "l1_2_aspm",
                                         "l1_1_pcipm", "l1_2_pcipm"};

/* Whether the kernel manages the link above the function or one below it. */
static bool
is_managed(const struct pci_tree *tree, const struct pci_function *f)
{
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *end = &tree->function[i];
		char path[PATH_MAX];

		if (end != f && end->up != f)
			continue;
		for (size_t k = 0; k < ARRAY_LEN(aspm_files); k++) {
			snprintf(path, sizeof path, "%s/devices/%s/link/%s",
			         tree->sysfs, end->bdf, aspm_files[k]);
			if (!access(path, F_OK))
				return true;
		}
	}
	return false;
}

static bool
plan_link_files(struct session *s, struct quiesce *h,
                const struct targets *targets, const struct pci_function *f)
{
	size_t before = h->changes.nchanged;
	char *ignored = NULL;
	bool ok = true;

	for (size_t i = 0; ok && i < ARRAY_LEN(aspm_files); i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof path, "%s/devices/%s/link/%s",
		         targets->tree->sysfs, f->bdf, aspm_files[i]);
		ok = plan(s, h, "--hold aspm", path, "0", &ignored, "");
	}
	if (h->changes.nchanged > before)
		xappend(&h->aspm, " ", "%s", f->bdf);
	free(ignored);
	return ok;
}

/*
 * From the lower end of the path to the upper one, and back in reverse: an
 * upper port may save power only while the lower one may not, PCIe Base
 * Specification 5.4.1.4.
 */
static bool
plan_aspm(struct session *s, struct quiesce *h, const struct targets *targets)
{
	const struct pci_tree *tree = targets->tree;
	bool seen = false;

	for (size_t i = tree->n; i--;) {
		const struct pci_function *f = &tree->function[i];
		char path[PATH_MAX];

		if (!targets_are_below(targets, f))
			continue;
		seen = seen || f->pcie.link_control;
		if (!plan_link_files(s, h, targets, f))
			return false;
		if (!f->pcie.link_control || is_managed(tree, f))
			continue;
		snprintf(path, sizeof path, "%s/devices/%s/config", tree->sysfs,
		         f->bdf);
		if (changes_add_bits(&h->changes, path,
		                     (off_t)f->pcie.link_control,
		                     PCI_EXP_LNKCTL_ASPM, 0))
			xappend(&h->aspm, " ", "%s", f->bdf);
		else if (errno)
			return refused(s, "--hold aspm", path);
	}
	return seen || fail(s, STATUS_ABSENT, "--hold aspm: %s",
	                    geteuid() ? "only root can see and set it"
	                              : "no PCI Express link on the path");
}

static bool
plan_power(struct session *s, struct quiesce *h, const struct targets *targets)
{
	const struct pci_tree *tree = targets->tree;
	bool seen = false;

	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		char path[PATH_MAX];

		if (!targets_are_below(targets, f))
			continue;
		snprintf(path, sizeof path, "%s/devices/%s/power/control",
		         tree->sysfs, f->bdf);
		if (!plan(s, h, "--hold power", path, "on", &h->power, f->bdf))
			return false;
		seen = seen || !access(path, F_OK);
	}
	return seen || fail(s, STATUS_ABSENT,
	                    "--hold power: no device on the path has a file "
	                    "power/control");
}

/* Fails if the user named what does not exist here. */
static bool
is_missing(struct session *s, const char *option, const char *what)
{
	return fail(s, STATUS_ABSENT, "%s: this machine has no %s", option,
	            what);
}

static bool
plan_governor(struct session *s, struct quiesce *h, int cpu)
{
	char *path = xasprintf("%s/cpu%d/cpufreq/scaling_governor", HOST_CPUS,
	                       cpu < 0 ? sched_getcpu() : cpu);
	bool ok = true;

	if (!changes_add_text(&h->changes, path, "performance") && errno) {
		if (errno == ENOENT)
			ok = is_missing(s, "--hold governor",
			                "frequency governor (cpufreq)");
		else
			ok = refused(s, "--hold governor", path);
	}
	free(path);
	return ok;
}

/* In effect while the file is open, linux/Documentation/power/pm_qos. */
static bool
hold_idle(struct session *s, struct quiesce *h)
{
	int32_t microseconds = 0;
	int fd = root_open(LATENCY_FILE, O_WRONLY);

	if (fd < 0 && errno == ENOENT)
		return is_missing(s, "--hold idle",
		                  "idle states to hold (/dev/cpu_dma_latency)");
	if (fd < 0)
		return refused(s, "--hold idle", LATENCY_FILE);
	debug(DEBUG_RESTORE, "%s: 0 us until it is closed", LATENCY_FILE);
	h->latency_file = fd;
	if (write(fd, &microseconds, sizeof microseconds) < 0)
		return refused(s, "--hold idle", LATENCY_FILE);
	return true;
}

/* The lowest real-time priority exceeds all others. */
static bool
hold_priority(struct session *s, struct quiesce *h)
{
	struct sched_param param = {.sched_priority =
	                                sched_get_priority_min(SCHED_FIFO)};
	int policy = sched_getscheduler(0);

	/* Keeps a real-time policy set by chrt(1). */
	if (policy == SCHED_FIFO || policy == SCHED_RR)
		return true;
	debug(DEBUG_RESTORE, "set SCHED_FIFO, priority %d",
	      param.sched_priority);
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		return refused(s, "--hold priority", "SCHED_FIFO");
	h->real_time = true;
	return true;
}

static void
record(struct session *s, const struct quiesce *h)
{
	char *text = NULL;

	for (int i = 0; i < NHOLDS; i++) {
		if (!hold_asked(s->request, (enum hold_id)i))
			continue;
		xappend(&text, " ", "%s", hold_names[i]);
		if (i == HOLD_POWER && h->power)
			xappend(&text, " ", "%s", h->power);
		if (i == HOLD_ASPM && h->aspm)
			xappend(&text, " ", "%s", h->aspm);
	}
	if (text)
		preamble_set(s->preamble, "held", "%s", text);
	free(text);
}

bool
quiesce_begin(struct session *s, struct quiesce *h,
              const struct targets *targets, int cpu)
{
	const char *path;

	if (hold_asked(s->request, HOLD_ASPM) && !plan_aspm(s, h, targets))
		return false;
	if (hold_asked(s->request, HOLD_POWER) && !plan_power(s, h, targets))
		return false;
	if (hold_asked(s->request, HOLD_GOVERNOR) && !plan_governor(s, h, cpu))
		return false;
	path = changes_make(&h->changes);
	if (path)
		return refused(s, "--hold", path);
	if (hold_asked(s->request, HOLD_IDLE) && !hold_idle(s, h))
		return false;
	if (hold_asked(s->request, HOLD_PRIORITY) && !hold_priority(s, h))
		return false;
	record(s, h);
	return true;
}

void
quiesce_end(struct quiesce *h)
{
	struct sched_param param = {0};

	if (h->real_time) {
		debug(DEBUG_RESTORE, "put back SCHED_OTHER");
		sched_setscheduler(0, SCHED_OTHER, &param);
	}
	if (h->latency_file) {
		debug(DEBUG_RESTORE, "%s: closed", LATENCY_FILE);
		close(h->latency_file);
	}
	changes_undo(&h->changes);
	free(h->aspm);
	free(h->power);
	*h = (struct quiesce){0};
}

/* Load --------------------------------------------------------------------- */

struct load_reader {
	pthread_t thread;
	struct reader *target;
	size_t ntargets;
	unsigned cpu;
	atomic_bool stop, started;
	atomic_uint_fast64_t count;
};

/* If reads keep failing, the timed read reports the error. */
static void *
run(void *data)
{
	struct load_reader *r = data;
	uint_fast64_t count = 0;

	while (!atomic_load_explicit(&r->stop, memory_order_relaxed)) {
		for (size_t i = 0; i < r->ntargets; i++) {
			const struct reader *target = &r->target[i];
			uint32_t value;

			count += target->method->read(target, &value);
		}
		atomic_store_explicit(&r->count, count, memory_order_relaxed);
		atomic_store_explicit(&r->started, true, memory_order_relaxed);
	}
	return NULL;
}

static void
close_targets(struct load_reader *r)
{
	for (size_t i = 0; i < r->ntargets; i++)
		access_close(&r->target[i]);
	free(r->target);
}

/* Starts a thread without real-time priority and with all signals blocked. */
static int
start(struct load_reader *r)
{
	struct sched_param ordinary = {0};
	pthread_attr_t attributes;
	struct bitmask *cpus = numa_allocate_cpumask();
	sigset_t all, before;
	int error;

	numa_bitmask_setbit(cpus, r->cpu);
	pthread_attr_init(&attributes);
	pthread_attr_setaffinity_np(&attributes, numa_bitmask_nbytes(cpus),
	                            (const cpu_set_t *)cpus->maskp);
	numa_free_cpumask(cpus);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
	pthread_attr_setschedparam(&attributes, &ordinary);
	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&r->thread, &attributes, run, r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

static bool
add(struct session *s, struct load *load, const struct targets *targets,
    unsigned cpu)
{
	struct load_reader *r = &load->reader[load->n];
	int error;

	r->target = xcalloc(targets->n, sizeof *r->target);
	for (; r->ntargets < targets->n; r->ntargets++) {
		const struct reader *from = &targets->item[r->ntargets].reader;

		if (!access_open(s, from->method, targets->tree, from->function,
		                 &from->addr, &r->target[r->ntargets])) {
			close_targets(r);
			return false;
		}
	}
	r->cpu = cpu;
	error = start(r);
	if (!error) {
		load->n++;
		return true;
	}
	close_targets(r);
	return fail(s, STATUS_TROUBLE, "--load-threads: %s", strerror(error));
}

/* The same text for all CPUs of a core; NULL if unknown. */
static char *
siblings_of(int cpu)
{
	return read_first_line("%s/cpu%d/topology/thread_siblings_list",
	                       HOST_CPUS, cpu);
}

/* The CPUs in one core with a CPU (-1: none), including it. */
static struct bitmask *
core_of(int cpu, const struct bitmask *allowed)
{
	struct bitmask *core = numa_allocate_cpumask();
	char *wanted = siblings_of(cpu);

	for (unsigned i = 0; wanted && i < allowed->size; i++) {
		char *its = numa_bitmask_isbitset(allowed, i)
		                ? siblings_of((int)i)
		                : NULL;

		if (its && !strcmp(its, wanted))
			numa_bitmask_setbit(core, i);
		free(its);
	}
	free(wanted);
	return core;
}

bool
load_begin(struct session *s, struct load *load, const struct targets *targets,
           size_t n, const struct bitmask *allowed, int cpu)
{
	bool among = cpu >= 0 && numa_bitmask_isbitset(allowed, (unsigned)cpu);
	unsigned others = numa_bitmask_weight(allowed) - among;
	unsigned size = (unsigned)allowed->size;
	const struct timespec pause = {.tv_nsec = 100000};
	struct bitmask *core;
	bool ok = true;

	if (others < n)
		return fail(
		    s, STATUS_ABSENT,
		    "--load-threads %zu: besides the CPU that measures, this "
		    "process may use %u",
		    n, others);
	load->reader = xcalloc(n, sizeof *load->reader);
	core = core_of(cpu, allowed);
	for (unsigned i = 0; ok && load->n < n; i++) {
		unsigned next = i % size;

		if ((int)next != cpu && numa_bitmask_isbitset(allowed, next) &&
		    numa_bitmask_isbitset(core, next) == (i >= size))
			ok = add(s, load, targets, next);
	}
	numa_free_cpumask(core);
	/* Threads start late: a read timed before that has no load. */
	for (size_t i = 0; ok && i < load->n; i++) {
		while (!atomic_load(&load->reader[i].started))
			nanosleep(&pause, NULL);
	}
	return ok;
}

void
load_check(const struct load *load)
{
	struct bitmask *cpus = numa_allocate_cpumask();

	/* The kernel moves one if its CPU goes offline or a cpuset changes. */
	for (size_t i = 0; i < load->n; i++) {
		const struct load_reader *r = &load->reader[i];

		if (!pthread_getaffinity_np(r->thread,
		                            numa_bitmask_nbytes(cpus),
		                            (cpu_set_t *)cpus->maskp) &&
		    (numa_bitmask_weight(cpus) != 1 ||
		     !numa_bitmask_isbitset(cpus, r->cpu)))
			warn("--load-threads: a thread was moved away from CPU "
			     "%u (it was switched off, or a cpuset or taskset "
			     "changed): it may have run on the CPU that "
			     "measures",
			     r->cpu);
	}
	numa_free_cpumask(cpus);
}

uint64_t
load_count(const struct load *load)
{
	uint64_t count = 0;

	for (size_t i = 0; i < load->n; i++)
		count += atomic_load(&load->reader[i].count);
	return count;
}

void
load_end(struct load *load)
{
	for (size_t i = 0; i < load->n; i++)
		atomic_store(&load->reader[i].stop, true);
	for (size_t i = 0; i < load->n; i++) {
		pthread_join(load->reader[i].thread, NULL);
		close_targets(&load->reader[i]);
	}
	free(load->reader);
	*load = (struct load){0};
}
