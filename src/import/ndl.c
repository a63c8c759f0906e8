/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of wult's ndl: a directory, or its datapoints.csv. Times are in
 * microseconds; info.yml has the name of the report.
 */
#include "import/decimal.h"
#include "import/import.h"

#include "common/stream/columns.h"

#include <sys/stat.h>

/* Metadata in info.yml; NULL: missing. */
struct ndl_info {
	char *tool, *version, *report;
};

/* The value of a line, without quotes; NULL if it has none. */
static char *
value_of(const char *text)
{
	size_t n;

	text += strspn(text, " \t'\"");
	n = strlen(text);
	while (n && strchr(" \t\r\n'\"", text[n - 1]))
		n--;
	return n ? xasprintf("%.*s", (int)n, text) : NULL;
}

/*
 * Reads `toolname`, `toolver` and `reportid` from the info.yml beside a file:
 * lines of `key: value`, the value plain or quoted. Ignores the rest of YAML.
 * Refuses results of other tools.
 */
static struct ndl_info
read_info(const char *file)
{
	const char *slash = strrchr(file, '/');
	char *name = xasprintf("%.*sinfo.yml",
	                       slash ? (int)(slash - file) + 1 : 0, file);
	bool is_stdin = !strcmp(file, "-");
	FILE *f = is_stdin ? NULL : fopen(name, "re");
	struct ndl_info info = {0};
	const struct {
		const char *key;
		char **value;
	} keys[] = {{"toolname:", &info.tool},
	            {"toolver:", &info.version},
	            {"reportid:", &info.report}};
	char *line = NULL;
	size_t size = 0;

	if (!f && !is_stdin && errno != ENOENT)
		die_sys("%s", name);
	while (f && getline(&line, &size, f) > 0) {
		for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
			size_t n = strlen(keys[i].key);

			if (strncmp(line, keys[i].key, n) != 0)
				continue;
			free(*keys[i].value);
			*keys[i].value = value_of(line + n);
		}
	}
	if (f && !feof(f))
		die_sys("%s", name);
	if (info.tool && strcmp(info.tool, "ndl") != 0)
		die("%s: results of %s, not of ndl", name, info.tool);
	if (f)
		fclose(f);
	free(line);
	free(name);
	return info;
}

static void
take_time(struct job *job, const struct table *t, const char *theirs,
          const char *ours)
{
	char ns[DECIMAL_MAX];
	const char *why;

	if (cell_number(t, theirs) < 0)
		cell_die(t, theirs, "less than 0");
	why = multiply_decimals(need_text(t, theirs), "1000", ns);
	if (why)
		cell_die(t, theirs, why);
	result_text(&job->result, ours, ns);
}

static void
read_file(struct job *job, char *file)
{
	struct ndl_info info = read_info(file);
	struct result *r = &job->result;
	struct table *t = open_csv(&file, 1);

	begin_file(job, "published");
	result_text(r, "bench", "rtd");
	result_text(r, "report", info.report ? info.report : "");
	while (table_next(t)) {
		take_time(job, t, "LDist", "launch_distance_ns");
		take_time(job, t, "RTD", "latency_ns");
		result_end_row(r);
	}
	need_column(t, "LDist");
	need_column(t, "RTD");
	/* The unit of the I210, the only card that ndl supports. */
	preamble_set(&job->preamble, "clock_tick_ns", "16");
	if (info.version)
		preamble_set(&job->preamble, "measured_by", "ndl %s",
		             info.version);
	table_close(t);
	free(info.tool);
	free(info.version);
	free(info.report);
}

static void
read_ndl(struct job *job)
{
	add_common_identity(job);
	result_column(&job->result, "report");
	add_labels(job);
	for (size_t i = 0; i < job->nfiles; i++) {
		const char *given = job->file[i];
		struct stat st;
		bool is_directory = strcmp(given, "-") != 0 &&
		                    !stat(given, &st) && S_ISDIR(st.st_mode);
		char *file = xasprintf("%s%s", given,
		                       is_directory ? "/datapoints.csv" : "");

		read_file(job, file);
		free(file);
	}
}

const struct importer ndl_importer = {
    .name = "ndl",
    .help = "delays that wult's ndl measured with an Intel I210",
    .words = (const char *const[]){"RTD,", "LDist", NULL},
    .read = read_ndl,
};
