/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model: the bandwidth that the PCI Express specification allows. */
#include "model/commands.h"

int
main(int argc, char *argv[])
{
	const struct options *options;
	struct out out = {0};
	int status;

	set_program(argc, argv);
	filter_signals();
	options = parse_options(argc, argv);
	out.format = options->format;
	out.no_preamble = options->no_preamble;
	out.bytes = options->bytes;
	status = run_command(&out, options);
	options_free();
	close_stdout();
	return status;
}
