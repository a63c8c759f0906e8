/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-diff: latencies of links, and differences of conditions. */
#include "diff/diff.h"

#include "common/base/number.h"
#include "common/cli/option_table.h"
#include "common/cli/plugin.h"

static struct diff_columns columns;
static struct condition_request conditions = {.percent = -1};
static struct links links;
static struct out out;
static const char *links_file;
static bool fit;

/* Adds the key columns of a list; the names point into argv. */
static const char *
add_columns(char ***list, size_t *n, char *text)
{
	char *name;

	while ((name = strsep(&text, ","))) {
		if (!*name)
			return "COLUMN is empty";
		if (!strcmp(name, "kind"))
			return "rows of different kinds are not compared";
		if (!is_identity(name))
			return "a value column, not a condition";
		array_push(*list, *n, name);
	}
	return NULL;
}

/* Splits the argument at its first "=". */
static const char *
set_by(void *to, const char *text)
{
	char *base = strchr(text, '=');

	(void)to;
	if (base && !base[1])
		return "BASE is empty";
	if (!*text || base == text)
		return "COLUMN is empty";
	if (base) {
		if (conditions.base)
			return "a second BASE";
		*base++ = '\0';
		conditions.base = base;
	}
	return add_columns(&columns.by, &columns.nby, (char *)text);
}

static const char *
set_ignore(void *to, const char *text)
{
	(void)to;
	return add_columns(&columns.ignore, &columns.nignore, (char *)text);
}

/* "3" or "3%". */
static const char *
set_check(void *to, const char *text)
{
	double *percent = to;
	char *number = xstrdup(text), *last = strrchr(number, '%');
	const char *why;

	if (last && !last[1])
		*last = '\0';
	why = parse_number(number, percent);
	free(number);
	return !why && *percent < 0 ? "below 0" : why;
}

static const char *
set_unclear(void *to, const char *text)
{
	bool *passes = to;

	*passes = !strcmp(text, "pass");
	return *passes ? NULL : "the only word is pass";
}

enum { LINKS, CONDITIONS };

static const struct option_mode modes[] = {
    {"links", NULL}, {"--by", NULL}, {NULL, NULL}};

/* "p99.9" is the column p99_9. */
static const char *
set_statistic(void *to, const char *text)
{
	static struct foreign_column column;
	struct diff_columns *c = to;
	char *name = (char *)text;

	for (char *dot = name; *name == 'p' && (dot = strchr(dot, '.'));)
		*dot = '_';
	c->given = name;
	c->statistic = foreign_column_set(&column, name);
	return NULL;
}

static const struct option_def options[] = {
    {"by", 0, "COLUMN[=BASE]",
     "compare rows that differ only in COLUMN (or a list of columns) with the "
     "rows of BASE, by default the first value; --by file, the default with "
     "two FILEs, compares each FILE with the first",
     .set = set_by, .again = OPTION_ADDS},
    {"ignore", 0, "COLUMN,...", "compare rows although they differ in these",
     .modes = 1 << CONDITIONS, .set = set_ignore, .again = OPTION_ADDS},
    {"paired", 0, NULL, "with --by: compare run by run",
     .modes = 1 << CONDITIONS, .type = TYPE_FLAG, .to = &conditions.paired},
    {"check", 0, "PCT",
     "exit with 1 if a row is worse than BASE by more than PCT percent, is "
     "missing or has another link; with 3 if the runs cannot tell",
     .modes = 1 << CONDITIONS, .set = set_check, .to = &conditions.percent,
     .elsewhere = "threshold tolerance fail fail-on limit"},
    OPTION_PLUGIN(1 << CONDITIONS),
    {"allow-missing", 0, NULL, "with --check: accept missing rows",
     .modes = 1 << CONDITIONS, .type = TYPE_FLAG,
     .to = &conditions.allow_missing},
    {"both-ways", 0, NULL, "with --check: better by more than PCT fails, too",
     .modes = 1 << CONDITIONS, .type = TYPE_FLAG, .to = &conditions.both_ways},
    {"unclear", 0, "pass",
     "with --check: accept rows about which it cannot tell",
     .modes = 1 << CONDITIONS, .set = set_unclear,
     .to = &conditions.unclear_passes},
    {"samples", 0, NULL,
     "compare the samples of one run each, without a verdict",
     .modes = 1 << CONDITIONS, .type = TYPE_FLAG, .to = &columns.samples},
    {"fit", 0, NULL, "fit T_proc and T_serdes over the widths of links",
     .modes = 1 << LINKS, .type = TYPE_FLAG, .to = &fit},
    {"links", 0, "FILE", "take parents and links of devices from FILE",
     .modes = 1 << LINKS, .type = TYPE_TEXT, .to = &links_file},
    {"statistic", 0, "NAME", "default min for links, median with --by",
     .set = set_statistic, .to = &columns,
     .elsewhere = "-p percentile percentiles column -c"},
    OPTION_FORMAT(&out.format),
    OPTION_BYTES,
    OPTIONS_OF_OUT(out),
    {0},
};

static const struct option_group groups[] = {{NULL, options}, {NULL, NULL}};

static const struct option_table table = {
    .usage = "Usage: pcb-diff [options] [FILE...]\nCompare statistics: the "
             "latency of each PCI link, from its two ends; with\n--by or two "
             "files, what another condition changes.\n",
    .group = groups,
    .ending =
        "Repeated runs show how certain a difference is. See pcb-diff(1).\n",
    .mode = modes,
};

/* Returns the index of the first file operand. */
static int
parse_options(int argc, char *argv[])
{
	struct option_parser parser = {.table = &table};
	static char by_file[] = "file";
	int operand;

	operand = options_parse(&parser, argc, argv);
	if (!columns.by && !fit && !links_file &&
	    (argc - operand > 1 || conditions.percent >= 0 ||
	     conditions.paired || columns.samples || columns.nignore))
		add_columns(&columns.by, &columns.nby, by_file);
	options_check_mode(&parser, columns.by ? CONDITIONS : LINKS);
	if (conditions.percent < 0 &&
	    (conditions.both_ways || conditions.unclear_passes ||
	     conditions.allow_missing))
		die_usage("--both-ways, --unclear and --allow-missing are for "
		          "--check");
	if (columns.samples && columns.statistic &&
	    !*unit_of(columns.statistic))
		die_usage("--samples compares whole distributions: --statistic "
		          "names a column of samples, such as latency_ns");
	columns.parents_given = links_file;
	columns.by_operand = columns.nby == 1 &&
	                     !strcmp(columns.by[0], "file") &&
	                     argc - operand > 1;
	if (columns.by_operand)
		need_distinct(argv + operand, (size_t)(argc - operand));
	if (columns.by_operand && !conditions.base)
		conditions.base = argv[operand];
	if (columns.samples && (conditions.percent >= 0 || conditions.paired))
		die_usage("--samples compares distributions: it has no --check "
		          "and no --paired");
	if (!columns.statistic && !columns.samples)
		columns.statistic = columns.by ? "median" : "min";
	return operand;
}

static void
diff_links(struct table *t)
{
	if (links_file)
		topology_read(&links.topology, links_file);
	read_links(&links, t, &columns);
	preamble_add_command(&t->preamble);
	(fit ? write_fit : write_links)(&links, &out);
	links_free(&links);
}

int
main(int argc, char *argv[])
{
	struct table *t;
	size_t noperands;
	int status = STATUS_OK, operand;

	set_program(argc, argv);
	filter_signals();
	operand = parse_options(argc, argv);
	noperands = (size_t)(argc - operand);
	if (plugin_given() && conditions.percent < 0)
		die_usage("--plugin needs --check PCT");
	need_input(table.usage, noperands);
	t = open_operands(argv + operand, noperands,
	                  columns.samples ? NULL : columns.statistic);
	out.preamble = &t->preamble;
	if (columns.by)
		status = write_conditions(t, &columns, &conditions, &out);
	else
		diff_links(t);
	out_finish(&out, t->complete, &t->end);
	diff_columns_free(&columns);
	table_close(t);
	close_stdout();
	return status;
}
