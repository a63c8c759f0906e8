/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exact products of decimal numbers, and units of other programs. */
#ifndef PCB_IMPORT_DECIMAL_H
#define PCB_IMPORT_DECIMAL_H

#include <stdbool.h>

/* Size of a product's text, NUL included. */
#define DECIMAL_MAX 128

/*
 * Writes the exact product of two numbers, in the form of parse_number, to
 * `to`: digits, with a point if needed, without exponent. Returns NULL, or why
 * not: a text is no number, they have more digits than 128 bits, or digits
 * beyond 30 places from the point.
 */
const char *multiply_decimals(const char *a, const char *b, char *to);

/* Whether a unit is a known one of time. */
bool is_time_unit(const char *unit);

/*
 * Converts a number in a known unit ("us", "GiB/s") exactly, a time to
 * nanoseconds, a bandwidth to Gbit/s, a size to bytes; writes it to `to`, of
 * DECIMAL_MAX bytes. Returns NULL, or why not: as multiply_decimals, or the
 * number is negative.
 */
const char *scale_unit(const char *text, const char *unit, char *to);

#endif
