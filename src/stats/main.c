/* pcb-stats: summarises samples, group by group. */
#include "stats/report.h"
#include "stats/samples.h"

#include <getopt.h>
#include <stdlib.h>

static struct columns columns = {.by_identity = true};
static struct summary summary = {.quantile_type = 7};
static struct out out;
static bool histogram;
static const char *no_histogram; /* an option that is not for one */

static const char help_text[] =
    "Usage: pcb-stats [options] [FILE...]\n"
    "Summarise the samples of each group of rows: how many, minimum, mean,\n"
    "median, percentiles, maximum and standard deviation.\n"
    "\n"
    "  -c, --column COLUMN  the measure; default latency_ns, else\n"
    "                       bandwidth_gbit_s, else the one with a unit\n"
    "  -g, --group COLUMNS  group by these only (kind is always kept);\n"
    "                       '' is all rows in one group\n"
    "  -p, --percentiles LIST\n"
    "                       such as 90,99.9; default 95,99\n"
    "      --ci[=LEVEL]     limits of median and percentiles, in percent of\n"
    "                       confidence; default 95\n"
    "      --quantile-type TYPE\n"
    "                       1 to 9 of Hyndman and Fan; default 7\n"
    "      --histogram      every value and how often it occurred\n"
    "  -f, --format FORMAT  csv, table or jsonl; default table on a\n"
    "                       terminal, else csv\n"
    "  -P, --no-preamble    write no '#' lines\n"
    "  -h, --help           show this help\n"
    "      --version        show the version\n"
    "\n"
    "A column 'count' is the weight of a row. See pcb-stats(1).\n";

enum { OPT_CI = 256, OPT_HISTOGRAM, OPT_QUANTILE_TYPE, OPT_VERSION };

static const char short_options[] = "c:f:g:p:Ph";

static const struct option long_options[] = {
    {"column", required_argument, NULL, 'c'},
    {"format", required_argument, NULL, 'f'},
    {"group", required_argument, NULL, 'g'},
    {"percentiles", required_argument, NULL, 'p'},
    {"ci", optional_argument, NULL, OPT_CI},
    {"quantile-type", required_argument, NULL, OPT_QUANTILE_TYPE},
    {"histogram", no_argument, NULL, OPT_HISTOGRAM},
    {"no-preamble", no_argument, NULL, 'P'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPT_VERSION},
    {0},
};

static _Noreturn void
show(const char *text)
{
	fputs(text, stdout);
	close_stdout();
	exit(STATUS_OK);
}

static void
set_group(const char *list)
{
	if (!columns_parse_by(&columns, list))
		die_usage("-g '%s': an empty name, or one that is there twice",
		          list);
	columns.by_identity = false;
}

static void
set_percentiles(const char *list)
{
	const char *why = parse_percentiles(list, &summary.percentiles);

	if (why)
		die_usage("-p '%s': %s", list, why);
}

static void
set_quantile_type(const char *text)
{
	uint64_t type;
	const char *why = parse_integer(text, &type);

	if (!why && (type < 1 || type > 9))
		why = "not 1 to 9";
	if (why)
		die_usage("--quantile-type '%s': %s", text, why);
	summary.quantile_type = (unsigned)type;
}

static void
set_level(const char *text)
{
	const char *why = parse_percentage(text, &summary.level);

	if (!why &&
	    (!summary.level.num || summary.level.num == summary.level.den))
		why = "not between 0 and 100";
	if (why)
		die_usage("--ci '%s': %s", text, why);
}

/* Options that have no meaning for a histogram. */
static bool
set_statistics(int option)
{
	switch (option) {
	case 'p':
		set_percentiles(optarg);
		no_histogram = "-p";
		break;
	case OPT_CI:
		set_level(optarg ? optarg : "95");
		no_histogram = "--ci";
		break;
	case OPT_QUANTILE_TYPE:
		set_quantile_type(optarg);
		no_histogram = "--quantile-type";
		break;
	default:
		return false;
	}
	return true;
}

static void
set_option(int option)
{
	switch (option) {
	case 'c':
		columns.measure = optarg;
		break;
	case 'f':
		if (!parse_format(optarg, &out.format))
			die_usage("-f '%s': not csv, table or jsonl", optarg);
		break;
	case 'g':
		set_group(optarg);
		break;
	case 'P':
		out.no_preamble = true;
		break;
	case OPT_HISTOGRAM:
		histogram = true;
		break;
	case 'h':
		show(help_text);
	case OPT_VERSION:
		show("pcb-stats " VERSION "\n");
	default:
		if (!set_statistics(option))
			try_help();
	}
}

static void
parse_options(int argc, char *argv[])
{
	int option;

	out.format = default_format();
	while ((option = getopt_long(argc, argv, short_options, long_options,
	                             NULL)) != -1)
		set_option(option);
	if (histogram && no_histogram)
		die_usage("a histogram has no statistics: %s has no meaning",
		          no_histogram);
	if (!summary.percentiles.part)
		set_percentiles("95,99");
}

int
main(int argc, char *argv[])
{
	struct groups groups = {0};
	struct table *t;

	set_program(argc, argv);
	filter_signals();
	parse_options(argc, argv);
	t = table_open(argv + optind, (size_t)(argc - optind));
	read_samples(t, &columns, &groups);
	preamble_add_command(&t->preamble);
	out.preamble = &t->preamble;
	if (histogram)
		write_histogram(&out, t, &columns, &groups);
	else
		write_summary(&out, t, &columns, &groups, &summary);
	out_finish(&out, t->complete, &t->end);
	groups_free(&groups);
	columns_free(&columns);
	free(summary.percentiles.part);
	table_close(t);
	close_stdout();
	return STATUS_OK;
}
