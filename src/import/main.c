/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-import: converts the results of other programs to pcb-csv. */
#include "import/decimal.h"
#include "import/formats.h"
#include "import/text.h"

#include "common/base/nearest.h"
#include "common/cli/option_table.h"

#include <libgen.h>
#include <unistd.h>

enum { NFORMATS = ARRAY_LEN(importers), PCIEBENCH = 0, CSV = NFORMATS - 1 };

static struct job job = {.complete = true};
static struct out out;

/*
 * Adds a pair of --map (THEIRS=OURS) or --scale (OURS=FACTOR). Returns NULL, or
 * why the text is wrong (a constant).
 */
static const char *
add_pair(void *to, const char *text)
{
	struct preamble *map = to;
	const char *equals = strrchr(text, '='), *why = NULL;
	char product[DECIMAL_MAX];
	char *name;

	if (!equals || equals == text)
		return "not NAME=VALUE";
	name = xasprintf("%.*s", (int)(equals - text), text);
	if (preamble_get(map, name))
		why = "a name is repeated";
	else if (map == &job.scale)
		why = multiply_decimals("1", equals + 1, product);
	else if (equals[1] && !is_name(equals + 1))
		why = NAME_RULE;
	if (!why)
		preamble_set(map, name, "%s", equals + 1);
	free(name);
	return why;
}

static const char *
add_pairs(void *to, const char *list)
{
	return option_each_word(list, to, add_pair);
}

static const struct option_def options[] = {
    {"details", 0, "FILE", "for pciebench: the summary of a CDF",
     .modes = 1 << PCIEBENCH, .type = TYPE_TEXT, .to = &job.details},
    {"map", 0, "THEIRS=OURS,...",
     "for csv: rename columns; an empty OURS leaves one out", .modes = 1 << CSV,
     .set = add_pairs, .to = &job.map, .again = OPTION_ADDS},
    {"scale", 0, "OURS=FACTOR,...", "for csv: multiply columns",
     .modes = 1 << CSV, .set = add_pairs, .to = &job.scale,
     .again = OPTION_ADDS},
    {"label", 'l', "NAME=VALUE", "add a constant column, or set one",
     .type = TYPE_LABEL, .to = &job.labels, .again = OPTION_ADDS},
    {"verbose", 'v', NULL, "show the lines that are skipped", .type = TYPE_FLAG,
     .to = &job.verbose},
    OPTION_FORMAT(&out.format),
    OPTION_BYTES,
    OPTIONS_OF_OUT(out),
    {0},
};

static const struct option_group groups[] = {{"Options", options},
                                             {NULL, NULL}};

static struct option_mode formats[NFORMATS + 1];

static const struct option_table table = {
    .usage = "Usage: pcb-import [FORMAT] [options] [FILE...]\nRead results "
             "of other programs; write samples or statistics, see "
             "pcb-csv(5).\nWithout FORMAT, find it out.\n",
    .group = groups,
    .ending = "See pcb-import(1).\n",
    .mode = formats,
    .modes_heading = "Formats",
    .mode_called = "a format, or give a FILE",
};

/* Whether the operand is a file rather than a misspelt format. */
static bool
is_file(const char *operand)
{
	struct nearest nearest = {.typed = operand};

	if (!operand)
		return stdin_is_input();
	for (size_t i = 0; i < NFORMATS; i++) {
		if (!strcmp(operand, importers[i]->name))
			return false;
		nearest_offer(&nearest, importers[i]->name);
	}
	if (!strcmp(operand, "-") || !access(operand, F_OK))
		return true;
	if (strpbrk(operand, "./"))
		die_sys("%s", operand);
	if (!*nearest_hint(&nearest))
		die_usage("'%s': no such file, and no format", operand);
	return false;
}

/* The remaining argv: the format, unless it is to be found, then the files. */
static const struct importer *
parse_options(int argc, char *argv[])
{
	struct option_parser parser = {.table = &table};
	size_t format;
	bool find;
	int operand;

	for (size_t i = 0; i < NFORMATS; i++)
		formats[i] = (struct option_mode){importers[i]->name,
		                                  importers[i]->help};
	operand = options_parse(&parser, argc, argv);
	find = is_file(argv[operand]);
	format = find ? NFORMATS : options_find_mode(&table, argv[operand]);
	operand += !find;
	need_input(table.usage, (size_t)(argc - operand));
	job.file = lines_stdin;
	job.nfiles = 1;
	if (argc > operand) {
		job.file = argv + operand;
		job.nfiles = (size_t)(argc - operand);
	}
	job.tried = find;
	if (find)
		format = recognise_format(&job);
	options_check_mode(&parser, format);
	if (job.details && job.nfiles > 1)
		die_usage("--details is for one FILE at a time");
	return importers[format];
}

static void
describe(struct preamble *pre)
{
	char *files = NULL;

	for (size_t i = 0; i < job.nfiles; i++)
		xappend(&files, " ", "%s", basename(job.file[i]));
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
	import_read(&job, importer);
	describe(&job.preamble);
	out.preamble = &job.preamble;
	result_write(&job.result, &out);
	out_finish(&out, job.complete, &job.end);
	result_free(&job.result);
	labels_free(&job.labels);
	preamble_free(&job.map);
	preamble_free(&job.scale);
	preamble_free(&job.preamble);
	preamble_free(&job.end);
	close_stdout();
	return STATUS_OK;
}
