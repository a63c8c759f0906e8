/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Redirects standard output to a file or through another program. */
#include "common/base/output.h"

#include "common/base/message.h"
#include "common/base/program.h"
#include "common/base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
	char *file;
	char *part; /* FILE.part; NULL: stdout is not redirected to a file */
	bool keep;
	pid_t child;       /* the program that reads stdout, or 0 */
	int before;        /* a copy of the original stdout */
	char *const *then; /* the program to run at the end, or NULL */
} out = {.before = -1};

/* Signals that end a program without running atexit handlers. */
static const int deadly[] = {SIGINT, SIGTERM, SIGHUP};

static void
remove_part(int number)
{
	if (out.part)
		unlink(out.part);
	signal(number, SIG_DFL);
	raise(number);
}

/* A filter survives the first SIGINT. */
static void
ignore_first(int number)
{
	signal(number, remove_part);
}

static void
remove_by_signals(void)
{
	struct sigaction action = {.sa_flags = SA_RESTART}, old;

	for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
		if (sigaction(deadly[i], NULL, &old) ||
		    old.sa_handler == SIG_IGN)
			continue;
		action.sa_handler =
		    old.sa_handler == SIG_DFL ? remove_part : ignore_first;
		sigaction(deadly[i], &action, NULL);
	}
}

/* The status of a child that has ended, as a shell reports it. */
static int
wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return STATUS_TROUBLE;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
	                           : WEXITSTATUS(status);
}

/* In the child: runs the program with these streams, or sends errno. */
static _Noreturn void
run(char *const argv[], int from, int to, int report)
{
	int error;

	for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
		struct sigaction old;

		if (!sigaction(deadly[i], NULL, &old) &&
		    old.sa_handler != SIG_IGN)
			signal(deadly[i], SIG_DFL);
	}
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if ((from < 0 || dup2(from, STDIN_FILENO) >= 0) &&
	    (to < 0 || dup2(to, STDOUT_FILENO) >= 0))
		execvp(*argv, argv);
	error = errno;
	if (write(report, &error, sizeof error) < 0)
		_exit(126);
	_exit(127);
}

/* Leaves streams that are -1 alone. 0, with errno, if it cannot be run. */
static pid_t
start(char *const argv[], int from, int to)
{
	int report[2], error = 0;
	pid_t child;

	if (pipe2(report, O_CLOEXEC))
		return 0;
	child = fork();
	if (!child)
		run(argv, from, to, report[1]);
	error = child < 0 ? errno : 0;
	close(report[1]);
	if (!error && read(report[0], &error, sizeof error) > 0)
		wait_for(child);
	close(report[0]);
	errno = error;
	return error ? 0 : child;
}

static void
put_in_place(void)
{
	char *part = out.part;
	bool failed;
	int error;

	out.part = NULL;
	failed = rename(part, out.file);
	error = errno;
	free(part);
	errno = error;
	if (failed)
		die_sys("%s", out.file);
}

static void
remove_and_forget(void)
{
	char *part = out.part;

	unlink(part);
	out.part = NULL;
	free(part);
}

static void
run_then(void)
{
	char *const *argv = out.then;
	pid_t child;

	out.then = NULL;
	if (!argv || !out.keep)
		return;
	child = start(argv, -1, out.before);
	if (child)
		wait_for(child);
	else
		warn_sys("%s", *argv);
}

/* Runs once all output is written and stdout is closed. */
static void
finish(void)
{
	int status = out.child ? wait_for(out.child) : STATUS_OK;

	out.child = 0;
	if (status != STATUS_OK)
		exit(status);
	if (out.part)
		put_in_place();
	run_then();
}

/* Runs at every other exit: flushes first, then checks for errors. */
static void
abandon(void)
{
	if (!out.part && !out.child)
		return;
	stream_failed();
	fclose(stdout);
	if (out.child)
		wait_for(out.child);
	out.child = 0;
	if (out.part && out.keep)
		put_in_place();
	else if (out.part)
		remove_and_forget();
	run_then();
}

static void
take_over(void)
{
	if (at_close == finish)
		return;
	at_close = finish;
	if (atexit(abandon))
		die("out of memory");
}

/* The file behind a symbolic link, so that the link survives. */
static char *
real_name(const char *file)
{
	char *name = realpath(file, NULL);

	return name ? name : xstrdup(file);
}

static int
open_part(void)
{
	int fd;

	out.part = xasprintf("%s.part", out.file);
	fd = open(out.part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0 && errno == EEXIST)
		die("%s exists: another program writes it, or one was killed: "
		    "rename or remove it",
		    out.part);
	if (fd < 0)
		die_sys("%s", out.part);
	return fd;
}

static void
become_stdout(int fd, const char *file)
{
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		die_sys("%s", file);
}

void
output_to_file(const char *file)
{
	struct stat is;
	bool special = !stat(file, &is) && !S_ISREG(is.st_mode);
	int fd;

	if (!strcmp(file, "-"))
		return;
	out.before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (special) {
		fd = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC);
	} else {
		out.file = real_name(file);
		fd = open_part();
		take_over();
		remove_by_signals();
	}
	become_stdout(fd, file);
	close(fd);
}

void
output_keep(void)
{
	out.keep = true;
}

bool
output_through(char *const argv[])
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC))
		return false;
	out.child = start(argv, fd[0], -1);
	close(fd[0]);
	if (!out.child || dup2(fd[1], STDOUT_FILENO) < 0) {
		close(fd[1]);
		return false;
	}
	close(fd[1]);
	/* If the child ends early, it reports the error, not SIGPIPE. */
	signal(SIGPIPE, SIG_IGN);
	take_over();
	return true;
}

void
output_then(char *const argv[])
{
	out.then = argv;
}
