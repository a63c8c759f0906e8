/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-diff: link latencies and conditions, by difference. */
#include "diff/condition_rows.h"
#include "diff/fit.h"
#include "diff/print_tree.h"

#include "common/base/number.h"
#include "common/cli/common_options.h"

#include <stdlib.h>
#include <string.h>

static struct columns columns;
static struct conditions conditions;
static struct links links;
static struct out out;
static double check_pct = -1;
static char *links_file;
static bool tree, fit;
static bool chose_format;

static const char options_text[] =
    "Usage: pcb-diff [options] [FILE...]\n"
    "Take differences of statistics: the latency of each PCI link, from its\n"
    "two ends; with --by, what another condition changes.\n"
    "\n"
    "      --by COLUMN[=BASE]  compare rows that agree in all but COLUMN with\n"
    "                          those where it is BASE, the first one seen\n"
    "      --by file           compare the first FILE with each other one\n"
    "      --paired            with --by: compare run by run\n"
    "      --check PCT         exit with 1 if anything is worse than BASE by\n"
    "                          more than PCT percent\n"
    "      --tree              draw the tree of links instead of writing rows\n"
    "      --fit               fit T_proc and T_serdes over the widths of "
    "links\n"
    "      --links FILE        take parents and links of devices from FILE\n"
    "      --statistic NAME    which: default min for links, median with "
    "--by\n";

enum {
	OPT_BY = 256,
	OPT_CHECK,
	OPT_FIT,
	OPT_LINKS,
	OPT_PAIRED,
	OPT_STATISTIC,
	OPT_TREE,
};

static const char short_options[] = "f:Ph";

static const struct option long_options[] = {
    {"by", required_argument, NULL, OPT_BY},
    {"check", required_argument, NULL, OPT_CHECK},
    {"fit", no_argument, NULL, OPT_FIT},
    {"format", required_argument, NULL, 'f'},
    {"links", required_argument, NULL, OPT_LINKS},
    {"paired", no_argument, NULL, OPT_PAIRED},
    {"statistic", required_argument, NULL, OPT_STATISTIC},
    {"tree", no_argument, NULL, OPT_TREE},
    CLI_COMMON,
};

static void
print_help(void)
{
	cli_help(
	    options_text, 26,
	    "How sure a difference is, repeated runs tell. See pcb-diff(1).\n");
}

/* Splits the argument, which stays in argv, at its first "=". */
static void
set_by(char *argument)
{
	char *base = strchr(argument, '=');

	if (base && !base[1])
		die_usage("--by '%s': BASE is empty", argument);
	if (!*argument || base == argument)
		die_usage("--by '%s': COLUMN is empty", argument);
	if (base)
		*base++ = '\0';
	if (!is_identity(argument))
		die_usage("--by '%s': a measure, not a condition", argument);
	columns.by = argument;
	conditions.base = base;
}

static void
set_check(const char *argument)
{
	const char *why = parse_number(argument, &check_pct);

	if (!why && check_pct < 0)
		why = "below 0";
	if (why)
		die_usage("--check '%s': %s", argument, why);
}

static void
set_option(int option)
{
	chose_format = chose_format || option == 'f';
	if (cli_common(option, print_help, &out.no_preamble, &out.format))
		return;
	switch (option) {
	case OPT_BY:
		set_by(optarg);
		break;
	case OPT_CHECK:
		set_check(optarg);
		break;
	case OPT_FIT:
		fit = true;
		break;
	case OPT_LINKS:
		links_file = optarg;
		columns.parents_given = true;
		break;
	case OPT_PAIRED:
		conditions.paired = true;
		break;
	case OPT_STATISTIC:
		columns.statistic = optarg;
		break;
	case OPT_TREE:
		tree = true;
		break;
	default:
		break;
	}
}

/* What goes with links and what with --by. */
static void
check_mode(void)
{
	if (check_pct >= 0 && !columns.by)
		die_usage("--check is for --by: links have no BASE");
	if (conditions.paired && !columns.by)
		die_usage("--paired is for --by: ends of a link always are");
	if (columns.by && (links_file || tree || fit))
		die_usage("--%s is for links, not for --by", links_file
		                                                 ? "links"
		                                             : tree ? "tree"
		                                                    : "fit");
	if (tree && fit)
		die_usage("--tree and --fit: one at a time");
	if (tree && chose_format)
		die_usage("--tree is a drawing: there is no -f of it");
}

static void
parse_options(int argc, char *argv[])
{
	bool operands;
	int option;

	out.format = default_format();
	while ((option = getopt_long(argc, argv, short_options, long_options,
	                             NULL)) != -1)
		set_option(option);
	check_mode();
	operands = columns_by_file(&columns);
	if (operands && argc - optind < 2)
		die_usage("--by file: compares two files or more");
	if (operands && !conditions.base)
		conditions.base = argv[optind];
	if (!columns.statistic)
		columns.statistic = columns.by ? "median" : "min";
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
	int status;

	set_program(argc, argv);
	filter_signals();
	parse_options(argc, argv);
	t = table_open(argv + optind, (size_t)(argc - optind));
	out.preamble = &t->preamble;
	status = columns.by ? diff_conditions(t) : diff_links(t);
	columns_free(&columns);
	table_close(t);
	close_stdout();
	return status;
}
