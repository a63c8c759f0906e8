/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of programs that print one table of columns. */
#include "import/text.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <ctype.h>
#include <math.h>

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
    {"root", "root", WORD},
    {"time", "mean_ns", "us"},
    {"cputime", "mean_ns", "us"},
    {"algbw", "algorithm_gbit_s", "GB/s"},
    {"busbw", "bandwidth_gbit_s", "GB/s"},
    {"error", NULL, NUMBER},
    {"#wrong", NULL, NUMBER},
    {"i_min", "min_ns", "us"},
    {"i_max", "max_ns", "us"},
    {"i_p99", "p99_ns", "us"},
    {"i_cv%", NULL, NUMBER},
    {"timestamp", NULL, WORD},
};

/* The columns of both places: a list in which each is there twice. */
#define NCCL_COLUMNS ARRAY_LEN(nccl_columns)
#define NCCL_KEYS    5

struct nccl {
	struct text_column column[2 * NCCL_COLUMNS - NCCL_KEYS];
	char test[32];
	size_t least;  /* GPUs of the first process */
	size_t second; /* where the second place begins; ncols: it is cut off */
};

static void
nccl_open(struct text *t, const char *titles)
{
	struct nccl *n = t->state;

	for (size_t i = 0; i < ARRAY_LEN(n->column); i++)
		n->column[i] = nccl_columns[i < NCCL_COLUMNS
		                                ? i
		                                : i - NCCL_COLUMNS + NCCL_KEYS];
	text_header(t, titles, n->column, ARRAY_LEN(n->column), 8);
	n->second = 0;
	while (n->second < t->ncols &&
	       t->col[n->second] < &n->column[NCCL_COLUMNS])
		n->second++;
	text_mode(t, "timed_by", strstr(titles, "cputime") ? "cpu" : NULL);
}

static bool
nccl_is_type(const char *word)
{
	return list_has("int8,uint8,int32,uint32,int64,uint64,half,float,"
	                "double,bfloat16,fp8_e4m3,fp8_e5m2",
	                word);
}

/*
 * The titles of a row that lost them, whose size and time give its bandwidth;
 * or NULL. Old versions have no root.
 */
static const char *
nccl_find_titles(const struct text *t)
{
	bool old = t->nwords == 12 && isalpha((unsigned char)*t->word[3]);
	size_t first = old ? 4 : 5;
	double size, time, bandwidth;

	if (t->ncols || (t->nwords != 13 && !old) ||
	    !nccl_is_type(t->word[2]) || parse_number(t->word[0], &size) ||
	    parse_number(t->word[first], &time) ||
	    parse_number(t->word[first + 1], &bandwidth) || time <= 0 ||
	    !(fabs(size / time / 1e3 - bandwidth) < 0.006 + 0.006 * bandwidth))
		return NULL;
	return old ? "size count type redop time algbw busbw error time algbw "
	             "busbw error"
	           : "size count type redop root time algbw busbw #wrong time "
	             "algbw busbw #wrong";
}

/* Old versions print a blank where a collective has no operation. */
static void
nccl_fill_operation(struct text *t)
{
	static char none[] = "-";
	double unused;

	if (t->nwords + 1 != t->ncols || t->ncols < 4 ||
	    strcmp(t->col[3]->title, "redop") != 0 ||
	    !nccl_is_type(t->word[2]) || parse_number(t->word[3], &unused))
		return;
	memmove(t->word + 4, t->word + 3, (t->nwords++ - 3) * sizeof *t->word);
	t->word[3] = none;
}

static bool
nccl_take_head(struct text *t)
{
	struct nccl *n = t->state;
	const char *titles = t->line + strspn(t->line, "# \t");
	const char *settings = strstr(titles, "warmup iters:"), *set;
	char name[64], value[64];
	size_t gpus;

	if (settings && !strncmp(titles, "nThread ", 8))
		text_setting(t, "settings", settings);
	if (sscanf(titles, "nThread %63s nGpus %63s", name, value) == 2)
		n->least = strtoul(name, NULL, 10) * strtoul(value, NULL, 10);
	set = strstr(titles, " set by environment to ");
	while (set && set > titles && set[-1] != ' ')
		set--;
	if (set &&
	    sscanf(set, "%63s set by environment to %63s", name, value) == 2)
		text_setting(t, name, value);
	if (sscanf(titles, "Collective test starting: %31s", n->test) == 1 ||
	    !strncmp(titles, "nThread ", 8)) {
		text_mode(t, "gpus", NULL);
		return true;
	}
	/* The list may be shortened: the last rank counts, or none. */
	if (!strncmp(titles, "Rank ", 5) && strstr(titles, " device ")) {
		const char *gpu = strchr(titles, ']');

		gpus = strtoul(titles + 5, NULL, 10) + 1;
		text_setting(t, "device", gpu ? gpu + 1 : "");
		if (gpus >= n->least)
			text_mode_count(t, "gpus", gpus);
		return true;
	}
	if (strstr(titles, "(elements)") &&
	    (!strstr(titles, "(us)") || !strstr(titles, "(GB/s)")))
		text_die(t, "units other than us and GB/s");
	if (strncmp(titles, "size ", 5) != 0 || !strstr(titles, "busbw"))
		return false;
	nccl_open(t, titles);
	return true;
}

static bool
nccl_take_line(struct text *t)
{
	struct nccl *n = t->state;
	const char *titles;

	if (nccl_take_head(t))
		return true;
	if (*t->line == '#')
		return false;
	titles = nccl_find_titles(t);
	if (titles)
		nccl_open(t, titles);
	/* A timestamp is two words. */
	if (t->ncols && !strcmp(t->col[t->ncols - 1]->title, "timestamp") &&
	    t->nwords == t->ncols + 1)
		t->nwords--;
	nccl_fill_operation(t);
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
	/* A page may show one place only. */
	if (n->second == t->ncols)
		return true;
	text_set(t, "place", "in-place");
	text_cells(t, n->second, t->ncols);
	text_end_row(t);
	return true;
}

/* Members of a result, and of a place in it, by their prefix of old. */
static const struct text_column nccl_members[] = {
    {"size", "size_bytes", COUNT},
    {"time", "mean_ns", "us"},
    {"cpu_time", "mean_ns", "us"},
    {"alg_bw", "algorithm_gbit_s", "GB/s"},
    {"bus_bw", "bandwidth_gbit_s", "GB/s"},
    {"min_us", "min_ns", "us"},
    {"max_us", "max_ns", "us"},
    {"p50_us", "median_ns", "us"},
    {"p95_us", "p95_ns", "us"},
    {"p99_us", "p99_ns", "us"},
};
static const struct text_column nccl_old_members[][3] = {
    {{"oop_time", "mean_ns", "us"},
     {"oop_algbw", "algorithm_gbit_s", "GB/s"},
     {"oop_busbw", "bandwidth_gbit_s", "GB/s"}},
    {{"ip_time", "mean_ns", "us"},
     {"ip_algbw", "algorithm_gbit_s", "GB/s"},
     {"ip_busbw", "bandwidth_gbit_s", "GB/s"}},
};

static void
nccl_take_place(struct text *t, const json_t *result, const char *size,
                bool in_place)
{
	static const struct word words[] = {
	    {"type", "datatype"}, {"redop", "reduction"}, {"root", "root"}};
	const struct nccl *n = t->state;
	const json_t *place =
	    json_object_get(result, in_place ? "in_place" : "out_of_place");
	const json_t *times = json_object_get(
	    result, in_place ? "in_place_per_iter" : "out_of_place_per_iter");

	if (!size && !json_is_object(place))
		return;
	text_row(t, "nccl", "");
	text_set(t, "collective", n->test);
	text_set(t, "place", in_place ? "in-place" : "out-of-place");
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		const char *word =
		    json_string_value(json_object_get(result, words[i].theirs));

		if (word)
			text_set(t, words[i].ours, word + strspn(word, " "));
	}
	if (size) {
		text_cell(t, "size_bytes", COUNT, size);
		text_members(t, result, nccl_old_members[in_place], 3);
	} else {
		text_member(t, place, "a place", "bus_bw", JSON_REAL);
		text_members(t, result, nccl_members, 1);
		text_members(t, place, nccl_members, ARRAY_LEN(nccl_members));
		text_members(t, times, nccl_members, ARRAY_LEN(nccl_members));
	}
	if (json_object_get(place, "cpu_time"))
		text_set(t, "timed_by", "cpu");
	text_end_row(t);
}

/* "results" since version 2.17; before, "benchmark": [{"SIZE": {...}}]. */
static bool
nccl_take_json(struct text *t, const json_t *root)
{
	struct nccl *n = t->state;
	const json_t *results = json_object_get(root, "results");
	const json_t *devices =
	    json_object_get(json_object_get(root, "config"), "devices");
	json_t *old = json_object_get(root, "benchmark");
	const char *program =
	    json_string_value(json_array_get(json_object_get(root, "args"), 0));
	json_t *result;
	const char *size;

	if (!json_is_array(json_is_array(results) ? results : old) ||
	    (results && !json_object_get(root, "nccl_version")))
		return false;
	if (program)
		snprintf(n->test, sizeof n->test, "%s",
		         strrchr(program, '/') ? strrchr(program, '/') + 1
		                               : program);
	if (json_array_size(devices))
		text_mode_count(t, "gpus", json_array_size(devices));
	for (size_t i = 0; i < json_array_size(results); i++) {
		for (int in_place = 0; in_place < 2; in_place++)
			nccl_take_place(t, json_array_get(results, i), NULL,
			                in_place);
	}
	for (size_t i = 0; i < json_array_size(old); i++) {
		json_object_foreach(json_array_get(old, i), size, result)
		{
			nccl_take_place(t, result, size, false);
			nccl_take_place(t, result, size, true);
		}
	}
	return true;
}

const struct importer nccl_importer = {
    .name = "nccl-tests",
    .help = "nccl-tests and rccl-tests, their text or JSON",
    .words = (const char *const[]){"nccl-tests", "rccl-tests", "busbw",
                                   "nThread ", "Out of bounds values",
                                   "Avg bus bandwidth", NULL},
    .needs = "the titles '#  size  count  type  redop  root  time  algbw  "
             "busbw' and a row",
    .take_line = nccl_take_line,
    .take_json = nccl_take_json,
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
/* A report on the way: what its interval had. */
static const struct text_column ucx_reports[] = {
    {"", "n", COUNT},
    {"", "median_ns", "us"},
    {"", "mean_ns", "us"},
    {"", NULL, NUMBER},
    {"", "bandwidth_gbit_s", "MiB/s"},
    {"", NULL, NUMBER},
    {"", NULL, NUMBER},
    {"", NULL, NUMBER},
};
static const struct text_column ucx_threads[] = {
    {"", "n", COUNT},
    {"", "mean_ns", "us"},
    {"", "bandwidth_gbit_s", "MiB/s"},
    {"", NULL, NUMBER},
};

/* What the head of a test says; the title of the test is in "test". */
static const struct word ucx_settings[] = {
    {"API", "api"},
    {"Data layout", "layout"},
    {"Send memory", "send_memory"},
    {"Recv memory", "recv_memory"},
    {"Message size", "size_bytes"},
};

struct ucx {
	enum { LAST, STAGES, TESTS } kind;
	bool median;
	bool threads;  /* several */
	bool pending;  /* a row has begun */
	char **report; /* on the way, of the test without a result yet */
	size_t nreports;
};

static void
ucx_forget(struct ucx *u)
{
	while (u->nreports)
		free(u->report[--u->nreports]);
	free(u->report);
	u->report = NULL;
}

static void
ucx_row(struct text *t, const char *bench)
{
	const struct ucx *u = t->state;

	text_row(t, bench, "");
	text_cells(t, 0, 1);
	text_cells(t, t->col[1] == &ucx_columns[1] && !u->median ? 2 : 1,
	           t->ncols);
}

/* Writes a row, or the reports of a test that did not come to its end. */
static void
ucx_end(struct text *t)
{
	struct ucx *u = t->state;
	const char *line = t->line;
	char number[24];

	if (u->pending)
		text_end_row(t);
	u->pending = false;
	if (!u->nreports)
		return;
	warn("%s: ucx_perftest stopped before its line 'Final:': its reports "
	     "on the way are rows of ucx_perftest_progress",
	     t->in.file);
	t->job->complete = false;
	t->series = true;
	for (size_t i = 0; i < u->nreports; i++) {
		text_open(t, ucx_reports, ARRAY_LEN(ucx_reports));
		t->line = u->report[i];
		text_split(t, " \t");
		snprintf(number, sizeof number, "%zu", i + 1);
		if (text_is_row(t)) {
			ucx_row(t, "ucx_perftest_progress");
			text_set(t, "seq", number);
			text_end_row(t);
		}
	}
	t->series = false;
	t->line = line;
	ucx_forget(u);
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
	char test[48];
	int length = 0;

	if (!t->ncols || (!numbers && u->kind == STAGES))
		return false;
	if (numbers && u->threads)
		text_open(t, ucx_threads, ARRAY_LEN(ucx_threads));
	if (u->kind == TESTS && isalpha((unsigned char)*t->line) &&
	    sscanf(t->line, "%47[a-z0-9_/]%*[ ]%n", test, &length) == 1 &&
	    length) {
		numbers = t->line + length;
		text_mode(t, "test", test);
	}
	t->line = numbers ? numbers : t->line;
	text_split(t, " \t");
	return text_is_row(t);
}

/* "| Test:         tag match bandwidth          |", "+tag_bw---+" */
static bool
ucx_take_setting(struct text *t)
{
	char key[24], value[64], test[48];
	size_t length;

	if (sscanf(t->line, "+%47[a-z0-9_/]", test) == 1) {
		ucx_end(t);
		text_mode(t, "test", test);
		return true;
	}
	if (sscanf(t->line, "| %23[^|:]: %63[^|]", key, value) != 2)
		return false;
	for (length = strlen(value); length && value[length - 1] == ' ';)
		value[--length] = '\0';
	/* The first one behind a table, or of the file. */
	if (t->ncols) {
		ucx_end(t);
		text_modes_clear(t);
		text_close(t);
	}
	if (!strcmp(key, "Test")) {
		text_unknown(t, "%s", value);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(ucx_settings); i++) {
		if (strcmp(key, ucx_settings[i].theirs) != 0)
			continue;
		text_mode(t, ucx_settings[i].ours, value);
		return true;
	}
	text_unknown(t, "%s=%s", key, value);
	return true;
}

static bool
ucx_take_line(struct text *t)
{
	struct ucx *u = t->state;
	const char *line = t->line, *report;

	if (ucx_take_header(t) || ucx_take_setting(t))
		return true;
	/* Reports on the way, which the last one includes. */
	if (text_begins(t, "[thread ")) {
		u->threads = u->threads || !text_begins(t, "[thread 0]");
		report = strchr(line, ']');
		if (report && u->kind == STAGES)
			array_push(u->report, u->nreports, xstrdup(report + 1));
		return true;
	}
	if (!ucx_split(t)) {
		t->line = line;
		return false;
	}
	ucx_forget(u);
	ucx_row(t, "ucx_perftest");
	u->pending = true;
	if (u->kind != LAST)
		ucx_end(t);
	return true;
}

const struct importer ucx_importer = {
    .name = "ucx-perftest",
    .help = "ucx_perftest of UCX",
    .words = (const char *const[]){"# iterations", "overhead (usec)",
                                   "latency (usec)", "ucx_perftest",
                                   "_lat,avg_lat,", NULL},
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

struct hip {
	bool fused;
};

static bool
hip_take_line(struct text *t)
{
	struct hip *h = t->state;
	const char *test = t->word[0];
	char *size = t->word[1];
	bool kib;

	if (text_begins(t, "Device:")) {
		h->fused = is_fused(t->line);
		return false;
	}
	if (strstr(t->line, "atts") && strstr(t->line, "units"))
		return text_header(t, t->line, hip_columns,
		                   ARRAY_LEN(hip_columns), 8);
	if (!text_is_row(t))
		return false;
	kib = strstr(size, "kB");
	if (!kib && !strstr(size, "By"))
		text_die(t, "'%s': not a size", size);
	if (!h->fused && !strcmp(test, "H2D_Bandwidth_pinned"))
		text_row(t, "bw_rd", "");
	else if (!h->fused && !strcmp(test, "D2H_Bandwidth_pinned"))
		text_row(t, "bw_wr", "");
	else
		begin_row(t, "hip_", test);
	/* "+064By", "4kB" */
	size[strcspn(size, "kB")] = '\0';
	text_cell(t, "size_bytes", kib ? "KiB" : "B", size + (*size == '+'));
	for (size_t i = 3; i < t->ncols; i++) {
		char column[24];

		snprintf(column, sizeof column, "%s_%s", t->col[i]->name,
		         is_time_unit(t->word[2]) ? "ns" : "gbit_s");
		text_cell(t, column, t->word[2], t->word[i]);
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
    .state_size = sizeof(struct hip),
};

/* gdsio -------------------------------------------------------------------- */

struct gdsio {
	char row[512];  /* its lines so far, */
	uintmax_t line; /* of which this is the first */
	char gpu[16];   /* of the command before it */
};

/* "gdsio -f /mnt/file -d 1 -w 8", behind a prompt: of one GPU. */
static void
gdsio_take_command(struct text *t)
{
	struct gdsio *g = t->state;
	const char *option = strstr(t->line, " -d ");

	*g->gpu = '\0';
	if (option && !strstr(option + 1, " -d ") &&
	    isdigit((unsigned char)option[4]))
		snprintf(g->gpu, sizeof g->gpu, "gpu%lu",
		         strtoul(option + 4, NULL, 10));
}

/*
 * Transfers between a file and a GPU, over one link or several. Only batches
 * have a depth; a range of sizes, "16-64-4(KiB)", leaves the size empty.
 */
static void
gdsio_take_row(struct text *t, const char *row)
{
	const struct gdsio *g = t->state;
	const char *rest = strstr(row, "DataSetSize:");
	char type[16], transfer[16], threads[16], depth[16], size[24];
	char value[32], unit[16], time[32], n[24], seconds[32], file[24];
	int parts, end = 0;

	parts = sscanf(
	    row, "IoType: %15s XferType: %15s Threads: %15s IoDepth: %15s",
	    type, transfer, threads, depth);
	if (!rest || parts < 3 ||
	    sscanf(rest,
	           "DataSetSize: %*s IOSize: %23[0-9-](KiB) Throughput: %31s "
	           "%15[^,], Avg_Latency: %31s usecs ops: %23s total_time "
	           "%31s secs%n",
	           size, value, unit, time, n, seconds, &end) != 6 ||
	    !end || rest[end])
		text_die(t, "not a row of gdsio: '%s'", row);
	if (sscanf(rest, "DataSetSize: %*[^/]/%23[0-9]", file) == 1)
		text_setting(t, "DataSetSize", file);
	begin_row(t, "gdsio_", type);
	text_set(t, "device", g->gpu);
	text_set(t, "transfer", transfer);
	text_cell(t, "threads", COUNT, threads);
	if (parts == 4)
		text_cell(t, "queue_depth", COUNT, depth);
	if (strchr(size, '-'))
		text_set(t, "sizes_kib", size);
	else
		text_cell(t, "size_bytes", "KiB", size);
	text_cell(t, "n", COUNT, n);
	text_cell(t, "bandwidth_gbit_s", unit, value);
	text_cell(t, "mean_ns", "us", time);
	text_cell(t, NULL, NUMBER, seconds);
	text_end_row(t);
}

/* A row may be wrapped: it ends with "secs". */
static bool
gdsio_take_line(struct text *t)
{
	struct gdsio *g = t->state;
	size_t used = strlen(g->row);
	bool begins = text_begins(t, "IoType:");

	if (strstr(t->line, "gdsio ")) {
		gdsio_take_command(t);
		return false;
	}
	if (!begins && !used)
		return false;
	if (begins && used)
		text_die(t, "the row above has no 'total_time ... secs'");
	if (begins)
		g->line = t->in.line;
	if (used + strlen(t->line) + 2 > sizeof g->row)
		text_die(t, "not a row of gdsio: '%s'", g->row);
	snprintf(g->row + used, sizeof g->row - used, "%s%s", used ? " " : "",
	         t->line);
	if (strcmp(g->row + strlen(g->row) - 5, " secs") != 0)
		return true;
	gdsio_take_row(t, g->row);
	*g->row = '\0';
	return true;
}

static void
gdsio_end(struct text *t)
{
	const struct gdsio *g = t->state;

	if (!*g->row)
		return;
	t->in.line = g->line;
	if (!t->cut)
		text_die(t, "a row without its end 'total_time ... secs'");
	warn("%s:%ju: a row without its end is left out", t->in.file, g->line);
}

const struct importer gdsio_importer = {
    .name = "gdsio",
    .help = "gdsio of NVIDIA GPUDirect Storage",
    .words =
        (const char *const[]){"IoType:", "XferType:", "Avg_Latency:", NULL},
    .needs = "'IoType: ... Throughput: ... total_time ... secs'",
    .take_line = gdsio_take_line,
    .end = gdsio_end,
    .state_size = sizeof(struct gdsio),
};
