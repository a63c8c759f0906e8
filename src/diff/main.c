/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-diff: link latencies and conditions, by difference. */
#include "diff/condition_rows.h"
#include "diff/fit.h"
#include "diff/print_tree.h"

#include "common/base/number.h"
#include "common/cli/option_table.h"

#include <stdlib.h>
#include <string.h>

static struct diff_columns columns;
static struct conditions conditions;
static struct links links;
static struct out out;
static double check_pct = -1;
static const char *links_file;
static bool tree, fit;

/* Splits the argument, which stays in argv, at its first "=". */
static const char *
set_by(void *to, const char *text)
{
	char *argument = (char *)text, *base = strchr(argument, '=');

	(void)to;
	if (base && !base[1])
		return "BASE is empty";
	if (!*argument || base == argument)
		return "COLUMN is empty";
	if (base)
		*base++ = '\0';
	if (!is_identity(argument))
		return "a measure, not a condition";
	columns.by = argument;
	conditions.base = base;
	return NULL;
}

static const char *
set_check(void *to, const char *text)
{
	double *percent = to;
	const char *why = parse_number(text, percent);

	return !why && *percent < 0 ? "below 0" : why;
}

enum { LINKS, CONDITIONS };

static const struct option_mode modes[] = {
    {"links", NULL}, {"--by", NULL}, {NULL, NULL}};

static const struct option_def options[] = {
    {"by", 0, "COLUMN[=BASE]",
     "compare rows that agree in all but COLUMN with those where it is BASE, "
     "the first one seen; --by file compares the first FILE with each other "
     "one",
     .set = set_by},
    {"paired", 0, NULL, "with --by: compare run by run",
     .modes = 1 << CONDITIONS, .set = option_set_flag,
     .to = &conditions.paired},
    {"check", 0, "PCT",
     "exit with 1 if anything is worse than BASE by more than PCT percent",
     .modes = 1 << CONDITIONS, .set = set_check, .to = &check_pct},
    {"tree", 0, NULL, "draw the tree of links instead of writing rows",
     .modes = 1 << LINKS, .set = option_set_flag, .to = &tree},
    {"fit", 0, NULL, "fit T_proc and T_serdes over the widths of links",
     .modes = 1 << LINKS, .set = option_set_flag, .to = &fit},
    {"links", 0, "FILE", "take parents and links of devices from FILE",
     .modes = 1 << LINKS, .set = option_set_text, .to = &links_file},
    {"statistic", 0, "NAME", "which: default min for links, median with --by",
     .set = option_set_text, .to = &columns.statistic},
    OPTION_FORMAT(&out.format),
    OPTION_NO_PREAMBLE(&out.no_preamble),
    {NULL},
};

static const struct option_group groups[] = {{NULL, options}, {NULL, NULL}};

static const struct option_table table = {
    .usage = "Usage: pcb-diff [options] [FILE...]\n"
             "Take differences of statistics: the latency of each PCI link, "
             "from its\n"
             "two ends; with --by, what another condition changes.\n",
    .group = groups,
    .ending =
        "How sure a difference is, repeated runs tell. See pcb-diff(1).\n",
    .mode = modes,
};

/* Returns the index of the first file. */
static int
parse_options(int argc, char *argv[])
{
	struct option_parser parser = {.table = &table};
	bool operands;
	int operand;

	out.format = default_format();
	operand = options_parse(&parser, argc, argv);
	options_check_mode(&parser, columns.by ? CONDITIONS : LINKS);
	if (tree && fit)
		die_usage("--tree and --fit: one at a time");
	if (tree && options_given(&parser, "format"))
		die_usage("--tree is a drawing: there is no -f of it");
	columns.parents_given = links_file;
	operands = diff_columns_by_file(&columns);
	if (operands && argc - operand < 2)
		die_usage("--by file: compares two files or more");
	if (operands && !conditions.base)
		conditions.base = argv[operand];
	if (!columns.statistic)
		columns.statistic = columns.by ? "median" : "min";
	return operand;
}

static int
diff_links(struct table *t)
{
	if (links_file)
		topology_read(&links.topology, links_file);
	read_links(&links, t, &columns);
	if (tree) {
		draw_tree(&links);
	} else {
		preamble_add_command(&t->preamble);
		(fit ? write_fit : write_links)(&links, &out);
		out_finish(&out, t->complete, &t->end);
	}
	links_free(&links);
	return STATUS_OK;
}

static int
diff_conditions(struct table *t)
{
	int status;

	read_conditions(&conditions, t, &columns);
	preamble_add_command(&t->preamble);
	status = write_conditions(&conditions, check_pct, &out);
	out_finish(&out, t->complete, &t->end);
	conditions_free(&conditions);
	return status;
}

int
main(int argc, char *argv[])
{
	struct table *t;
	int status, operand;

	set_program(argc, argv);
	filter_signals();
	operand = parse_options(argc, argv);
	t = table_open(argv + operand, (size_t)(argc - operand));
	out.preamble = &t->preamble;
	status = columns.by ? diff_conditions(t) : diff_links(t);
	diff_columns_free(&columns);
	table_close(t);
	close_stdout();
	return status;
}
