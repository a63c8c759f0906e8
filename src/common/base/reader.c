/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/reader.h"

#include "common/base/util.h"

#include <sys/stat.h>

/* Lines that may stand before the first function: of a report or a mail. */
#define LINES 2000

/* "03:00.0 Ethernet controller: ...", also behind a domain and marks. */
static bool
is_function(const char *line)
{
	static const char hex[] = "0123456789abcdef";
	size_t n;

	line += strspn(line, "> |\t");
	n = strspn(line, hex);
	if (n >= 4 && line[n] == ':')
		line += n + 1;
	return strspn(line, hex) == 2 && line[2] == ':' &&
	       strspn(line + 3, hex) == 2 && line[5] == '.' &&
	       strchr("01234567", line[6]) && line[6] && line[7] == ' ' &&
	       strstr(line + 7, ": ");
}

char *
reader_of(const char *file)
{
	const char *command = NULL;
	struct stat is;
	FILE *f =
	    stat(file, &is) || !S_ISREG(is.st_mode) ? NULL : fopen(file, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t n = -1;

	for (int i = 0; f && i < LINES && (n = getline(&line, &size, f)) > 0;
	     i++) {
		if (memchr(line, '\0', (size_t)n)) {
			command = NULL;
			break;
		}
		if (!i && !strncmp(line, "# pcb-csv:", 10)) {
			command = "pcb-stats";
			break;
		}
		command = "pcb-import";
		if (is_function(line)) {
			command = "pcb-doctor --dump";
			break;
		}
	}
	free(line);
	if (f)
		fclose(f);
	return command ? xasprintf("%s %s", command, file) : NULL;
}
