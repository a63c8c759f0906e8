/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8, and texts for a terminal. */
#include "common/base/utf8.h"
#include "common/base/util.h"
#include "rig/cmocka.h"

#include <stdlib.h>
#include <string.h>

/* `plain` is the output of print_plain. */
struct row {
	const char *text;
	size_t length; /* of its first character */
	const char *plain;
	size_t columns; /* columns it takes */
};

static const struct row rows[] = {
    {"", 0, "", 0},
    {"ab", 1, "ab", 2},
    {"\xc3\xa9x", 2, "\xc3\xa9x", 2},
    {"\xe2\x82\xac", 3, "\xe2\x82\xac", 1},
    {"\xf0\x9f\x92\xa9", 4, "\xf0\x9f\x92\xa9", 2},
    {"\xef\xbb\xbf", 3, "\xef\xbb\xbf", 0},
    {"a\tb\n\x1b[0m\x7f", 1, "a?b??[0m?", 9},
    {"\xc2\x9b"
     "31m\xc2\xa0",
     2, "?31m\xc2\xa0", 5},
    {"\xe9t\xe9", 0, "?t?", 3},
    {"\x80\xbf", 0, "??", 2},
    {"\xc3", 0, "?", 1},
    {"\xe2\x82", 0, "??", 2},
    {"\xe2\x82.", 0, "??.", 3},
    {"\xf0\x9f\x92", 0, "???", 3},
    {"\xc0\x80", 0, "??", 2},
    {"\xc1\xbf", 0, "??", 2},
    {"\xe0\x9f\xbf", 0, "???", 3},
    {"\xf0\x8f\xbf\xbf", 0, "????", 4},
    {"\xed\xa0\x80", 0, "???", 3},
    {"\xf4\x90\x80\x80", 0, "????", 4},
    {"\xf8\x88\x80\x80\x80", 0, "?????", 5},
    {"\xff\xfe", 0, "??", 2},
    /* Chinese, Korean, full width; a letter with an accent; a narrow arrow. */
    {"\xe6\xbc\xa2x", 3, "\xe6\xbc\xa2x", 3},
    {"\xea\xb0\x80", 3, "\xea\xb0\x80", 2},
    {"\xef\xbc\x81", 3, "\xef\xbc\x81", 2},
    {"e\xcc\x81x", 1, "e\xcc\x81x", 2},
    /* Changes of direction and ends of lines, beside their neighbours. */
    {"\xd8\x9b\xd8\x9c\xd8\x9d", 2, "\xd8\x9b?\xd8\x9d", 3},
    {"\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x90", 3,
     "\xe2\x80\x8d??\xe2\x80\x90", 3},
    {"\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xaf", 3,
     "\xe2\x80\xa7??\xe2\x80\xaf", 4},
    {"\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa", 3,
     "\xe2\x81\xa5??\xe2\x81\xaa", 3},
    {"\xe2\x86\x92", 3, "\xe2\x86\x92", 1},
};

static void
texts(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *row = &rows[i];
		char *plain;
		size_t size;
		FILE *f = open_memstream(&plain, &size);

		assert_non_null(f);
		print_plain(f, row->text);
		assert_int_equal(fclose(f), 0);
		assert_string_equal(plain, row->plain);
		assert_int_equal(utf8_length(row->text), row->length);
		assert_int_equal(plain_width(row->text), row->columns);
		free(plain);
	}
}

/* Of all sequences of n bytes, this many are a character. */
static void
no_character_is_missed(void **state)
{
	static const uint32_t spelt[] = {0, 127, 0x780, 0xf800 - 0x800,
	                                 0x100000};

	for (uint32_t n = 1; n <= 4; n++) {
		uint32_t found = 0;

		for (uint32_t i = 0; i < 256U << 6 * (n - 1); i++) {
			char text[5] = {(char)(i >> 6 * (n - 1))};

			for (uint32_t k = 1; k < n; k++)
				text[k] = (char)(0x80 |
				                 (i >> 6 * (n - 1 - k) & 0x3f));
			found += utf8_length(text) == n;
		}
		assert_int_equal(found, spelt[n]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts),
	    cmocka_unit_test(no_character_is_missed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
