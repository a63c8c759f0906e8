/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts, watches and ends the command of a bench. */
#include "collect/host/child.h"

#include "collect/host/clock.h"
#include "common/base/process.h"
#include "common/base/util.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long a command may take to end after SIGTERM. */
#define TERM_TIMEOUT_NS 2000000000

/* Signals that interrupt a wait. */
static const int wait_signals[] = {SIGCHLD, SIGINT,  SIGTERM,
                                   SIGHUP,  SIGXCPU, SIGALRM};

/*
 * Interrupts a wait when SIGCHLD arrives, but not the writing of samples: the
 * kernel restarts write, never ppoll.
 */
static void
on_child(int number)
{
	(void)number;
}

bool
child_start(struct child *child, char *const command[])
{
	struct sigaction action = {.sa_handler = on_child,
	                           .sa_flags = SA_RESTART};

	*child = (struct child){0};
	if (sigaction(SIGCHLD, &action, NULL))
		return false;
	child->pid = process_start(command, -1, STDERR_FILENO);
	return child->pid;
}

/*
 * Unblocks signals in ppoll only, so that none is lost between check and wait.
 */
void
child_wait(struct child *child, uint64_t deadline,
           const volatile sig_atomic_t *interrupted)
{
	sigset_t blocked, before, during;

	sigemptyset(&blocked);
	for (size_t i = 0; i < ARRAY_LEN(wait_signals); i++)
		sigaddset(&blocked, wait_signals[i]);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	during = before;
	sigdelset(&during, SIGCHLD);
	for (;;) {
		uint64_t now = now_ns();
		uint64_t left = deadline > now ? deadline - now : 0;
		struct timespec timeout = {
		    .tv_sec = (time_t)(left / 1000000000),
		    .tv_nsec = (long)(left % 1000000000)};
		int status;

		if (child->pid && waitpid(child->pid, &status, WNOHANG) > 0) {
			child->pid = 0;
			child->ended = true;
			child->status = process_status(status);
		}
		if (*interrupted || child->ended || !left)
			break;
		ppoll(NULL, 0, deadline == UINT64_MAX ? NULL : &timeout,
		      &during);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void
child_stop(struct child *child)
{
	static const volatile sig_atomic_t never;

	if (!child->pid)
		return;
	kill(child->pid, SIGTERM);
	child_wait(child, now_ns() + TERM_TIMEOUT_NS, &never);
	if (!child->pid)
		return;
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	child->pid = 0;
}
