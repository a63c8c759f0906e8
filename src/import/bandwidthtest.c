/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output of bandwidthTest of the CUDA samples, text or CSV. */
#include "import/gpu_names.h"
#include "import/text.h"

#include "common/base/util.h"

#include <string.h>

/* Copies, as named in the text and in the CSV. */
static const struct copy {
	const char *text;
	const char *csv;
	const char *pinned;   /* copy over the link by the GPU's copy engine */
	const char *pageable; /* copy that involves the CPU */
} copies[] = {
    {"Host to Device Bandwidth", "H2D", "bw_rd", "cuda_h2d_pageable"},
    {"Device to Host Bandwidth", "D2H", "bw_wr", "cuda_d2h_pageable"},
    {"Device to Device Bandwidth", "D2D", "cuda_d2d", "cuda_d2d"},
};

struct bandwidthtest {
	struct gpu_names gpus;
	char gpu[8]; /* number of the only GPU */
	size_t ngpus;
	const struct copy *copy;
	bool pageable;
	char unit[8];
};

/* This program's MB/s are 2^20 bytes; GB/s, of later versions, are 10^9. */
static const char *
our_unit(const char *theirs)
{
	return !strcmp(theirs, "MB/s") ? "MiB/s" : theirs;
}

static void
take_result(struct text *t, const char *size, const char *value,
            const char *unit)
{
	struct bandwidthtest *b = t->state;
	const struct copy *copy = b->copy;
	const char *bench;

	if (!copy)
		text_die(t, "no line before it names the copy");
	if (strcmp(unit, "MB/s") != 0 && strcmp(unit, "GB/s") != 0)
		text_die(t, "unit '%s': unknown", unit);
	if (b->ngpus > 1)
		text_die(t,
		         "the sum of several GPUs: run with --device=NUMBER");
	bench = b->pageable ? copy->pageable : copy->pinned;
	text_row(t, bench, gpu_name(t, &b->gpus, *b->gpu ? b->gpu : "0"));
	if (bench[0] == 'b')
		text_set(t, "interface", "ce");
	text_count(t, "size_bytes", size);
	text_measure(t, "bandwidth_gbit_s", value, our_unit(unit));
	text_end_row(t);
}

/* "bandwidthTest-H2D-Pinned, Bandwidth = 6.1 GB/s, Time = ..., Size = ..." */
static bool
take_csv(struct text *t, const char *what)
{
	struct bandwidthtest *b = t->state;
	const char *ngpus = strstr(what, "NumDevsUsed = ");
	char value[32], unit[8], size[24];

	b->copy = NULL;
	b->unit[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(copies); i++) {
		if (!strncmp(what, copies[i].csv, strlen(copies[i].csv)))
			b->copy = &copies[i];
	}
	if (!b->copy ||
	    sscanf(what,
	           "%*[^,], Bandwidth = %31s %7[^,], Time = %*s s, Size = %23s",
	           value, unit, size) != 3)
		return false;
	b->ngpus = 1;
	if (ngpus)
		leading_number(ngpus + strlen("NumDevsUsed = "), &b->ngpus);
	b->pageable = strstr(what, "-Paged");
	take_result(t, size, value, unit);
	return true;
}

static bool
take_heading(struct text *t)
{
	struct bandwidthtest *b = t->state;

	for (size_t i = 0; i < ARRAY_LEN(copies); i++) {
		const char *rest = text_after(t, copies[i].text);

		if (!rest)
			continue;
		b->copy = &copies[i];
		b->unit[0] = '\0';
		return *rest == ',' && leading_number(rest + 2, &b->ngpus);
	}
	return false;
}

static bool
take_line(struct text *t)
{
	struct bandwidthtest *b = t->state;
	const char *csv = text_after(t, "bandwidthTest-");
	const char *unit = strstr(t->line, "Bandwidth(");

	if (csv)
		return take_csv(t, csv);
	if (text_begins(t, "Device "))
		return text_begins(t, "Device to")
		           ? take_heading(t)
		           : sscanf(t->line, "Device %7[0-9]:", b->gpu) == 1;
	if (take_heading(t))
		return true;
	if (text_begins(t, "PINNED Memory") ||
	    text_begins(t, "PAGEABLE Memory")) {
		b->pageable = text_begins(t, "PAGEABLE");
		return true;
	}
	if (unit && b->copy)
		return sscanf(unit, "Bandwidth(%7[^)])", b->unit) == 1;
	if (!*b->unit || t->nwords != 2)
		return false;
	take_result(t, t->word[0], t->word[1], b->unit);
	return true;
}

static const char *const ignored[] = {
    "[CUDA Bandwidth Test]",
    "CUDA Bandwidth Test",
    "Running on",
    "Quick Mode",
    "Range Mode",
    "Shmoo Mode",
    "Result = PASS",
    "NOTE:",
    "....",
    NULL,
};

const struct importer bandwidthtest_importer = {
    .name = "bandwidthtest",
    .help = "bandwidthTest of the CUDA samples",
    .take_line = take_line,
    .ignored = ignored,
    .state_size = sizeof(struct bandwidthtest),
};
