/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Idle states: limit and residencies, from files like the kernel's. */
#include "rig/cmocka.h"
#include "rig/support.h"

#include "collect/host/package_cstate.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void
tell_limit(const void *data)
{
	struct preamble pre = {0};
	const char *limit;

	package_idle_describe_limit(&pre);
	limit = preamble_get(&pre, "latency_limit_us");
	fputs(limit ? limit : "none", stdout);
	preamble_free(&pre);
}

/* No limit is set: 2000 s. */
static void
a_limit_of_another_program_is_told(void **state)
{
	static const struct {
		int32_t us;
		size_t size;
		const char *out, *err;
	} cases[] = {
	    {10, 4, "10",
	     "t: a program keeps the CPUs from idle states that take longer "
	     "than 10 us to leave (/dev/cpu_dma_latency)\n"},
	    {0, 4, "0",
	     "t: a program keeps the CPUs from idle states that take longer "
	     "than 0 us to leave (/dev/cpu_dma_latency)\n"},
	    {2000000000, 4, "none", ""},
	    {-1, 4, "none", ""},
	    {10, 3, "none", ""},
	};
	struct ended ended;

	root_set(".");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		write_below(
		    "dev/cpu_dma_latency",
		    (struct bytes){(const char *)&cases[i].us, cases[i].size});
		ended =
		    in_child(tell_limit, NULL, (struct bytes){0}, FEED_NONE);
		assert_ended(&ended, 0, cases[i].out, cases[i].err);
		ended_free(&ended);
		assert_int_equal(remove("dev/cpu_dma_latency"), 0);
	}
	ended = in_child(tell_limit, NULL, (struct bytes){0}, FEED_NONE);
	assert_ended(&ended, 0, "none", "");
	ended_free(&ended);
}

/* Replaces the counters by the clock of CPU 0, which every kernel counts. */
static const struct {
	const char *name, *text;
} files[] = {
    {"type", "1\n"},
    {"cpumask", "0,24\n"},
    {"format/event", "config:0-63\n"},
    {"events/c6-residency", "event=0x00\n"},
    {"events/c7-residency", "umask=0x00\n"},
    {"events/c8-residency", "event=\n"},
    {"events/c9-residency", "event=0xffff\n"}, /* no such event */
    {"events/c6-residency.unit", "ms\n"},
};

static void
make_files(void)
{
	assert_int_equal(mkdir("events", 0700), 0);
	assert_int_equal(mkdir("format", 0700), 0);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		write_file(
		    files[i].name,
		    (struct bytes){files[i].text, strlen(files[i].text)});
}

static void
remove_files(void)
{
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		assert_int_equal(remove(files[i].name), 0);
	assert_int_equal(rmdir("events"), 0);
	assert_int_equal(rmdir("format"), 0);
}

static void
residencies_are_counted(void **state)
{
	struct package_idle idle = {0};
	struct preamble ending = {0};
	struct perf_event_attr attr = {.size = sizeof attr,
	                               .type = PERF_TYPE_SOFTWARE};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);

	if (fd < 0)
		skip();
	close(fd);
	make_files();
	package_idle_open(&idle, ".", 0);
	remove_files();
	package_idle_describe(&idle, &ending);
	assert_int_equal(idle.n, 1);
	assert_non_null(preamble_get(&ending, "package_c6_pct"));
	assert_true(strtod(preamble_get(&ending, "package_c6_pct"), NULL) > 0);
	preamble_free(&ending);
	/* A counter that can no longer be read is left out. */
	ending = (struct preamble){0};
	fd = open("/dev/null", O_RDONLY);
	assert_int_equal(dup2(fd, idle.state[0].fd), idle.state[0].fd);
	close(fd);
	package_idle_describe(&idle, &ending);
	assert_null(preamble_get(&ending, "package_c6_pct"));
	package_idle_close(&idle);
	preamble_free(&ending);
	package_idle_open(&idle, "./nowhere", -1);
	assert_int_equal(idle.n, 0);
}

/* Two packages, counted on CPUs 0 and 24; nothing is known of 48. */
static void
the_package_is_that_of_a_cpu(void **state)
{
	static const struct {
		const char *cpumask;
		int near, cpu;
	} cases[] = {
	    {"0,24\n", 3, 0},   {"0,24\n", 30, 24}, {"0,24\n", 24, 24},
	    {"0,24\n", 48, 0},  {"0,24\n", -1, 0},  {"24\n", 3, 24},
	    {"0-30\n", 30, 24}, {"\n", 3, -1},      {"x\n", 3, -1},
	};
	static const struct {
		int cpu, package;
	} cpus[] = {{0, 0}, {3, 0}, {24, 1}, {30, 1}};
	char name[64], text[16];

	assert_int_equal(package_idle_cpu(".", ".", 0), -1);
	for (size_t i = 0; i < ARRAY_LEN(cpus); i++) {
		snprintf(name, sizeof name, "cpu%d", cpus[i].cpu);
		assert_int_equal(mkdir(name, 0700), 0);
		snprintf(name, sizeof name, "cpu%d/topology", cpus[i].cpu);
		assert_int_equal(mkdir(name, 0700), 0);
		snprintf(name, sizeof name,
		         "cpu%d/topology/physical_package_id", cpus[i].cpu);
		snprintf(text, sizeof text, "%d\n", cpus[i].package);
		write_file(name, (struct bytes){text, strlen(text)});
	}
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		write_file("cpumask", (struct bytes){cases[i].cpumask,
		                                     strlen(cases[i].cpumask)});
		assert_int_equal(package_idle_cpu(".", ".", cases[i].near),
		                 cases[i].cpu);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_limit_of_another_program_is_told),
	    cmocka_unit_test(residencies_are_counted),
	    cmocka_unit_test(the_package_is_that_of_a_cpu),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
