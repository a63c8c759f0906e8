/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw samples of NetTLP's pcie benchmark: pattern, number, size and latency or
 * bandwidth. Only the name of a file shows which of the two it holds.
 */
#include "import/import.h"

#include "common/base/number.h"
#include "common/base/util.h"
#include "common/stream/foreign.h"

static const struct nettlp_bench {
	const char *file; /* start of a file's name */
	const char *name, *measure;
} benches[] = {
    {"pciebench_lat_read_", "lat_rd", "latency_ns"},
    {"pciebench_lat2_read_", "lat_rd", "latency_ns"},
    {"pciebench_bw_read_", "bw_rd", "bandwidth_gbit_s"},
    {"pciebench_bw2_read_", "bw_rd", "bandwidth_gbit_s"},
};

/* By the label "bench", which overrides the name, or by the name. */
static const struct nettlp_bench *
find_bench(const struct job *job, const char *file)
{
	const char *label = labels_value(&job->labels, "bench");
	const char *name = basename(file);

	for (size_t i = 0; i < ARRAY_LEN(benches); i++) {
		const struct nettlp_bench *bench = &benches[i];
		bool named = !strncmp(name, bench->file, strlen(bench->file));

		if (label ? !strcmp(label, bench->name) : named)
			return bench;
	}
	die("%s: latency or bandwidth? Add -l bench=lat_rd or bw_rd",
	    strcmp(file, "-") ? file : "standard input");
}

static void
take_integer(struct job *job, const char *column, const struct lines *in,
             const char *name, const char *text)
{
	uint64_t value;
	const char *why = parse_integer(text, &value);

	if (why)
		lines_die(in, name, "'%s': %s", text, why);
	result_u64(&job->result, column, value);
}

/* A record is pattern, index, size and value. */
static void
take_record(struct job *job, const struct nettlp_bench *bench,
            const struct lines *in, const struct record *record)
{
	const char *const *field = record->field, *pattern, *why;
	double value;

	if (record->n == 1 && !*field[0])
		return;
	if (record->n != 4)
		lines_die(in, NULL,
		          "%zu fields, not pattern, index, size and value",
		          record->n);
	pattern = !strcmp(field[0], "FIX")   ? "fixed"
	          : !strcmp(field[0], "RAN") ? "random"
	                                     : NULL;
	if (!pattern)
		lines_die(in, "pattern", "'%s': not FIX or RAN", field[0]);
	result_text(&job->result, "pattern", pattern);
	take_integer(job, "size_bytes", in, "size", field[2]);
	take_integer(job, "seq", in, "index", field[1]);
	why = parse_number(field[3], &value);
	if (why || value < 0)
		lines_die(in, "value", "'%s': %s", field[3],
		          why ? why : "less than 0");
	result_text(&job->result, bench->measure, field[3]);
	result_end_row(&job->result);
}

static void
read_nettlp(struct job *job)
{
	struct lines in = {.files = job->file, .nfiles = job->nfiles};
	struct record record = {0};

	add_identity(job);
	while (lines_open_next(&in)) {
		const struct nettlp_bench *bench = find_bench(job, in.operand);

		uintmax_t before = job->result.rows;

		begin_file(job, "published");
		result_text(&job->result, "bench", bench->name);
		while (in.line = in.next,
		       foreign_record_read(&record, &in, ','))
			take_record(job, bench, &in, &record);
		if (job->result.rows == before)
			die("%s: no result of nettlp", in.file);
		lines_close(&in);
	}
	record_free(&record);
	free(in.buffer);
}

const struct importer nettlp_importer = {
    .name = "nettlp",
    .help = "raw samples of NetTLP's benchmark-pciebench",
    .read = read_nettlp,
};
