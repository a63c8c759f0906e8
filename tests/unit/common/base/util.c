/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists, growing arrays, UTF-8, and the nearest of several words. */
#include "common/base/nearest.h"
#include "common/base/utf8.h"
#include "common/sys/sysfs.h"
#include "rig/cmocka.h"

TEST(items_put_together_are_the_list)
{
	static const struct {
		const char *list;
		size_t n;
	} cases[] = {{"", 1},    {"a", 1},    {",", 2},
	             {"a,b", 2}, {",a,,", 4}, {"one,two,three", 3}};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char **item = list_split(cases[i].list);
		char *joined = NULL, *again;
		size_t n = 0;

		for (; item[n]; n++) {
			assert_null(strchr(item[n], ','));
			again = n ? xasprintf("%s,%s", joined, item[n])
			          : xstrdup(item[n]);
			free(joined);
			joined = again;
		}
		assert_int_equal(n, cases[i].n);
		assert_string_equal(joined, cases[i].list);
		free(joined);
		free(item);
	}
}

TEST(an_array_grows)
{
	struct pair {
		int a, b;
	} *pair = NULL;
	size_t n = 0;

	for (int i = 0; i < 100; i++)
		array_push(pair, n, (struct pair){i, -i});
	assert_int_equal(n, 100);
	for (int i = 0; i < 100; i++)
		assert_int_equal(pair[i].a + 2 * pair[i].b, -i);
	free(pair);
}

/* By the kernel's rule: bitmap_parselist(), without groups. */
TEST(cpus_are_those_of_the_list)
{
	static const struct {
		const char *text, *cpus; /* NULL: not a list */
	} cases[] = {
	    {"0", "0 "},       {"0-3", "0 1 2 3 "}, {"0,24", "0 24 "},
	    {"2-2,7", "2 7 "}, {"65535", "65535 "}, {"65536", NULL},
	    {"", NULL},        {NULL, NULL},        {"3-1", NULL},
	    {"1,", NULL},      {"-1", NULL},        {"1-", NULL},
	    {"1-2-3", NULL},   {"a", NULL},         {"0 1", NULL},
	    {"0-65536", NULL},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct cpulist list;
		char all[64] = "";
		bool is = cpulist_parse(cases[i].text, &list);

		assert_int_equal(is, cases[i].cpus != NULL);
		for (size_t k = 0; k < list.n; k++)
			snprintf(all + strlen(all), sizeof all - strlen(all),
			         "%u ", list.cpu[k]);
		assert_string_equal(all, is ? cases[i].cpus : "");
		free(list.cpu);
	}
}

/* UTF-8 ------------------------------------------------------------------ */

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
    /* What cannot be seen: soft hyphen, spaces of no width, tags, XML's. */
    {"a\xc2\xad|\xe2\x80\x8b\xe2\x80\x8c", 1, "a?|?\xe2\x80\x8c", 4},
    {"\xe2\x81\x9f\xe2\x81\xa0\xe2\x81\xaf\xe2\x81\xb0", 3,
     "\xe2\x81\x9f??\xe2\x81\xb0", 4},
    {"\xef\xbb\xbe\xef\xbb\xbf|", 3, "\xef\xbb\xbe?|", 3},
    {"\xef\xbf\xb9\xef\xbf\xbb\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf", 3,
     "??\xef\xbf\xbd??", 5},
    {"\xf3\xa0\x80\x81\xf3\xa0\x81\xbf|", 4, "??|", 3},
    {"\xe2\x86\x92", 3, "\xe2\x86\x92", 1},
};

TEST(texts)
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
TEST(no_character_is_missed)
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

/* Nearest ---------------------------------------------------------------- */

static const char *const words[] = {"lat_rd",  "lat_wrrd", "lat_cfg", "bw_rd",
                                    "bw_rdwr", "cdf",      "ccdf",    "list"};

static const char *
meant(const char *typed)
{
	struct nearest n = {.typed = typed};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		nearest_offer(&n, words[i]);
	return n.word;
}

TEST(one_mistake_of_each_kind_is_seen)
{
	assert_string_equal(meant("lat_cgf"), "lat_cfg"); /* swapped */
	assert_string_equal(meant("lat_rdd"), "lat_rd");  /* too many */
	assert_string_equal(meant("bwrd"), "bw_rd");      /* missing */
	assert_string_equal(meant("lat-cfg"), "lat_cfg"); /* wrong */
	assert_string_equal(meant("CDF"), "cdf");
	assert_string_equal(meant("cdff"), "cdf"); /* not ccdf, the second */
}

TEST(a_strange_word_is_near_to_none)
{
	char endless[200];

	for (size_t i = 0; i < sizeof endless; i++)
		endless[i] = i + 1 < sizeof endless ? 'a' : '\0';
	assert_null(meant("ddio"));
	assert_null(meant("x"));
	assert_null(meant(""));
	assert_null(meant(endless));
}

static const char *
hint(const char *typed)
{
	struct nearest n = {.typed = typed};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		nearest_offer(&n, words[i]);
	return nearest_hint(&n);
}

TEST(the_beginning_of_words_names_them)
{
	struct nearest n = {.typed = "ab"};

	assert_string_equal(hint("LAT"),
	                    " (did you mean lat_rd, lat_wrrd or lat_cfg?)");
	assert_string_equal(hint("bw_rd"), " (did you mean bw_rd?)");
	assert_string_equal(hint("lis"), " (did you mean list?)");
	assert_string_equal(hint("l"), "");
	for (int i = 0; i < 7; i++)
		nearest_offer(&n, "abcdef");
	assert_string_equal(nearest_hint(&n),
	                    " (did you mean abcdef, abcdef, abcdef, abcdef or "
	                    "abcdef?)");
}
