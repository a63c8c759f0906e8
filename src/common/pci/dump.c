/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks dumps of config space before libpci reads them. */
#include "common/pci/dump.h"

#include "common/base/util.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Bytes of extended config space; longest line that libpci reads. */
#define CONFIG_SIZE 4096
#define LINE_SIZE   256

/* Whether the line has bytes ("40: 10 00") beyond config space. */
static bool
is_outside(const char *line)
{
	size_t n = strspn(line, "0123456789abcdefABCDEF");

	return n && line[n] == ':' && line[n + 1] == ' ' &&
	       strtoull(line, NULL, 16) >= CONFIG_SIZE;
}

/* Returns NULL, or why line *number is refused. */
static const char *
copy(FILE *from, FILE *to, size_t *number)
{
	char line[LINE_SIZE];

	for (*number = 1; fgets(line, sizeof line, from); ++*number) {
		if (!strchr(line, '\n'))
			return "line too long or cut off";
		if (is_outside(line))
			return "an offset beyond config space, which ends at "
			       "fff";
		fputs(line, to);
	}
	return NULL;
}

static FILE *
open_input(const char *file)
{
	FILE *f = strcmp(file, "-") != 0 ? fopen(file, "re") : stdin;

	if (!f)
		die_sys("%s", file);
	return f;
}

FILE *
dump_open(const char *file)
{
	FILE *from = open_input(file);
	int fd = memfd_create("dump", MFD_CLOEXEC);
	FILE *to = fd < 0 ? NULL : fdopen(fd, "w+");
	size_t number;
	const char *why = to ? copy(from, to, &number) : NULL;
	bool lost = !to || ferror(from) || fflush(to);

	if (from != stdin)
		fclose(from);
	if (lost)
		die_sys("%s", file);
	if (!why)
		return to;
	fclose(to);
	die("%s:%zu: %s", file, number, why);
}
