/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stops of the process within a time that is counted. */
#include "rig/cmocka.h"
#include "rig/support.h"

#include "collect/host/clock.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)

static bool
is_counted(const struct stops *stops)
{
	return stops->ns >= SECOND && stops->ns < 100 * SECOND;
}

/* Is stopped within two counted times and outside a third. Never returns. */
static void
be_stopped(void)
{
	struct stops looks = {0}, ends = {0}, outside = {0};

	stops_begin(&outside);
	stops_end(&outside);
	stops_begin(&looks);
	stops_begin(&ends);
	raise(SIGSTOP);
	stops_end(&ends);
	stops_look(&looks);
	stops_look(&looks);
	stops_look(&outside);
	stops_begin(&outside);
	stops_end(&outside);
	_exit(is_counted(&looks) && is_counted(&ends) && !outside.ns ? 0 : 1);
}

static void
a_stop_counts_wherever_the_next_look_is(void **state)
{
	pid_t child = fork();
	int status;

	assert_int_not_equal(child, -1);
	if (!child)
		be_stopped();
	assert_int_equal(waitpid(child, &status, WUNTRACED), child);
	assert_true(WIFSTOPPED(status));
	usleep(1100000);
	assert_int_equal(kill(child, SIGCONT), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void
warn_of(const void *ns)
{
	const struct stops stops = {.ns = *(const uint64_t *)ns};

	stops_warn(&stops);
}

static void
only_stops_are_warned_of(void **state)
{
	const uint64_t none = 0, some = 12 * SECOND;
	struct ended ended =
	    in_child(warn_of, &none, (struct bytes){0}, FEED_NONE);

	assert_ended(&ended, 0, "", "");
	ended_free(&ended);
	ended = in_child(warn_of, &some, (struct bytes){0}, FEED_NONE);
	assert_ended(
	    &ended, 0, "",
	    "t: the program was stopped for 12 s (as by Ctrl-Z): "
	    "elapsed_ns includes this, and the bandwidth is too low\n");
	ended_free(&ended);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_stop_counts_wherever_the_next_look_is),
	    cmocka_unit_test(only_stops_are_warned_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
