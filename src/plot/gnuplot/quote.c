/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quotes texts for gnuplot, and cuts them to a width. */
#include "plot/gnuplot/quote.h"

#include "common/base/number.h"
#include "common/base/textbuf.h"
#include "common/base/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static char *
skip(char *text, size_t characters)
{
	while (characters--)
		text += utf8_length(text);
	return text;
}

/* Takes out the middle: names that begin alike often end differently. */
static void
cut(char *text, size_t width)
{
	size_t head = (width - 3) / 2;
	size_t tail = width - 3 - head;
	char *rest = skip(text, plain_width(text) - tail);
	char *middle = skip(text, head);

	memset(middle, '.', 3);
	memmove(middle + 3, rest, strlen(rest) + 1);
}

/* What UTF-8 has and XML, so SVG, has not: U+FFFE and U+FFFF. */
static void
replace_non_characters(char *text)
{
	for (const char *from = text; *from; from++) {
		if (!strncmp(from, "\xef\xbf\xbe", 3) ||
		    !strncmp(from, "\xef\xbf\xbf", 3)) {
			*text++ = '?';
			from += 2;
		} else {
			*text++ = *from;
		}
	}
	*text = '\0';
}

char *
plain_text(const char *text, size_t width)
{
	struct composed composed;
	FILE *to = compose_begin(&composed);
	char *plain;

	print_plain(to, text);
	plain = compose_end(&composed, to);
	replace_non_characters(plain);
	if (width >= 3 && plain_width(plain) > width)
		cut(plain, width);
	return plain;
}

void
write_string(FILE *to, const char *text)
{
	char *plain = plain_text(text, 0);

	/*
	 * gnuplot takes '' for a quote too, but not at the beginning, and where
	 * there is "'" it looks for macros in all that follows.
	 */
	fputc('\'', to);
	for (const char *p = plain; *p; p++) {
		if (*p == '\'')
			fputs("'.\"\\047\".'", to);
		else
			fputc(*p, to);
	}
	fputc('\'', to);
	free(plain);
}

void
write_number(double value)
{
	char text[32];

	*print_double(text, value) = '\0';
	fputs(text, stdout);
}

void
write_comment(FILE *to, const char *text)
{
	char *plain = plain_text(text, 0);

	for (const char *p = plain; *p; p++)
		fputc(strchr("`@\\", *p) ? '?' : *p, to);
	free(plain);
}
