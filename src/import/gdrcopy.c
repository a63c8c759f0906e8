/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of copybw and copylat of gdrcopy: CPU loads and stores to GPU memory.
 * Its MB are 2^20 bytes.
 */
#include "import/gpu_names.h"
#include "import/text.h"

#include "common/base/util.h"

#include <stdio.h>
#include <string.h>

struct gdrcopy {
	struct gpu_names gpus;
	char selected[8];
	char size[24]; /* of the next bandwidth */
	char n[24];    /* number of copies */
};

/* Names of copies, and the headings of copybw before them. */
static const struct word copies[] = {
    {"gdr_copy_to_mapping", "gdr_copy_to_mapping"},
    {"gdr_copy_from_mapping", "gdr_copy_from_mapping"},
    {"cuMemcpy_H2D", "cumemcpy_h2d"},
    {"cuMemcpy_D2H", "cumemcpy_d2h"},
    {"write BW:", "gdr_copy_to_mapping"},
    {"read BW:", "gdr_copy_from_mapping"},
};

static void
begin_row(struct text *t, const char *bench, const char *size)
{
	struct gdrcopy *g = t->state;

	text_row(t, bench,
	         gpu_name(t, &g->gpus, *g->selected ? g->selected : "0"));
	text_count(t, "size_bytes", size);
	if (*g->n)
		text_count(t, "n", g->n);
}

/* "9600.5MB/s", or since version 2.5 "median 22360.8MB/s, min 20661.2MB/s" */
static bool
take_bandwidth(struct text *t, const char *bench, const char *value)
{
	struct gdrcopy *g = t->state;
	char first[32], least[32];
	int n = sscanf(value, "median %31[0-9.e+]MB/s, min %31[0-9.e+]MB/s",
	               first, least);

	if (n != 2)
		n = sscanf(value, "%31[0-9.e+]MB/s", first);
	if (n < 1 || !*g->size || !strstr(value, "MB/s"))
		return false;
	begin_row(t, bench, g->size);
	text_measure(t, n == 2 ? "median_gbit_s" : "bandwidth_gbit_s", first,
	             "MiB/s");
	if (n == 2)
		text_measure(t, "min_gbit_s", least, "MiB/s");
	text_end_row(t);
	return true;
}

/* Size and mean time; or size, median and minimum. */
static bool
take_time(struct text *t, const char *bench)
{
	if (t->nwords != 3 && t->nwords != 4)
		return false;
	begin_row(t, bench, t->word[1]);
	text_measure(t, t->nwords == 4 ? "median_ns" : "mean_ns", t->word[2],
	             "us");
	if (t->nwords == 4)
		text_measure(t, "min_ns", t->word[3], "us");
	text_end_row(t);
	return true;
}

static bool
take_result(struct text *t)
{
	for (size_t i = 0; i < ARRAY_LEN(copies); i++) {
		const char *rest = text_after(t, copies[i].theirs);

		if (rest && strchr(copies[i].theirs, ':'))
			return take_bandwidth(t, copies[i].ours, rest);
		if (rest)
			return take_time(t, copies[i].ours);
	}
	return false;
}

static bool
take_line(struct text *t)
{
	struct gdrcopy *g = t->state;
	const char *address = strstr(t->line, "Bus id: ");
	const char *times = strstr(t->line, "num iters for each size: ");
	const char *gpu = text_after(t, "GPU id:");
	unsigned part[3];
	size_t number;

	if (gpu) {
		if (!leading_number(gpu, &number))
			return false;
		if (address &&
		    hex_numbers(address + strlen("Bus id: "), part, 3) == 3)
			gpu_set(&g->gpus, number, part[0], part[1], part[2]);
		return true;
	}
	if (times)
		return sscanf(times, "num iters for each size: %23s", g->n) ==
		       1;
	if (text_begins(t, "selecting device "))
		return sscanf(t->line, "selecting device %7s", g->selected) ==
		       1;
	if (text_begins(t, "writing test,") || text_begins(t, "reading test,"))
		return sscanf(t->line,
		              "%*s test, size=%23s offset=%*s num_iters=%23s",
		              g->size, g->n) == 2;
	return take_result(t);
}

static const char *const ignored[] = {
    "testing size:",
    "rounded size:",
    "gpu alloc fn:",
    "device ptr:",
    "map_d_ptr:",
    "bar_ptr:",
    "info.",
    "page offset:",
    "user-space pointer",
    "allocated size:",
    "WARNING:",
    "use ",
    "store fences",
    "load fences",
    "Test ",
    "unmapping",
    "unpinning",
    "closing gdrdrv",
    NULL,
};

const struct importer gdrcopy_importer = {
    .name = "gdrcopy",
    .help = "gdrcopy's copybw and copylat",
    .take_line = take_line,
    .ignored = ignored,
    .state_size = sizeof(struct gdrcopy),
};
