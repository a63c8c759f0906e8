/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model: the bandwidth that the PCI Express specification allows. */
#include "model/options.h"

int
main(int argc, char *argv[])
{
	/* `write` writes rows, `run` a whole stream. */
	static const struct {
		void (*write)(struct out *o, const struct options *options);
		int (*run)(struct out *o, const struct options *options);
	} commands[NMODEL_MODES] = {
	    [MODEL_BW_RD] = {.write = write_bandwidths},
	    [MODEL_BW_WR] = {.write = write_bandwidths},
	    [MODEL_BW_RDWR] = {.write = write_bandwidths},
	    [MODEL_LINK] = {.write = write_link},
	    [MODEL_NIC] = {.write = write_nic},
	    [MODEL_INFLIGHT] = {.run = run_inflight},
	    [MODEL_SERIAL] = {.write = write_serial},
	    [MODEL_WHY] = {.run = run_why},
	    [MODEL_REFERENCE] = {.write = write_reference},
	    [MODEL_FLOOR] = {.write = write_floor},
	    [MODEL_LAT] = {.write = write_latencies},
	    [MODEL_TREE] = {.write = write_tree},
	    [MODEL_FLOWS] = {.write = write_flows},
	};
	const struct options *options;
	struct out out = {0};
	int status = STATUS_OK;

	set_program(argc, argv);
	filter_signals();
	options = parse_options(argc, argv);
	out.format = options->format ? options->format : default_format();
	out.no_preamble = options->no_preamble;
	if (options->join)
		status = run_join(&out, options);
	else if (commands[options->mode].run)
		status = commands[options->mode].run(&out, options);
	else
		write_stream(&out, options, commands[options->mode].write);
	close_stdout();
	return status;
}
