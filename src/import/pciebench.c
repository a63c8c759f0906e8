/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summaries, bandwidths and CDFs of pcie-bench. */
#include "import/cdf.h"
#include "import/lspci.h"
#include "import/pciebench_row.h"
#include "import/system_name.h"

#include "common/base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cycles of the NFP-6000 per step of its timestamps. */
#define TICK_CYCLES 16

static void
set_ns(struct job *job, const char *column, const struct table *t,
       const char *cycles, const char *ns)
{
	struct result *r = &job->result;

	result_double(r, result_column(r, column), pciebench_ns(t, cycles, ns));
}

/* The columns are statistics of all samples of a row. */
static void
read_latencies(struct job *job, struct table *t)
{
	struct result *r = &job->result;

	do {
		pciebench_point(job, t);
		result_u64(r, result_column(r, "n"),
		           cell_integer(t, "#samples"));
		set_ns(job, "min_ns", t, "Min", "Min(ns)");
		set_ns(job, "mean_ns", t, "Avg", "Avg(ns)");
		set_ns(job, "median_ns", t, "Med", "Med(ns)");
		set_ns(job, "p95_ns", t, "95%", "95%(ns)");
		set_ns(job, "p99_9_ns", t, "99.9%", "99.9%(ns)");
		set_ns(job, "max_ns", t, "Max", "Max(ns)");
		result_end_row(r);
	} while (table_next(t));
}

/* Their GB/s are Gbit/s, for reads and writes per direction. */
static double
bandwidth(const struct table *t, uint64_t bytes, double ns)
{
	double gbit_s = 8 * (double)bytes / ns;

	if (!(ns > 0))
		cell_die(t, "Time(cyc)", "the time is 0");
	if (fabs(cell_number(t, "BW (GB/s)") - gbit_s) >
	    PCIEBENCH_TOLERANCE * gbit_s)
		cell_die(t, "BW (GB/s)", "not Gbit/s, 8 * Bytes / Time");
	return gbit_s;
}

static void
read_bandwidths(struct job *job, struct table *t)
{
	struct result *r = &job->result;

	do {
		uint64_t bytes = cell_integer(t, "Bytes");
		double ns = pciebench_ns(t, "Time(cyc)", "Time");

		pciebench_point(job, t);
		result_u64(r, result_column(r, "transfers"),
		           cell_integer(t, "Trans"));
		result_u64(r, result_column(r, "transferred_bytes"), bytes);
		result_double(r, result_column(r, "elapsed_ns"), ns);
		result_double(r, result_column(r, "bandwidth_gbit_s"),
		              bandwidth(t, bytes, ns));
		result_end_row(r);
	} while (table_next(t));
}

static void read_cdf(struct job *job, struct table *t);

/* The kinds of files: columns that identify each, and its rows. */
static const struct file_kind {
	const char *columns[3];
	const char *measures[8];
	void (*read)(struct job *job, struct table *t);
} kinds[] = {
    {{"Test", "Avg", "#samples"},
     {"n", "min_ns", "mean_ns", "median_ns", "p95_ns", "p99_9_ns", "max_ns"},
     read_latencies},
    {{"Test", "Time(cyc)", "BW (GB/s)"},
     {"transfers", "transferred_bytes", "elapsed_ns", "bandwidth_gbit_s"},
     read_bandwidths},
    {{"cycles", "ns", "cdf"}, {"latency_ns", "count"}, read_cdf},
};

static bool
is_kind_of_file(const struct file_kind *kind, const struct table *t)
{
	for (size_t i = 0; i < ARRAY_LEN(kind->columns); i++) {
		if (table_find(t, kind->columns[i]) < 0)
			return false;
	}
	return true;
}

static const struct file_kind *
recognise(const struct table *t)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (is_kind_of_file(&kinds[i], t))
			return &kinds[i];
	}
	if (t->ncols == 1 && strchr(t->name[0], ' '))
		die("%s: columns of text, as in the .dat and .txt files of "
		    "pcie-bench: use the .csv of the same name",
		    t->file);
	die("%s: no header of pcie-bench's latency, bandwidth or CDF files",
	    t->file);
}

static void
check_summary(const struct table *t)
{
	if (recognise(t)->read != read_latencies)
		die("%s: not a summary of latencies", t->file);
}

/* The summary has one row per section of the CDF. */
static void
read_cdf(struct job *job, struct table *t)
{
	char *name = job->details ? xstrdup(job->details) : cdf_summary_of(t);
	struct table *summary = table_open(&name, 1);
	bool more = true;

	summary->verbatim = true;
	while (more) {
		if (!table_next(summary))
			die("%s: fewer rows than %s has sections", name,
			    t->file);
		check_summary(summary);
		pciebench_point(job, summary);
		more = cdf_read_section(job, t, summary);
	}
	if (table_next(summary))
		die("%s: more rows than %s has sections", name, t->file);
	table_close(summary);
	free(name);
}

/* A link given with -l replaces the one from lspci. */
static void
set_link(struct job *job, const char *directory, const char *device)
{
	char link[LINK_TEXT_MAX];

	if (labels_value(&job->labels, "link"))
		return;
	lspci_link(directory, device, link);
	result_text(&job->result, COL_LINK, link);
}

static void
set_system(struct job *job, const char *file)
{
	struct result *r = &job->result;
	char *directory = directory_of_file(file);
	struct system system;

	system_of_directory(directory, &system);
	result_text(r, COL_HOST, system.host);
	result_text(r, COL_DEVICE, system.device);
	result_text(r, COL_NODE, system.node);
	result_text(r, COL_IOMMU, system.iommu);
	set_link(job, directory, system.device);
	system_free(&system);
	free(directory);
}

/* The first row, which has the program's column names. */
static bool
next_of_theirs(struct table *t)
{
	t->verbatim = true;
	return table_next(t);
}

static void
read_file(struct job *job, char *file)
{
	struct table *t = table_open(&file, 1);
	bool rows = next_of_theirs(t);
	const struct file_kind *kind = recognise(t);

	begin_file(job, "published");
	set_system(job, file);
	for (size_t i = 0; kind->measures[i]; i++)
		result_column(&job->result, kind->measures[i]);
	if (rows)
		kind->read(job, t);
	table_close(t);
}

static void
read_pciebench(struct job *job)
{
	char tick[32];

	add_identity(job);
	*print_double(tick, pciebench_cycles_to_ns(TICK_CYCLES)) = '\0';
	preamble_set(&job->preamble, "clock_tick_ns", "%s", tick);
	for (size_t i = 0; i < job->nfiles; i++)
		read_file(job, job->file[i]);
}

const struct importer pciebench_importer = {
    .name = "pciebench",
    .help = "the .csv files of pcie-bench: summaries, bandwidths, CDFs",
    .read = read_pciebench,
};
