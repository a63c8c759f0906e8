/* pcb-collect: measures a device and writes one row for each sample. */
#include "collect/choose.h"
#include "collect/options.h"

#include <string.h>

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
	status = choose_backend(&command.collection, command.device);
	if (status == STATUS_OK) {
		check_settings(&command.collection);
		add_defaults(&command.collection);
		status = collect(&command.collection);
	}
	free_options(&command);
	close_stdout();
	return status;
}
