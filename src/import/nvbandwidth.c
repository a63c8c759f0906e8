/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of NVIDIA's nvbandwidth, text and JSON. A test has a matrix; its
 * description names the unit, and whether rows are CPUs or GPUs.
 */
#include "import/gpu_names.h"
#include "import/matrix.h"
#include "import/unit.h"

#include "common/base/util.h"

#include <ctype.h>
#include <string.h>

/* Tests of copies over the link in one direction. */
static const struct copy {
	const char *test;
	const char *bench;
	const char *interface;
} copies[] = {
    {"host_to_device_memcpy_ce", "bw_rd", "ce"},
    {"host_to_device_memcpy_sm", "bw_rd", "sm"},
    {"device_to_host_memcpy_ce", "bw_wr", "ce"},
    {"device_to_host_memcpy_sm", "bw_wr", "sm"},
};

struct nvbandwidth {
	struct gpu_names gpus;
	struct matrix matrix;
	char test[64];
	char unit[16];
	char part[16]; /* of a test with several matrices: "_read1" */
	bool from_gpu; /* rows of the matrix are GPUs */
};

static const struct copy *
find_copy(const char *test)
{
	for (size_t i = 0; i < ARRAY_LEN(copies); i++) {
		if (!strcmp(test, copies[i].test))
			return &copies[i];
	}
	return NULL;
}

static void
take_cell(struct text *t, const char *row, const char *column,
          const char *value)
{
	struct nvbandwidth *n = t->state;
	const struct copy *copy = find_copy(n->test);
	char bench[sizeof n->test + sizeof n->part];

	snprintf(bench, sizeof bench, "%s%s", copy ? copy->bench : n->test,
	         n->part);
	text_row(t, bench, gpu_name(t, &n->gpus, column));
	if (copy)
		text_set(t, "interface", copy->interface);
	if (n->from_gpu)
		text_set(t, "peer", gpu_name(t, &n->gpus, row));
	text_measure(t, is_time_unit(n->unit) ? "mean_ns" : "bandwidth_gbit_s",
	             value, n->unit);
	text_end_row(t);
}

static void
set_test(struct text *t, const char *name, size_t length)
{
	struct nvbandwidth *n = t->state;

	if (length && length < sizeof n->test) {
		memcpy(n->test, name, length);
		n->test[length] = '\0';
	} else {
		text_die(t, "the test has no name");
	}
	n->unit[0] = '\0';
	n->matrix.ncols = 0;
}

/* "GPU(column) Read1 bandwidth": stores "_read1", the part of the test. */
static void
set_part(struct nvbandwidth *n, const char *text)
{
	const char *part = strstr(text, "(column) ") + strlen("(column) ");
	size_t length = strcspn(part, " ");

	n->part[0] = '\0';
	if (strncmp(part + length, " bandwidth", 10) != 0)
		return;
	snprintf(n->part, sizeof n->part, "_%.*s", (int)length, part);
	for (char *c = n->part; *c; c++)
		*c = (char)tolower((unsigned char)*c);
}

/* "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)"; else false. */
static bool
take_description(struct text *t, const char *text)
{
	struct nvbandwidth *n = t->state;
	const char *unit = strrchr(text, '(');
	size_t length = unit ? strcspn(++unit, ")") : 0;

	if (!strstr(text, "(column) ") || !length || length >= sizeof n->unit)
		return false;
	memcpy(n->unit, unit, length);
	n->unit[length] = '\0';
	if (!is_time_unit(n->unit) && !is_bandwidth_unit(n->unit))
		text_die(t, "unit '%s': unknown", n->unit);
	set_part(n, text);
	n->from_gpu = strstr(text, "GPU(row)");
	n->matrix.ncols = 0;
	return true;
}

/* "Device 0: NAME (DOMAIN:BUS:DEVICE)"; early versions have no address. */
static bool
take_device(struct text *t)
{
	struct nvbandwidth *n = t->state;
	const char *address = strrchr(t->line, '(');
	unsigned part[3];
	size_t number;

	if (!leading_number(text_after(t, "Device "), &number))
		return false;
	if (address && hex_numbers(address + 1, part, 3) == 3)
		gpu_set(&n->gpus, number, part[0], part[1], part[2]);
	return true;
}

static bool
take_line(struct text *t)
{
	struct nvbandwidth *n = t->state;
	const char *test = text_after(t, "Running ");

	if (test) {
		size_t length = strlen(test);

		set_test(t, test, length - (length && test[length - 1] == '.'));
		return true;
	}
	if (text_begins(t, "Device "))
		return take_device(t);
	if (!*n->test)
		return false;
	if (take_description(t, t->line))
		return true;
	if (*n->unit && !n->matrix.ncols) {
		matrix_begin(t, &n->matrix, 0);
		return true;
	}
	return matrix_row(t, &n->matrix, take_cell);
}

static void
take_json_row(struct text *t, size_t number, const json_t *row)
{
	char labels[2][24];

	snprintf(labels[0], sizeof labels[0], "%zu", number);
	for (size_t i = 0; i < json_array_size(row); i++) {
		const char *value = json_string_value(json_array_get(row, i));

		snprintf(labels[1], sizeof labels[1], "%zu", i);
		if (!value)
			text_die(t, "bandwidth_matrix: a value is not text");
		else if (strcmp(value, "N/A") != 0)
			take_cell(t, labels[0], labels[1], value);
	}
}

/* A waived or failed test has a status and no matrix. */
static void
take_json_test(struct text *t, const json_t *test)
{
	const json_t *name =
	    text_member(t, test, "testcases", "name", JSON_STRING);
	const json_t *matrix = json_object_get(test, "bandwidth_matrix");

	set_test(t, json_string_value(name), json_string_length(name));
	if (!matrix)
		return;
	if (!take_description(t, json_string_value(text_member(
	                             t, test, json_string_value(name),
	                             "bandwidth_description", JSON_STRING))))
		text_die(t, "%s: bandwidth_description: unknown",
		         json_string_value(name));
	for (size_t i = 0; i < json_array_size(matrix); i++)
		take_json_row(t, i, json_array_get(matrix, i));
}

static void
take_json(struct text *t, const json_t *root)
{
	const json_t *all =
	    text_member(t, root, "the file", "nvbandwidth", JSON_OBJECT);
	const json_t *tests =
	    text_member(t, all, "nvbandwidth", "testcases", JSON_ARRAY);

	for (size_t i = 0; i < json_array_size(tests); i++)
		take_json_test(t, json_array_get(tests, i));
}

static const char *const ignored[] = {
    "nvbandwidth Version",
    "Built from Git",
    "NOTE:",
    "Additional system",
    "Performance can vary",
    "CUDA Runtime",
    "CUDA Driver",
    "Driver Version",
    "MPI version",
    "SUM ",
    "MIN ",
    "MAX ",
    "AVERAGE ",
    "COEFFICIENT_OF",
    "WAIVED",
    "Waived",
    NULL,
};

const struct importer nvbandwidth_importer = {
    .name = "nvbandwidth",
    .help = "NVIDIA's nvbandwidth, its text or JSON",
    .take_line = take_line,
    .take_json = take_json,
    .ignored = ignored,
    .state_size = sizeof(struct nvbandwidth),
};
