/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads by other CPUs, of fake registers. */
#include "collect/host/cpu.h"
#include "collect/pio/pio.h"
#include "rig/cmocka.h"
#include "rig/support.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <numa.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct {
	unsigned opened, closed;
	unsigned refused; /* index of the open that fails */
	atomic_uint reads;

	/* Of the reading thread. */
	int policy;
	sigset_t blocked;
	cpu_set_t cpus;

	/* Of a machine with more CPUs than this one may have. */
	bool is_taken;
	char order[16];
} made_up;

/* Its threads run anywhere; records the order in which CPUs are taken. */
int
pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size,
                            const cpu_set_t *cpus)
{
	int (*real)(pthread_attr_t *, size_t, const cpu_set_t *);

	if (!made_up.is_taken) {
		*(void **)&real =
		    dlsym(RTLD_NEXT, "pthread_attr_setaffinity_np");
		return real(attributes, size, cpus);
	}
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		if (CPU_ISSET_S(cpu, size, cpus))
			made_up.order[strlen(made_up.order)] =
			    (char)('0' + cpu);
	}
	return 0;
}

/* libnuma's prints to stderr. */
void
numa_warn(int number, char *format, ...)
{
	assert_null(format);
}

/* Descriptors of readers, which no other file has. */
#define READERS 200

/* Replaces the C library's. */
int
close(int fd)
{
	made_up.closed += fd >= READERS;
	return (int)syscall(SYS_close, fd);
}

static bool
open_made_up(struct session *s, const struct pci_tree *tree, struct reader *r)
{
	r->fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, READERS);
	return ++made_up.opened != made_up.refused ||
	       fail(s, STATUS_ABSENT, "refused");
}

/* The first reads fail. */
static bool
read_made_up(const struct reader *r, uint32_t *value)
{
	*value = 0;
	made_up.policy = sched_getscheduler(0);
	pthread_sigmask(SIG_SETMASK, NULL, &made_up.blocked);
	sched_getaffinity(0, sizeof made_up.cpus, &made_up.cpus);
	return atomic_fetch_add(&made_up.reads, 1) >= 3;
}

static const struct access_method method = {
    .name = "made up",
    .open = open_made_up,
    .read = read_made_up,
};

static struct target item[2] = {{.reader.method = &method},
                                {.reader.method = &method}};

static const struct targets two = {.item = item, .n = 2};

static int
forget(void **state)
{
	made_up.opened = made_up.closed = made_up.refused = 0;
	made_up.is_taken = false;
	atomic_store(&made_up.reads, 0);
	return 0;
}

/* Until there are some reads. */
static void
load_for_a_while(void)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	struct session s = {0};
	struct load load = {0};
	struct bitmask *allowed = host_allowed();

	assert_true(load_begin(&s, &load, &two, 1, allowed, -1));
	numa_free_cpumask(allowed);
	for (int tries = 0; !load_count(&load) && tries < 10000; tries++)
		nanosleep(&moment, NULL);
	assert_true(load_count(&load) > 0);
	load_end(&load);
}

/* Otherwise rows would claim a load that does not exist. */
static void
a_read_that_fails_is_not_the_end(void **state)
{
	load_for_a_while();
	assert_int_equal(made_up.opened, 2);
	assert_int_equal(made_up.closed, 2);
}

/* The measuring process may be a real-time one, and signals are for it. */
static void
readers_are_ordinary_threads_of_one_cpu(void **state)
{
	const struct sched_param param = {0};

	assert_int_equal(sched_setscheduler(0, SCHED_BATCH, &param), 0);
	load_for_a_while();
	assert_int_equal(sched_getscheduler(0), SCHED_BATCH);
	assert_int_equal(sched_setscheduler(0, SCHED_OTHER, &param), 0);
	assert_int_equal(made_up.policy, SCHED_OTHER);
	assert_int_equal(CPU_COUNT(&made_up.cpus), 1);
	assert_true(sigismember(&made_up.blocked, SIGINT));
	assert_false(sigismember(&made_up.blocked, SIGBUS));
}

/* The CPUs of a core have this list, the others none. */
static void
write_core(const char *core)
{
	char path[] = "sys/devices/system/cpu/cpu0/topology/"
	              "thread_siblings_list";
	char *number = strstr(path, "cpu0") + 3;

	for (*number = '0'; *number < '8'; ++*number) {
		const char *text = strchr(core, *number) ? core : "";

		write_below(path, (struct bytes){text, strlen(text)});
	}
}

/* CPU 0 of the CPUs 0 to 6 measures. */
static void
check_order(const char *core, size_t n, const char *order)
{
	struct session s = {0};
	struct load load = {0};
	struct bitmask *allowed = numa_bitmask_alloc(64);

	for (unsigned cpu = 0; cpu < 7; cpu++)
		numa_bitmask_setbit(allowed, cpu);
	write_core(core);
	made_up.is_taken = true;
	memset(made_up.order, 0, sizeof made_up.order);
	assert_true(load_begin(&s, &load, &two, n, allowed, 0));
	load_end(&load);
	numa_free_cpumask(allowed);
	assert_string_equal(made_up.order, order);
}

static void
the_core_that_measures_is_taken_last(void **state)
{
	static struct {
		char core[8];
		size_t n;
		const char *order;
	} rows[] = {
	    {"", 3, "123"},    {"0", 3, "123"},       {"02", 3, "134"},
	    {"0123", 2, "45"}, {"0123", 6, "456123"},
	};

	root_set(".");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		check_order(rows[i].core, rows[i].n, rows[i].order);
}

static void
what_was_opened_before_a_failure_is_closed(void **state)
{
	struct session s = {0};
	struct load load = {0};
	struct bitmask *allowed = host_allowed();

	made_up.refused = 2;
	assert_false(load_begin(&s, &load, &two, 1, allowed, -1));
	numa_free_cpumask(allowed);
	assert_string_equal(s.failure.text, "refused");
	assert_int_equal(s.failure.status, STATUS_ABSENT);
	load_end(&load);
	assert_int_equal(made_up.closed, 2);
	assert_int_equal(made_up.reads, 0);
	free(s.failure.text);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_read_that_fails_is_not_the_end, forget),
	    cmocka_unit_test_setup(readers_are_ordinary_threads_of_one_cpu,
	                           forget),
	    cmocka_unit_test_setup(the_core_that_measures_is_taken_last,
	                           forget),
	    cmocka_unit_test_setup(what_was_opened_before_a_failure_is_closed,
	                           forget),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
