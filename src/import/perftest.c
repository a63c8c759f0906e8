/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of perftest (ib_read_lat, ib_write_bw and so on), text and JSON:
 * messages between the memories of two machines.
 */
#include "import/text.h"

#include "common/base/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 16

/* A column of perftest; without a unit it is a count, or skipped. */
struct title {
	const char *title; /* in the text, up to the unit */
	const char *key;   /* in JSON */
	const char *name;  /* ours; NULL: skipped */
	const char *unit;
};

static const struct title columns[] = {
    {"#bytes", "MsgSize", "size_bytes", NULL},
    {"#iterations", "n_iterations", "n", NULL},
    {"#sl", NULL, "service_level", NULL},
    {"t_min[usec]", "t_min", "min_ns", "us"},
    {"t_max[usec]", "t_max", "max_ns", "us"},
    {"t_typical[usec]", "t_typical", "median_ns", "us"},
    {"t_avg[usec]", "t_avg", "mean_ns", "us"},
    {"t_stdev[usec]", "t_stdev", "stddev_ns", "us"},
    {"99% percentile[usec]", "percentile_99", "p99_ns", "us"},
    {"99.9% percentile[usec]", "percentile_99.9", "p99_9_ns", "us"},
    {"tps average", NULL, NULL, NULL},
    {"BW peak[MB/sec]", NULL, NULL, NULL},
    {"BW peak[MiB/sec]", NULL, NULL, NULL},
    {"BW peak[Gb/sec]", NULL, NULL, NULL},
    {"BW average[MB/sec]", NULL, "bandwidth_gbit_s", "MiB/s"},
    {"BW average[MiB/sec]", NULL, "bandwidth_gbit_s", "MiB/s"},
    {"BW average[Gb/sec]", NULL, "bandwidth_gbit_s", "Gb/s"},
    {"MsgRate[Mpps]", NULL, NULL, NULL},
    {"CPU_Util[%]", NULL, "cpu_pct", ""},
};

struct perftest {
	char bench[40];
	char device[64];
	const char *side; /* with --report-both: "local" or "remote" */
	const struct title *column[COLUMNS_MAX];
	size_t ncols;
};

static const struct word verbs[] = {
    {"Send", "ib_send"},        {"RDMA_Write_IMM", "ib_write_imm"},
    {"RDMA_Write", "ib_write"}, {"RDMA_Read", "ib_read"},
    {"Atomic", "ib_atomic"},    {"ATOMIC", "ib_atomic"},
};

/* "RDMA_Read Latency Test", "Send_Bidirectional_BW_Test" in JSON. */
static bool
set_bench(struct perftest *p, const char *title)
{
	const char *verb = NULL;
	bool latency = strstr(title, "Latency"),
	     bandwidth = strstr(title, "BW");

	for (size_t i = 0; i < ARRAY_LEN(verbs) && !verb; i++) {
		if (!strncmp(title, verbs[i].theirs, strlen(verbs[i].theirs)))
			verb = verbs[i].ours;
	}
	if (!verb || latency == bandwidth || !strstr(title, "Test"))
		return false;
	snprintf(p->bench, sizeof p->bench, "%s_%s%s", verb,
	         latency ? "lat" : "bw",
	         strstr(title, "Bidirectional") ? "_bidir" : "");
	p->ncols = 0;
	p->side = NULL;
	return true;
}

/* Titles contain blanks, so the longest match counts. */
static const struct title *
find_title(const char *text)
{
	const struct title *found = NULL;

	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		size_t length = strlen(columns[i].title);

		if (!strncmp(text, columns[i].title, length) &&
		    (!text[length] || strchr(" \t", text[length])) &&
		    (!found || length > strlen(found->title)))
			found = &columns[i];
	}
	return found;
}

static void
take_titles(struct text *t)
{
	struct perftest *p = t->state;
	const char *rest = t->line;

	t->gap = false;
	for (p->ncols = 0; *rest; rest += strspn(rest, " \t")) {
		const struct title *column = find_title(rest);

		if (column && p->ncols < COLUMNS_MAX)
			rest += strlen(column->title);
		else
			text_die(t, "columns from '%s' on: unknown", rest);
		p->column[p->ncols++] = column;
	}
}

static void
set_cell(struct text *t, const struct title *column, const char *value)
{
	if (!column->name)
		text_number(t, value);
	else if (!column->unit)
		text_count(t, column->name, value);
	else if (*column->unit)
		text_measure(t, column->name, value, column->unit);
	else if (text_number(t, value) >= 0)
		text_set(t, column->name, value);
}

/* A server without results of its own prints titles and no row. */
static bool
take_row(struct text *t)
{
	struct perftest *p = t->state;

	if (!p->ncols || !text_is_row(t, p->ncols))
		return false;
	if (t->nwords != p->ncols)
		text_die(t, "%zu values under %zu titles", t->nwords, p->ncols);
	text_row(t, *p->bench ? p->bench : "perftest", p->device);
	if (p->side)
		text_set(t, "side", p->side);
	for (size_t i = 0; i < p->ncols; i++)
		set_cell(t, p->column[i], t->word[i]);
	text_end_row(t);
	return true;
}

static bool
take_line(struct text *t)
{
	struct perftest *p = t->state;
	const char *device = strstr(t->line, "Device ");

	if (set_bench(p, t->line))
		return true;
	if (text_begins(t, "Dual-port") || text_begins(t, "Device "))
		return device &&
		       sscanf(device, "Device : %63s", p->device) == 1;
	if (text_begins(t, "Local results") ||
	    text_begins(t, "Remote results")) {
		p->side = *t->line == 'L' ? "local" : "remote";
		return true;
	}
	if (text_begins(t, "#bytes")) {
		take_titles(t);
		return true;
	}
	return take_row(t);
}

/*
 * JSON has no unit for bandwidth, but the rate of messages has a fixed one:
 * only one unit of bandwidth agrees with it.
 */
static const char *
unit_of_bandwidth(struct text *t, const json_t *results)
{
	double bytes = json_number_value(
	    text_member(t, results, "results", "MsgSize", JSON_INTEGER));
	double rate = 1e6 * json_number_value(text_member(
	                        t, results, "results", "MsgRate", JSON_REAL));
	double value = json_number_value(
	    text_member(t, results, "results", "BW_average", JSON_REAL));
	double gbit_s = 8 * bytes * rate / 1e9;
	double mib_s = bytes * rate / 0x1p20;

	if (fabs(value - gbit_s) < 0.02 * gbit_s)
		return "Gb/s";
	if (fabs(value - mib_s) < 0.02 * mib_s)
		return "MiB/s";
	text_die(t, "BW_average: neither MsgRate times MsgSize in Gb/s nor in "
	            "MiB/s");
}

static void
take_json(struct text *t, const json_t *root)
{
	struct perftest *p = t->state;
	const json_t *info =
	    text_member(t, root, "the file", "test_info", JSON_OBJECT);
	const json_t *results =
	    text_member(t, root, "the file", "results", JSON_OBJECT);
	const json_t *bandwidth = json_object_get(results, "BW_average");
	const char *title = json_string_value(
	    text_member(t, info, "test_info", "test", JSON_STRING));

	if (!set_bench(p, title))
		text_die(t, "test '%s': unknown", title);
	text_row(t, p->bench,
	         json_string_value(
	             text_member(t, info, "test_info", "Device", JSON_STRING)));
	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		const char *key = columns[i].key;
		const json_t *number =
		    key ? json_object_get(results, key) : NULL;
		char *value;

		if (!number)
			continue;
		value = text_of_number(t, number, key);
		set_cell(t, &columns[i], value);
		free(value);
	}
	if (bandwidth) {
		char *value = text_of_number(t, bandwidth, "BW_average");

		text_measure(t, "bandwidth_gbit_s", value,
		             unit_of_bandwidth(t, results));
		free(value);
	}
	text_end_row(t);
}

const struct importer perftest_importer = {
    .name = "perftest",
    .help = "perftest's ib_*_lat and ib_*_bw, their text or JSON",
    .take_line = take_line,
    .take_json = take_json,
    .loose = true,
    .state_size = sizeof(struct perftest),
};
