/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8 validation, and texts made fit for a terminal. */
#include "common/base/utf8.h"

#include "common/base/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

size_t
find_word(const char *text, const char *const word[], size_t n)
{
	size_t i;

	for (i = 0; i < n && strcmp(word[i], text) != 0; i++)
		;
	return i;
}

static uint32_t
low_bits(unsigned char c, int n)
{
	return c & ((1U << n) - 1);
}

/*
 * The first byte gives the length. The character must need all of its bytes,
 * and be no surrogate and not above U+10FFFF.
 */
size_t
utf8_length(const char *text)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char c = (unsigned char)*text;
	size_t n = c < 0xc0   ? 0
	           : c < 0xe0 ? 2
	           : c < 0xf0 ? 3
	           : c < 0xf8 ? 4
	                      : 0;
	uint32_t point = low_bits(c, 7 - (int)n);

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
	return n;
}

struct range {
	uint32_t first, last;
};

/* Wide characters: approximates Unicode's EastAsianWidth.txt by blocks. */
static const struct range wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x4dbf},
    {0x4e00, 0xa4cf},   {0xa960, 0xa97c},   {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff01, 0xff60},
    {0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
    {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

/* Characters without width: combining marks, joiners, variation selectors. */
static const struct range marks[] = {
    {0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200d},
    {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};

static bool
is_in(uint32_t point, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (point >= r[i].first && point <= r[i].last)
			return true;
	}
	return false;
}

/* The code point of a valid character. */
static uint32_t
code_point(const char *text, size_t length)
{
	unsigned char c = (unsigned char)*text;
	uint32_t point = length > 1 ? low_bits(c, 7 - (int)length) : c;

	for (size_t i = 1; i < length; i++)
		point = point << 6 | low_bits((unsigned char)text[i], 6);
	return point;
}

size_t
utf8_columns(const char *text)
{
	uint32_t point = code_point(text, utf8_length(text));

	return point < 0x300                           ? 1
	       : is_in(point, wide, ARRAY_LEN(wide))   ? 2
	       : is_in(point, marks, ARRAY_LEN(marks)) ? 0
	                                               : 1;
}

/* Control characters of ASCII and of ISO 6429 (U+0080 to U+009F). */
static bool
is_control(const char *text)
{
	unsigned char c = (unsigned char)*text;

	return c < 0x20 || c == 0x7f ||
	       (c == 0xc2 && (unsigned char)text[1] < 0xa0);
}

void
print_plain(FILE *to, const char *text)
{
	size_t n;

	for (; *text; text += n ? n : 1) {
		n = utf8_length(text);
		if (n && !is_control(text))
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
