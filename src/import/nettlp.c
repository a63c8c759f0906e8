/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw samples of NetTLP's pcie benchmark: pattern, number, size and latency or
 * bandwidth. Only the name of a file shows which of the two it holds.
 */
#include "import/import.h"

#include "common/base/util.h"

static const char header[] = "pattern\0index\0size\0value";

static const struct word patterns[] = {
    {"FIX", "fixed"},
    {"RAN", "random"},
};

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
read_file(struct job *job, char *file)
{
	const struct nettlp_bench *bench = find_bench(job, file);
	struct result *r = &job->result;
	struct table *t = table_open(&file, 1);

	t->verbatim = true;
	table_set_header(t, header, 4);
	begin_file(job, "published");
	result_text(r, "bench", bench->name);
	while (table_next(t)) {
		result_text(
		    r, "pattern",
		    cell_word(t, "pattern", patterns, ARRAY_LEN(patterns)));
		result_u64(r, "size_bytes", cell_integer(t, "size"));
		result_u64(r, "seq", cell_integer(t, "index"));
		if (cell_number(t, "value") < 0)
			cell_die(t, "value", "less than 0");
		result_text(r, bench->measure, need_text(t, "value"));
		result_end_row(r);
	}
	table_close(t);
}

static void
read_nettlp(struct job *job)
{
	add_identity(job);
	for (size_t i = 0; i < job->nfiles; i++)
		read_file(job, job->file[i]);
}

const struct importer nettlp_importer = {
    .name = "nettlp",
    .help = "raw samples of NetTLP's benchmark-pciebench",
    .read = read_nettlp,
};
