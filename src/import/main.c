/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-import: brings the results of other programs into the common format. */
#include "import/decimal.h"
#include "import/import.h"

#include "common/base/version.h"
#include "common/cli/option_table.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

enum { PCIEBENCH, NETTLP, NDL, CSV, NFORMATS };

static const struct importer *const importers[NFORMATS] = {
    [PCIEBENCH] = &pciebench_importer,
    [NETTLP] = &nettlp_importer,
    [NDL] = &ndl_importer,
    [CSV] = &csv_importer,
};

static struct job job = {.complete = true};
static struct out out;

static const char *
add_scale(void *to, const char *list)
{
	char product[DECIMAL_MAX];
	struct name_map *scale = to;
	size_t i = scale->n;

	name_map_add(scale, "--scale", list);
	for (; i < scale->n; i++) {
		const char *factor = scale->pair[i].value;
		const char *why = multiply_decimals("1", factor, product);

		if (why)
			die_usage("--scale '%s': '%s': %s", list, factor, why);
	}
	return NULL;
}

static const char *
add_map(void *to, const char *list)
{
	struct name_map *map = to;
	size_t i = map->n;

	name_map_add(map, "--map", list);
	for (; i < map->n; i++) {
		const char *ours = map->pair[i].value;

		if (*ours && !is_name(ours))
			die_usage("--map '%s': '%s': " NAME_RULE, list, ours);
	}
	return NULL;
}

static const char *
add_label(void *to, const char *text)
{
	labels_add(to, text);
	return NULL;
}

static const struct option_def options[] = {
    {"details", 0, "FILE", "of pciebench: the summary of a CDF",
     .modes = 1 << PCIEBENCH, .set = option_set_text, .to = &job.details},
    {"map", 0, "THEIRS=OURS,...",
     "of csv: rename columns; an empty OURS leaves one out", .modes = 1 << CSV,
     .set = add_map, .to = &job.map},
    {"scale", 0, "OURS=FACTOR,...", "of csv: multiply columns",
     .modes = 1 << CSV, .set = add_scale, .to = &job.scale},
    {"label", 'l', "NAME=VALUE", "a constant column, or another value for one",
     .set = add_label, .to = &job.labels},
    OPTION_FORMAT(&out.format),
    OPTION_NO_PREAMBLE(&out.no_preamble),
    {NULL},
};

static const struct option_group groups[] = {{"Options", options},
                                             {NULL, NULL}};

static struct option_mode formats[NFORMATS + 1];

static const struct option_table table = {
    .usage = "Usage: pcb-import FORMAT [options] [FILE...]\n"
             "Turn results of other programs into samples or statistics of "
             "ours.\n",
    .group = groups,
    .ending = "See pcb-import(1).\n",
    .mode = formats,
    .modes_heading = "Formats",
};

static size_t
find_format(const char *name)
{
	if (!name)
		die_usage("name a format");
	for (size_t i = 0; i < NFORMATS; i++) {
		if (!strcmp(name, importers[i]->name))
			return i;
	}
	die_usage("'%s': no such format", name);
}

/* What is left of argv: the format, then the files. */
static const struct importer *
parse_options(int argc, char *argv[])
{
	static char dash[] = "-";
	static char *const standard_input[] = {dash};
	struct option_parser parser = {.table = &table};
	size_t format;
	int operand;

	for (size_t i = 0; i < NFORMATS; i++)
		formats[i] = (struct option_mode){importers[i]->name,
		                                  importers[i]->help};
	out.format = default_format();
	operand = options_parse(&parser, argc, argv);
	format = find_format(argv[operand]);
	options_check_mode(&parser, format);
	job.file = standard_input;
	job.nfiles = 1;
	if (argc - operand > 1) {
		job.file = argv + operand + 1;
		job.nfiles = (size_t)(argc - operand - 1);
	}
	if (job.details && job.nfiles > 1)
		die_usage("--details is for one FILE at a time");
	return importers[format];
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
	name_map_free(&job.map);
	name_map_free(&job.scale);
	preamble_free(&job.preamble);
	preamble_free(&job.end);
	close_stdout();
	return STATUS_OK;
}
