/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends a command, with a clock that advances when it is read. */
#include "collect/host/child.h"
#include "rig/cmocka.h"

#include <time.h>
#include <unistd.h>

static struct {
	uint64_t now, step;
} fake;

/* Replaces the C library's, so that the machine's speed does not matter. */
int
clock_gettime(clockid_t clock, struct timespec *time)
{
	fake.now += fake.step;
	time->tv_sec = (time_t)(fake.now / 1000000000);
	time->tv_nsec = (long)(fake.now % 1000000000);
	return 0;
}

/* Each look takes 100 ms of the 2 s that it has to end. */
TEST(a_command_is_asked_to_end)
{
	char *const command[] = {"sleep", "1000", NULL};
	struct child child;

	fake.step = 100000000;
	assert_true(child_start(&child, command));
	child_stop(&child);
	assert_int_equal(child.pid, 0);
	assert_true(child.ended);
	assert_int_equal(child.status, 128 + SIGTERM);
	/* Does nothing then. */
	child_stop(&child);
}

/* It has announced on the pipe that it ignores SIGTERM. */
TEST(one_that_does_not_listen_is_killed)
{
	char *command[] = {"sh", "-c", NULL, NULL};
	char script[100], byte;
	int ends[2];
	struct child child;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	snprintf(script, sizeof script,
	         "trap '' TERM; echo >&%d; exec sleep 1000", ends[1]);
	command[2] = script;
	fake.step = 3000000000;
	assert_true(child_start(&child, command));
	pid = child.pid;
	assert_int_equal(read(ends[0], &byte, 1), 1);
	child_stop(&child);
	assert_int_equal(child.pid, 0);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	close(ends[0]);
	close(ends[1]);
}

/* Also if who started this program has blocked SIGCHLD. */
TEST(the_end_of_a_command_ends_a_wait)
{
	static const volatile sig_atomic_t never;
	char *const command[] = {"sleep", "0.1", NULL};
	struct child child;
	sigset_t chld;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	fake.step = 0;
	assert_true(child_start(&child, command));
	alarm(20);
	child_wait(&child, UINT64_MAX, &never);
	alarm(0);
	assert_true(child.ended);
	sigprocmask(SIG_UNBLOCK, &chld, NULL);
}

TEST(a_command_that_is_not_there_says_why)
{
	char *const command[] = {"/nonexistent/command", NULL};
	struct child child;

	assert_false(child_start(&child, command));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(child.pid, 0);
}
