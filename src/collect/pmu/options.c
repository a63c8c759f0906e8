/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of the backend pmu: tables and values. */
#include "collect/pmu/options.h"

#include "common/base/number.h"

const struct backend_option pmu_options[] = {
    {"events", "", "table of events; default that of the CPU"},
    {"groups", "", "count only these groups, such as read,write"},
    {"map", "", "file with the unit and part of each device"},
    {"parts", "", "count only these parts of a unit, such as 0,4"},
    {NULL, NULL, NULL},
};

static const char *
pmu_check_interval(const char *text)
{
	uint64_t picoseconds = 0;
	const char *why = parse_time(text, &picoseconds);

	return !why && !picoseconds ? "must be greater than 0" : why;
}

const struct bench_option pmu_bench_options[] = {
    {.name = "interval",
     .letter = 'i',
     .argument = "TIME",
     .help = "length of an interval (1s, or while COMMAND runs)",
     .check = pmu_check_interval},
    {.name = NULL},
};

const char *
pmu_option(const struct request *request, const char *name)
{
	return option_or_null(request, pmu_options, name);
}

uint64_t
pmu_interval_ns(const struct request *request)
{
	const char *text = bench_option(request, "interval");
	uint64_t picoseconds = 0;

	if (text)
		parse_time(text, &picoseconds);
	return picoseconds / 1000 + (picoseconds % 1000 != 0);
}
