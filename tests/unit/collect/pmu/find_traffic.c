/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traffic in busy intervals, and none in quiet ones. */
#include "collect/pmu/find_traffic.h"

#include "collect/host/clock.h"
#include "rig/support.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* fail() of backend.h is used. */
#undef fail

static volatile sig_atomic_t interrupted;
static struct preamble pre;

/* Traffic by a command; the caller closes it. */
static struct pmu_traffic
open_traffic(struct session *s, const struct request *request)
{
	struct pmu_traffic t = {.session = s};

	interrupted = 0;
	*s = (struct session){
	    .request = request, .preamble = &pre, .interrupted = &interrupted};
	assert_true(pmu_traffic_open(&t, "nowhere", false));
	assert_string_equal(preamble_get(&pre, "traffic"), "command");
	preamble_free(&pre);
	return t;
}

static long
bytes_written(void)
{
	struct stat st;

	return stat("ran", &st) ? 0 : (long)st.st_size;
}

static void
the_command_runs_while_it_is_busy(void **state)
{
	static char *const command[] = {"sh", "-c", "printf x >>ran", NULL};
	static const struct request request = {.command = command};
	struct session s;
	struct pmu_traffic t = open_traffic(&s, &request);

	(void)state;
	for (long ran = 0; ran < 2; ran++) {
		assert_true(pmu_traffic_pass(&t, false));
		assert_int_equal(bytes_written(), ran);
		assert_true(pmu_traffic_pass(&t, true));
		assert_int_equal(bytes_written(), ran + 1);
	}
	interrupted = SIGINT;
	assert_false(pmu_traffic_pass(&t, false));
	assert_null(s.failure.text);
	pmu_traffic_close(&t);
	unlink("ran");
}

static void
a_command_that_fails_makes_no_traffic(void **state)
{
	static char *const command[] = {"false", NULL};
	static const struct request request = {.command = command};
	struct session s;
	struct pmu_traffic t = open_traffic(&s, &request);

	(void)state;
	assert_false(pmu_traffic_pass(&t, true));
	assert_string_equal(s.failure.text, "false: ended with status 1: it "
	                                    "may have made no traffic");
	free(s.failure.text);
	pmu_traffic_close(&t);
}

/* The command and its children must be gone in a quiet interval. */
static void
a_command_is_ended_before_it_is_quiet(void **state)
{
	static char *const command[] = {"sleep", "60", NULL};
	static const struct request request = {.command = command};
	struct session s;
	struct pmu_traffic t = open_traffic(&s, &request);
	uint64_t begin = now_ns();

	(void)state;
	t.interval = 1000000;
	assert_true(pmu_traffic_pass(&t, true));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	/* Its children get some time. */
	assert_true(now_ns() - begin >= 100000000);
	pmu_traffic_close(&t);
}

static bool
answer(const struct reader *r, uint32_t *value)
{
	(void)r;
	*value = 1;
	return true;
}

static void
a_signal_ends_reads(void **state)
{
	static const struct access_method method = {.read = answer};
	struct session s = {.interrupted = &interrupted};
	struct pmu_traffic t = {.session = &s,
	                        .interval = UINT64_MAX / 2,
	                        .reads = true,
	                        .reader.method = &method};

	(void)state;
	interrupted = SIGINT;
	alarm(60);
	assert_false(pmu_traffic_pass(&t, true));
	alarm(0);
	assert_null(s.failure.text);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_command_runs_while_it_is_busy),
	    cmocka_unit_test(a_command_that_fails_makes_no_traffic),
	    cmocka_unit_test(a_command_is_ended_before_it_is_quiet),
	    cmocka_unit_test(a_signal_ends_reads),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
