/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-host: a simulated host answers the DMA of other simulators. */
#include "common/base/number.h"
#include "common/base/util.h"
#include "common/cli/need_input.h"
#include "common/sim/choice.h"
#include "common/stream/lines.h"
#include "host/request_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sim_choice choice;
static struct pcb_host_setup setup = {.seed = 1};

static const char *
set_seed(void *to, const char *text)
{
	return parse_integer(text, to);
}

static const char *
set_place(void *to, const char *text)
{
	bool *at_root = to;

	*at_root = !strcmp(text, "root");
	return *at_root || !strcmp(text, "device") ? NULL
	                                           : "not device or root";
}

static const struct option_def options[] = {
    SIM_OPTION_PROFILE(&choice, 0),
    SIM_OPTION_SETTING(&choice, 0),
    {"at", 0, "PLACE",
     "where times are measured: device, its end of the link, or root (device)",
     .words = "device root", .set = set_place, .to = &setup.at_root},
    {"seed", 0, "N", "seed of the random numbers (1)", .set = set_seed,
     .to = &setup.seed},
    {0},
};

static const struct option_group groups[] = {{NULL, options}, {NULL, NULL}};

static const struct option_table table = {
    .usage = "Usage: pcb-host [options] [FILE...]\nSimulate a host: read "
             "transactions, TIME ADDRESS SIZE read|write in each line,\nand "
             "answer with the times of the first and the last completion.\n",
    .group = groups,
    .ending = "See pcb-host(1).\n",
};

/* Answers each line at once, because the other side may wait for it. */
static void
answer(struct pcb_host *host, const struct lines *in, char *line, size_t length)
{
	struct request_line request;
	const char *why;

	lines_check(in, line, length);
	line[length - (line[length - 1] == '\n')] = '\0';
	why = request_line_parse(&request, line);
	if (!why)
		why = request_line_serve(host, &request);
	if (why)
		lines_die(in, NULL, "%s", why);
	if (request.request == REQUEST_TRANSACTION ||
	    request.request == REQUEST_RANDOM) {
		fflush(stdout);
		check_stdout();
	}
}

static void
answer_all(struct pcb_host *host, char *const files[], size_t nfiles)
{
	static char *const standard_input[] = {"-"};
	struct lines in = {.files = nfiles ? files : standard_input,
	                   .nfiles = nfiles ? nfiles : 1,
	                   .fd = -1};
	size_t length;
	char *line;

	while (lines_open_next(&in)) {
		while ((in.line = in.next, line = lines_next(&in, &length)))
			answer(host, &in, line, length);
	}
	lines_close(&in);
	free(in.buffer);
}

int
main(int argc, char *argv[])
{
	struct option_parser parser = {.table = &table};
	struct pcb_host *host;
	int operand;

	set_program(argc, argv);
	filter_signals();
	operand = options_parse(&parser, argc, argv);
	need_input("Usage: pcb-host [options] [FILE...]",
	           (size_t)(argc - operand));
	setup.profile = choice.profile;
	setup.options = choice.setting;
	host = pcb_host_open(&setup);
	answer_all(host, argv + operand, (size_t)(argc - operand));
	pcb_host_close(host);
	sim_choice_free(&choice);
	close_stdout();
	return STATUS_OK;
}
