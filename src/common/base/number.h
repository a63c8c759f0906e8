/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses and prints every number that the programs read or write. */
#ifndef PCB_COMMON_BASE_NUMBER_H
#define PCB_COMMON_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Parsers of whole texts. They store the value and return NULL; if they refuse
 * the text they return the reason, a constant that names the accepted forms,
 * and leave the value alone. Only parse_number accepts a sign, only
 * parse_offset hexadecimal, none white space.
 */

/*
 * Bytes, a whole number: "64", "4K", "4k", "64KiB", "1.5M", "1e6". K, M, G and
 * T are powers of 1024, with or without B or iB.
 */
const char *parse_size(const char *text, uint64_t *bytes);

/* A count: like a size, but K, M, G and T are powers of 1000, without B. */
const char *parse_count(const char *text, uint64_t *count);

/* Decimal digits only. */
const char *parse_integer(const char *text, uint64_t *value);

/* The offset of a register: a plain integer, decimal or as "0x1c". */
const char *parse_offset(const char *text, uint64_t *value);

/*
 * A duration with its unit: ps, ns, us, ms, s, m or min, h or d, in either
 * case, with decimals ("1.5us"). Refuses fractions of a picosecond.
 */
const char *parse_time(const char *text, uint64_t *picoseconds);

/*
 * A measured value in a field: decimal digits with an optional sign, point and
 * exponent; refuses inf, nan and hexadecimal. Rounds correctly, as strtod does.
 */
const char *parse_number(const char *text, double *value);

/*
 * A text of 1 to 8 bytes as a number, the first byte lowest, and 0 for others.
 * Texts that differ have numbers that differ. parse_word is parse_number of
 * such a text, unless it returns false, which it does for signs and exponents.
 */
uint64_t word_of(const char *text);
bool parse_word(uint64_t word, double *value);

/* Sorts in ascending order; x has no NAN. */
void sort_numbers(double x[], size_t n);

/* num / den, den not 0. */
struct fraction {
	uint64_t num, den;
};

/*
 * Bandwidth in Gbit/s, above 0: "11.8GB/s", "94Gbit/s", "100Gb/s", "10.9GiB/s",
 * "705 MB/sec", "37.6 Gbits/sec", "147kB/s", "94gbps".
 */
const char *parse_bandwidth(const char *text, double *gbit_s);

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
 * "64:2048:x3" (factor), "64:2048:+64" (step). A range includes both ends. A
 * value that follows its equal is left out. At most 65536 values. Frees the old
 * contents of *list on success.
 */
const char *parse_size_list(const char *text, struct size_list *list);

/*
 * Printers write to `to` without a terminating NUL and return the end. A u64
 * takes at most 20 bytes, a time 21, a double 24; NUMBER_MAX has room for any
 * of them and a NUL.
 */
#define NUMBER_MAX 25
char *print_u64(char *to, uint64_t value);

/* Picoseconds as nanoseconds, with at most 3 decimals and no trailing zeros. */
char *print_ns(char *to, uint64_t picoseconds);

/* The shortest decimal that strtod reads back equal; `value` is finite. */
char *print_double(char *to, double value);

#endif
