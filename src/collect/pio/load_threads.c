/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --load-threads: other CPUs read the same registers. */
#include "collect/pio/pio.h"

#include "collect/host/cpu.h"
#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <numa.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
