/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the format of a file: the one in which all of it can be read. */
#include "import/recognise.h"
#include "import/formats.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MESSAGE_MAX 512

/* Makes standard input a file, which each format reads from its start. */
static void
keep_stdin(void)
{
	FILE *copy;
	char bytes[1 << 16];
	ssize_t n;

	if (lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0)
		return;
	copy = tmpfile();
	if (!copy)
		die_sys("a temporary file");
	while ((n = read(STDIN_FILENO, bytes, sizeof bytes)) > 0) {
		if (fwrite(bytes, 1, (size_t)n, copy) != (size_t)n)
			die_sys("a temporary file");
	}
	if (n < 0)
		die_sys("standard input");
	if (fflush(copy) || dup2(fileno(copy), STDIN_FILENO) < 0)
		die_sys("a temporary file");
}

/* Reads the messages of the program, the first bytes of them. */
static void
take_messages(int fd, char *message)
{
	char rest[MESSAGE_MAX];
	size_t length = 0;
	ssize_t n;

	while ((n = read(fd, rest, sizeof rest)) > 0) {
		for (ssize_t i = 0; i < n && length + 1 < MESSAGE_MAX; i++)
			message[length++] = rest[i];
	}
	message[length] = '\0';
	close(fd);
}

/* Whether the format takes the files; stores the messages. */
static bool
is_format(const struct job *job, const char *name, char *message)
{
	const struct labels *labels = &job->labels;
	char **args = xcalloc(4 + 2 * labels->n + job->nfiles, sizeof *args);
	posix_spawn_file_actions_t actions;
	size_t n = 0;
	int ends[2], status = 0;
	pid_t child;

	args[n++] = xstrdup("pcb-import");
	args[n++] = xstrdup(name);
	for (size_t i = 0; i < labels->n; i++) {
		args[n++] = xstrdup("-l");
		args[n++] = xasprintf("%s=%s", labels->label[i].name,
		                      labels->label[i].value);
	}
	args[n++] = xstrdup("--");
	for (size_t i = 0; i < job->nfiles; i++)
		args[n++] = xstrdup(job->file[i]);
	if (pipe2(ends, O_CLOEXEC))
		die_sys("a pipe");
	lseek(STDIN_FILENO, 0, SEEK_SET);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
	                                 O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
	if (posix_spawn(&child, "/proc/self/exe", &actions, NULL, args,
	                environ))
		die("/proc/self/exe: cannot be started: name the format");
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	take_messages(ends[0], message);
	waitpid(child, &status, 0);
	for (size_t i = 0; i < n; i++)
		free(args[i]);
	free(args);
	return WIFEXITED(status) && WEXITSTATUS(status) == STATUS_OK;
}

/* Whether a refusal says more than that the file has another format. */
static bool
is_near(const struct importer *importer, const char *message)
{
	return !importer->read && !strstr(message, ": no result of ") &&
	       !strstr(message, ": the file: no member ");
}

size_t
recognise_format(const struct job *job)
{
	size_t found = ARRAY_LEN(importers), near = 0;
	char message[MESSAGE_MAX], reason[MESSAGE_MAX] = "";
	const char *file =
	    !strcmp(job->file[0], "-") ? "standard input" : job->file[0];

	keep_stdin();
	/* The last one, csv, takes every table. */
	for (size_t i = 0; i + 1 < ARRAY_LEN(importers); i++) {
		if (!is_format(job, importers[i]->name, message)) {
			if (!is_near(importers[i], message) ||
			    !strcmp(reason, message))
				continue;
			near++;
			memcpy(reason, message, sizeof reason);
			continue;
		}
		if (found < ARRAY_LEN(importers))
			die("%s: may be %s or %s: name the format, as in "
			    "'pcb-import %s FILE'",
			    file, importers[found]->name, importers[i]->name,
			    importers[found]->name);
		found = i;
	}
	lseek(STDIN_FILENO, 0, SEEK_SET);
	if (found == ARRAY_LEN(importers) && near == 1)
		fputs(reason, stderr);
	if (found == ARRAY_LEN(importers))
		die("%s: no format is recognised: name it, as in 'pcb-import "
		    "csv FILE' (-h lists the formats)",
		    file);
	warn("%s: read as %s", file, importers[found]->name);
	return found;
}
