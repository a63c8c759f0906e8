/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts other programs, and waits for them. */
#include "common/base/process.h"

#include "common/base/util.h"

#include <signal.h>
#include <spawn.h>
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
