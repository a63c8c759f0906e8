/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CDFs of pcie-bench. A section starts with its first bin twice, the first time
 * with cdf 0. A cdf is a count over the number of samples, so the product with
 * that number restores the count. The file has neither the number nor the
 * parameters, but its summary has one row per section.
 */
#include "import/cdf.h"

#include "import/pciebench_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Largest distance of a count from an integer: rounding of double. */
#define COUNT_TOLERANCE 1e-6

char *
cdf_summary_of(const struct table *t)
{
	static const char ending[] = "_cdf.csv";
	size_t length = strlen(t->file);
	size_t stem = length - strlen(ending);
	char *name;

	if (length < strlen(ending) || strcmp(t->file + stem, ending) != 0)
		die("%s: a CDF does not name its conditions: name its summary "
		    "with --details",
		    t->file);
	name = xasprintf("%.*s.csv", (int)stem, t->file);
	if (access(name, F_OK))
		die_sys("%s: its summary %s", t->file, name);
	return name;
}

/* The number of samples, of n, at or below the current bin. */
static uint64_t
count_below(const struct table *t, uint64_t n)
{
	double count = cell_number(t, "cdf") * (double)n;
	double whole = round(count);

	if (fabs(count - whole) > COUNT_TOLERANCE)
		cell_die(t, "cdf",
		         "times the number of samples is not a whole number");
	if (whole < 0 || whole > (double)n)
		cell_die(t, "cdf", "not from 0 to 1");
	return (uint64_t)whole;
}

static bool
begins_section(const struct table *t)
{
	return cell_number(t, "cdf") == 0;
}

/* Appends a bin; returns the count below it, which exceeds `below`. */
static uint64_t
take_bin(struct job *job, const struct table *t, uint64_t n, uint64_t below)
{
	struct result *r = &job->result;
	uint64_t count = count_below(t, n);

	if (count <= below)
		cell_die(t, "cdf", "not above the one before");
	result_double(r, result_column(r, "latency_ns"),
	              pciebench_ns(t, "cycles", "ns"));
	result_u64(r, result_column(r, "count"), count - below);
	result_end_row(r);
	return count;
}

/* Checks that section and summary row match: equal minimum and maximum. */
static void
check_cycles(const struct table *t, double cycles, const struct table *summary,
             const char *name)
{
	if (cell_number(summary, name) != cycles)
		die("%s:%ju: the section before has %s %.17g, but %s:%ju says "
		    "%s",
		    t->file, t->line, name, cycles, summary->file,
		    summary->line, cell_text(summary, name));
}

bool
cdf_read_section(struct job *job, struct table *t, const struct table *summary)
{
	uint64_t n = cell_integer(summary, "#samples");
	double min = cell_number(t, "cycles");
	double max = -1;
	uint64_t below = 0;
	bool more;

	if (!begins_section(t))
		cell_die(t, "cdf", "a section begins with 0");
	more = table_next(t);
	if (!more || cell_number(t, "cycles") != min)
		die("%s:%ju: a section begins with its first bin twice",
		    t->file, t->line);
	for (; more && !begins_section(t); more = table_next(t)) {
		if (cell_number(t, "cycles") <= max)
			cell_die(t, "cycles", "not above the one before");
		max = cell_number(t, "cycles");
		below = take_bin(job, t, n, below);
	}
	if (below != n)
		die("%s:%ju: the section before ends below 1", t->file,
		    t->line);
	check_cycles(t, min, summary, "Min");
	check_cycles(t, max, summary, "Max");
	return more;
}
