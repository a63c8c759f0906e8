/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-collect: measures a device and writes one row for each sample. */
#include "collect/cli/backend_options.h"
#include "collect/cli/choose_backend.h"
#include "collect/cli/list_devices.h"
#include "collect/cli/show_rows.h"
#include "collect/host/restore.h"
#include "collect/pmu/units.h"
#include "collect/run/dry_run.h"
#include "collect/run/preamble.h"
#include "common/base/output.h"

#include <stdlib.h>

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
	check_backend_options(command);
	add_defaults(command);
	if (command->dry_run)
		return collection_dry_run(c);
	status = show_rows(command);
	return status == STATUS_OK ? collection_run(c) : status;
}

int
main(int argc, char *argv[])
{
	struct command *command;
	int status = STATUS_OK;

	set_program(argc, argv);
	command = parse_options(argc, argv, show_backend_help);
	if (command->list && command->output)
		output_to_file(command->output);
	if (command->list)
		status = list_findings(command);
	else if (command->restore)
		status = changes_restore_left();
	else
		status = command->find ? find(command) : measure(command);
	free_options(command);
	if (status != STATUS_OK)
		exit(status);
	close_stdout();
	return status;
}
