/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of gdrcopy's copybw and copylat: loads and stores of a CPU in the
 * memory of a GPU. Their MB are 2^20 bytes.
 */
#include "import/gpu_names.h"
#include "import/text.h"

#include "common/base/util.h"

#include <stdio.h>
#include <string.h>

struct gdrcopy {
	struct gpu_names gpus;
	char selected[8];
	char size[24]; /* of the bandwidth to come */
	char n[24];    /* times that it was copied */
};

/* Their names of copies, those of copybw's lines before them. */
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

static bool
take_bandwidth(struct text *t, const char *bench, const char *value)
{
	struct gdrcopy *g = t->state;
	char number[32], unit[8];

	if (!*g->size || sscanf(value, "%31[0-9.e+-]%7s", number, unit) != 2 ||
	    strcmp(unit, "MB/s") != 0)
		return false;
	begin_row(t, bench, g->size);
	text_measure(t, "bandwidth_gbit_s", number, "MiB/s");
	text_end_row(t);
	return true;
}

static bool
take_result(struct text *t)
{
	for (size_t i = 0; i < ARRAY_LEN(copies); i++) {
		const char *rest = text_after(t, copies[i].theirs);

		if (!rest)
			continue;
		if (strchr(copies[i].theirs, ':'))
			return take_bandwidth(t, copies[i].ours, rest);
		if (t->nwords != 3)
			return false;
		begin_row(t, copies[i].ours, t->word[1]);
		text_measure(t, "mean_ns", t->word[2], "us");
		text_end_row(t);
		return true;
	}
	return false;
}

static bool
take_line(struct text *t)
{
	struct gdrcopy *g = t->state;
	const char *address = strstr(t->line, "Bus id: ");
	const char *times = strstr(t->line, "num iters for each size: ");
	unsigned number, domain, bus, device;

	if (sscanf(t->line, "GPU id:%u", &number) == 1) {
		if (address && sscanf(address, "Bus id: %x:%x:%x", &domain,
		                      &bus, &device) == 3)
			gpu_set(&g->gpus, number, domain, bus, device);
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
    "testing size:",      "rounded size:",   "gpu alloc fn:",  "device ptr:",
    "map_d_ptr:",         "bar_ptr:",        "info.",          "page offset:",
    "user-space pointer", "allocated size:", "WARNING:",       "Test ",
    "unmapping",          "unpinning",       "closing gdrdrv", NULL,
};

const struct importer gdrcopy_importer = {
    .name = "gdrcopy",
    .help = "gdrcopy's copybw and copylat",
    .take_line = take_line,
    .ignored = ignored,
    .state_size = sizeof(struct gdrcopy),
};
