/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs pcb-stats for operands with samples. */
#include "diff/summarise.h"

#include "common/base/util.h"
#include "common/stream/column_role.h"
#include "common/sys/sibling.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Columns of pcb-stats: the count, or a statistic with its unit. */
static bool
is_of_stats(const char *name)
{
	static const char *const prefix[] = {"min_", "mean_", "median_", "max_",
	                                     "stddev_"};

	if (!strcmp(name, "n") ||
	    (*name == 'p' && name[1] >= '0' && name[1] <= '9'))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(prefix); i++) {
		if (!strncmp(name, prefix[i], strlen(prefix[i])))
			return true;
	}
	return false;
}

bool
are_samples(char *const name[], size_t n)
{
	bool measures = false;

	for (size_t i = 0; i < n; i++) {
		if (is_of_stats(name[i]))
			return false;
		measures = measures || *unit_of(name[i]);
	}
	return measures;
}

static bool
names_samples(char *header, const char *statistic)
{
	char **name = NULL;
	size_t n = 0;
	char *item;
	bool samples;

	while ((item = strsep(&header, ",\r\n"))) {
		name = xreallocarray(name, n + 1, sizeof(char *));
		name[n++] = item;
	}
	samples = are_samples(name, n);
	/* A column requested by its full name is compared as it is. */
	for (size_t i = 0; i < n; i++)
		samples = samples && strcmp(name[i], statistic) != 0;
	free(name);
	return samples;
}

static bool
has_samples(const char *path, const char *statistic)
{
	struct stat st;
	bool samples = false;
	char *line = NULL;
	size_t size = 0;
	FILE *f;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !(f = fopen(path, "re")))
		return false;
	while (getline(&line, &size, f) > 0 && *line == '#')
		;
	if (!ferror(f) && !feof(f))
		samples = names_samples(line, statistic);
	free(line);
	fclose(f);
	return samples;
}

static _Noreturn void
exec_stats(const char *program, const char *path, const char *statistic, int to)
{
	char *percentile = xstrdup(*statistic == 'p' ? statistic + 1 : "95,99");

	for (char *c = percentile; (c = strchr(c, '_')); c++)
		*c = '.';
	if (dup2(to, STDOUT_FILENO) >= 0)
		execlp(program, program, "-p", percentile, "-f", "csv", "--",
		       path, (char *)NULL);
	warn_sys("%s", program);
	_exit(STATUS_TROUBLE);
}

/* The output of pcb-stats as a file; pcb-stats has reported errors. */
static char *
summarise(const char *path, const char *statistic)
{
	char *program = sibling_program("pcb-stats");
	int file = memfd_create(path, MFD_CLOEXEC);
	pid_t pid = file < 0 ? -1 : fork();
	int status;

	if (pid < 0)
		die_sys("%s", program);
	if (!pid)
		exec_stats(program, path, statistic, file);
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			die_sys("%s", program);
	}
	free(program);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_TROUBLE);
	return xasprintf("/proc/self/fd/%d", file);
}

/* As given; as files to read; as messages name them. */
static char *const *operands;
static char **files, **names;
static size_t noperands;

char **
summarise_samples(char *const operand[], size_t n, const char *statistic)
{
	files = xcalloc(n + 1, sizeof(char *));
	operands = operand;
	noperands = n;
	names = xcalloc(n + 1, sizeof(char *));
	for (size_t i = 0; i < n; i++) {
		bool samples = has_samples(operand[i], statistic);

		files[i] =
		    samples ? summarise(operand[i], statistic) : operand[i];
		names[i] =
		    samples ? xasprintf("pcb-stats %s", operand[i]) : NULL;
	}
	return files;
}

char *const *
summarised_names(void)
{
	return names;
}

const char *
operand_of(const struct table *t)
{
	for (size_t i = 0; i < noperands; i++) {
		if (names[i] && !strcmp(t->file, names[i]))
			return operands[i];
	}
	return t->operand;
}
