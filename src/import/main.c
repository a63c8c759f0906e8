/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-import: brings the results of other programs into the common format. */
#include "import/decimal.h"
#include "import/import.h"

#include "common/base/version.h"
#include "common/cli/common_options.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

extern const struct importer pciebench_importer, nettlp_importer, ndl_importer,
    csv_importer;

static const struct importer *const importers[] = {
    &pciebench_importer, &nettlp_importer, &ndl_importer, &csv_importer, NULL,
};

static struct job job = {.complete = true};
static struct out out;

static const char usage_text[] =
    "Usage: pcb-import FORMAT [options] [FILE...]\n"
    "Turn results of other programs into samples or statistics of ours.\n"
    "\n"
    "Formats:\n";

static const char options_text[] =
    "\n"
    "Options:\n"
    "      --details FILE       of pciebench: the summary of a CDF\n"
    "      --map THEIRS=OURS,...\n"
    "                           of csv: rename columns; an empty OURS leaves\n"
    "                           one out\n"
    "      --scale OURS=FACTOR,...\n"
    "                           of csv: multiply columns\n"
    "  -l, --label NAME=VALUE   a constant column, or another value for one\n";

enum { OPT_DETAILS = 256, OPT_MAP, OPT_SCALE };

static const char short_options[] = "f:l:Ph";

static const struct option long_options[] = {
    {"details", required_argument, NULL, OPT_DETAILS},
    {"format", required_argument, NULL, 'f'},
    {"label", required_argument, NULL, 'l'},
    {"map", required_argument, NULL, OPT_MAP},
    {"scale", required_argument, NULL, OPT_SCALE},
    CLI_COMMON,
};

static void
print_help(void)
{
	fputs(usage_text, stdout);
	for (const struct importer *const *i = importers; *i; i++)
		printf("  %-10s %s\n", (*i)->name, (*i)->help);
	cli_help(options_text, 27, "See pcb-import(1).\n");
}

static void
add_scale(const char *list)
{
	char product[DECIMAL_MAX];
	size_t i = job.scale.n;

	pairs_add(&job.scale, "--scale", list);
	for (; i < job.scale.n; i++) {
		const char *why =
		    multiply_decimals("1", job.scale.pair[i].value, product);

		if (why)
			die_usage("--scale '%s': '%s': %s", list,
			          job.scale.pair[i].value, why);
	}
}

static void
add_map(const char *list)
{
	size_t i = job.map.n;

	pairs_add(&job.map, "--map", list);
	for (; i < job.map.n; i++) {
		const char *ours = job.map.pair[i].value;

		if (*ours && !is_name(ours))
			die_usage("--map '%s': '%s': " NAME_RULE, list, ours);
	}
}

static void
set_option(int option)
{
	if (cli_common(option, print_help, &out.no_preamble, &out.format))
		return;
	switch (option) {
	case 'l':
		labels_add(&job.labels, optarg);
		break;
	case OPT_DETAILS:
		job.details = optarg;
		break;
	case OPT_MAP:
		add_map(optarg);
		break;
	case OPT_SCALE:
		add_scale(optarg);
		break;
	default:
		break;
	}
}

static const struct importer *
find_format(const char *name)
{
	if (!name)
		die_usage("name a format");
	for (const struct importer *const *i = importers; *i; i++) {
		if (!strcmp(name, (*i)->name))
			return *i;
	}
	die_usage("'%s': no such format", name);
}

static void
check_options(const struct importer *importer)
{
	if (job.details && !importer->takes_details)
		die_usage("--details has no meaning for %s", importer->name);
	if (job.details && job.nfiles > 1)
		die_usage("--details is for one FILE at a time");
	if (job.map.n && !importer->takes_map)
		die_usage("--map has no meaning for %s", importer->name);
	if (job.scale.n && !importer->takes_map)
		die_usage("--scale has no meaning for %s", importer->name);
}

/* What is left of argv: the format, then the files. */
static const struct importer *
parse_options(int argc, char *argv[])
{
	static char dash[] = "-";
	static char *const standard_input[] = {dash};
	const struct importer *importer;
	int option;

	out.format = default_format();
	while ((option = getopt_long(argc, argv, short_options, long_options,
	                             NULL)) != -1)
		set_option(option);
	importer = find_format(argv[optind]);
	job.file = standard_input;
	job.nfiles = 1;
	if (argc - optind > 1) {
		job.file = argv + optind + 1;
		job.nfiles = (size_t)(argc - optind - 1);
	}
	check_options(importer);
	return importer;
}

static void
describe(struct preamble *pre)
{
	char *files = xstrdup("");

	for (size_t i = 0; i < job.nfiles; i++) {
		char *more = xasprintf("%s%s%s", files, i ? " " : "",
		                       basename(job.file[i]));

		free(files);
		files = more;
	}
	preamble_set(pre, "tool", "pcb-import %s", program_version);
	preamble_add_command(pre);
	preamble_set(pre, "source", "%s", files);
	free(files);
}

int
main(int argc, char *argv[])
{
	const struct importer *importer;

	set_program(argc, argv);
	filter_signals();
	importer = parse_options(argc, argv);
	importer->read(&job);
	describe(&job.preamble);
	out.preamble = &job.preamble;
	result_write(&job.result, &job.labels, &out);
	out_finish(&out, job.complete, &job.end);
	result_free(&job.result);
	labels_free(&job.labels);
	pairs_free(&job.map);
	pairs_free(&job.scale);
	preamble_free(&job.preamble);
	preamble_free(&job.end);
	close_stdout();
	return STATUS_OK;
}
