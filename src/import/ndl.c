/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of wult's ndl: a directory, or its datapoints.csv. Times are in
 * microseconds; info.yml has the name of the report.
 */
#include "import/decimal.h"
#include "import/import.h"

#include "common/stream/columns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Metadata in info.yml; NULL: missing. */
struct ndl_info {
	char *tool;
	char *version;
	char *report;
};

static bool
is_plain(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < ' ' || c == 0x7f)
			return false;
	}
	return n > 0;
}

/* The value of a line, without quotes; NULL if it has none. */
static char *
value_of(const char *text)
{
	size_t n;

	text += strspn(text, " \t");
	n = strlen(text);
	while (n && strchr(" \t\r\n", text[n - 1]))
		n--;
	if (n >= 2 && strchr("'\"", *text) && text[n - 1] == *text) {
		text++;
		n -= 2;
	}
	return is_plain(text, n) ? xasprintf("%.*s", (int)n, text) : NULL;
}

static void
read_info_line(const char *line, struct ndl_info *info)
{
	const struct {
		const char *key;
		char **value;
	} keys[] = {{"toolname:", &info->tool},
	            {"toolver:", &info->version},
	            {"reportid:", &info->report}};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		size_t n = strlen(keys[i].key);

		if (strncmp(line, keys[i].key, n) != 0)
			continue;
		free(*keys[i].value);
		*keys[i].value = value_of(line + n);
	}
}

/*
 * Reads `toolname`, `toolver` and `reportid` from an info.yml: lines of `key:
 * value`, the value plain or quoted. Ignores the rest of YAML and values with
 * control characters.
 */
static void
parse_info(FILE *f, struct ndl_info *info)
{
	char *line = NULL;
	size_t size = 0;

	*info = (struct ndl_info){0};
	while (getline(&line, &size, f) > 0)
		read_info_line(line, info);
	free(line);
}

static void
free_info(struct ndl_info *info)
{
	free(info->tool);
	free(info->version);
	free(info->report);
}

/* Columns of the result besides key columns. */
struct ndl_columns {
	size_t report, distance, latency;
};

static bool
is_directory(const char *file)
{
	struct stat st;

	return strcmp(file, "-") != 0 && !stat(file, &st) &&
	       S_ISDIR(st.st_mode);
}

/* The path of another file in the same directory; free it. */
static char *
beside(const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	int directory = slash ? (int)(slash - file) + 1 : 0;

	return xasprintf("%.*s%s", directory, file, name);
}

/* Reads the result's info.yml; refuses results of other tools. */
static struct ndl_info
read_info(const char *file)
{
	struct ndl_info info = {0};
	char *name = strcmp(file, "-") ? beside(file, "info.yml") : NULL;
	FILE *f = name ? fopen(name, "re") : NULL;

	if (name && !f && errno != ENOENT)
		die_sys("%s", name);
	if (f) {
		parse_info(f, &info);
		if (!feof(f))
			die_sys("%s", name);
		fclose(f);
	}
	if (info.tool && strcmp(info.tool, "ndl") != 0)
		die("%s: results of %s, not of ndl", name, info.tool);
	free(name);
	return info;
}

static void
take_time(struct job *job, const struct table *t, const char *theirs,
          size_t col)
{
	char ns[DECIMAL_MAX];
	const char *why;

	if (cell_number(t, theirs) < 0)
		cell_die(t, theirs, "less than 0");
	why = multiply_decimals(cell_text(t, theirs), "1000", ns);
	if (why)
		cell_die(t, theirs, why);
	result_text(&job->result, col, ns);
}

static void
describe(struct job *job, const struct ndl_info *info)
{
	/* The unit of the I210, the only card that ndl supports. */
	preamble_set(&job->preamble, "clock_tick_ns", "16");
	if (info->version)
		preamble_set(&job->preamble, "measured_by", "ndl %s",
		             info->version);
}

static void
read_file(struct job *job, char *file, const struct ndl_columns *columns)
{
	struct ndl_info info = read_info(file);
	struct result *r = &job->result;
	struct table *t = table_open(&file, 1);

	t->verbatim = true;
	begin_file(job, "published");
	result_text(r, COL_BENCH, "rtd");
	result_text(r, columns->report, info.report ? info.report : "");
	while (table_next(t)) {
		take_time(job, t, "LDist", columns->distance);
		take_time(job, t, "RTD", columns->latency);
		result_end_row(r);
	}
	need_column(t, "LDist");
	need_column(t, "RTD");
	describe(job, &info);
	table_close(t);
	free_info(&info);
}

static void
read_ndl(struct job *job)
{
	struct ndl_columns columns;

	add_common_identity(job);
	columns.report = result_column(&job->result, "report");
	add_labels(job);
	columns.distance = result_column(&job->result, "launch_distance_ns");
	columns.latency = result_column(&job->result, "latency_ns");
	for (size_t i = 0; i < job->nfiles; i++) {
		const char *given = job->file[i];
		char *file = is_directory(given)
		                 ? xasprintf("%s/datapoints.csv", given)
		                 : xstrdup(given);

		read_file(job, file, &columns);
		free(file);
	}
}

const struct importer ndl_importer = {
    .name = "ndl",
    .help = "delays that wult's ndl measured with an Intel I210",
    .read = read_ndl,
};
