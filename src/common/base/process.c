/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other programs: starts them, and runs them to their end. */
#include "common/base/process.h"

#include "common/base/output.h"
#include "common/base/util.h"

#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t
process_start(char *const argv[], int from, int to)
{
	posix_spawn_file_actions_t streams;
	posix_spawnattr_t attributes;
	sigset_t ignored;
	pid_t child;
	int error = 0;

	sigemptyset(&ignored);
	sigaddset(&ignored, SIGPIPE);
	sigaddset(&ignored, SIGXFSZ);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &ignored);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&streams);
	if (from >= 0)
		error = posix_spawn_file_actions_adddup2(&streams, from,
		                                         STDIN_FILENO);
	if (to >= 0 && !error)
		error = posix_spawn_file_actions_adddup2(&streams, to,
		                                         STDOUT_FILENO);
	if (!error)
		error = posix_spawnp(&child, *argv, &streams, &attributes, argv,
		                     environ);
	posix_spawn_file_actions_destroy(&streams);
	posix_spawnattr_destroy(&attributes);
	errno = error;
	return error ? 0 : child;
}

int
process_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
	                           : WEXITSTATUS(status);
}

int
process_wait(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return STATUS_TROUBLE;
	}
	return process_status(status);
}

/* Runs a program to its end; its wait status. `err` is -1 for this stderr. */
static int
run(const char *path, char *const argv[], int out_fd, int err, bool survive)
{
	pid_t parent = getpid(), pid = out_fd < 0 ? -1 : fork();
	int status;

	if (!pid) {
		/* Nobody else reads what it writes. */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() == parent && dup2(out_fd, STDOUT_FILENO) >= 0 &&
		    (err < 0 || dup2(err, STDERR_FILENO) >= 0))
			execvp(path, argv);
		warn_sys("%s", path);
		_exit(STATUS_TROUBLE);
	}
	if (survive)
		output_survive_interrupt();
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid < 0)
		die_sys("%s", path);
	if (WIFSIGNALED(status) && !(survive && WTERMSIG(status) == SIGINT))
		die("%s died: %s", path, strsignal(WTERMSIG(status)));
	return status;
}

char *
program_output(const char *path, char *const argv[], bool survive)
{
	int file = memfd_create(*argv, MFD_CLOEXEC);
	int status = run(path, argv, file, -1, survive);

	if (WIFEXITED(status) && WEXITSTATUS(status))
		exit(WEXITSTATUS(status));
	return xasprintf("/proc/self/fd/%d", file);
}

char *
program_try(char *const argv[], char **messages)
{
	int file = memfd_create(*argv, MFD_CLOEXEC);
	int err = memfd_create(*argv, MFD_CLOEXEC);
	int status = run(*argv, argv, file, err, false);
	FILE *said = err < 0 ? NULL : fdopen(err, "r");
	size_t size = 0;

	*messages = NULL;
	if (!said || fseek(said, 0, SEEK_SET) ||
	    (getdelim(messages, &size, '\0', said) < 0 && !feof(said)))
		die_sys("%s", *argv);
	fclose(said);
	if (!WEXITSTATUS(status))
		return xasprintf("/proc/self/fd/%d", file);
	close(file);
	return NULL;
}
