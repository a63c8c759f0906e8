/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forks the process that undoes changes, and tells it what has changed. */
#include "collect/host/guardian.h"

#include "common/base/debug.h"
#include "common/base/util.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* How often it tries, a second apart. */
#define TRIES 3

bool guardian_failed;

/*
 * Each try runs in its own process: if it dies for lack of memory or
 * descriptors, the next one can still finish the work.
 */
static int
try_undo(void (*undo)(void *data), void *data)
{
	pid_t process = fork();
	int status;

	if (!process) {
		undo(data);
		_exit(guardian_failed ? STATUS_NO : STATUS_OK);
	}
	if (process < 0)
		return STATUS_TROUBLE;
	while (waitpid(process, &status, 0) < 0) {
		if (errno != EINTR)
			return STATUS_TROUBLE;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_TROUBLE;
}

/* Closes everything else, which would stay open and use memory. */
static void
keep_only(int one, int other)
{
	int first = one < other ? one : other, last = one < other ? other : one;

	/* The kernel refuses empty ranges. */
	syscall(SYS_close_range, STDERR_FILENO + 1, first - 1, 0);
	syscall(SYS_close_range, first + 1, last - 1, 0);
	syscall(SYS_close_range, last + 1, INT_MAX, 0);
}

/*
 * Opens stderr anew, since others share the one we have; not a file, whose end
 * they share, too. What cannot be opened, such as a socket, gets only messages,
 * which come when all is restored.
 */
static void
never_wait(void)
{
	struct stat file;
	int fd;

	if (fstat(STDERR_FILENO, &file) || S_ISREG(file.st_mode))
		return;
	fd = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0)
		dup2(fd, STDERR_FILENO);
	else
		debug_mask = 0;
}

/*
 * The guardian ignores signals, is in its own session so that no signal to the
 * group kills it, and closes our output so that no reader waits for it.
 */
static _Noreturn void
guard(void (*undo)(void *data), void *data, int sock, int keep)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	char byte = 0;

	never_wait();
	setsid();
	prctl(PR_SET_NAME, "pcb-guardian");
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	signal(SIGCHLD, SIG_DFL);
	/* Only root may; others keep their risk of being killed. */
	if (score >= 0 && write(score, "-1000", 5) < 0)
		debug(DEBUG_RESTORE, "oom_score_adj: %s", strerror(errno));
	keep_only(sock, keep > STDERR_FILENO ? keep : sock);
	/* If the parent is gone already, it has changed nothing. */
	if (write(sock, &byte, 1) != 1)
		_exit(STATUS_OK);
	while (read(sock, &byte, 1) < 0 && errno == EINTR)
		;
	debug(DEBUG_RESTORE, "guardian %d: undoing", (int)getpid());
	for (int i = 0; i < TRIES; i++) {
		int status = try_undo(undo, data);

		if (status == STATUS_OK || status == STATUS_NO)
			_exit(status);
		sleep(1);
	}
	_exit(STATUS_TROUBLE);
}

bool
guardian_start(struct guardian *g, void (*undo)(void *data), void *data)
{
	sigset_t all, before;
	int ends[2], error;
	ssize_t got;
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	/* All signals stay blocked in the guardian. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	g->process = fork();
	if (!g->process) {
		close(ends[1]);
		guard(undo, data, ends[0], g->keep);
	}
	error = g->process < 0 ? errno : ECHILD;
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[0]);
	g->sock = ends[1];
	g->undo = undo;
	g->data = data;
	/* It reports that it is ready. */
	do
		got = read(g->sock, &byte, 1);
	while (got < 0 && errno == EINTR);
	if (got == 1) {
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

void
guardian_end(struct guardian *g)
{
	int status = -1; /* unknown if SIGCHLD is ignored */
	pid_t ended;

	if (!g->process)
		return;
	close(g->sock);
	/* Continues the guardian if somebody has stopped it or does now. */
	do {
		kill(g->process, SIGCONT);
		ended = waitpid(g->process, &status, WUNTRACED);
	} while ((ended < 0 && errno == EINTR) ||
	         (ended > 0 && WIFSTOPPED(status)));
	g->process = 0;
	if (status >= 0 && WIFEXITED(status) &&
	    WEXITSTATUS(status) == STATUS_NO)
		guardian_failed = true;
	else if (status)
		g->undo(g->data);
}
