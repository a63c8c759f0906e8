/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of programs of AMD, for GPUs. */
#include "import/text.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <ctype.h>

/* rocm_bandwidth_test ------------------------------------------------------ */

/*
 * Output of AMD's rocm_bandwidth_test: matrices of the peak over all sizes, or
 * with -s and -d a table of sizes. A device with an address is a GPU, one
 * without is a CPU; if none has one, the list was shortened, and nothing says
 * which crosses a link.
 */

struct rocm {
	struct gpu_names gpus;
	bool is_gpu[GPUS_MAX];
	bool fused[GPUS_MAX]; /* with the CPU in one package */
	bool addressed;       /* a device has an address */
	size_t ncpus;
	bool intel;      /* a CPU, which is in no package with these GPUs */
	char pair[2][8]; /* source and destination of the next table */
	struct gpu_access access;
	enum contents { NO_MATRIX, PASSED_BY, ACCESS, ONE_WAY, BOTH_WAYS } what;
	bool used; /* a matrix has taken it */
};

/* A device of a list whose head is cut may be a CPU or a GPU. */
static void
rocm_check(struct text *t, const char *number)
{
	const struct rocm *r = t->state;
	size_t n = strtoul(number, NULL, 10);

	if ((r->addressed || r->ncpus) && n < GPUS_MAX && !*r->gpus.name[n])
		text_die(t, "no line 'Device: %zu' says whether it is a GPU",
		         n);
}

/* The GPU's copy engine copies between host and GPU. */
static void
begin_copy(struct text *t, const char *row, const char *column)
{
	struct rocm *r = t->state;
	struct gpu_names unknown = {0};
	struct gpu_names *names = r->addressed ? &r->gpus : &unknown;
	const char *from = gpu_name(t, names, row);
	const char *to = gpu_name(t, names, column), *cpu;
	bool from_gpu, to_gpu, link;

	from_gpu = r->is_gpu[strtoul(row, NULL, 10)];
	to_gpu = r->is_gpu[strtoul(column, NULL, 10)];
	link = r->what == ONE_WAY && from_gpu != to_gpu &&
	       !r->fused[strtoul(to_gpu ? column : row, NULL, 10)];
	text_row(t,
	         !link    ? r->what == ONE_WAY ? "rocm_copy" : "rocm_copy_bidir"
	         : to_gpu ? "bw_rd"
	                  : "bw_wr",
	         to_gpu ? to : from);
	if (link)
		text_set(t, "interface", "ce");
	cpu = to_gpu ? row : column;
	if (link && (r->ncpus > 1 || strcmp(cpu, "0") != 0))
		text_set(t, "cpu", cpu);
	if (!link) {
		text_set(t, "peer", to_gpu ? from : to);
		if (from_gpu != to_gpu)
			text_set(t, "direction", to_gpu ? "read" : "write");
		else
			gpu_access_set(t, &r->access, row, column);
	}
}

static void
take_cell(struct text *t, const char *row, const char *column,
          const char *value)
{
	struct rocm *r = t->state;

	rocm_check(t, row);
	rocm_check(t, column);
	if (r->what == ACCESS)
		gpu_access_take(&r->access, row, column, *value != '0');
	if (r->what == PASSED_BY || r->what == ACCESS)
		return;
	begin_copy(t, row, column);
	text_cell(t, "bandwidth_gbit_s", "GB/s", value);
	text_end_row(t);
}

/* A size is "64 KB", of 2^10 bytes. The peak is that of the least time. */
static const struct text_column rocm_columns[] = {
    {"", NULL, NUMBER},    {"", NULL, WORD},
    {"", "mean_ns", "us"}, {"", "bandwidth_gbit_s", "GB/s"},
    {"", "min_ns", "us"},  {"", NULL, NUMBER},
};

/*
 * "=== Bidirectional Benchmark Result ===", "=== Src Device Id: 0 Src Device
 * Type: Cpu ===", the same of Dst, and titles. Both ways are added up.
 */
static bool
take_pair(struct text *t)
{
	struct rocm *r = t->state;
	const char *end = strstr(t->line, "Device Id: ");
	char id[8], type[8];
	uint64_t n;

	if (strstr(t->line, "Benchmark Result")) {
		text_close(t);
		text_mode(t, "test", NULL);
		r->what =
		    strstr(t->line, "Bidirectional") ? BOTH_WAYS : ONE_WAY;
		r->used = true;
		*r->pair[0] = *r->pair[1] = '\0';
		return true;
	}
	if (end && sscanf(end, "Device Id: %7[0-9] %*s Device Type: %7[A-Za-z]",
	                  id, type) == 2) {
		if (parse_integer(id, &n) || n >= GPUS_MAX)
			text_die(t, "'%s': not the number of a device", id);
		if (*r->pair[1] || r->what == NO_MATRIX)
			text_die(t, "no line before it names the benchmark");
		r->addressed = true;
		r->is_gpu[n] = !strcmp(type, "Gpu");
		if (!*r->gpus.name[n])
			snprintf(r->gpus.name[n], GPU_NAME_MAX, "%s%s",
			         r->is_gpu[n] ? "gpu" : "cpu", id);
		snprintf(r->pair[strstr(t->line, "Dst") != NULL], sizeof id,
		         "%s", id);
		return true;
	}
	if (!text_begins(t, "Data Size ") || !strstr(t->line, "Avg BW(GB/s)"))
		return false;
	if (!*r->pair[0] || !*r->pair[1])
		text_die(t, "no lines before it name the devices");
	text_open(t, rocm_columns, ARRAY_LEN(rocm_columns));
	return true;
}

static bool
take_size(struct text *t)
{
	struct rocm *r = t->state;
	char unit[] = "?iB";

	if (!text_is_row(t))
		return false;
	begin_copy(t, r->pair[0], r->pair[1]);
	*unit = *t->word[1];
	text_cell(t, "size_bytes", unit, t->word[0]);
	text_cells(t, 2, t->ncols);
	text_end_row(t);
	return true;
}

static const struct text_phrase rocm_titles[] = {
    {"Unidirectional", NULL, NULL},
    {"Bidirectional", NULL, NULL},
    {"Bdirectional", NULL, NULL}, /* of 2018 */
    {"copy peak bandwidth GB/s", NULL, NULL},
};

static bool
take_heading(struct text *t)
{
	struct rocm *r = t->state;
	bool copies = strstr(t->line, "copy peak bandwidth");

	if (!copies && !strstr(t->line, "Device Access") &&
	    !strstr(t->line, "Device Numa Distance") &&
	    !strstr(t->line, "Device Link "))
		return false;
	text_close(t);
	text_heading(t, t->line, copies ? NULL : t->line, rocm_titles,
	             ARRAY_LEN(rocm_titles));
	r->what = strstr(t->line, "Device Access")          ? ACCESS
	          : !copies                                 ? PASSED_BY
	          : !strstr(t->line, "peak bandwidth GB/s") ? NO_MATRIX
	          : text_begins(t, "Uni")                   ? ONE_WAY
	                                                    : BOTH_WAYS;
	r->used = false;
	return true;
}

static bool
rocm_take_line(struct text *t)
{
	struct rocm *r = t->state;
	const char *device = text_after(t, "Device: ");
	const char *last = t->word[t->nwords - 1];
	char address[32];
	size_t number;
	int end = 0;

	/* "Device: 1,  NAME,  GPU-XX,  0d:0.0" */
	if (device) {
		number = strtoul(device, NULL, 10);
		if (!isdigit((unsigned char)*device) || number >= GPUS_MAX)
			return false;
		snprintf(address, sizeof address, "0:%s", last);
		r->is_gpu[number] =
		    sscanf(last, "%*x:%*x.%*x%n", &end) == 0 && end;
		r->addressed = r->addressed || r->is_gpu[number];
		r->intel = r->intel || strstr(device, "Intel(R)");
		r->fused[number] = is_fused(device) && !r->intel;
		if (r->is_gpu[number])
			gpu_take(&r->gpus, device, address);
		else
			snprintf(r->gpus.name[number], GPU_NAME_MAX, "cpu%zu",
			         number);
		r->ncpus += !r->is_gpu[number];
		return true;
	}
	if (take_heading(t) || take_pair(t))
		return true;
	if (t->ncols && t->col[0] == rocm_columns)
		return take_size(t);
	if (!strcmp(t->word[0], "D/D") && r->what != NO_MATRIX) {
		if (r->used)
			text_die(t, "no line before it names the matrix");
		r->used = true;
		text_open_matrix(t, 1);
		t->lasts = true;
		return true;
	}
	if (r->what == NO_MATRIX || !text_matrix_row(t, take_cell))
		return false;
	if (t->rows == t->ncols - 1)
		text_close(t);
	return true;
}

const struct importer rocm_importer = {
    .name = "rocm-bandwidth-test",
    .help = "AMD's rocm_bandwidth_test",
    .words =
        (const char *const[]){"RocmBandwidthTest", "D/D ", "Src Device Id:",
                              "directional copy peak bandwidth GB/s\n", NULL},
    .needs = "'Unidirectional copy peak bandwidth GB/s' and a matrix, or "
             "'Unidirectional Benchmark Result' and a table",
    .take_line = rocm_take_line,
    .unsized = "the matrices have the best of many sizes",
    .state_size = sizeof(struct rocm),
};

/* TransferBench ------------------------------------------------------------ */

/*
 * Output of AMD's TransferBench, text or CSV. A transfer is written
 * SRC->EXE->DST: C, P, B, D or K is pinned host memory, G or F is GPU memory;
 * executors are C (a CPU), G (a GPU's processors) and D (its copy engine).
 */

/* What a transfer says. Those from TIME on may be missing. */
enum { SIZE, SRC, EXE, DST, BANDWIDTH, TIME, TEST, CUS, NCELLS };

static const char *const columns[NCELLS] = {
    [SIZE] = "NumBytes",
    [SRC] = "Src",
    [EXE] = "Exe",
    [DST] = "Dst",
    [BANDWIDTH] = "BW(GB/s)",
    [TIME] = "Time(ms)",
    [TEST] = "Test#",
    [CUS] = "CUs",
};

struct transferbench {
	bool is_csv;
	size_t column[NCELLS]; /* where CSV has it */
	bool listed;           /* the transfers of this preset were */
	uint64_t seen;         /* bits: numbers of the test's transfers */

	/* For the presets whose matrices have labels such as "G0". */
	char size[24];
	char arrow[4];
	char gpu_executor; /* as in G0 or D0; 0: not said */
	bool by_destination;
	bool both_ways;
	bool all_to_all;
	bool titled; /* the matrix to come */
};

/* The memory or executor behind the rank of several nodes: "R1" of "R1G0". */
static const char *
skip_rank(const char *word)
{
	size_t digits = *word == 'R' ? strspn(word + 1, "0123456789") : 0;

	return digits && word[1 + digits] ? word + 1 + digits : word;
}

/* Shortens "G000:008" and "GPU00:004" to "G0": a letter and a number. */
static void
shorten(const char *word, char to[16])
{
	const char *of_rank = skip_rank(word);
	const char *digits = of_rank + strcspn(of_rank, "0123456789");

	snprintf(to, 16, "%.*s%c%lu", (int)(of_rank - word), word, *of_rank,
	         strtoul(digits, NULL, 10) % 1000);
}

/* Whether a word is a single memory, unlike "G0G1". */
static bool
is_one_memory(const char *word)
{
	word = skip_rank(word);
	word += *word != '\0';
	return !word[strspn(word, "0123456789")];
}

/*
 * The bench of a DMA by a GPU between its memory, which has its number, and the
 * host's.
 */
static const char *
bench_of(const char *src, const char *exe, const char *dst)
{
	size_t rank = (size_t)(skip_rank(exe) - exe);
	const char *host, *gpu;
	bool read;

	if (strncmp(src, exe, rank) != 0 || strncmp(dst, exe, rank) != 0)
		return "transferbench";
	src += rank;
	exe += rank;
	dst += rank;
	read = strchr("CPBDK", *src);
	host = read ? src : dst;
	gpu = read ? dst : src;
	if (!strchr("GD", *exe) || !strchr("CPBDK", *host) ||
	    !strchr("GF", *gpu) || strcmp(gpu + 1, exe + 1) != 0)
		return "transferbench";
	return read ? "bw_rd" : "bw_wr";
}

static void
take_transfer(struct text *t, const char *const cell[])
{
	struct transferbench *b = t->state;
	char src[16], exe[16], dst[16], device[24] = "";
	const char *cus = cell[CUS] ? cell[CUS] : strchr(cell[EXE], ':');
	const char *bench =
	    b->both_ways ? "transferbench_bidir" : "transferbench";
	const char *executor;
	size_t rank;

	shorten(cell[SRC], src);
	shorten(cell[EXE], exe);
	shorten(cell[DST], dst);
	executor = skip_rank(exe);
	rank = (size_t)(executor - exe);
	if (!b->both_ways && is_one_memory(cell[SRC]) &&
	    is_one_memory(cell[DST]))
		bench = bench_of(src, exe, dst);
	if (!*src || !*exe || !*dst)
		text_die(t, "a transfer without its memories");
	if (*executor != 'C')
		snprintf(device, sizeof device, "%.*s%s%s%s", (int)rank, exe,
		         rank ? "/" : "",
		         strchr("IN", *executor) ? "nic" : "gpu", executor + 1);
	text_row(t, bench, device);
	if (strchr("GD", *executor) && !b->all_to_all)
		text_set(t, "interface", *executor == 'D' ? "ce" : "sm");
	text_set(t, "source", is_one_memory(cell[SRC]) ? src : cell[SRC]);
	text_set(t, "destination", is_one_memory(cell[DST]) ? dst : cell[DST]);
	text_cell(t, "size_bytes", COUNT, cell[SIZE]);
	text_cell(t, "bandwidth_gbit_s", "GB/s", cell[BANDWIDTH]);
	if (cell[TIME])
		text_cell(t, NULL, NUMBER, cell[TIME]);
	if (cus)
		text_cell(t, "subexecutors", COUNT, cus + (*cus == ':'));
	text_end_row(t);
	b->listed = true;
}

static bool
take_csv_header(struct text *t)
{
	struct transferbench *b = t->state;

	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		b->column[i] = find_word(
		    columns[i], (const char *const *)t->word, t->nwords);
		if (i < TIME && b->column[i] == t->nwords)
			text_die(t, "no column '%s'", columns[i]);
	}
	b->is_csv = true;
	text_open_matrix(t, 1);
	return true;
}

static bool
take_csv(struct text *t)
{
	const struct transferbench *b = t->state;
	const char *cell[NCELLS];

	if (!b->is_csv || t->nwords < 2 || !text_is_row(t))
		return false;
	for (size_t i = 0; i < NCELLS; i++)
		cell[i] =
		    b->column[i] < t->nwords ? t->word[b->column[i]] : NULL;
	text_mode(t, "test", cell[TEST]);
	take_transfer(t, cell);
	return true;
}

/*
 * "Transfer 00 | 47.1 GB/s | 1.4 ms | 67108864 bytes | F0 -> G000:008 -> F1",
 * with OUTPUT_TO_CSV and commas since version 1.67
 */
static bool
take_text(struct text *t)
{
	struct transferbench *b = t->state;
	const char *cell[NCELLS] = {NULL};
	unsigned long number;

	text_split(t, " \t,|\xe2\x94\x82\x80\xbc");
	if (t->nwords != 13 || strcmp(t->word[3], "GB/s") != 0 ||
	    strcmp(t->word[7], "bytes") != 0 || strcmp(t->word[9], "->") != 0)
		text_die(t, "not a transfer: '%s'", t->line);
	/* One that comes again is of a test whose title is lost. */
	number = strtoul(t->word[1], NULL, 10);
	if (number < 64 && b->seen >> number & 1) {
		text_mode(t, "test", NULL);
		b->seen = 0;
	}
	b->seen |= number < 64 ? UINT64_C(1) << number : 0;
	cell[TIME] = t->word[4];
	cell[BANDWIDTH] = t->word[2];
	cell[SIZE] = t->word[6];
	cell[SRC] = t->word[8];
	cell[EXE] = t->word[10];
	cell[DST] = t->word[12];
	take_transfer(t, cell);
	return true;
}

/*
 * "Unidirectional copy peak bandwidth GB/s [Local read / Remote write]
 * (GPU-Executor: GFX)": the source executes a copy, or with remote read the
 * destination. "Summary: [67108864 bytes per Transfer]" of all to all has the
 * transfers again that were listed.
 */
static bool
take_matrix_heading(struct text *t)
{
	struct transferbench *b = t->state;
	const char *size = text_after(t, "Bytes Per Direction ");
	bool all_to_all = text_begins(t, "Summary:");

	if (text_begins(t, "Test ") || size || all_to_all) {
		/* "Test 1:" */
		if (t->nwords == 2)
			t->word[1][strcspn(t->word[1], ":")] = '\0';
		text_mode(t, "test", t->nwords == 2 ? t->word[1] : NULL);
		b->size[0] = '\0';
		b->seen = 0;
	}
	if (size)
		return sscanf(size, "%23[0-9]", b->size) == 1;
	if (!all_to_all &&
	    (!strstr(t->line, "copy peak bandwidth GB/s") || !*b->size))
		return text_begins(t, "Test ");
	text_close(t);
	b->is_csv = false;
	b->titled = true;
	b->all_to_all = all_to_all;
	b->both_ways = text_begins(t, "Bidirectional");
	b->by_destination = strstr(t->line, "Remote read");
	b->gpu_executor = strstr(t->line, "Executor: DMA") ? 'D' : 'G';
	if (!all_to_all)
		return true;
	if (!b->listed)
		sscanf(t->line, "Summary: [%23[0-9] bytes", b->size);
	b->listed = false;
	text_mode(t, "test", "all-to-all");
	return true;
}

/* "CPU" and "00" become "C0". */
static void
join_words(const struct text *t, char *const word[], char label[LABEL_MAX])
{
	uint64_t number = GPUS_MAX;

	parse_integer(word[1], &number);
	if (number >= GPUS_MAX)
		text_die(t, "'%s %s': not a CPU or GPU", word[0], word[1]);
	snprintf(label, LABEL_MAX, "%c%u", *word[0], (unsigned)number);
}

/* "SRC\DST  CPU 00  GPU 00", and of all to all sums behind them. */
static bool
take_labels(struct text *t)
{
	struct transferbench *b = t->state;
	size_t n = 0;

	if (!b->titled)
		text_die(t, "no line before it names the matrix");
	b->titled = false;
	for (; 2 * n + 2 < t->nwords && (!strcmp(t->word[1 + 2 * n], "CPU") ||
	                                 !strcmp(t->word[1 + 2 * n], "GPU"));
	     n++) {
		join_words(t, t->word + 1 + 2 * n, t->label[n]);
		t->word[1 + n] = t->label[n];
	}
	if (t->nwords > 2 * n + 1 &&
	    (!b->all_to_all || strcmp(t->word[t->nwords - 1], "Actual") != 0 ||
	     strcmp(t->word[t->nwords - 2], "STotal") != 0))
		text_die(t, "not the labels of a matrix: '%s'", t->line);
	t->nwords = n + 1;
	text_open_matrix(t, 1);
	t->lasts = true;
	return true;
}

static void
take_p2p_cell(struct text *t, const char *row, const char *column,
              const char *value)
{
	const struct transferbench *b = t->state;
	bool back = !strcmp(b->arrow, "<-");
	const char *src = back ? column : row, *dst = back ? row : column;
	char exe[LABEL_MAX];
	const char *const cell[NCELLS] = {
	    [SIZE] = b->size, [SRC] = src,         [EXE] = exe,
	    [DST] = dst,      [BANDWIDTH] = value,
	};

	/* The sum of the two rows above. */
	if (!strcmp(b->arrow, "<->")) {
		text_number(t, value);
		return;
	}
	snprintf(exe, sizeof exe, "%s", b->by_destination ? dst : src);
	if (*exe == 'G')
		*exe = b->gpu_executor;
	take_transfer(t, cell);
}

/* "CPU 00 -> 42.75 38.85"; of all to all "GPU 00 N/A 47.1 47.1 47.1" */
static bool
take_matrix(struct text *t)
{
	struct transferbench *b = t->state;
	size_t skip = b->all_to_all ? 1 : 2;
	char row[LABEL_MAX];

	if (!t->ncols || t->nwords < 3 || !isdigit((unsigned char)*t->word[1]))
		return false;
	/* With SHOW_ITERATIONS. */
	if (!b->all_to_all && list_has("min,max,sd", t->word[2]))
		return true;
	*b->arrow = '\0';
	if (!b->all_to_all && sscanf(t->word[2], "%3[<>-]", b->arrow) != 1)
		return false;
	join_words(t, t->word, row);
	t->word[skip] = row;
	t->nwords -= skip;
	memmove(t->word, t->word + skip, t->nwords * sizeof *t->word);
	if (b->all_to_all && t->nwords > t->ncols)
		t->nwords = t->ncols;
	if (!text_matrix_row(t, take_p2p_cell))
		text_die(t, "not a row of this matrix: '%s'", t->line);
	if (b->all_to_all && t->rows + 1 == t->ncols)
		text_close(t);
	return true;
}

/* "BLOCK_SIZE  =  256 : Threadblock size of 256" */
static bool
take_variable(struct text *t)
{
	char name[32], value[32];
	int end = 0;

	sscanf(t->line, "%31[A-Z0-9_] = %31s :%n", name, value, &end);
	if (end)
		text_setting(t, name, value);
	return end;
}

static bool
transferbench_take_line(struct text *t)
{
	const struct transferbench *b = t->state;
	size_t border = strspn(t->line, "| \xe2\x94\x82");
	char c;

	/* A table with a border on the left. */
	if (border)
		text_use(t, t->line + border);
	if (sscanf(t->line, "Transfer %*d%c", &c) == 1 &&
	    strstr(t->line, "GB/s"))
		return take_text(t);
	if (take_variable(t) || take_matrix_heading(t) ||
	    text_begins(t, "Averages") || text_begins(t, "RTotal"))
		return true;
	text_split(t, " \t,");
	if (text_begins(t, "SRC")) {
		text_close(t);
		return *b->size && take_labels(t);
	}
	if (text_begins(t, "CPU ") || text_begins(t, "GPU "))
		return take_matrix(t);
	text_split_csv(t);
	if (text_begins(t, "Test#,"))
		return take_csv_header(t);
	return take_csv(t);
}

const struct importer transferbench_importer = {
    .name = "transferbench",
    .help = "AMD's TransferBench, its text or csv",
    .words =
        (const char *const[]){"TransferBench", "(GPU-Executor:", "SRC\\DST",
                              "EXE\\DST", "Executor: ", "bytes per Transfer",
                              "GFX Scaling benchmark", "Transfer 0", NULL},
    .needs = "a line such as 'Transfer 00 | 47.1 GB/s | ...' or a matrix below "
             "'SRC\\DST'",
    .take_line = transferbench_take_line,
    .state_size = sizeof(struct transferbench),
};
