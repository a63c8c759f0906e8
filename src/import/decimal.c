/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multiplies decimal numbers without rounding. */
#include "import/decimal.h"

#include "common/base/intmath.h"
#include "common/base/number.h"
#include "common/base/util.h"

#include <ctype.h>

#define PLACES_MAX 30

/* digits * 10^exponent */
struct exact_decimal {
	bool negative;
	uint128 digits;
	int exponent;
};

static const char *const too_many = "too many digits to be exact";

static const char *
parse(const char *text, struct exact_decimal *d)
{
	double unused;
	const char *why = parse_number(text, &unused);
	bool point = false, over = false;
	long exponent = 0;

	*d = (struct exact_decimal){.negative = *text == '-'};
	for (; !why && *text && *text != 'e' && *text != 'E'; text++) {
		point = point || *text == '.';
		if (!isdigit((unsigned char)*text))
			continue;
		over |=
		    __builtin_mul_overflow(d->digits, 10, &d->digits) ||
		    __builtin_add_overflow(d->digits, *text - '0', &d->digits);
		d->exponent -= point;
	}
	if (why || over)
		return why ? why : too_many;
	for (; d->digits && d->digits % 10 == 0; d->digits /= 10)
		d->exponent++;
	exponent = *text ? strtol(text + 1, NULL, 10) : 0;
	d->exponent += (int)exponent;
	return exponent > PLACES_MAX || exponent < -PLACES_MAX ? "out of range"
	                                                       : NULL;
}

static const char *
print(bool negative, uint128 digits, int exponent, char *to)
{
	char reversed[DECIMAL_MAX];
	char *p = reversed;

	for (; digits && digits % 10 == 0; digits /= 10)
		exponent++;
	if (exponent > PLACES_MAX || exponent < -2 * PLACES_MAX)
		return "out of range";
	for (int i = 0; i < exponent; i++)
		*p++ = '0';
	for (; digits || exponent <= 0; digits /= 10) {
		*p++ = (char)('0' + (int)(digits % 10));
		if (++exponent == 0)
			*p++ = '.';
	}
	if (negative)
		*to++ = '-';
	while (p > reversed)
		*to++ = *--p;
	*to = '\0';
	return NULL;
}

const char *
multiply_decimals(const char *a, const char *b, char *to)
{
	struct exact_decimal x, y;
	const char *why = parse(a, &x);

	if (!why)
		why = parse(b, &y);
	if (why)
		return why;
	if (!x.digits || !y.digits)
		return print(false, 0, 0, to);
	if (__builtin_mul_overflow(x.digits, y.digits, &x.digits))
		return too_many;
	return print(x.negative != y.negative, x.digits,
	             x.exponent + y.exponent, to);
}

/* Units ------------------------------------------------------------------- */

static const struct unit {
	const char *name;
	const char *factor;
	bool is_time;
} units[] = {
    {"ns", "1", true},
    {"us", "1000", true},
    {"ms", "1000000", true},
    {"s", "1000000000", true},
    {"GB/s", "8", false},
    {"MB/s", "0.008", false},
    {"KB/s", "0.000008", false},
    {"Bytes/s", "0.000000008", false},
    {"B/s", "0.000000008", false},
    {"KiB/s", "0.000008192", false},
    {"MiB/s", "0.008388608", false},
    {"GiB/s", "8.589934592", false},
    {"Gb/s", "1", false},
    {"B", "1", false},
    {"KiB", "1024", false},
    {"MiB", "1048576", false},
    {"GiB", "1073741824", false},
};

/* "us" and "usec", "GB/s" and "GB/sec" are the same. */
static const struct unit *
find_unit(const char *name)
{
	size_t length = strlen(name);

	if (length > 2 && !strcmp(name + length - 2, "ec"))
		length -= 2;
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (strlen(units[i].name) == length &&
		    !strncmp(units[i].name, name, length))
			return &units[i];
	}
	return NULL;
}

bool
is_time_unit(const char *unit)
{
	const struct unit *found = find_unit(unit);

	return found && found->is_time;
}

const char *
scale_unit(const char *text, const char *unit, char *to)
{
	const struct unit *found = find_unit(unit);

	if (!found)
		return "an unknown unit";
	return *text == '-' ? "less than 0"
	                    : multiply_decimals(text, found->factor, to);
}
