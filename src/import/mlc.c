/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of Intel's Memory Latency Checker: memory and caches, without a link.
 * Its MB/sec are 10^6 bytes.
 */
#include "import/matrix.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

/* Sections: the start of the first line, and the bench. */
static const struct section {
	const char *beginning;
	const char *bench;
	const char *measure;
	const char *unit;
} sections[] = {
    {"Measuring idle latencies", "mlc_idle_latency", "mean_ns", "ns"},
    {"Measuring Peak Injection", "mlc_peak_injection", "bandwidth_gbit_s",
     "MB/s"},
    {"Measuring Memory Bandwidths between", "mlc_bandwidth", "bandwidth_gbit_s",
     "MB/s"},
    {"Measuring Loaded Latencies", "mlc_loaded_latency", "mean_ns", "ns"},
    {"Measuring cache-to-cache", "mlc_cache_to_cache", "mean_ns", "ns"},
    {"Remote Socket L2->L2 HITM latency (data address homed in writer",
     "mlc_cache_to_cache_writer", "mean_ns", "ns"},
    {"Remote Socket L2->L2 HITM latency (data address homed in reader",
     "mlc_cache_to_cache_reader", "mean_ns", "ns"},
};

struct mlc {
	const struct section *section;
	struct matrix matrix;
	bool in_loaded; /* the line of "=" was read */
};

static void
take_cell(struct text *t, const char *row, const char *column,
          const char *value)
{
	const struct mlc *m = t->state;

	if (!strcmp(value, "-"))
		return;
	text_row(t, m->section->bench, "");
	text_set(t, "cpu_node", row);
	text_set(t, "node", column);
	text_measure(t, m->section->measure, value, m->section->unit);
	text_end_row(t);
}

static bool
take_section(struct text *t)
{
	struct mlc *m = t->state;

	for (size_t i = 0; i < ARRAY_LEN(sections); i++) {
		if (text_begins(t, sections[i].beginning)) {
			*m = (struct mlc){.section = &sections[i]};
			return true;
		}
	}
	return false;
}

/* "ALL Reads        :	158844.5", "Local Socket L2->L2 HIT  latency	49.5" */
static bool
take_named(struct text *t)
{
	const struct mlc *m = t->state;
	char *name = NULL;

	if (t->nwords < 2)
		return false;
	for (size_t i = 0; i + 1 < t->nwords; i++) {
		size_t length = strlen(t->word[i]);

		length -= t->word[i][length - 1] == ':';
		if (length)
			xappend(&name, " ", "%.*s", (int)length, t->word[i]);
	}
	text_row(t, m->section->bench, "");
	text_set(t, "traffic", name ? name : "");
	text_measure(t, m->section->measure, t->word[t->nwords - 1],
	             m->section->unit);
	text_end_row(t);
	free(name);
	return true;
}

static bool
take_loaded(struct text *t)
{
	struct mlc *m = t->state;

	if (text_begins(t, "Inject") || text_begins(t, "Delay"))
		return true;
	if (text_begins(t, "=====")) {
		m->in_loaded = true;
		return true;
	}
	if (!m->in_loaded || t->nwords != 3)
		return false;
	text_row(t, m->section->bench, "");
	text_count(t, "inject_delay", t->word[0]);
	text_measure(t, "mean_ns", t->word[1], "ns");
	text_measure(t, "bandwidth_gbit_s", t->word[2], "MB/s");
	text_end_row(t);
	return true;
}

static bool
take_line(struct text *t)
{
	struct mlc *m = t->state;

	if (take_section(t))
		return true;
	if (!m->section)
		return false;
	if (!strcmp(m->section->bench, "mlc_loaded_latency"))
		return take_loaded(t);
	if (!strcmp(m->section->bench, "mlc_peak_injection") ||
	    text_begins(t, "Local Socket"))
		return take_named(t);
	if (text_begins(t, "Numa node") || text_begins(t, "Writer Numa Node") ||
	    text_begins(t, "Socket")) {
		size_t skip = text_begins(t, "Numa")     ? 2
		              : text_begins(t, "Writer") ? 3
		                                         : 1;

		if (t->nwords > skip)
			matrix_begin(t, &m->matrix, skip);
		return true;
	}
	return text_begins(t, "Memory node") || text_begins(t, "Reader") ||
	       matrix_row(t, &m->matrix, take_cell);
}

static const char *const ignored[] = {
    "Intel(R) Memory Latency", "Command line", "Using ",         "*",
    "Bandwidths are",          "So, enabling", "Each iteration", NULL,
};

const struct importer mlc_importer = {
    .name = "mlc",
    .help = "Intel's Memory Latency Checker",
    .take_line = take_line,
    .ignored = ignored,
    .state_size = sizeof(struct mlc),
};
