/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes texts and numbers as JSON. */
#ifndef PCB_COMMON_STREAM_JSON_PRINT_H
#define PCB_COMMON_STREAM_JSON_PRINT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Whether the text is a JSON number (RFC 8259): no plus sign, no leading zero,
 * and digits on both sides of the point.
 */
bool is_json_number(const char *text);

/* Writes a text in quotes. U+FFFD replaces each invalid byte of UTF-8. */
void print_json_string(FILE *to, const char *text);

/*
 * Writes "name":cell. The cell is null if the text is empty, an array for the
 * column benches, a number if `number` is set and JSON has such a number, else
 * a string. Write errors stay in ferror.
 */
void print_json_member(FILE *to, const char *name, const char *text,
                       bool number);

#endif
