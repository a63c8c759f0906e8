/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-collect: measures a device and writes one row for each sample. */
#include "collect/cli/backend_options.h"
#include "collect/cli/choose_backend.h"
#include "collect/cli/list_devices.h"
#include "collect/cli/options.h"
#include "collect/pmu/find_device.h"

/* Only the counters of the uncore know units and parts. */
static int
find(struct command *command)
{
	struct collection *c = &command->collection;
	int status = choose_backend(c, "pmu");

	if (status != STATUS_OK)
		return status;
	check_settings(c);
	return pmu_find(c, command->format);
}

static int
measure(struct command *command)
{
	struct collection *c = &command->collection;
	int status = choose_backend(c, command->device);

	if (status != STATUS_OK)
		return status;
	check_settings(c);
	add_defaults(c);
	return collect(c);
}

int
main(int argc, char *argv[])
{
	struct command command = {0};
	int status;

	set_program(argc, argv);
	parse_options(&command, argc, argv);
	if (command.list) {
		list_findings(&command);
		free_options(&command);
		close_stdout();
		return STATUS_OK;
	}
	status = command.collection.request.find ? find(&command)
	                                         : measure(&command);
	free_options(&command);
	close_stdout();
	return status;
}
