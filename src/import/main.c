/* pcb-import: brings the results of other programs into the common format. */
#include "import/import.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const struct importer *const importers[] = {
    &pciebench_importer,
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
    "  -l, --label NAME=VALUE   a constant column, or another value for one\n"
    "  -f, --format FORMAT      csv, table or jsonl; default table on a\n"
    "                           terminal, else csv\n"
    "  -P, --no-preamble        write no '#' lines\n"
    "  -h, --help               show this help\n"
    "      --version            show the version\n"
    "\n"
    "See pcb-import(1).\n";

enum { OPT_DETAILS = 256, OPT_VERSION };

static const char short_options[] = "f:l:Ph";

static const struct option long_options[] = {
    {"details", required_argument, NULL, OPT_DETAILS},
    {"format", required_argument, NULL, 'f'},
    {"label", required_argument, NULL, 'l'},
    {"no-preamble", no_argument, NULL, 'P'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPT_VERSION},
    {0},
};

static _Noreturn void
show_help(void)
{
	fputs(usage_text, stdout);
	for (size_t i = 0; i < ARRAY_LEN(importers); i++)
		printf("  %-10s %s\n", importers[i]->name, importers[i]->help);
	fputs(options_text, stdout);
	close_stdout();
	exit(STATUS_OK);
}

static _Noreturn void
show_version(void)
{
	puts("pcb-import " VERSION);
	close_stdout();
	exit(STATUS_OK);
}

static void
set_option(int option)
{
	switch (option) {
	case 'f':
		if (!parse_format(optarg, &out.format))
			die_usage("-f '%s': not csv, table or jsonl", optarg);
		break;
	case 'l':
		labels_add(&job.labels, optarg);
		break;
	case 'P':
		out.no_preamble = true;
		break;
	case OPT_DETAILS:
		job.details = optarg;
		break;
	case 'h':
		show_help();
	case OPT_VERSION:
		show_version();
	default:
		try_help();
	}
}

static const struct importer *
find_format(const char *name)
{
	if (!name)
		die_usage("name a format");
	for (size_t i = 0; i < ARRAY_LEN(importers); i++) {
		if (!strcmp(name, importers[i]->name))
			return importers[i];
	}
	die_usage("%s: no such format", name);
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
	if (job.details && (importer != &pciebench_importer || job.nfiles > 1))
		die_usage("--details: of one file of pciebench only");
	return importer;
}

static void
describe(struct preamble *pre)
{
	char *files = xstrdup("");

	for (size_t i = 0; i < job.nfiles; i++) {
		const char *slash = strrchr(job.file[i], '/');
		const char *name = slash ? slash + 1 : job.file[i];
		char *more = xasprintf("%s%s%s", files, i ? " " : "", name);

		free(files);
		files = more;
	}
	preamble_set(pre, "tool", "pcb-import %s", VERSION);
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
	preamble_free(&job.preamble);
	preamble_free(&job.end);
	close_stdout();
	return STATUS_OK;
}
