/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the format of a file: the one in which all of it can be read. */
#include "import/formats.h"
#include "import/text.h"

#include "common/base/reader.h"

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

/* Ends a trial; the output file is its parent's. */
static void
end_trial(void)
{
	_exit(STATUS_TROUBLE);
}

/* Whether a format takes the files; stores the first bytes of its messages. */
static bool
is_format(const struct job *job, const struct importer *importer,
          char message[MESSAGE_MAX])
{
	FILE *messages = tmpfile();
	int status = 0;
	pid_t child;
	size_t n;

	lseek(STDIN_FILENO, 0, SEEK_SET);
	child = messages ? fork() : -1;
	if (child < 0)
		die_sys("a process or temporary file: name the format");
	if (!child) {
		struct job tried = *job;

		dup2(fileno(messages), STDERR_FILENO);
		(void)atexit(end_trial);
		tried.verbose = false;
		import_read(&tried, importer);
		_exit(STATUS_OK);
	}
	waitpid(child, &status, 0);
	rewind(messages);
	n = fread(message, 1, MESSAGE_MAX - 1, messages);
	message[n] = '\0';
	fclose(messages);
	return WIFEXITED(status) && WEXITSTATUS(status) == STATUS_OK;
}

size_t
recognise_format(const struct job *job)
{
	size_t found = ARRAY_LEN(importers), near = 0;
	char message[MESSAGE_MAX], reason[MESSAGE_MAX] = "";
	const char *file =
	    !strcmp(job->file[0], "-") ? "standard input" : job->file[0];
	char *other;

	keep_stdin();
	/* The last one, csv, takes every table. */
	for (size_t i = 0; i + 1 < ARRAY_LEN(importers); i++) {
		if (!is_format(job, importers[i], message)) {
			/* Others say more than that it is another format. */
			if (importers[i]->read ||
			    strstr(message, ": no result of ") ||
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
	other = found == ARRAY_LEN(importers) ? reader_of(file) : NULL;
	if (other && strncmp(other, "pcb-import", 10) != 0)
		die("%s: not the output of a measurement: '%s' reads it", file,
		    other);
	free(other);
	if (found == ARRAY_LEN(importers) && near == 1)
		fputs(reason, stderr);
	if (found == ARRAY_LEN(importers))
		die("%s: no format is recognised: name it, as in 'pcb-import "
		    "csv FILE' (-h lists the formats)",
		    file);
	warn("%s: read as %s", file, importers[found]->name);
	return found;
}
