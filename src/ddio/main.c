/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-ddio: from counts of uncore events to metrics of I/O and the cache. */
#include "ddio/report.h"

#include "common/base/number.h"
#include "common/base/version.h"
#include "common/cli/common_options.h"

#include <math.h>

static struct out out;
static struct input input;
static double duration_ns = NAN;
static const char *separator; /* of perf's output; NULL: rows of ours */

static const char options_text[] =
    "Usage: pcb-ddio [options] [FILE...]\n"
    "Compute from counts of uncore events how I/O uses cache and memory: hits\n"
    "and misses, requests, bandwidths, queues and latencies.\n"
    "\n"
    "  -d, --duration TIME  how long was counted, where the input does not "
    "say\n"
    "  -x, --perf SEP       read the output of perf stat -x SEP\n";

static const char short_options[] = "d:x:f:Ph";

static const struct option long_options[] = {
    {"duration", required_argument, NULL, 'd'},
    {"format", required_argument, NULL, 'f'},
    {"perf", required_argument, NULL, 'x'},
    CLI_COMMON,
};

static void
print_help(void)
{
	cli_help(options_text, 23,
	         "See pcb-ddio(1), and pcb-collect(1) for the counts.\n");
}

static void
set_duration(const char *text)
{
	uint64_t picoseconds = 0;
	const char *why = parse_time(text, &picoseconds);

	if (!why && !picoseconds)
		why = "more than nothing";
	if (why)
		die_usage("-d '%s': %s", text, why);
	duration_ns = (double)picoseconds / 1000;
}

static void
set_option(int option)
{
	if (cli_common(option, print_help, &out.no_preamble, &out.format))
		return;
	if (option == 'd')
		set_duration(optarg);
	else
		separator = optarg;
	if (separator && !*separator)
		die_usage("-x: SEP is empty");
}

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
	int option;

	set_program(argc, argv);
	filter_signals();
	out.format = default_format();
	while ((option = getopt_long(argc, argv, short_options, long_options,
	                             NULL)) != -1)
		set_option(option);
	if (separator)
		of_perf(argv + optind, (size_t)(argc - optind));
	else
		of_rows(argv + optind, (size_t)(argc - optind));
	input_free(&input);
	close_stdout();
	return STATUS_OK;
}
