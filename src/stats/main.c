/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-stats: summarises samples, group by group. */
#include "stats/stats.h"

#include "common/base/parallel.h"
#include "common/cli/option_table.h"

#include <unistd.h>

static struct columns columns = {.by_identity = true};
static struct summary summary = {.quantile_type = USUAL_QUANTILE};
static struct out out;
static bool histogram, merge;
static bool ci_has_value; /* --ci=LEVEL */
static bool computes;     /* an option says how to summarise */
static unsigned threads;

static const char *
set_group(void *to, const char *list)
{
	columns.by_identity = false;
	return columns_parse_by(to, list);
}

static const char *
set_pool(void *to, const char *list)
{
	const char *why = columns_parse_by(to, list);

	return !why && list_has(list, "kind") ? "kinds are never pooled" : why;
}

static const char *
set_level(void *to, const char *text)
{
	struct fraction *level = to;
	const char *why;

	ci_has_value = text;
	why = parse_percentage(text ? text : "95", level);

	if (!why && (!level->num || level->num == level->den))
		why = "not between 0 and 100";
	return why;
}

static const char *
set_outliers(void *to, const char *text)
{
	double *factor = to;
	const char *why = parse_number(text, factor);

	if (why)
		return "K is missing: how many times p95, such as 10";
	return *factor > 0 ? NULL : "not above 0";
}

enum { STATISTICS, HISTOGRAM };

static const struct option_mode modes[] = {
    {"statistics", NULL}, {"--histogram", NULL}, {0}};

#define OF_STATISTICS .modes = 1 << STATISTICS

static const struct option_def options[] = {
    {"column", 'c', "COLUMN",
     "the value column; default latency_ns, else bandwidth_gbit_s, else the "
     "one with a unit",
     .type = TYPE_TEXT, .to = &columns.given},
    {"group", 'g', "COLUMNS",
     "group by these columns and kind; '' is one group", .set = set_group,
     .to = &columns, .again = OPTION_LIST, .elsewhere = "by"},
    {"pool", 0, "COLUMNS", "group by all key columns except these",
     .set = set_pool, .to = &columns, .again = OPTION_LIST},
    {"percentiles", 'p', "LIST", "such as 90,99.9; default 95,99",
     OF_STATISTICS, .set = parse_percentiles, .to = &summary.percentiles,
     .again = OPTION_LIST, .elsewhere = "quantiles"},
    {"ci", 0, "[=LEVEL]",
     "confidence intervals of median and percentiles, in percent; default 95",
     OF_STATISTICS, .set = set_level, .to = &summary.level},
    {"quantile-type", 0, "TYPE", "1 to 9 of Hyndman and Fan; default 7",
     OF_STATISTICS, .type = TYPE_UNSIGNED, .to = &summary.quantile_type,
     .least = 1, .most = 9, .wrong = "not 1 to 9"},
    {"floor", 0, NULL, "also the 1st percentile and the mode", OF_STATISTICS,
     .type = TYPE_FLAG, .to = &summary.floor},
    {"outliers", 0, "K", "number of samples above K times the 95th percentile",
     OF_STATISTICS, .set = set_outliers, .to = &summary.outliers},
    {"population", 0, NULL, "standard deviation over n, not n - 1",
     OF_STATISTICS, .type = TYPE_FLAG, .to = &summary.population},
    {"merge", 0, NULL, "do not keep several FILEs apart by a column file",
     .type = TYPE_FLAG, .to = &merge},
    {"histogram", 0, NULL, "every value and its number of samples",
     .type = TYPE_FLAG, .to = &histogram},
    {"threads", 0, "N", "threads that read a file; default: one per CPU",
     .type = TYPE_UNSIGNED, .to = &threads, .least = 1, .most = THREADS_MAX,
     .wrong = "not 1 to 64"},
    OPTION_METRICS_FORMAT(&out.format),
    OPTION_BYTES,
    OPTIONS_OF_OUT(out),
    {0},
};

static const struct option_hint hints[] = {
    {"sort", "is not there: '-f csv | sort -t, -k' sorts by a column"},
    {NULL, NULL}};

static const struct option_group sets[] = {{NULL, options}, {NULL, NULL}};

static const struct option_table table = {
    .usage = "Usage: pcb-stats [options] [FILE...]\n"
             "Summarise the samples of each group of rows: count, minimum, "
             "mean,\n"
             "median, percentiles, maximum and standard deviation.\n",
    .group = sets,
    .ending = "A column 'count' is the weight of a row. See pcb-stats(1).\n",
    .mode = modes,
    .hints = hints,
};

/* Returns the index of the first file operand. */
static int
parse_options(int argc, char *argv[])
{
	struct option_parser parser = {.table = &table};
	int operand = options_parse(&parser, argc, argv);

	options_check_mode(&parser, histogram ? HISTOGRAM : STATISTICS);
	for (const struct option_def *o = options; o->type != TYPE_METRICS; o++)
		computes |= !list_has("merge,threads", o->name) &&
		            options_given(&parser, o->name);
	computes |= out.format == FORMAT_OPENMETRICS;
	/* "--ci 99 FILE": getopt accepts a level only as "--ci=99". */
	if (summary.level.den && !ci_has_value && argv[operand] &&
	    access(argv[operand], F_OK) &&
	    !set_level(&summary.level, argv[operand]))
		operand++;
	if (options_given(&parser, "pool") && options_given(&parser, "group"))
		die_usage("-g and --pool exclude each other");
	if (histogram && out.format == FORMAT_OPENMETRICS)
		die_usage("--histogram has several values for a gauge: not for "
		          "-f openmetrics");
	summary.percentiles_given = options_given(&parser, "percentiles");
	if (!summary.percentiles_given)
		parse_percentiles(&summary.percentiles, "95,99");
	return operand;
}

static void
finish(struct table *t)
{
	out_finish(&out, t->complete, &t->end);
	columns_free(&columns);
	free(summary.percentiles.list);
	table_close(t);
	close_stdout();
}

int
main(int argc, char *argv[])
{
	struct groups groups = {0}, others = {0};
	struct order order = {0};
	struct table *t;
	int operand;
	size_t nfiles;
	bool first;

	set_program(argc, argv);
	filter_signals();
	operand = parse_options(argc, argv);
	nfiles = (size_t)(argc - operand);
	need_input(table.usage, nfiles);
	t = table_open(argv + operand, nfiles);
	t->name_files = nfiles > 1 && !merge;
	need_distinct(argv + operand, t->name_files ? nfiles : 0);
	out.preamble = &t->preamble;
	first = table_next(t);
	if (!computes && has_statistics(t)) {
		preamble_add_command(&t->preamble);
		write_again(&out, t, first);
		finish(t);
		return STATUS_OK;
	}
	columns.alone = histogram;
	read_samples(t, first, &columns, &groups, &others,
	             summary.level.den ? &order : NULL,
	             threads ? threads : usable_cpus(), USUAL_RANGE);
	if (!merge && !t->name_files && table_find(t, "kind") < 0 &&
	    preamble_get(&t->preamble, "parts"))
		warn("several tables are pooled, and nothing says their kind: "
		     "keep their '#' lines");
	preamble_add_command(&t->preamble);
	if (histogram)
		write_histogram(&out, t, &columns, &groups);
	else
		write_summary(&out, t, &columns, &groups, &others, &order,
		              &summary);
	groups_free(&groups);
	groups_free(&others);
	order_free(&order);
	finish(t);
	return STATUS_OK;
}
