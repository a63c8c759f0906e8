/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decimal numbers, multiplied without rounding. */
#ifndef PCB_IMPORT_DECIMAL_H
#define PCB_IMPORT_DECIMAL_H

/* Room for a product, with its NUL. */
#define DECIMAL_MAX 128

/*
 * Writes the exact product of two numbers, as parse_number takes them, to
 * `to`: digits, with a point where needed, and no exponent. Returns NULL, or
 * the reason why not: a text is no number, or has digits (zeros at its ends
 * aside) worth more than 64 bits or beyond 30 places from the point.
 */
const char *multiply_decimals(const char *a, const char *b, char *to);

#endif
