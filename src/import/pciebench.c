/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summaries, bandwidths and CDFs of pcie-bench. */
#include "import/import.h"
#include "import/pciebench_system.h"

#include "common/base/number.h"

#include <math.h>
#include <unistd.h>

/* Cycles of the NFP-6000 per step of its timestamps. */
#define TICK_CYCLES 16

/* Largest difference of two columns with the same value: rounding. */
#define TOLERANCE 1e-12

static const struct word tests[] = {
    {"LAT_CMD_RD", "lat_rd"},     {"LAT_DMA_RD", "lat_rd"},
    {"LAT_CMD_WRRD", "lat_wrrd"}, {"LAT_DMA_WRRD", "lat_wrrd"},
    {"BW_DMA_RD", "bw_rd"},       {"BW_DMA_WR", "bw_wr"},
    {"BW_DMA_RW", "bw_rdwr"},
};

static const struct word patterns[] = {
    {"Rand", "random"},
    {"Seq", "sequential"},
};

/* Its "Cold" is a cache filled by the host with other data. */
static const struct word caches[] = {
    {"Cold", "thrashed"},
    {"DThrash", "device-thrashed"},
    {"HWarm", "host-warm"},
    {"DWarm", "device-warm"},
};

static _Noreturn void
cell_die(const struct table *t, const char *name, const char *why)
{
	table_refuse(t, need_column(t, name), why);
}

static double
cell_number(const struct table *t, const char *name)
{
	return table_number(t, need_column(t, name));
}

static uint64_t
cell_integer(const struct table *t, const char *name)
{
	double value = cell_number(t, name);

	if (value < 0 || value > 0x1p53 || value != floor(value))
		cell_die(t, name, "not a whole number from 0 to 2^53");
	return (uint64_t)value;
}

static const char *
cell_word(const struct table *t, const char *name, const struct word *words,
          size_t nwords)
{
	const char *text = need_text(t, name);

	for (size_t i = 0; i < nwords; i++) {
		if (!strcmp(text, words[i].theirs))
			return words[i].ours;
	}
	cell_die(t, name, "unknown");
}

/* Nanoseconds for cycles of the NFP at 1.2 GHz. */
static double
cycles_to_ns(double cycles)
{
	return cycles * 5 / 6;
}

/*
 * Nanoseconds of a column of cycles. Dies unless the published nanoseconds
 * agree, which detects another clock.
 */
static double
ns_of(const struct table *t, const char *cycles, const char *ns)
{
	double value = cycles_to_ns(cell_number(t, cycles));

	if (value < 0)
		cell_die(t, cycles, "less than 0");
	if (fabs(cell_number(t, ns) - value) > TOLERANCE * value)
		cell_die(t, ns, "not the time of these cycles at 1.2 GHz");
	return value;
}

/* Sets bench, size, window and so on from a row of a summary. */
static void
set_point(struct job *job, const struct table *t)
{
	static const struct word sizes[] = {
	    {"HO", "offset_bytes"},
	    {"DO", "device_offset_bytes"},
	    {"WinSZ", "window_bytes"},
	    {"SZ", "size_bytes"},
	};
	struct result *r = &job->result;

	result_text(r, "bench", cell_word(t, "Test", tests, ARRAY_LEN(tests)));
	result_text(r, "interface",
	            strstr(need_text(t, "Test"), "_CMD_") ? "command"
	                                                  : "engine");
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		result_u64(r, sizes[i].ours, cell_integer(t, sizes[i].theirs));
	result_text(r, "pattern",
	            cell_word(t, "PAT", patterns, ARRAY_LEN(patterns)));
	result_text(r, "cache",
	            cell_word(t, "Cache", caches, ARRAY_LEN(caches)));
}

/* The columns are statistics of all samples of a row. */
static void
read_latencies(struct job *job, struct table *t)
{
	static const struct {
		const char *column, *cycles, *ns;
	} statistics[] = {
	    {"min_ns", "Min", "Min(ns)"},       {"mean_ns", "Avg", "Avg(ns)"},
	    {"median_ns", "Med", "Med(ns)"},    {"p95_ns", "95%", "95%(ns)"},
	    {"p99_9_ns", "99.9%", "99.9%(ns)"}, {"max_ns", "Max", "Max(ns)"},
	};
	struct result *r = &job->result;

	do {
		set_point(job, t);
		result_u64(r, "n", cell_integer(t, "#samples"));
		for (size_t i = 0; i < ARRAY_LEN(statistics); i++)
			result_double(
			    r, statistics[i].column,
			    ns_of(t, statistics[i].cycles, statistics[i].ns));
		result_end_row(r);
	} while (table_next(t));
}

/* Their GB/s are Gbit/s, for reads and writes per direction. */
static void
read_bandwidths(struct job *job, struct table *t)
{
	struct result *r = &job->result;

	do {
		uint64_t bytes = cell_integer(t, "Bytes");
		double ns = ns_of(t, "Time(cyc)", "Time");
		double gbit_s = 8 * (double)bytes / ns;

		set_point(job, t);
		result_u64(r, "transfers", cell_integer(t, "Trans"));
		result_u64(r, "transferred_bytes", bytes);
		result_double(r, "elapsed_ns", ns);
		if (!(ns > 0))
			cell_die(t, "Time(cyc)", "the time is 0");
		if (fabs(cell_number(t, "BW (GB/s)") - gbit_s) >
		    TOLERANCE * gbit_s)
			cell_die(t, "BW (GB/s)",
			         "not Gbit/s, 8 * Bytes / Time");
		result_double(r, "bandwidth_gbit_s", gbit_s);
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

static const struct file_kind *
recognise(const struct table *t)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		const char *const *columns = kinds[i].columns;

		if (table_find(t, columns[0]) >= 0 &&
		    table_find(t, columns[1]) >= 0 &&
		    table_find(t, columns[2]) >= 0)
			return &kinds[i];
	}
	if (t->ncols == 1 && strchr(t->name[0], ' '))
		die("%s: columns of text, as in the .dat and .txt files of "
		    "pcie-bench: use the .csv of the same name",
		    t->file);
	die("%s: no header of pcie-bench's latency, bandwidth or CDF files",
	    t->file);
}

/*
 * CDFs of pcie-bench. A section starts with its first bin twice, the first time
 * with cdf 0. A cdf is a count over the number of samples, so the product with
 * that number restores the count. The file has neither the number nor the
 * parameters, but its summary has one row per section.
 */
/* Largest distance of a count from an integer: rounding of double. */
#define COUNT_TOLERANCE 1e-6

/*
 * X.csv for X_cdf.csv, the published name of the summary; free it. Dies if the
 * file has another name, or the summary is missing.
 */
static char *
summary_of(const struct table *t)
{
	static const char ending[] = "_cdf.csv";
	size_t length = strlen(t->file);
	size_t stem = length - strlen(ending);
	char *name;

	if (length < strlen(ending) || strcmp(t->file + stem, ending) != 0)
		die("%s: a CDF does not name its conditions: name its summary "
		    "with --details",
		    t->file);
	name = xasprintf("%.*s.csv", (int)stem, t->file);
	if (access(name, F_OK))
		die_sys("%s: its summary %s", t->file, name);
	return name;
}

/*
 * Appends a bin; returns the number of samples, of n, at or below it, which
 * exceeds `below`.
 */
static uint64_t
take_bin(struct job *job, const struct table *t, uint64_t n, uint64_t below)
{
	struct result *r = &job->result;
	double part = cell_number(t, "cdf") * (double)n;
	double count = round(part);

	if (fabs(part - count) > COUNT_TOLERANCE)
		cell_die(t, "cdf",
		         "times the number of samples is not a whole number");
	if (count < 0 || count > (double)n)
		cell_die(t, "cdf", "not from 0 to 1");
	if ((uint64_t)count <= below)
		cell_die(t, "cdf", "not above the one before");
	result_double(r, "latency_ns", ns_of(t, "cycles", "ns"));
	result_u64(r, "count", (uint64_t)count - below);
	result_end_row(r);
	return (uint64_t)count;
}

/* Checks that section and summary row match: equal minimum and maximum. */
static void
check_cycles(const struct table *t, double cycles, const struct table *summary,
             const char *name)
{
	if (cell_number(summary, name) != cycles)
		die("%s:%ju: the section before has %s %.17g, but %s:%ju says "
		    "%s",
		    t->file, t->line, name, cycles, summary->file,
		    summary->line, need_text(summary, name));
}

/*
 * Reads the section that starts at the current row; the summary's current row
 * has its number of samples. True if the current row is then the first of
 * another section, false at the end of the file.
 */
static bool
read_section(struct job *job, struct table *t, const struct table *summary)
{
	uint64_t n = cell_integer(summary, "#samples");
	double min = cell_number(t, "cycles");
	double max = -1;
	uint64_t below = 0;
	bool more;

	if (cell_number(t, "cdf") != 0)
		cell_die(t, "cdf", "a section begins with 0");
	more = table_next(t);
	if (!more || cell_number(t, "cycles") != min)
		die("%s:%ju: a section begins with its first bin twice",
		    t->file, t->line);
	for (; more && cell_number(t, "cdf") != 0; more = table_next(t)) {
		if (cell_number(t, "cycles") <= max)
			cell_die(t, "cycles", "not above the one before");
		max = cell_number(t, "cycles");
		below = take_bin(job, t, n, below);
	}
	if (below != n)
		die("%s:%ju: the section before ends below 1", t->file,
		    t->line);
	check_cycles(t, min, summary, "Min");
	check_cycles(t, max, summary, "Max");
	return more;
}

/* The summary has one row per section of the CDF. */
static void
read_cdf(struct job *job, struct table *t)
{
	char *name = job->details ? xstrdup(job->details) : summary_of(t);
	struct table *summary = open_csv(&name, 1);
	bool more = true;

	while (more) {
		if (!table_next(summary))
			die("%s: fewer rows than %s has sections", name,
			    t->file);
		if (recognise(summary)->read != read_latencies)
			die("%s: not a summary of latencies", summary->file);
		set_point(job, summary);
		more = read_section(job, t, summary);
	}
	if (table_next(summary))
		die("%s: more rows than %s has sections", name, t->file);
	table_close(summary);
	free(name);
}

static void
set_system(struct job *job, const char *file)
{
	struct result *r = &job->result;
	char *directory = strcmp(file, "-") ? realpath(file, NULL) : NULL;
	struct system system;
	char link[LINK_TEXT_MAX];

	if (!directory && strcmp(file, "-") != 0)
		die_sys("%s", file);
	if (directory)
		*strrchr(directory, '/') = '\0';
	parse_system(directory ? basename(directory) : "", &system);
	result_text(r, "host", system.host);
	result_text(r, "device", system.device);
	result_text(r, "node", system.node);
	result_text(r, "iommu", system.iommu);
	/* A link given with -l replaces the one from lspci. */
	if (!labels_value(&job->labels, "link")) {
		link_of_listing(directory, system.device, link);
		result_text(r, "link", link);
	}
	free(system.host);
	free(system.device);
	free(directory);
}

static void
read_file(struct job *job, char *file)
{
	struct table *t = open_csv(&file, 1);
	const struct file_kind *kind;
	bool rows;

	rows = table_next(t);
	kind = recognise(t);
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
	*print_double(tick, cycles_to_ns(TICK_CYCLES)) = '\0';
	preamble_set(&job->preamble, "clock_tick_ns", "%s", tick);
	for (size_t i = 0; i < job->nfiles; i++)
		read_file(job, job->file[i]);
}

const struct importer pciebench_importer = {
    .name = "pciebench",
    .help = ".csv files of pcie-bench: summaries, bandwidths, CDFs",
    .words = (const char *const[]){"LAT_CMD_", "LAT_DMA_", "BW_DMA_", NULL},
    .read = read_pciebench,
};
