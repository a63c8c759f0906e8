/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disturbances of the CPU, its idle states, what could not be set. */
#include "rig/cmocka.h"

#include "collect/host/cpu.h"
#include "rig/pci.h"
#include "rig/support.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <numa.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * A fake kernel with 2048 CPUs. There are four per node, but none on node 3,
 * and the last is CPU 1500 on node 2.
 */
enum { CPUS = 2048, LAST = 1500 };

static struct {
	int here, pinned;
	bool blind; /* /sys shows no nodes */
	unsigned char allowed[CPUS / 8];
} fake;

struct bitmask *
numa_allocate_cpumask(void)
{
	return numa_bitmask_alloc(CPUS);
}

int
numa_node_of_cpu(int cpu)
{
	return fake.blind ? -1 : cpu == LAST ? 2 : cpu / 4;
}

int
numa_distance(int a, int b)
{
	return 10 + abs(a - b);
}

int
numa_available(void)
{
	return -1;
}

int
sched_getcpu(void)
{
	return fake.here;
}

/* As the kernel does, requires room for all of its CPUs. */
int
sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	errno = EINVAL;
	if (size < sizeof fake.allowed)
		return -1;
	memcpy(set, fake.allowed, sizeof fake.allowed);
	return 0;
}

int
sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	fake.pinned = -1;
	for (int cpu = 0; cpu < (int)size * 8; cpu++) {
		if (CPU_ISSET_S((unsigned)cpu, size, set) &&
		    fake.allowed[cpu / 8] >> cpu % 8 & 1)
			fake.pinned = cpu;
	}
	errno = EINVAL;
	return fake.pinned < 0 ? -1 : 0;
}

/* Pins a process that may use these CPUs: bits of the first 32; the last. */
static int
pin(unsigned allowed, bool last, int asked, int node)
{
	struct request request = {.cpu = asked};
	struct preamble pre = {0};
	struct session s = {.request = &request, .preamble = &pre};
	int cpu = -2;

	memset(fake.allowed, 0, sizeof fake.allowed);
	for (size_t i = 0; i < 4; i++)
		fake.allowed[i] = (unsigned char)(allowed >> 8 * i);
	fake.allowed[LAST / 8] = (unsigned char)(last << LAST % 8);
	if (!host_pin(&s, node, &cpu))
		cpu = -3;
	else
		assert_int_equal(cpu, fake.pinned);
	preamble_free(&pre);
	free(s.failure.text);
	return cpu;
}

const struct fixtures fixtures = {enter_scratch, leave_scratch};

/* Also in a container without the right to choose a node. */
TEST(the_nearest_cpu_measures)
{
	static const struct {
		int here;
		unsigned allowed;
		bool last;
		int asked, node, cpu;
	} cases[] = {
	    {1, 0xfff, true, -1, -1, 1},     {1, 0xfff, true, -1, 0, 1},
	    {1, 0xfff, true, -1, 1, 4},      {6, 0xfff, true, -1, 1, 6},
	    {1, 0xfcf, true, -1, 1, 6},      {1, 0x00f, true, -1, 2, LAST},
	    {1, 0xfff, true, LAST, 0, LAST}, {1, 0xfff, false, LAST, 0, -3},
	    {1, 0xfff, false, -1, 3, 8},     {9, 0xfff, false, -1, 3, 9},
	    {1, 0x0ff, false, -1, 2, 4},     {LAST, 0, true, -1, 0, LAST},
	    {1, 0xfff, true, CPUS, 0, -3},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		fake.here = cases[i].here;
		assert_int_equal(pin(cases[i].allowed, cases[i].last,
		                     cases[i].asked, cases[i].node),
		                 cases[i].cpu);
	}
	fake.blind = true;
	fake.here = 9;
	assert_int_equal(pin(0xfff, false, -1, 1), 9);
}

TEST(all_that_is_not_done_is_said)
{
	struct preamble pre = {0};

	errno = EPERM;
	host_not_set(&pre, "locking memory");
	assert_int_equal(errno, EPERM);
	errno = ENOENT;
	host_not_set(&pre, "governor");
	assert_string_equal(preamble_get(&pre, "not_set"),
	                    "locking memory (Operation not permitted); "
	                    "governor (No such file or directory)");
	preamble_free(&pre);
}

/* Counts only interrupts since the start, and nothing below zero. */
TEST(interrupts_of_one_cpu_are_counted)
{
	static const char three[] =
	    "           CPU0       CPU2       CPU10       \n"
	    "   0:        100         20          3  IO-APIC  2-edge timer\n"
	    " LOC:      60000       5000        400  Local timer interrupts\n"
	    " ERR:          0\n";
	static const struct {
		const char *text;
		int cpu;
		uint64_t before;
		const char *wanted;
		unsigned allowed; /* afterwards */
	} cases[] = {{three, 0, 0, "60100", 1 << 0},
	             {three, 2, 5000, "20", 1 << 2},
	             {three, 10, 403, "0", 1 << 10},
	             {three, 2, 5000, "20", 0}, /* unknown */
	             {three, 2, 5000, NULL, 1 << 0},
	             {three, 2, 5000, NULL, 1 << 2 | 1 << 0},
	             {three, 1, 5, NULL, 1 << 1},
	             {three, -1, UINT64_MAX, NULL, 3},
	             {three, 0, UINT64_MAX, NULL, 1 << 0},
	             {"", 0, 0, NULL, 1 << 0}, /* as in containers */
	             {NULL, 0, 0, NULL, 1 << 0}};

	root_set(".");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct host host = {.cpu = cases[i].cpu,
		                    .interrupts = cases[i].before};
		struct preamble end = {0};
		const char *said;

		memset(fake.allowed, 0, sizeof fake.allowed);
		memcpy(fake.allowed, &cases[i].allowed,
		       sizeof cases[i].allowed);
		(void)remove("proc/interrupts");
		if (cases[i].text)
			write_text("proc/interrupts", cases[i].text);
		host_describe_end(&host, &end);
		said = preamble_get(&end, "interrupts");
		assert_int_equal(said != NULL, cases[i].wanted != NULL);
		if (said)
			assert_string_equal(said, cases[i].wanted);
		preamble_free(&end);
	}
}

/* CPU 0 may be offline, and an efficiency core may lack the last level. */
TEST(the_largest_cache_is_of_any_cpu)
{
	assert_int_equal(host_llc("cpu"), 0);
	run_shell("mkdir -p cpu/cpu0 cpu/cpufreq/cache/index0 "
	          "cpu/cpu1/cache/index0 cpu/cpu12/cache/index1 "
	          "cpu/cpu12/cache/index0 && "
	          "echo 4096K >cpu/cpu1/cache/index0/size && "
	          "echo 32768K >cpu/cpu12/cache/index1/size && "
	          "echo odd >cpu/cpu12/cache/index0/size && "
	          "echo 1G >cpu/cpufreq/cache/index0/size");
	assert_int_equal(host_llc("cpu"), 32 << 20);
	run_shell("rm -r cpu");
}

/* Package states --------------------------------------------------------- */

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
TEST(a_limit_of_another_program_is_told)
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

	root_set(".");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		write_below(
		    "dev/cpu_dma_latency",
		    (struct bytes){(const char *)&cases[i].us, cases[i].size});
		assert_child(tell_limit, NULL, 0, cases[i].out, cases[i].err);
		assert_int_equal(remove("dev/cpu_dma_latency"), 0);
	}
	assert_child(tell_limit, NULL, 0, "none", "");
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
		write_text(files[i].name, files[i].text);
}

static void
remove_files(void)
{
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		assert_int_equal(remove(files[i].name), 0);
	assert_int_equal(rmdir("events"), 0);
	assert_int_equal(rmdir("format"), 0);
}

TEST(residencies_are_counted)
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
TEST(the_package_is_that_of_a_cpu)
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
		write_text(name, text);
	}
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		write_text("cpumask", cases[i].cpumask);
		assert_int_equal(package_idle_cpu(".", ".", cases[i].near),
		                 cases[i].cpu);
	}
}
