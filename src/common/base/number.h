/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every number that enters or leaves the programs passes through here. */
#ifndef PCB_COMMON_BASE_NUMBER_H
#define PCB_COMMON_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/*
 * Parsers of whole texts. They return NULL and store the value, or return
 * the reason why the text is refused (a constant, with the forms that are
 * accepted) and leave the value alone. No signs, no white space, and no
 * hexadecimal but in offsets.
 */

/*
 * Bytes: "64", "4K", "4k", "64KiB", "1.5M", "1e6". K, M, G and T are powers of
 * 1024; a B or iB behind them changes nothing. A whole number of bytes.
 */
const char *parse_size(const char *text, uint64_t *bytes);

/* A count: as a size, but K, M, G and T are powers of 1000, without B. */
const char *parse_count(const char *text, uint64_t *count);

/* Decimal digits alone. */
const char *parse_integer(const char *text, uint64_t *value);

/* Where a register is: a plain integer, decimal or as "0x1c". */
const char *parse_offset(const char *text, uint64_t *value);

/*
 * A duration with its unit: ps, ns, us, ms, s, min or h; decimals allowed
 * ("1.5us"). Finer digits than a picosecond are refused.
 */
const char *parse_time(const char *text, uint64_t *picoseconds);

/* Nanoseconds without a unit, as in a column: "1.5", "2.5e2". */
const char *parse_ns(const char *text, uint64_t *picoseconds);

/*
 * A measure as it stands in a field: decimal digits with an optional sign,
 * point and exponent. inf, nan and hexadecimal are refused. Correctly
 * rounded, as strtod.
 */
const char *parse_number(const char *text, double *value);

/* num / den, den not 0. */
struct fraction {
	uint64_t num, den;
};

/*
 * A percentage from 0 to 100 with at most 15 decimals, as an exact fraction
 * of 1: "99.9", "99.90" and "99.9%" are 999/1000. Equal percentages give equal
 * fractions; den is 100 times the power of ten that the decimals need.
 */
const char *parse_percentage(const char *text, struct fraction *part);

/* Values of a swept parameter, in the order given. Free with free(). */
struct size_list {
	uint64_t *value;
	size_t n;
};

/*
 * Sizes: "64", "64,128", "64:2048" (doubling; "64..2048" and "64-2048" too),
 * "64:2048:x3" (factor), "64:2048:+64" (step); the end is included if hit. At
 * most 65536 values. On success the old contents of *list are freed first.
 */
const char *parse_size_list(const char *text, struct size_list *list);

/*
 * Printers write to `to`, add no terminating NUL and return the end. A u64
 * takes at most 20 bytes, a time 21, a double 24; with a NUL behind them,
 * NUMBER_MAX has room for all.
 */
#define NUMBER_MAX 25
char *print_u64(char *to, uint64_t value);

/* Picoseconds as nanoseconds: at most 3 decimals, no trailing zeros. */
char *print_ns(char *to, uint64_t picoseconds);

/* The shortest decimal that strtod reads back equal; value must be finite. */
char *print_double(char *to, double value);

#endif
