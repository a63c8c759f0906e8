/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8 validation, and texts made fit for a terminal. */
#include "common/base/utf8.h"

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

static uint32_t
low_bits(unsigned char c, int n)
{
	return c & ((1U << n) - 1);
}

/*
 * The first byte gives the length. The character must need all of its bytes,
 * and be no surrogate and not above U+10FFFF.
 */
static size_t
decode(const char *text, uint32_t *value)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char c = (unsigned char)*text;
	size_t n = c < 0xc0   ? 0
	           : c < 0xe0 ? 2
	           : c < 0xf0 ? 3
	           : c < 0xf8 ? 4
	                      : 0;
	uint32_t point = *value = low_bits(c, 7 - (int)n);

	if (c < 0x80)
		return c != 0;
	for (size_t i = 1; i < n; i++) {
		c = (unsigned char)text[i];
		if ((c & 0xc0) != 0x80)
			return 0;
		point = point << 6 | low_bits(c, 6);
	}
	if (!n || point < least[n] || point > 0x10ffff ||
	    (point >= 0xd800 && point < 0xe000))
		return 0;
	*value = point;
	return n;
}

size_t
utf8_length(const char *text)
{
	uint32_t point;

	return decode(text, &point);
}

/*
 * ASCII's, those of ISO 6429, ends of lines, changes of direction, and what
 * cannot be seen, except U+200C and U+200D, which some scripts need.
 */
static bool
is_control(uint32_t point)
{
	return point < 0x20 || (point >= 0x7f && point < 0xa0) ||
	       point == 0xad || point == 0x61c || point == 0x200b ||
	       point == 0x200e || point == 0x200f ||
	       (point >= 0x2028 && point <= 0x202e) ||
	       (point >= 0x2060 && point <= 0x206f) || point == 0xfeff ||
	       (point >= 0xfff9 && point <= 0xfffb) ||
	       (point >= 0xfffe && point <= 0xffff) ||
	       (point >= 0xe0000 && point <= 0xe007f);
}

size_t
utf8_columns(const char *text)
{
	static locale_t locale;
	static bool tried;
	uint32_t point;
	locale_t before;
	int columns;

	if (decode(text, &point) < 2)
		return 1;
	/* As in a UTF-8 locale, whatever the user's is. */
	if (!tried)
		locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
	tried = true;
	if (!locale)
		return 1;
	before = uselocale(locale);
	columns = wcwidth((wchar_t)point);
	uselocale(before);
	return columns < 0 || is_control(point) ? 1 : (size_t)columns;
}

void
print_plain(FILE *to, const char *text)
{
	uint32_t point;
	size_t n;

	for (; *text; text += n ? n : 1) {
		/* Nearly all texts are ASCII. */
		for (n = 0; text[n] >= ' ' && text[n] <= '~';)
			n++;
		if (n) {
			fwrite(text, 1, n, to);
			continue;
		}
		n = decode(text, &point);
		if (n && !is_control(point))
			fwrite(text, 1, n, to);
		else
			fputc('?', to);
	}
}

size_t
plain_width(const char *text)
{
	size_t width = 0;

	while (*text) {
		size_t n = utf8_length(text);

		width += utf8_columns(text);
		text += n ? n : 1;
	}
	return width;
}

size_t
max_plain_width(size_t width, const char *text)
{
	size_t other = plain_width(text);

	return other > width ? other : width;
}

/*
 * The bytes of a quotation at the start of the text, or 0. A command in it may
 * have quotations of its own, behind a blank or "=".
 */
static size_t
quotation(const char *text)
{
	size_t depth = 0;

	for (const char *at = text; *at == '\'' || depth; at++) {
		if (!*at)
			return 0;
		if (*at != '\'')
			continue;
		if (at == text || strchr(" =(", at[-1]))
			depth++;
		else if (strchr(" .,:;)", at[1]) && !--depth)
			return (size_t)(at - text) + 1;
	}
	return 0;
}

/*
 * The bytes of the next word. A quotation is one, since it may be a command; so
 * are a number and its percent sign.
 */
static size_t
word_length(const char *text)
{
	size_t length = quotation(text + (*text == '('));

	length += strcspn(text + length, " ");
	if (text[length] && text[length + 1] == '%')
		length += 1 + strcspn(text + length + 1, " ");
	return length;
}

static size_t
width_of(char *text, size_t length)
{
	char after = text[length];
	size_t width;

	text[length] = '\0';
	width = plain_width(text);
	text[length] = after;
	return width;
}

void
print_words(FILE *to, size_t begin, size_t end, char *text)
{
	size_t column = begin;

	while (*text) {
		size_t length = word_length(text);
		size_t width = width_of(text, length);
		char after;

		if (end && column > begin && column + 1 + width >= end) {
			fprintf(to, "\n%*s", (int)begin, "");
			column = begin;
		} else if (column > begin) {
			putc(' ', to);
			column++;
		}
		after = text[length];
		text[length] = '\0';
		print_plain(to, text);
		column += width;
		text[length] = after;
		text += length + (after == ' ');
	}
	putc('\n', to);
}
