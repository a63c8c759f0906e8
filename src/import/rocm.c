/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of AMD's rocm_bandwidth_test: matrices of the peak over all sizes. A
 * device with an address is a GPU, one without is a CPU.
 */
#include "import/gpu_names.h"
#include "import/matrix.h"

#include "common/base/util.h"

#include <stdio.h>
#include <string.h>

struct rocm {
	struct gpu_names gpus;
	bool is_gpu[GPUS_MAX];
	struct matrix matrix;
	enum contents { NO_MATRIX, PASSED_BY, ONE_WAY, BOTH_WAYS } what;
};

/* The GPU's copy engine copies between host and GPU. */
static void
take_cell(struct text *t, const char *row, const char *column,
          const char *value)
{
	struct rocm *r = t->state;
	const char *from = gpu_name(t, &r->gpus, row);
	const char *to = gpu_name(t, &r->gpus, column);
	bool from_gpu, to_gpu, link;

	if (r->what == PASSED_BY)
		return;
	from_gpu = r->is_gpu[strtoul(row, NULL, 10)];
	to_gpu = r->is_gpu[strtoul(column, NULL, 10)];
	link = r->what == ONE_WAY && from_gpu != to_gpu;
	text_row(t,
	         !link    ? r->what == ONE_WAY ? "rocm_copy" : "rocm_copy_bidir"
	         : to_gpu ? "bw_rd"
	                  : "bw_wr",
	         to_gpu ? to : from);
	if (link)
		text_set(t, "interface", "ce");
	else
		text_set(t, "peer", to_gpu ? from : to);
	text_measure(t, "bandwidth_gbit_s", value, "GB/s");
	text_end_row(t);
}

/* "Device: 1,  NAME,  GPU-XX,  0d:0.0" */
static bool
take_device(struct text *t)
{
	struct rocm *r = t->state;
	const char *last = t->word[t->nwords - 1];
	unsigned part[3];
	size_t number;

	if (!leading_number(text_after(t, "Device: "), &number) ||
	    number >= GPUS_MAX)
		return false;
	r->is_gpu[number] =
	    strchr(last, ':') && hex_numbers(last, part, 3) == 3;
	if (r->is_gpu[number])
		gpu_set(&r->gpus, number, 0, part[0], part[1]);
	else
		snprintf(r->gpus.name[number], GPU_NAME_MAX, "cpu%zu", number);
	return true;
}

static bool
take_heading(struct text *t)
{
	static const struct {
		const char *beginning;
		enum contents what;
	} headings[] = {
	    {"Inter-Device Access", PASSED_BY},
	    {"Device Access", PASSED_BY},
	    {"Inter-Device Numa Distance", PASSED_BY},
	    {"Device Numa Distance", PASSED_BY},
	    {"Unidirectional copy peak bandwidth GB/s", ONE_WAY},
	    {"Bidirectional copy peak bandwidth GB/s", BOTH_WAYS},
	    {"Bdirectional copy peak bandwidth GB/s", BOTH_WAYS},
	};
	struct rocm *r = t->state;

	for (size_t i = 0; i < ARRAY_LEN(headings); i++) {
		if (strcmp(t->line, headings[i].beginning) != 0)
			continue;
		r->what = headings[i].what;
		r->matrix.ncols = 0;
		return true;
	}
	return false;
}

static bool
take_line(struct text *t)
{
	struct rocm *r = t->state;

	if (text_begins(t, "Device: "))
		return take_device(t);
	if (take_heading(t))
		return true;
	if (!strcmp(t->word[0], "D/D") && r->what != NO_MATRIX) {
		matrix_begin(t, &r->matrix, 1);
		return true;
	}
	return matrix_row(t, &r->matrix, take_cell);
}

static const char *const ignored[] = {
    "....",
    "RocmBandwidthTest Version",
    "Launch Command",
    NULL,
};

const struct importer rocm_importer = {
    .name = "rocm-bandwidth-test",
    .help = "AMD's rocm_bandwidth_test",
    .take_line = take_line,
    .ignored = ignored,
    .state_size = sizeof(struct rocm),
};
