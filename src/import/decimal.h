/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multiplies decimal numbers without rounding. */
#ifndef PCB_IMPORT_DECIMAL_H
#define PCB_IMPORT_DECIMAL_H

/* Size of a product's text, NUL included. */
#define DECIMAL_MAX 128

/*
 * Writes the exact product of two numbers, in the form of parse_number, to
 * `to`: digits, with a point if needed, without exponent. Returns NULL, or why
 * not: a text is no number, or has digits (except zeros at its ends) of more
 * than 64 bits or beyond 30 places from the point.
 */
const char *multiply_decimals(const char *a, const char *b, char *to);

#endif
