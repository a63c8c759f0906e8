/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scales times to nanoseconds and bandwidths to Gbit/s. */
#include "import/unit.h"

#include "import/decimal.h"

#include "common/base/util.h"

#include <string.h>

struct unit {
	const char *name;
	const char *factor;
};

static const struct unit times[] = {
    {"ns", "1"},
    {"us", "1000"},
    {"usec", "1000"},
    {"ms", "1000000"},
};

static const struct unit bandwidths[] = {
    {"GB/s", "8"},
    {"GB/sec", "8"},
    {"MB/s", "0.008"},
    {"MB/sec", "0.008"},
    {"KB/sec", "0.000008"},
    {"Bytes/sec", "0.000000008"},
    {"B/s", "0.000000008"},
    {"MiB/s", "0.008388608"},
    {"GiB/s", "8.589934592"},
    {"Gb/s", "1"},
};

static const char *
factor_of(const struct unit *unit, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(unit[i].name, name))
			return unit[i].factor;
	}
	return NULL;
}

bool
is_time_unit(const char *unit)
{
	return factor_of(times, ARRAY_LEN(times), unit);
}

bool
is_bandwidth_unit(const char *unit)
{
	return factor_of(bandwidths, ARRAY_LEN(bandwidths), unit);
}

const char *
scale_unit(const char *text, const char *unit, char *to)
{
	const char *factor = factor_of(times, ARRAY_LEN(times), unit);

	if (!factor)
		factor = factor_of(bandwidths, ARRAY_LEN(bandwidths), unit);
	if (!factor)
		return "an unknown unit";
	if (*text == '-')
		return "less than 0";
	return multiply_decimals(text, factor, to);
}
