/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-stats: summarises samples, group by group. */
#include "stats/report.h"
#include "stats/row_groups.h"

#include "common/cli/common_options.h"

#include <stdlib.h>
#include <string.h>

static struct columns columns = {.by_identity = true};
static struct summary summary = {.quantile_type = 7};
static struct out out;
static bool histogram;
static int not_for_histogram; /* an option that is not */
static bool pool;

static const char options_text[] =
    "Usage: pcb-stats [options] [FILE...]\n"
    "Summarise the samples of each group of rows: how many, minimum, mean,\n"
    "median, percentiles, maximum and standard deviation.\n"
    "\n"
    "  -c, --column COLUMN  the measure; default latency_ns, else\n"
    "                       bandwidth_gbit_s, else the one with a unit\n"
    "  -g, --group COLUMNS  group by these only (kind is always kept);\n"
    "                       '' is all rows in one group\n"
    "      --pool COLUMNS   group by all of identity but these\n"
    "  -p, --percentiles LIST\n"
    "                       such as 90,99.9; default 95,99\n"
    "      --ci[=LEVEL]     limits of median and percentiles, in percent of\n"
    "                       confidence; default 95\n"
    "      --quantile-type TYPE\n"
    "                       1 to 9 of Hyndman and Fan; default 7\n"
    "      --floor          1st percentile and mode beside the minimum\n"
    "      --outliers K     how many exceed K times the 95th percentile\n"
    "      --population     standard deviation over n, not n - 1\n"
    "      --histogram      every value and how often it occurred\n";

enum {
	OPT_CI = 256,
	OPT_FLOOR,
	OPT_HISTOGRAM,
	OPT_OUTLIERS,
	OPT_POOL,
	OPT_POPULATION,
	OPT_QUANTILE_TYPE,
};

static const char short_options[] = "c:f:g:p:Ph";

static const struct option long_options[] = {
    {"column", required_argument, NULL, 'c'},
    {"format", required_argument, NULL, 'f'},
    {"group", required_argument, NULL, 'g'},
    {"percentiles", required_argument, NULL, 'p'},
    {"ci", optional_argument, NULL, OPT_CI},
    {"floor", no_argument, NULL, OPT_FLOOR},
    {"outliers", required_argument, NULL, OPT_OUTLIERS},
    {"pool", required_argument, NULL, OPT_POOL},
    {"population", no_argument, NULL, OPT_POPULATION},
    {"quantile-type", required_argument, NULL, OPT_QUANTILE_TYPE},
    {"histogram", no_argument, NULL, OPT_HISTOGRAM},
    CLI_COMMON,
};

static void
print_help(void)
{
	cli_help(
	    options_text, 23,
	    "A column 'count' is the weight of a row. See pcb-stats(1).\n");
}

static void
set_by(const char *option, const char *list)
{
	if (!columns_parse_by(&columns, list))
		die_usage("%s '%s': an empty name, or one that is there twice",
		          option, list);
}

static void
set_group(const char *list)
{
	set_by("-g", list);
	columns.by_identity = false;
}

static void
set_pool(const char *list)
{
	set_by("--pool", list);
	for (size_t i = 0; i < columns.nby; i++) {
		if (!strcmp(columns.by[i], "kind"))
			die_usage("--pool 'kind': kinds are never pooled");
	}
	pool = true;
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

static void
set_outliers(const char *text)
{
	const char *why = parse_number(text, &summary.outliers);

	if (!why && !(summary.outliers > 0))
		why = "not above 0";
	if (why)
		die_usage("--outliers '%s': %s", text, why);
}

/* Options that have no meaning for a histogram. */
static bool
set_statistics(int option)
{
	switch (option) {
	case 'p':
		set_percentiles(optarg);
		break;
	case OPT_CI:
		set_level(optarg ? optarg : "95");
		break;
	case OPT_FLOOR:
		summary.floor = true;
		break;
	case OPT_OUTLIERS:
		set_outliers(optarg);
		break;
	case OPT_POPULATION:
		summary.population = true;
		break;
	case OPT_QUANTILE_TYPE:
		set_quantile_type(optarg);
		break;
	default:
		return false;
	}
	not_for_histogram = option;
	return true;
}

/* As a user writes it. */
static const char *
option_name(int option)
{
	static char name[32];

	for (const struct option *o = long_options; o->name; o++) {
		if (o->val == option)
			snprintf(name, sizeof name, "--%s", o->name);
	}
	return name;
}

static void
set_option(int option)
{
	if (cli_common(option, print_help, &out.no_preamble, &out.format))
		return;
	switch (option) {
	case 'c':
		columns.measure = optarg;
		break;
	case 'g':
		set_group(optarg);
		break;
	case OPT_POOL:
		set_pool(optarg);
		break;
	case OPT_HISTOGRAM:
		histogram = true;
		break;
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
	if (histogram && not_for_histogram)
		die_usage("a histogram has no statistics: %s has no meaning",
		          option_name(not_for_histogram));
	if (pool && !columns.by_identity)
		die_usage("either -g or --pool says what to group by");
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
