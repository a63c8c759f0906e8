/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts in intervals, with a fake kernel and clock. */
#include "collect/core/backend.h"

#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/pmu.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FD       1000
#define MS       UINT64_C(1000000)
#define INTERVAL (10 * MS)
#define SAMPLES  4

extern const struct backend pmu_backend;

static volatile sig_atomic_t interrupted;

static struct {
	uint64_t now, began;
	int open_error;
	int waits, last_wait; /* before a signal; 0: none */
} kernel;

/* Replace those of the C library. */

ssize_t
readlink(const char *path, char *to, size_t size)
{
	if (!strcmp(path, "/proc/self/exe"))
		return snprintf(to, size, "%s/src/t", getenv("TOP"));
	return readlinkat(AT_FDCWD, path, to, size);
}

/* Libraries call it, too. */
long
syscall(long number, ...)
{
	static long (*next)(long number, ...);
	long argument[6];
	va_list ap;

	errno = kernel.open_error;
	if (number == SYS_perf_event_open)
		return kernel.open_error ? -1 : FD;
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	va_start(ap, number);
	for (size_t i = 0; i < ARRAY_LEN(argument); i++)
		argument[i] = va_arg(ap, long);
	va_end(ap);
	return next(number, argument[0], argument[1], argument[2], argument[3],
	            argument[4], argument[5]);
}

int
ioctl(int fd, unsigned long request, ...)
{
	assert_int_equal(fd, FD);
	assert_int_equal(request, PERF_EVENT_IOC_ENABLE);
	kernel.began = kernel.now;
	return 0;
}

/* Three counts per nanosecond, half of the time; takes a millisecond. */
ssize_t
read(int fd, void *to, size_t size)
{
	uint64_t enabled = kernel.now - kernel.began;
	const uint64_t group[] = {1, enabled, enabled / 2, enabled / 2 * 3};
	static ssize_t (*next)(int fd, void *to, size_t size);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "read");
	if (fd != FD)
		return next(fd, to, size);
	assert_int_equal(size, sizeof group);
	memcpy(to, group, sizeof group);
	kernel.now += MS;
	return (ssize_t)size;
}

int
close(int fd)
{
	static int (*next)(int fd);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "close");
	return fd == FD ? 0 : next(fd);
}

int
clock_gettime(clockid_t clock, struct timespec *to)
{
	to->tv_sec = (time_t)(kernel.now / (1000 * MS));
	to->tv_nsec = (long)(kernel.now % (1000 * MS));
	return 0;
}

int
ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
      const sigset_t *mask)
{
	kernel.now +=
	    (uint64_t)timeout->tv_sec * 1000 * MS + (uint64_t)timeout->tv_nsec;
	interrupted = kernel.last_wait && ++kernel.waits == kernel.last_wait;
	return 0;
}

/* Counting ----------------------------------------------------------------- */

static char events[] = "events";
static struct setting settings[] = {{events, "./events.csv"}};
static const struct request request = {
    .options = {settings, ARRAY_LEN(settings)},
    .interval = 1000 * INTERVAL}; /* ps */
static uint64_t raw[SAMPLES][4];

static struct preamble pre;
static struct session s;

static void
open_session(void)
{
	kernel.now = 5000 * MS;
	interrupted = 0;
	s = (struct session){.request = &request,
	                     .preamble = &pre,
	                     .interrupted = &interrupted,
	                     .state = xcalloc(1, pmu_backend.state_size)};
}

static void
close_session(void)
{
	pmu_backend.close(&s);
	free(s.state);
	series_make(&s, 0);
	free(s.failure.text);
	preamble_free(&pre);
}

/* The number of samples in `raw`. */
static size_t
count(void)
{
	memset(raw, 0, sizeof raw);
	assert_true(pmu_backend.prepare(&s, &(struct point){0}));
	assert_int_equal(s.nseries, 1);
	s.series[0].raw = raw[0];
	assert_true(pmu_backend.run(&s, SAMPLES));
	return s.series[0].n;
}

static void
assert_sample(size_t i, uint64_t time, uint64_t enabled)
{
	assert_int_equal(raw[i][0], time);
	assert_int_equal(raw[i][1], enabled / 2 * 3);
	assert_int_equal(raw[i][2], enabled);
	assert_int_equal(raw[i][3], enabled / 2);
}

/* A server with a known register and one counter. */
static int
begin(void **state)
{
	static const char table[] = "group,event,pmu,terms,part,parts,why_not\n"
	                            "time,ticks,clock,event=0,,,\n";

	memset(&kernel, 0, sizeof kernel);
	if (enter_machine(state))
		return -1;
	root_set(".");
	put_pmu("clock_0", "99", "0", "event=config:0-7");
	put_file(xstrdup("sys/devices/system/cpu/modalias"),
	         "cpu:type:x86,ven0000fam0006mod006A:feature:,0000,0001");
	put_file(xstrdup("sys/devices/system/cpu/cpu0/topology/"
	                 "physical_package_id"),
	         "1");
	write_text("events.csv", table);
	return 0;
}

#define SERVER_TEST(name) TEST_IN(name, begin, leave_scratch)

/* From the start of each run, however long a reading takes. */
SERVER_TEST(intervals_do_not_drift)
{
	open_session();
	assert_true(pmu_backend.open(&s));
	for (int run = 0; run < 2; run++) {
		assert_int_equal(count(), SAMPLES);
		assert_sample(0, INTERVAL, INTERVAL + MS);
		for (size_t i = 1; i < SAMPLES; i++)
			assert_sample(i, (i + 1) * INTERVAL, INTERVAL);
		kernel.now += 1000 * MS;
	}
	close_session();
}

SERVER_TEST(a_signal_ends_it_with_what_was_counted)
{
	kernel.last_wait = 2;
	open_session();
	assert_true(pmu_backend.open(&s));
	assert_int_equal(count(), 2);
	assert_sample(1, 2 * INTERVAL, INTERVAL);
	close_session();
}

/* Opening ------------------------------------------------------------------ */

SERVER_TEST(ways_are_those_of_the_register)
{
	const uint64_t ways = 0x600;
	int fd;

	open_session();
	assert_true(pmu_backend.open(&s));
	assert_null(preamble_get(&pre, "io_llc_ways"));
	close_session();
	write_text("dev/cpu/0/msr", "");
	fd = open("dev/cpu/0/msr", O_WRONLY);
	assert_int_equal(pwrite(fd, &ways, sizeof ways, 0xc8b), sizeof ways);
	open_session();
	assert_true(pmu_backend.open(&s));
	assert_string_equal(preamble_get(&pre, "io_llc_ways"), "0x600 (1)");
	close_session();
	/* A truncated file has no register. */
	assert_int_equal(ftruncate(fd, 0xc8b + 4), 0);
	open_session();
	assert_true(pmu_backend.open(&s));
	assert_null(preamble_get(&pre, "io_llc_ways"));
	close_session();
	close(fd);
}

SERVER_TEST(what_the_kernel_says_tells_the_status)
{
	static const struct {
		int error, status;
		const char *help;
	} cases[] = {
	    {EMFILE, STATUS_ABSENT, "ulimit -Hn"},
	    {EACCES, STATUS_ABSENT, "takes CAP_PERFMON"},
	    {EPERM, STATUS_ABSENT, "takes CAP_PERFMON"},
	    {ENOENT, STATUS_ABSENT, "No such file or directory"},
	    {EIO, STATUS_TROUBLE, "Input/output error"},
	    {ENOMEM, STATUS_TROUBLE, "Cannot allocate memory"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		kernel.open_error = cases[i].error;
		open_session();
		assert_false(pmu_backend.open(&s));
		assert_int_equal(s.failure.status, cases[i].status);
		assert_non_null(strstr(s.failure.text, cases[i].help));
		close_session();
	}
}

/* A counter is a descriptor. */
SERVER_TEST(as_many_files_as_may_be_are_allowed)
{
	struct rlimit before, after;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	after = before;
	after.rlim_cur = before.rlim_max - 1;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &after), 0);
	open_session();
	assert_true(pmu_backend.open(&s));
	close_session();
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &after), 0);
	assert_int_equal(after.rlim_cur, before.rlim_max);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}
