/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of wult's ndl: a directory, or its datapoints.csv. Times are in
 * microseconds; info.yml has the name of the report.
 */
#include "import/decimal.h"
#include "import/import.h"

#include "common/stream/columns.h"

#include <sys/stat.h>

/*
 * The value of `key`, such as "reportid:", in info.yml, plain or without its
 * quotes; "" if the line or the file is missing. Free it. Ignores the rest of
 * YAML.
 */
static char *
info_value(const char *file, const char *key)
{
	static const char around[] = " \t\r\n'\"";
	FILE *f = fopen(file, "re");
	char *line = NULL, *value = xstrdup("");
	size_t size = 0, n = strlen(key);

	if (!f && errno != ENOENT)
		die_sys("%s", file);
	while (f && getline(&line, &size, f) > 0) {
		if (strncmp(line, key, n) != 0)
			continue;
		free(value);
		value = xstrdup(line + n + strspn(line + n, around));
		for (char *end = value + strlen(value);
		     end > value && strchr(around, end[-1]);)
			*--end = '\0';
	}
	if (f && !feof(f))
		die_sys("%s", file);
	if (f)
		fclose(f);
	free(line);
	return value;
}

static void
take_time(struct job *job, const struct table *t, const char *theirs,
          const char *ours)
{
	char ns[DECIMAL_MAX];
	const char *why = scale_unit(need_text(t, theirs), "us", ns);

	if (why)
		table_refuse(t, need_column(t, theirs), why);
	result_text(&job->result, ours, ns);
}

static void
read_file(struct job *job, char *file)
{
	const char *slash = strrchr(file, '/');
	char *info = !strcmp(file, "-")
	                 ? xstrdup("/dev/null")
	                 : xasprintf("%.*sinfo.yml",
	                             slash ? (int)(slash - file) + 1 : 0, file);
	char *tool = info_value(info, "toolname:");
	char *version = info_value(info, "toolver:");
	char *report = info_value(info, "reportid:");
	struct result *r = &job->result;
	struct table *t;

	if (*tool && strcmp(tool, "ndl") != 0)
		die("%s: results of %s, not of ndl", info, tool);
	t = open_csv(&file, 1);
	begin_file(job, "published");
	result_text(r, "bench", "rtd");
	result_text(r, "report", report);
	while (table_next(t)) {
		take_time(job, t, "LDist", "launch_distance_ns");
		take_time(job, t, "RTD", "latency_ns");
		result_end_row(r);
	}
	need_column(t, "LDist");
	need_column(t, "RTD");
	/* The unit of the I210, the only card that ndl supports. */
	preamble_set(&job->preamble, "clock_tick_ns", "16");
	if (*version)
		preamble_set(&job->preamble, "measured_by", "ndl %s", version);
	table_close(t);
	free(info);
	free(tool);
	free(version);
	free(report);
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
