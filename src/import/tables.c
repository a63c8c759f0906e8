/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of programs that print one table of columns. */
#include "import/text.h"

#include "common/base/util.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
need_words(const struct text *t, size_t n)
{
	if (t->nwords != n)
		text_die(t, "%zu values under %zu titles", t->nwords, n);
}

/* nccl-tests, rccl-tests --------------------------------------------------- */

/*
 * Collectives between GPUs. busbw is what each link carries, if all are alike;
 * links are of any kind.
 */

struct nccl {
	char test[32];
	size_t ncols;                 /* 0: no header was read */
	size_t type, redop, place[2]; /* columns; a place: time, algbw, busbw */
};

/* "#  size  count  type  redop  time  algbw  busbw  error  time ..." */
static bool
nccl_take_header(struct text *t)
{
	struct nccl *n = t->state;
	const char *const *words = (const char *const *)t->word + 1;
	size_t nplaces = 0;

	n->ncols = t->nwords - 1;
	n->type = find_word("type", words, n->ncols);
	n->redop = find_word("redop", words, n->ncols);
	for (size_t i = 0; i + 2 < n->ncols; i++) {
		if (!strcmp(words[i], "time") &&
		    !strcmp(words[i + 1], "algbw") &&
		    !strcmp(words[i + 2], "busbw") && nplaces < 2)
			n->place[nplaces++] = i;
	}
	if (nplaces < 2 || strcmp(words[0], "size") != 0)
		text_die(t, "not the titles of nccl-tests: '%s'", t->line);
	t->gap = false;
	return true;
}

static bool
nccl_take_line(struct text *t)
{
	static const char *const places[] = {"out-of-place", "in-place"};
	struct nccl *n = t->state;

	if (*t->line == '#') {
		sscanf(t->line, "# Collective test starting: %31s", n->test);
		if (strstr(t->line, "(elements)") &&
		    (!strstr(t->line, "(us)") || !strstr(t->line, "(GB/s)")))
			text_die(t, "units other than us and GB/s");
		return t->nwords > 1 && strstr(t->line, "busbw") &&
		       !strchr(t->line, ':') && nccl_take_header(t);
	}
	if (!n->ncols || !text_is_row(t, n->ncols))
		return false;
	need_words(t, n->ncols);
	for (size_t i = 0; i < 2; i++) {
		char *const *at = t->word + n->place[i];

		text_row(t, "nccl", "");
		text_set(t, "collective", n->test);
		text_set(t, "place", places[i]);
		if (n->type < n->ncols)
			text_set(t, "datatype", t->word[n->type]);
		if (n->redop < n->ncols)
			text_set(t, "reduction", t->word[n->redop]);
		text_count(t, "size_bytes", t->word[0]);
		text_measure(t, "mean_ns", at[0], "us");
		text_measure(t, "algorithm_gbit_s", at[1], "GB/s");
		text_measure(t, "bandwidth_gbit_s", at[2], "GB/s");
		text_end_row(t);
	}
	if (t->nwords > n->place[1] + 3 &&
	    strcmp(t->word[n->place[1] + 3], "N/A") != 0)
		text_number(t, t->word[n->place[1] + 3]);
	return true;
}

const struct importer nccl_importer = {
    .name = "nccl-tests",
    .help = "nccl-tests and rccl-tests",
    .take_line = nccl_take_line,
    .state_size = sizeof(struct nccl),
};

/* ucx_perftest ------------------------------------------------------------- */

/* Messages between two processes. Its MB are 2^20 bytes. */

struct ucx {
	char test[48];
	char size[24];
	bool median; /* the first time is the median */
};

static bool
ucx_take_line(struct text *t)
{
	static const struct {
		const char *column, *unit;
	} cells[] = {{"median_ns", "us"},
	             {NULL, "us"},
	             {"mean_ns", "us"},
	             {NULL, "MiB/s"},
	             {"bandwidth_gbit_s", "MiB/s"}};
	struct ucx *u = t->state;

	if (sscanf(t->line, "| Test: %47[^|]", u->test) == 1) {
		for (size_t n = strlen(u->test); n && u->test[n - 1] == ' ';)
			u->test[--n] = '\0';
		return true;
	}
	if (sscanf(t->line, "| Message size: %23[0-9]", u->size) == 1)
		return true;
	if (strstr(t->line, "# iterations")) {
		u->median =
		    strstr(t->line, "50.0%ile") || strstr(t->line, "typical");
		return true;
	}
	/* Reports on the way, which the last one includes. */
	if (text_begins(t, "[thread "))
		return true;
	if (strcmp(t->word[0], "Final:") != 0)
		return false;
	need_words(t, 9);
	text_row(t, "ucx_perftest", "");
	text_set(t, "test", u->test);
	if (*u->size)
		text_count(t, "size_bytes", u->size);
	text_count(t, "n", t->word[1]);
	for (size_t i = 2; i < t->nwords; i++)
		text_number(t, t->word[i]);
	for (size_t i = !u->median; i < ARRAY_LEN(cells); i++) {
		if (cells[i].column)
			text_measure(t, cells[i].column, t->word[2 + i],
			             cells[i].unit);
	}
	text_end_row(t);
	return true;
}

const struct importer ucx_importer = {
    .name = "ucx-perftest",
    .help = "ucx_perftest of UCX",
    .take_line = ucx_take_line,
    .state_size = sizeof(struct ucx),
};

/* hipBusBandwidth ---------------------------------------------------------- */

/* Copies between host and GPU. Its kB are 2^10 bytes. */

static bool
hip_take_line(struct text *t)
{
	static const char *const statistics[] = {"median", "mean", "stddev",
	                                         "min", "max"};
	bool *known = t->state;
	char bench[64], column[24], *end;
	bool kib;

	if (t->nwords == 8 && !strcmp(t->word[1], "atts")) {
		t->gap = false;
		return *known = true;
	}
	if (!*known || t->nwords < 3 ||
	    (!is_time_unit(t->word[2]) && !is_bandwidth_unit(t->word[2]) &&
	     !text_is_row(t, 8)))
		return false;
	need_words(t, 8);
	snprintf(bench, sizeof bench, "hip_%s", t->word[0]);
	for (char *c = bench; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (!strcmp(bench, "hip_h2d_bandwidth_pinned"))
		snprintf(bench, sizeof bench, "bw_rd");
	else if (!strcmp(bench, "hip_d2h_bandwidth_pinned"))
		snprintf(bench, sizeof bench, "bw_wr");
	text_row(t, bench, "");
	end = t->word[1] + strcspn(t->word[1], "kB");
	if (strcmp(end, "kB") != 0 && strcmp(end, "By") != 0)
		text_die(t, "'%s': not a size", t->word[1]);
	kib = *end == 'k';
	*end = '\0';
	result_u64(&t->job->result,
	           result_column(&t->job->result, "size_bytes"),
	           (uint64_t)text_number(t, t->word[1] + (*t->word[1] == '+')) *
	               (kib ? 1024 : 1));
	for (size_t i = 0; i < ARRAY_LEN(statistics); i++) {
		snprintf(column, sizeof column, "%s_%s", statistics[i],
		         is_time_unit(t->word[2]) ? "ns" : "gbit_s");
		text_measure(t, column, t->word[3 + i], t->word[2]);
	}
	text_end_row(t);
	return true;
}

const struct importer hip_importer = {
    .name = "hip-bus-bandwidth",
    .help = "hipBusBandwidth of HIP's samples",
    .take_line = hip_take_line,
    .state_size = sizeof(bool),
};

/* gdsio -------------------------------------------------------------------- */

/* Transfers between a file and a GPU, over one link or several. */
static bool
gdsio_take_line(struct text *t)
{
	char type[16], transfer[16], threads[16], size[24], value[32], unit[16];
	char time[32], n[24], seconds[32], *bench;
	int end = 0;

	if (!text_begins(t, "IoType:"))
		return false;
	if (sscanf(t->line,
	           "IoType: %15s XferType: %15s Threads: %15s DataSetSize: %*s "
	           "IOSize: %23[0-9](KiB) Throughput: %31s %15[^,], "
	           "Avg_Latency: %31s usecs ops: %23s total_time %31s secs%n",
	           type, transfer, threads, size, value, unit, time, n, seconds,
	           &end) != 9 ||
	    !end || t->line[end])
		text_die(t, "not a row of gdsio: '%s'", t->line);
	text_number(t, seconds);
	bench = xasprintf("gdsio_%s", type);
	for (char *c = bench; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	text_row(t, bench, "");
	free(bench);
	text_set(t, "transfer", transfer);
	text_count(t, "threads", threads);
	result_double(&t->job->result,
	              result_column(&t->job->result, "size_bytes"),
	              1024 * text_number(t, size));
	text_count(t, "n", n);
	text_measure(t, "bandwidth_gbit_s", value, unit);
	text_measure(t, "mean_ns", time, "us");
	text_end_row(t);
	return true;
}

const struct importer gdsio_importer = {
    .name = "gdsio",
    .help = "gdsio of NVIDIA GPUDirect Storage",
    .take_line = gdsio_take_line,
};
