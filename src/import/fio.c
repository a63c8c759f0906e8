/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latency histograms of fio 3 in its format json+: the name of a bin is the
 * nanoseconds at its middle, the value is its count.
 */
#include "import/text.h"

#include "common/base/number.h"

#include <stdlib.h>

static const char *const directions[] = {"read", "write", "trim"};

/* The latencies of fio, and their names. */
static const struct time {
	const char *key;
	const char *suffix;
} times[] = {
    {"slat_ns", "_submit"},
    {"clat_ns", ""},
    {"lat_ns", "_total"},
};

/* An option of the job, or else of all jobs; NULL if neither has it. */
static const char *
option_of(const json_t *root, const json_t *job, const char *name)
{
	const json_t *own = json_object_get(job, "job options");
	const json_t *global = json_object_get(root, "global options");
	const char *text = json_string_value(json_object_get(own, name));

	if (!text)
		text = json_string_value(json_object_get(global, name));
	return text;
}

static void
set_options(struct text *t, const json_t *root, const json_t *job)
{
	const char *size = option_of(root, job, "bs");
	const char *depth = option_of(root, job, "iodepth");
	struct result *r = &t->job->result;
	uint64_t bytes;

	/* "4k,8k" and ranges have several sizes: the column stays empty. */
	if (!parse_size(size ? size : "4k", &bytes))
		result_u64(r, result_column(r, "size_bytes"), bytes);
	text_count(t, "queue_depth", depth ? depth : "1");
}

static void
take_bins(struct text *t, json_t *bins)
{
	for (void *i = json_object_iter(bins); i;
	     i = json_object_iter_next(bins, i)) {
		const char *middle = json_object_iter_key(i);
		char *text =
		    text_of_number(t, json_object_iter_value(i), middle);

		text_measure(t, "latency_ns", middle, "ns");
		text_count(t, "count", text);
		text_end_row(t);
		free(text);
	}
}

static void
take_direction(struct text *t, const json_t *root, const json_t *job,
               const char *direction)
{
	const json_t *part = json_object_get(job, direction);
	const char *device = option_of(root, job, "filename");

	for (size_t i = 0; i < ARRAY_LEN(times); i++) {
		json_t *bins = json_object_get(
		    json_object_get(part, times[i].key), "bins");
		char *bench;

		if (!json_is_object(bins))
			continue;
		bench = xasprintf("fio_%s%s", direction, times[i].suffix);
		text_row(t, bench, device ? device : "");
		free(bench);
		text_set(t, "job",
		         json_string_value(text_member(
		             t, job, "jobs", "jobname", JSON_STRING)));
		set_options(t, root, job);
		take_bins(t, bins);
	}
}

static void
take_json(struct text *t, const json_t *root)
{
	const json_t *jobs =
	    text_member(t, root, "the file", "jobs", JSON_ARRAY);
	uintmax_t before = t->job->result.rows;

	for (size_t i = 0; i < json_array_size(jobs); i++) {
		for (size_t d = 0; d < ARRAY_LEN(directions); d++)
			take_direction(t, root, json_array_get(jobs, i),
			               directions[d]);
	}
	if (t->job->result.rows == before)
		text_die(t, "no histogram of fio 3: run fio with "
		            "--output-format=json+");
}

const struct importer fio_importer = {
    .name = "fio",
    .help = "fio's latency histograms, --output-format=json+",
    .take_json = take_json,
};
