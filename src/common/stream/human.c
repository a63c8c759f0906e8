/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells and names of CSV for people: 52.80 ms, 16M, 59.52 M/s. */
#include "common/stream/human.h"

#include "common/base/number.h"
#include "common/base/util.h"
#include "common/stream/column_role.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Times a step, this is the limit above which four digits round to 1000. */
#define STEP_BELOW 999.95

/* A unit and its multiples, in steps of a thousand. */
struct scale {
	const char *unit;    /* in the column's name */
	double smallest;     /* the first of `words`, in that unit */
	const char *word[5]; /* ended by NULL */
};

static const struct scale scales[] = {
    {"ns", 1, {"ns", "us", "ms", "s"}},
    {"gbit_s", 1e-6, {"kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"}},
    {"per_s", 1, {"/s", "k/s", "M/s", "G/s"}},
    {"pct", 1, {"%"}},
};

static const struct scale bytes_per_second = {
    "gbit_s", 8e-6, {"kB/s", "MB/s", "GB/s", "TB/s"}};

static const struct scale *
scale_of(const char *name)
{
	const char *unit = unit_of(name);

	for (size_t i = 0; i < ARRAY_LEN(scales); i++) {
		if (!strcmp(unit, scales[i].unit))
			return &scales[i];
	}
	return NULL;
}

/* Four digits; no decimals behind a whole number of four digits or more. */
static char *
four_digits(double value, const char *unit)
{
	double size = fabs(value);
	int decimals = size >= STEP_BELOW ? 0
	               : size >= 99.995   ? 1
	               : size >= 9.9995   ? 2
	                                  : 3;
	bool tiny = size < 0.99995;
	const char *blank = *unit ? " " : "";

	if (size == 0)
		return xasprintf("0%s%s", blank, unit);
	if (tiny || size >= 1e15)
		return xasprintf("%.4g%s%s", value, blank, unit);
	return xasprintf("%.*f%s%s", decimals, value, blank, unit);
}

static char *
scaled(double value, const struct scale *scale)
{
	size_t i = 0;

	value /= scale->smallest;
	while (fabs(value) >= STEP_BELOW && scale->word[i + 1]) {
		value /= 1000;
		i++;
	}
	return four_digits(value, scale->word[i]);
}

static bool
is_size(const char *name)
{
	static const char ending[] = "_bytes";
	size_t length = strlen(name), n = sizeof ending - 1;

	return length > n && !strcmp(name + length - n, ending);
}

static char *
human_size(const char *text)
{
	static const char prefixes[] = "KMGT";
	uint64_t value;
	size_t i = 0;

	if (parse_integer(text, &value) || !value || value % 1024)
		return xstrdup(text);
	while (prefixes[i + 1] && value % ((uint64_t)1 << 20) == 0) {
		value >>= 10;
		i++;
	}
	return xasprintf("%ju%c", (uintmax_t)(value >> 10), prefixes[i]);
}

char *
human_text(const char *name, const char *text, bool bytes)
{
	const struct scale *scale = scale_of(name);
	double value;

	if (is_size(name) && is_identity(name))
		return human_size(text);
	if (is_identity(name) || !*text || parse_number(text, &value))
		return xstrdup(text);
	if (bytes && scale && !strcmp(scale->unit, bytes_per_second.unit))
		scale = &bytes_per_second;
	if (scale)
		return scaled(value, scale);
	return strchr(text, '.') ? four_digits(value, "") : xstrdup(text);
}

char *
human_name(const char *name)
{
	const struct scale *scale = scale_of(name);
	size_t length = strlen(name);

	if (!scale)
		return xstrdup(name);
	return xasprintf("%.*s", (int)(length - strlen(scale->unit) - 1), name);
}
