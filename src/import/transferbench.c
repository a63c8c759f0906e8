/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of AMD's TransferBench, text or csv. A transfer is written as
 * SRC->EXE->DST: C, B or U is memory of the host, G or F of a GPU; executors
 * are C (a CPU), G (a GPU's processors) and D (its copy engine).
 */
#include "import/text.h"

#include "common/base/utf8.h"
#include "common/base/util.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct transferbench {
	size_t column[5]; /* of the csv: see columns */
	bool is_csv;
};

enum { SIZE, SRC, EXE, DST, BANDWIDTH };

static const char *const columns[] = {
    [SIZE] = "NumBytes",      [SRC] = "Src", [EXE] = "Exe", [DST] = "Dst",
    [BANDWIDTH] = "BW(GB/s)",
};

/* "G000:008" and "GPU00:004" are "G0": a letter and a number. */
static void
shorten(const char *word, char to[16])
{
	const char *digit = word + strcspn(word, "0123456789");

	digit += strspn(digit, "0");
	snprintf(to, 16, "%c%.*s", *word,
	         *digit && isdigit((unsigned char)*digit)
	             ? (int)strspn(digit, "0123456789")
	             : 1,
	         isdigit((unsigned char)*digit) ? digit : "0");
}

static bool
is_one_of(char letter, const char *letters)
{
	return letter && strchr(letters, letter);
}

/* Whether the first is memory of the host, and the second of this GPU. */
static bool
are_host_and_gpu(const char *host, const char *gpu, const char *exe)
{
	return is_one_of(*host, "CBU") && is_one_of(*gpu, "GF") &&
	       !strcmp(gpu + 1, exe + 1);
}

/* Between host memory and a GPU, by that GPU: a DMA read or write. */
static const char *
bench_of(const char *src, const char *exe, const char *dst)
{
	bool by_gpu = is_one_of(*exe, "GD");

	if (by_gpu && are_host_and_gpu(src, dst, exe))
		return "bw_rd";
	if (by_gpu && are_host_and_gpu(dst, src, exe))
		return "bw_wr";
	return "transferbench";
}

static void
take_transfer(struct text *t, const char *const cell[])
{
	char src[16], exe[16], dst[16], gpu[24];
	const char *bench;

	shorten(cell[SRC], src);
	shorten(cell[EXE], exe);
	shorten(cell[DST], dst);
	bench = bench_of(src, exe, dst);
	snprintf(gpu, sizeof gpu, "gpu%s", exe + 1);
	text_row(t, bench, *exe == 'C' ? "" : gpu);
	if (*exe != 'C')
		text_set(t, "interface", *exe == 'D' ? "ce" : "sm");
	text_set(t, "source", src);
	text_set(t, "destination", dst);
	text_count(t, "size_bytes", cell[SIZE]);
	text_measure(t, "bandwidth_gbit_s", cell[BANDWIDTH], "GB/s");
	text_end_row(t);
}

static bool
take_csv_header(struct text *t)
{
	struct transferbench *b = t->state;

	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		size_t at = find_word(columns[i], (const char *const *)t->word,
		                      t->nwords);

		if (at == t->nwords)
			text_die(t, "no column '%s'", columns[i]);
		b->column[i] = at;
	}
	b->is_csv = true;
	return true;
}

static bool
take_csv(struct text *t)
{
	struct transferbench *b = t->state;
	const char *cell[ARRAY_LEN(columns)];

	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		if (b->column[i] >= t->nwords)
			return false;
		cell[i] = t->word[b->column[i]];
	}
	take_transfer(t, cell);
	return true;
}

/* "Transfer 00 | 47.1 GB/s | 1.4 ms | 67108864 bytes | F0 -> G000:008 -> F1" */
static bool
take_text(struct text *t)
{
	const char *cell[ARRAY_LEN(columns)];

	text_split(t, " \t|\xe2\x94\x82\x80\xbc");
	if (t->nwords != 13 || strcmp(t->word[3], "GB/s") != 0 ||
	    strcmp(t->word[7], "bytes") != 0 || strcmp(t->word[9], "->") != 0)
		return false;
	cell[BANDWIDTH] = t->word[2];
	cell[SIZE] = t->word[6];
	cell[SRC] = t->word[8];
	cell[EXE] = t->word[10];
	cell[DST] = t->word[12];
	take_transfer(t, cell);
	return true;
}

static bool
take_line(struct text *t)
{
	struct transferbench *b = t->state;

	if (text_begins(t, "Transfer "))
		return take_text(t);
	text_split(t, ",");
	if (text_begins(t, "Test#,"))
		return take_csv_header(t);
	return b->is_csv && isdigit((unsigned char)*t->line) && take_csv(t);
}

static const char *const ignored[] = {
    "TransferBench",
    "Test ",
    "Executor",
    "Aggregate",
    "##",
    "====",
    "----",
    "[Common]",
    "Common",
    "Running",
    "Sweep configuration",
    "[INFO]",
    "[WARN]",
    "-",
    "ALWAYS_VALIDATE",
    "BLOCK_SIZE",
    "BLOCK_ORDER",
    "NUM_",
    "USE_",
    "BYTE_OFFSET",
    "FILL_",
    "SHOW_",
    "OUTPUT_TO_CSV",
    "CU_MASK",
    "GFX_",
    "MIN_VAR",
    "VALIDATE_",
    "SAMPLING_",
    "A2A_",
    "Environment variables",
    NULL,
};

const struct importer transferbench_importer = {
    .name = "transferbench",
    .help = "AMD's TransferBench, its text or csv",
    .take_line = take_line,
    .ignored = ignored,
    .state_size = sizeof(struct transferbench),
};
