/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model: what the specification lets a PCI Express link deliver. */
#include "model/commands.h"
#include "model/options.h"

int
main(int argc, char *argv[])
{
	struct options options = {0};
	struct out out = {0};
	int status;

	set_program(argc, argv);
	filter_signals();
	parse_options(&options, argc, argv);
	out.format = options.format;
	out.no_preamble = options.no_preamble;
	status = run_command(&out, &options);
	free_options(&options);
	close_stdout();
	return status;
}
