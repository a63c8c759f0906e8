/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-collect: measures a device and writes one row for each sample. */
#include "collect/cli/command.h"
#include "collect/host/restore.h"
#include "collect/pmu/pmu.h"
#include "common/sys/datadir.h"

#include <unistd.h>

/*
 * Sends the rows where -o and -f say; by default, a terminal gets a table.
 * Returns STATUS_OK, or the exit status after a message.
 */
static int
show_rows(struct command *command)
{
	static char *maker[] = {NULL, "-f", "table", NULL, NULL, NULL};
	const char *file = command->output, *terminal = getenv("TERM");
	bool counts = command->collection.request.bench->id == DDIO;
	size_t n = 3;
	bool table =
	    command->format == FORMAT_TABLE || command->format == FORMAT_MD ||
	    (command->format == FORMAT_DEFAULT && isatty(STDOUT_FILENO));

	/* Its backend draws a table where it can move the cursor. */
	if (table && command->collection.request.bench->id == LINK) {
		bool live = !file && isatty(STDOUT_FILENO) &&
		            command->format != FORMAT_MD &&
		            !(terminal && !strcmp(terminal, "dumb"));

		if (!live && command->format != FORMAT_DEFAULT)
			die_usage("-f: link writes csv, json or jsonl, and a "
			          "table on a terminal");
		command->collection.request.live = live;
		table = false;
	}
	maker[0] = sibling_program(counts ? "pcb-ddio" : "pcb-stats");
	if (command->format == FORMAT_MD)
		maker[2] = (char *)"md";
	if (shows_bytes)
		maker[n++] = (char *)"--bytes";
	maker[n] = (char *)file;
	if (file && strcmp(file, "-") != 0) {
		if (command->format == FORMAT_MD)
			die_usage("-o %s: the file gets the samples, as CSV; "
			          "'pcb-stats -f md -o %s' writes the table",
			          file, file);
		output_to_file(file);
		output_then(table ? maker : NULL);
		return STATUS_OK;
	}
	if (!table || output_through(maker, NULL))
		return STATUS_OK;
	warn("%s, which makes the table, cannot be run (%s): -f csv writes "
	     "the rows",
	     *maker, strerror(errno));
	return STATUS_ABSENT;
}

static int
find(struct command *command)
{
	struct preamble pre = {0};
	struct out out = {.format = command->format,
	                  .no_preamble = command->collection.no_preamble,
	                  .preamble = &pre};
	bool found;

	if (command->output)
		output_to_file(command->output);
	run_describe(&pre);
	found = pmu_find(&out, command->collection.request.device);
	preamble_free(&pre);
	return found ? STATUS_OK : STATUS_ABSENT;
}

static int
measure(struct command *command)
{
	struct collection *c = &command->collection;
	int status = choose_backend(c, command->device);

	if (status != STATUS_OK)
		return status;
	settle_options();
	if (command->dry_run) {
		collection_tell(c);
		return STATUS_OK;
	}
	status = show_rows(command);
	return status == STATUS_OK ? collection_run(c) : status;
}

int
main(int argc, char *argv[])
{
	struct command *command;
	int status = STATUS_OK;

	set_program(argc, argv);
	command = parse_options(argc, argv);
	if (command->list) {
		if (command->output)
			output_to_file(command->output);
		check_list_options();
		status = list_findings(command);
	} else if (command->restore) {
		status = changes_restore_left();
	} else {
		status = command->find ? find(command) : measure(command);
	}
	free_options(command);
	if (status != STATUS_OK)
		exit(status);
	close_stdout();
	return status;
}
