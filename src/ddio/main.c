/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-ddio: computes metrics of I/O and the cache from uncore counts. */
#include "ddio/report.h"

#include "common/base/number.h"
#include "common/base/version.h"
#include "common/cli/need_input.h"
#include "common/cli/option_table.h"

#include <math.h>

static struct out out;
static struct input input;
static double duration_ns = NAN;
static const char *separator; /* of perf's output; NULL: rows of pcb-collect */

static const char *
set_duration(void *to, const char *text)
{
	uint64_t picoseconds = 0;
	const char *why = parse_time(text, &picoseconds);

	if (!why && !picoseconds)
		why = "must be greater than 0";
	*(double *)to = (double)picoseconds / 1000;
	return why;
}

static const char *
set_separator(void *to, const char *text)
{
	*(const char **)to = text;
	return *text ? NULL : "empty";
}

static const struct option_def options[] = {
    {"duration", 't', "TIME", "duration of the count, if the input lacks it",
     .set = set_duration, .to = &duration_ns},
    {"perf", 'x', "SEP", "read the output of perf stat -x SEP",
     .set = set_separator, .to = &separator},
    OPTION_FORMAT(&out.format),
    OPTION_BYTES(&out.bytes),
    OPTION_OUTPUT,
    OPTION_NO_PREAMBLE(&out.no_preamble),
    {0},
};

static const struct option_group groups[] = {{NULL, options}, {NULL, NULL}};

static const struct option_renamed renamed[] = {{"-d", "-t, --duration"},
                                                {NULL, NULL}};

static const struct option_table table = {
    .usage = "Usage: pcb-ddio [options] [FILE...]\n"
             "Compute from counts of uncore events how I/O uses cache and "
             "memory: hits\n"
             "and misses, requests, bandwidths, queues and latencies.\n",
    .group = groups,
    .renamed = renamed,
    .ending = "See pcb-ddio(1), and pcb-collect-pmu(7) for the counts.\n",
};

static void
of_perf(char *const files[], size_t nfiles)
{
	struct preamble pre = {0};

	read_perf(&input, files, nfiles, separator);
	preamble_set(&pre, "tool", "pcb-ddio %s", program_version);
	preamble_add_command(&pre);
	out.preamble = &pre;
	report(&input, (char *const *)perf_columns, nperf_columns, duration_ns,
	       &out);
	out_finish(&out, true, NULL);
	preamble_free(&pre);
}

static void
of_rows(char *const files[], size_t nfiles)
{
	struct table *t = table_open(files, nfiles);

	read_rows(&input, t);
	preamble_add_command(&t->preamble);
	out.preamble = &t->preamble;
	report(&input, t->name, t->ncols, duration_ns, &out);
	out_finish(&out, t->complete, &t->end);
	table_close(t);
}

int
main(int argc, char *argv[])
{
	struct option_parser parser = {.table = &table};
	int operand;

	set_program(argc, argv);
	filter_signals();
	operand = options_parse(&parser, argc, argv);
	need_input(table.usage, (size_t)(argc - operand));
	if (separator)
		of_perf(argv + operand, (size_t)(argc - operand));
	else
		of_rows(argv + operand, (size_t)(argc - operand));
	input_free(&input);
	close_stdout();
	return STATUS_OK;
}
