/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plot/picture/drawing.h"
#include "plot/picture/quote.h"

#include <math.h>

#include "rig/cmocka.h"
#include "rig/support.h"

/* Texts -------------------------------------------------------------------- */

TEST(test_plain_texts)
{
	static const struct {
		const char *text;
		size_t width;
		const char *wanted;
	} rows[] = {
	    {"", 0, ""},
	    {"abc", 3, "abc"},
	    {"abcd", 3, "..."},
	    {"abcdef", 5, "a...f"},
	    {"abcdefgh", 6, "a...gh"},
	    {"abcdefgh", 8, "abcdefgh"},
	    {"abcd", 2, "abcd"},
	    {"a\nb\x1b\x7f", 0, "a?b??"},
	    {"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 5,
	     "\xc3\xa9...\xc3\xa9"},
	    {"a\xff\xc3", 0, "a??"},
	    {"a]]>b]>", 0, "a]]?b]>"},
	    {"a\xe2\x80\xae|\xe2\x81\xa7|\xe2\x80\x94", 0, "a?|?|\xe2\x80\x94"},
	    {"\xef\xbf\xbe|\xef\xbf\xbf|\xef\xbf\xbd", 0, "?|?|\xef\xbf\xbd"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_string_equal(plain_text(rows[i].text, rows[i].width),
		                    rows[i].wanted);
	}
}

static void
assert_written(void (*write)(FILE *, const char *), const char *text,
               const char *wanted)
{
	char *written;
	size_t size;
	FILE *to = open_memstream(&written, &size);

	assert_non_null(to);
	write(to, text);
	assert_int_equal(fclose(to), 0);
	assert_string_equal(written, wanted);
	free(written);
}

static void
write_only(FILE *to, const char *text)
{
	write_string(to, "", text);
}

TEST(test_strings)
{
	assert_written(write_only, "", "''");
	assert_written(write_only, "a\\n`@b\"", "'a\\n`@b\"'");
	assert_written(write_only, "'it's\n",
	               "''.\"\\047\".'it'.\"\\047\".'s?'");
	assert_written(write_comment, "a\\`b`@c\n#'\"", "a??b??c?#'\"");
}

/* Scales ------------------------------------------------------------------- */

TEST(test_time_scales)
{
	static const struct {
		double low, high;
		unsigned log;
		const char *unit;
	} rows[] = {
	    {1, 5, 0, "ns"},       {500, 700, 0, "ns"},  {500, 20000, 10, "ns"},
	    {1e4, 2e4, 10, "us"},  {3e7, 3e7, 10, "ms"}, {-5, 5, 0, "ns"},
	    {1e11, 2e11, 10, "s"},
	};
	struct picture p = {0};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct range r = {rows[i].low, rows[i].high};
		struct scale s = choose_scale(&p, false, "ns", r, 10000);

		assert_string_equal(s.unit_name, rows[i].unit);
		assert_int_equal(s.log, rows[i].log);
		assert_true(s.low < rows[i].low && s.high > rows[i].high);
	}
	/* Ten ticks of a clock. */
	p.tick = 4;
	assert_true(
	    choose_scale(&p, true, "ns", (struct range){704, 708}, INFINITY)
	        .high > 720);
	/* What the command line asks for has no margin. */
	p.x = (struct axis_wish){.range = true, .low = 2, .high = 5};
	assert_true(
	    choose_scale(&p, false, "ns", (struct range){1, 9}, INFINITY).low ==
	    2);
	assert_true(
	    scale_from_zero(&p, false, "ns", (struct range){1, 9}).high == 5);
}

TEST(test_size_scales)
{
	static const struct {
		double size[8];
		size_t n;
		unsigned log;
	} rows[] = {
	    {{64, 128, 256, 512, 1024, 2048}, 6, 2},
	    {{64, 128}, 2, 2},
	    {{64, 65, 127, 128, 129, 511, 512, 513}, 8, 2},
	    {{4096, 1 << 20, 1 << 26}, 3, 2},
	    {{64, 128, 192, 256, 320}, 5, 0},
	    {{0, 64, 128, 2048}, 4, 0},
	    {{1536}, 1, 2},
	    {{0}, 1, 0},
	};
	struct picture p = {0};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct curve c = {0};
		struct scale s;

		for (size_t k = 0; k < rows[i].n; k++)
			curve_add(&c, rows[i].size[k], 1);
		s = scale_of_sizes(&p, &c, 1, sizeof c);
		assert_true(s.unit == 1);
		assert_int_equal(s.log, rows[i].log);
	}
}

/* A list grows to powers of two, also after it became shorter. */
TEST(test_lists)
{
	size_t *list = NULL, n = 0;

	for (size_t i = 0; i < 100; i++)
		PUSH(list, n, i);
	n = 5;
	for (size_t i = n; i < 40; i++)
		PUSH(list, n, i);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(list[i], i);
}

/* Of values at one x the median stays. */
TEST(merge_curves)
{
	struct curve c = {0};

	curve_merge(&c, NULL, NULL);
	assert_int_equal(c.n, 0);
	for (int i = 0; i < 6; i++)
		curve_add(&c, i % 3, 10 - i);
	curve_merge(&c, NULL, NULL);
	assert_int_equal(c.n, 3);
	for (int i = 0; i < 3; i++) {
		assert_true(c.point[i].x == i);
		assert_true(c.point[i].y == 8.5 - i);
	}
}
