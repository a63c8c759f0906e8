/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wraps text. */
#include "common/cli/wrap.h"

#include <stdio.h>
#include <string.h>

void
print_wrapped(size_t begin, size_t end, const char *text)
{
	size_t column = begin;

	while (*text) {
		size_t length = strcspn(text, " ");

		if (end && column > begin && column + 1 + length >= end) {
			printf("\n%*s", (int)begin, "");
			column = begin;
		} else if (column > begin) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)length, text);
		column += length;
		text += length;
		text += *text == ' ';
	}
	putchar('\n');
}
