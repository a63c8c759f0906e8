/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of programs that print one table of columns. */
#include "import/text.h"

#include "common/base/util.h"

#include <ctype.h>

/* A bench called after a test: the prefix and its name in lower case. */
static void
begin_row(struct text *t, const char *prefix, const char *test)
{
	char *bench = xasprintf("%s%s", prefix, test);

	for (char *c = bench; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	text_row(t, bench, "");
	free(bench);
}

/* nccl-tests, rccl-tests --------------------------------------------------- */

/*
 * Collectives between GPUs. busbw is what each link carries, if all are alike;
 * links are of any kind. A row has a result of each place.
 */
static const struct text_column nccl_columns[] = {
    {"size", "size_bytes", COUNT},
    {"count", NULL, NUMBER},
    {"type", "datatype", WORD},
    {"redop", "reduction", WORD},
    {"root", NULL, NUMBER},
    {"time", "mean_ns", "us"},
    {"algbw", "algorithm_gbit_s", "GB/s"},
    {"busbw", "bandwidth_gbit_s", "GB/s"},
    {"error", NULL, NUMBER},
    {"#wrong", NULL, NUMBER},
    {"time", "mean_ns", "us"},
    {"algbw", "algorithm_gbit_s", "GB/s"},
    {"busbw", "bandwidth_gbit_s", "GB/s"},
    {"error", NULL, NUMBER},
    {"#wrong", NULL, NUMBER},
};

struct nccl {
	char test[32];
	size_t second; /* the column with which the second place begins */
};

static bool
nccl_take_line(struct text *t)
{
	struct nccl *n = t->state;

	if (*t->line == '#') {
		sscanf(t->line, "# Collective test starting: %31s", n->test);
		if (strstr(t->line, "(elements)") &&
		    (!strstr(t->line, "(us)") || !strstr(t->line, "(GB/s)")))
			text_die(t, "units other than us and GB/s");
		if (!strstr(t->line, "busbw") ||
		    !text_header(t, text_after(t, "#"), nccl_columns,
		                 ARRAY_LEN(nccl_columns), 9))
			return false;
		n->second = 0;
		while (n->second < t->ncols &&
		       t->col[n->second] != &nccl_columns[10])
			n->second++;
		if (n->second == t->ncols)
			text_die(t, "not the titles of nccl-tests: '%s'",
			         t->line);
		return true;
	}
	if (!text_is_row(t))
		return false;
	for (size_t i = 0; i < t->ncols; i++) {
		if (!strcmp(t->col[i]->title, "#wrong") &&
		    strtod(t->word[i], NULL) > 0)
			warn("%s:%ju: %s results of this row are wrong, says "
			     "the test",
			     t->in.file, t->in.line, t->word[i]);
	}
	text_row(t, "nccl", "");
	text_set(t, "collective", n->test);
	text_set(t, "place", "out-of-place");
	text_cells(t, 0, n->second);
	text_end_row(t);
	text_set(t, "place", "in-place");
	text_cells(t, n->second, t->ncols);
	text_end_row(t);
	return true;
}

const struct importer nccl_importer = {
    .name = "nccl-tests",
    .help = "nccl-tests and rccl-tests",
    .words = (const char *const[]){"nccl-tests", "rccl-tests", "busbw",
                                   "nThread ", "Out of bounds values",
                                   "Avg bus bandwidth", NULL},
    .needs = "the titles '#  size  count  type  redop  root  time  algbw  "
             "busbw' and a row",
    .take_line = nccl_take_line,
    .state_size = sizeof(struct nccl),
};

/* ucx_perftest ------------------------------------------------------------- */

/*
 * Messages between two processes. Its MB are 2^20 bytes. Before version 1.11,
 * the last line of a table is the result; since then "Final:" says so, or the
 * name of the test, and one of several threads has four columns.
 */
static const struct text_column ucx_columns[] = {
    {"", "n", COUNT},   {"", "median_ns", "us"},
    {"", NULL, NUMBER}, {"", "mean_ns", "us"},
    {"", NULL, NUMBER}, {"", "bandwidth_gbit_s", "MiB/s"},
    {"", NULL, NUMBER}, {"", NULL, NUMBER},
};
static const struct text_column ucx_threads[] = {
    {"", "n", COUNT},
    {"", "mean_ns", "us"},
    {"", "bandwidth_gbit_s", "MiB/s"},
    {"", NULL, NUMBER},
};

struct ucx {
	char test[48];
	char size[24];
	enum { LAST, STAGES, TESTS } kind;
	bool median;
	bool threads; /* several */
	bool pending; /* a row has begun */
};

static void
ucx_end(struct text *t)
{
	struct ucx *u = t->state;

	if (u->pending)
		text_end_row(t);
	u->pending = false;
}

/* "|  Stage  | # iterations | 50.0%ile | average | ..." */
static bool
ucx_take_header(struct text *t)
{
	struct ucx *u = t->state;

	if (!strstr(t->line, "# iterations"))
		return false;
	ucx_end(t);
	u->kind = strstr(t->line, " Stage ")  ? STAGES
	          : strstr(t->line, " Test ") ? TESTS
	                                      : LAST;
	u->median = strstr(t->line, "50.0%") || strstr(t->line, "typical");
	text_open(t, ucx_columns, ARRAY_LEN(ucx_columns));
	return true;
}

/* Leaves the numbers of a result in the line; false if it holds none. */
static bool
ucx_split(struct text *t)
{
	struct ucx *u = t->state;
	const char *numbers = text_after(t, "Final:");
	int length = 0;

	if (!t->ncols || (!numbers && u->kind == STAGES))
		return false;
	if (numbers && u->threads)
		text_open(t, ucx_threads, ARRAY_LEN(ucx_threads));
	if (u->kind == TESTS && isalpha((unsigned char)*t->line) &&
	    sscanf(t->line, "%47[a-z0-9_/]%*[ ]%n", u->test, &length) == 1 &&
	    length)
		numbers = t->line + length;
	t->line = numbers ? numbers : t->line;
	text_split(t, " \t");
	return text_is_row(t);
}

static bool
ucx_take_line(struct text *t)
{
	struct ucx *u = t->state;
	const char *line = t->line;

	if (sscanf(line, "| Test: %47[^|]", u->test) == 1 ||
	    sscanf(line, "+%47[a-z0-9_/]", u->test) == 1) {
		for (size_t n = strlen(u->test); n && u->test[n - 1] == ' ';)
			u->test[--n] = '\0';
		ucx_end(t);
		return true;
	}
	if (sscanf(line, "| Message size: %23[0-9]", u->size) == 1 ||
	    ucx_take_header(t))
		return true;
	/* Reports on the way, which the last one includes. */
	if (text_begins(t, "[thread ")) {
		u->threads = u->threads || !text_begins(t, "[thread 0]");
		return true;
	}
	if (!ucx_split(t)) {
		t->line = line;
		return false;
	}
	text_row(t, "ucx_perftest", "");
	text_set(t, "test", u->test);
	if (*u->size)
		text_cell(t, "size_bytes", COUNT, u->size);
	text_cells(t, 0, 1);
	text_cells(t, t->col[1] == &ucx_columns[1] && !u->median ? 2 : 1,
	           t->ncols);
	u->pending = true;
	if (u->kind != LAST)
		ucx_end(t);
	return true;
}

const struct importer ucx_importer = {
    .name = "ucx-perftest",
    .help = "ucx_perftest of UCX",
    .words = (const char *const[]){"# iterations", "overhead (usec)",
                                   "latency (usec)", "ucx_perftest", NULL},
    .needs = "the line 'Final:' or the last row of a table",
    .take_line = ucx_take_line,
    .end = ucx_end,
    .state_size = sizeof(struct ucx),
};

/* hipBusBandwidth ---------------------------------------------------------- */

/* Copies between host and GPU. Its kB are 2^10 bytes. */
static const struct text_column hip_columns[] = {
    {"test", NULL, WORD},     {"atts", NULL, WORD},
    {"units", NULL, WORD},    {"median", "median", NUMBER},
    {"mean", "mean", NUMBER}, {"stddev", "stddev", NUMBER},
    {"min", "min", NUMBER},   {"max", "max", NUMBER},
};

static bool
hip_take_line(struct text *t)
{
	const char *test = t->word[0];
	char *size = t->word[1];
	bool kib;

	if (strstr(t->line, " atts "))
		return text_header(t, t->line, hip_columns,
		                   ARRAY_LEN(hip_columns), 8);
	if (!text_is_row(t))
		return false;
	kib = strstr(size, "kB");
	if (!kib && !strstr(size, "By"))
		text_die(t, "'%s': not a size", size);
	if (!strcmp(test, "H2D_Bandwidth_pinned"))
		text_row(t, "bw_rd", "");
	else if (!strcmp(test, "D2H_Bandwidth_pinned"))
		text_row(t, "bw_wr", "");
	else
		begin_row(t, "hip_", test);
	/* "+064By", "4kB" */
	size[strcspn(size, "kB")] = '\0';
	text_cell(t, "size_bytes", kib ? "KiB" : "B", size + (*size == '+'));
	for (size_t i = 3; i < t->ncols; i++) {
		char *column =
		    xasprintf("%s_%s", t->col[i]->name,
		              is_time_unit(t->word[2]) ? "ns" : "gbit_s");

		text_cell(t, column, t->word[2], t->word[i]);
		free(column);
	}
	text_end_row(t);
	return true;
}

const struct importer hip_importer = {
    .name = "hip-bus-bandwidth",
    .help = "hipBusBandwidth of HIP's samples",
    .words = (const char *const[]){"H2D_", "D2H_", "hipBusBandwidth", NULL},
    .needs = "titles such as 'test atts units median' and a row",
    .take_line = hip_take_line,
};

/* gdsio -------------------------------------------------------------------- */

/*
 * Transfers between a file and a GPU, over one link or several. Only batches
 * have a depth.
 */
static bool
gdsio_take_line(struct text *t)
{
	const char *rest = strstr(t->line, "DataSetSize:");
	char type[16], transfer[16], threads[16], depth[16], size[24];
	char value[32], unit[16], time[32], n[24], seconds[32];
	int parts, end = 0;

	if (!text_begins(t, "IoType:"))
		return false;
	parts = sscanf(
	    t->line, "IoType: %15s XferType: %15s Threads: %15s IoDepth: %15s",
	    type, transfer, threads, depth);
	if (!rest || parts < 3 ||
	    sscanf(rest,
	           "DataSetSize: %*s IOSize: %23[0-9](KiB) Throughput: %31s "
	           "%15[^,], Avg_Latency: %31s usecs ops: %23s total_time "
	           "%31s secs%n",
	           size, value, unit, time, n, seconds, &end) != 6 ||
	    !end || rest[end])
		text_die(t, "not a row of gdsio: '%s'", t->line);
	begin_row(t, "gdsio_", type);
	text_set(t, "transfer", transfer);
	text_cell(t, "threads", COUNT, threads);
	if (parts == 4)
		text_cell(t, "queue_depth", COUNT, depth);
	text_cell(t, "size_bytes", "KiB", size);
	text_cell(t, "n", COUNT, n);
	text_cell(t, "bandwidth_gbit_s", unit, value);
	text_cell(t, "mean_ns", "us", time);
	text_cell(t, NULL, NUMBER, seconds);
	text_end_row(t);
	return true;
}

const struct importer gdsio_importer = {
    .name = "gdsio",
    .help = "gdsio of NVIDIA GPUDirect Storage",
    .words = (const char *const[]){"IoType:", "XferType:", NULL},
    .needs = "'IoType: ... Throughput: ... total_time ... secs'",
    .take_line = gdsio_take_line,
};
