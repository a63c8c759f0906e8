/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/host/guardian.h"

#include "common/base/debug.h"
#include "common/base/util.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The other process: it is told of no signal, and in a session of its own not
 * killed with the group; and nobody who reads our output waits for it.
 */
static _Noreturn void
guard(void (*undo)(void *data), void *data, int sock)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	char byte = 0;

	setsid();
	prctl(PR_SET_NAME, "pcb-guardian");
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	/* Whoever is gone by now has changed nothing. */
	if (write(sock, &byte, 1) != 1)
		_exit(STATUS_OK);
	while (read(sock, &byte, 1) < 0 && errno == EINTR)
		;
	debug(DEBUG_RESTORE, "guardian %d: undoing", (int)getpid());
	undo(data);
	_exit(STATUS_OK);
}

/* Whether it has said that it is on guard. */
static bool
is_ready(const struct guardian *g)
{
	ssize_t got;
	char byte;

	do
		got = read(g->sock, &byte, 1);
	while (got < 0 && errno == EINTR);
	return got == 1;
}

/* With all signals held off, which they remain for the guardian. */
static pid_t
start(void (*undo)(void *data), void *data, const int ends[2])
{
	sigset_t all, before;
	pid_t process;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	process = fork();
	if (!process) {
		close(ends[1]);
		guard(undo, data, ends[0]);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return process;
}

bool
guardian_start(struct guardian *g, void (*undo)(void *data), void *data)
{
	int ends[2], error;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	g->process = start(undo, data, ends);
	error = g->process < 0 ? errno : ECHILD;
	close(ends[0]);
	g->sock = ends[1];
	if (is_ready(g)) {
		debug(DEBUG_RESTORE, "guardian %d: on guard", (int)g->process);
		return true;
	}
	close(g->sock);
	if (g->process > 0)
		waitpid(g->process, NULL, 0);
	g->process = 0;
	errno = error;
	return false;
}

bool
guardian_end(struct guardian *g)
{
	int status = -1; /* not known, where SIGCHLD is ignored */

	if (!g->process)
		return true;
	close(g->sock);
	while (waitpid(g->process, &status, 0) < 0 && errno == EINTR)
		;
	g->process = 0;
	return !status;
}
