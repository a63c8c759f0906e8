/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends samples to a pipe, a file, or a program that makes a table. */
#include "collect/cli/show_rows.h"

#include "common/base/output.h"
#include "common/sys/sibling.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The program that makes a table of the rows, with `file` unless NULL. */
static char **
table_maker(const struct command *command, const char *file)
{
	static char *argv[] = {NULL, "-f", "table", NULL, NULL, NULL};
	size_t n = 3;
	bool counts = command->collection.request.bench->id == DDIO;

	argv[0] = sibling_program(counts ? "pcb-ddio" : "pcb-stats");
	if (command->format == FORMAT_MD)
		argv[2] = (char *)"md";
	if (command->bytes)
		argv[n++] = (char *)"--bytes";
	argv[n] = (char *)file;
	return argv;
}

static bool
wants_table(const struct command *command)
{
	if (command->format == FORMAT_DEFAULT)
		return isatty(STDOUT_FILENO);
	return command->format == FORMAT_TABLE || command->format == FORMAT_MD;
}

int
show_rows(const struct command *command)
{
	const char *file = command->output;
	bool table = wants_table(command);
	char **maker = table ? table_maker(command, file) : NULL;

	if (file && strcmp(file, "-") != 0) {
		output_to_file(file);
		output_then(maker);
		return STATUS_OK;
	}
	if (!table || output_through(maker))
		return STATUS_OK;
	warn("%s, which makes the table, cannot be run (%s): -f csv writes "
	     "the rows",
	     *maker, strerror(errno));
	return STATUS_ABSENT;
}
