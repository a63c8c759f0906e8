/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The writer in each format. */
#include "common/stream/writer.h"
#include "common/base/number.h"
#include "common/base/utf8.h"

#include "rig/cmocka.h"
#include "rig/support.h"

#include <fcntl.h>
#include <unistd.h>

/* Rows of texts ----------------------------------------------------------- */

#define COLUMNS 6
#define CELLS   24

struct row {
	enum format format;
	enum { WHOLE, CUT, BARE } is; /* BARE: without preamble */
	const char *name[COLUMNS];
	const char *cell[CELLS];
	const char *out;
};

static const struct row rows[] = {
    /* csv: preamble, end, quotes. */
    {FORMAT_CSV,
     WHOLE,
     {"a", "b"},
     {"1", "2", "3", ""},
     "# pcb-csv: 1\n# k: v\na,b\n1,2\n3,\n# end: rows=2 complete=yes x=1\n"},
    {FORMAT_CSV,
     CUT,
     {"a"},
     {NULL},
     "# pcb-csv: 1\n# k: v\na\n# end: rows=0 complete=no x=1\n"},
    {FORMAT_CSV, BARE, {"a", "b"}, {"1", "2"}, "a,b\n1,2\n"},
    {FORMAT_CSV, BARE, {"a"}, {"", "1"}, "a\n\"\"\n1\n"},
    {FORMAT_CSV, BARE, {"a", "b"}, {"", ""}, "a,b\n,\n"},
    {FORMAT_CSV,
     BARE,
     {"a", "b"},
     {"x,y", "x\"y", "x\ny", "x\ry", " x ", "\"", "'x'", "\tx"},
     "a,b\n\"x,y\",\"x\"\"y\"\n\"x\ny\",\"x\ry\"\n x ,\"\"\"\"\n'x',\tx\n"},
    {FORMAT_CSV,
     BARE,
     {"#a", "#b"},
     {"#1", "#2", "# end: x", "x#"},
     "\"#a\",#b\n\"#1\",#2\n\"# end: x\",x#\n"},
    {FORMAT_CSV,
     BARE,
     {"\xef\xbb\xbf"
      "a",
      "b,c"},
     {"\xef\xbb\xbf", "\xef\xbb\xbf", "\xe9", "\xff"},
     "\"\xef\xbb\xbf"
     "a\",\"b,c\"\n\"\xef\xbb\xbf\",\xef\xbb\xbf\n\xe9,\xff\n"},

    /* JSON: metadata; numbers only in numeric columns. */
    {FORMAT_JSON,
     WHOLE,
     {"a", "n", "size_bytes", "run", "x_ns"},
     {"1.0", "2", "64", "3", "1.5", "", "", "", "", ""},
     "{\"meta\":{\"pcb-csv\":\"1\",\"k\":\"v\"},\"rows\":[\n"
     "{\"a\":\"1.0\",\"n\":2,\"size_bytes\":64,\"run\":3,\"x_ns\":1.5},\n"
     "{\"a\":null,\"n\":null,\"size_bytes\":null,\"run\":null,"
     "\"x_ns\":null}\n"
     "],\"end\":{\"rows\":2,\"complete\":\"yes\",\"x\":1}}\n"},
    {FORMAT_JSON,
     BARE,
     {"a"},
     {"x", "y"},
     "[\n{\"a\":\"x\"},\n{\"a\":\"y\"}\n]\n"},
    {FORMAT_JSON,
     CUT,
     {"a"},
     {NULL},
     "{\"meta\":{\"pcb-csv\":\"1\",\"k\":\"v\"},\"rows\":[\n"
     "],\"end\":{\"rows\":0,\"complete\":\"no\",\"x\":1}}\n"},
    {FORMAT_JSON, BARE, {"a"}, {NULL}, "[\n]\n"},
    {FORMAT_JSONL,
     BARE,
     {"x_ns"},
     {"0",   "-0",   "0.5",  "-1.25e-3", "1E+20", "10",  "+1",  "01",
      "-01", "1.",   ".5",   "-",        "1e",    "1e+", "0x1", "inf",
      "nan", "NULL", "true", "1 ",       " 1",    "1,2", "--1", "1.5.2"},
     "{\"x_ns\":0}\n{\"x_ns\":-0}\n{\"x_ns\":0.5}\n{\"x_ns\":-1.25e-3}\n"
     "{\"x_ns\":1E+20}\n{\"x_ns\":10}\n{\"x_ns\":\"+1\"}\n"
     "{\"x_ns\":\"01\"}\n{\"x_ns\":\"-01\"}\n{\"x_ns\":\"1.\"}\n"
     "{\"x_ns\":\".5\"}\n{\"x_ns\":\"-\"}\n{\"x_ns\":\"1e\"}\n"
     "{\"x_ns\":\"1e+\"}\n{\"x_ns\":\"0x1\"}\n{\"x_ns\":\"inf\"}\n"
     "{\"x_ns\":\"nan\"}\n{\"x_ns\":\"NULL\"}\n{\"x_ns\":\"true\"}\n"
     "{\"x_ns\":\"1 \"}\n{\"x_ns\":\" 1\"}\n{\"x_ns\":\"1,2\"}\n"
     "{\"x_ns\":\"--1\"}\n{\"x_ns\":\"1.5.2\"}\n"},
    {FORMAT_JSONL,
     BARE,
     {"a\"\\\n"},
     {"\"\\/\b\f\n\r\t\x01\x1f\x7f", "\xc3\xa9\xf0\x9f\x92\xa9",
      "\xe9-\xc3-\xed\xa0\x80"},
     "{\"a\\\"\\\\\\u000a\":\"\\\"\\\\/\\u0008\\u000c\\u000a\\u000d\\u0009"
     "\\u0001\\u001f\\u007f\"}\n"
     "{\"a\\\"\\\\\\u000a\":\"\xc3\xa9\xf0\x9f\x92\xa9\"}\n"
     "{\"a\\\"\\\\\\u000a\":\"\xef\xbf\xbd-\xef\xbf\xbd-"
     "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"}\n"},
    {FORMAT_JSONL, CUT, {"a"}, {NULL}, ""},

    /* A table: constants above, texts left-aligned, measures right-aligned. */
    {FORMAT_TABLE,
     WHOLE,
     {"host", "device", "bench", "n", "min_ns"},
     {"h", "03:00.0", "x", "100", "7", "h", "1", "x", "5", "12345"},
     "host=h  bench=x\n\ndevice     n       min\n03:00.0  100  7.000 ns\n"
     "1          5  12345 ns\n"},
    {FORMAT_TABLE,
     WHOLE,
     {"host", "long", "n", "min_ns"},
     {"h", "x", "1", "2"},
     "host=h  long=x\n\nn       min\n1  2.000 ns\n"},
    {FORMAT_TABLE,
     WHOLE,
     {"n", "a"},
     {"1", "x", "1", "longer", "1", ""},
     "a       n\nx       1\nlonger  1\n        1\n"},
    {FORMAT_TABLE,
     WHOLE,
     {"a", "b", "c_ns", "d_ns"},
     {"x", "", "", "1", "y", "", "", "2"},
     "a         d\nx  1.000 ns\ny  2.000 ns\n"},
    {FORMAT_TABLE,
     WHOLE,
     {"caf\xc3\xa9", "n"},
     {"\xc3\xa9t\xc3\xa9", "1", "ete--", "20", "\xe9t\xe9", "300"},
     "caf\xc3\xa9     n\n\xc3\xa9t\xc3\xa9      1\nete--   20\n"
     "?t?    300\n"},
    {FORMAT_TABLE,
     WHOLE,
     {"a", "b"},
     {"\x1b[2J\n", "1\r2", "x", "1\r2"},
     "b=1?2\n\na\n?[2J?\nx\n"},
    {FORMAT_TABLE,
     WHOLE,
     {"size_bytes", "a_gbit_s", "a_per_s", "a_pct", "tx_bytes"},
     {"16777216", "0.5", "59523809.524", "100", "4096", "4097", "1e3", "999.96",
      "3", "4096"},
     "size_bytes        a_gbit_s    a_per_s    a_pct  tx_bytes\n"
     "16M           500.0 Mbit/s  59.52 M/s  100.0 %      4096\n"
     "4097        1000000 Mbit/s  1.000 k/s  3.000 %      4096\n"},
    {FORMAT_TABLE,
     WHOLE,
     {"parent", "parent_ns", "median_ns", "median_gbit_s", "value"},
     {"x", "1", "2", "3", "41.2345", "y", "1", "", "", "12"},
     "parent  parent_time  median_ns  median_gbit_s  value\n"
     "x          1.000 ns   2.000 ns   3.000 Gbit/s  41.23\n"
     "y          1.000 ns                               12\n"},
    {FORMAT_MD,
     WHOLE,
     {"host", "a", "b_ns"},
     {"h", "x|y", "1", "h", "", "2500"},
     "* host: h\n\n| a | b |\n| --- | ---: |\n| x\\|y | 1.000 ns |\n"
     "|  | 2500 ns |\n"},
    {FORMAT_TABLE, WHOLE, {"a", "n"}, {NULL}, ""},
    {FORMAT_TABLE, WHOLE, {"a", "b"}, {"x", "", "x", ""}, "a=x\n\n"},
};

static void
write_texts(const void *data)
{
	const struct row *row = data;
	struct preamble pre = {0}, end = {0};
	struct out o = {.format = row->format,
	                .no_preamble = row->is == BARE,
	                .preamble = &pre};
	size_t ncols = 0;

	preamble_set(&pre, "k", "v");
	preamble_set(&end, "x", "1");
	while (ncols < COLUMNS && row->name[ncols])
		ncols++;
	out_begin(&o, row->name, ncols);
	for (size_t i = 0; i < CELLS && row->cell[i]; i++)
		out_text(&o, row->cell[i]);
	out_finish(&o, row->is != CUT, &end);
	preamble_free(&pre);
	preamble_free(&end);
}

TEST(formats)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_child(write_texts, &rows[i], 0, rows[i].out, "");
	}
}

/* Numbers, lines made elsewhere, and the formats' names. ------------------ */

static void
write_numbers(const void *data)
{
	static const double values[] = {
	    0.1, 1e20, -2.5, 123.4567, 0.001234, 0, 1234567890.125,
	};
	struct preamble pre = {0};
	struct out o = {.format = *(const enum format *)data,
	                .no_preamble = true,
	                .preamble = &pre,
	                .unit = "ns"};

	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		OUT(&o, VALUE("n", i), MEASURE("x", values[i]));
		out_end_row(&o);
	}
	out_finish(&o, true, NULL);
}

static const char *const numbers[] = {
    [FORMAT_CSV] = "n,x_ns\n0,0.1\n1,1e+20\n2,-2.5\n"
                   "3,123.4567\n4,0.001234\n5,0\n6,1234567890.125\n",
    [FORMAT_TABLE] = "n               x\n"
                     "0          0.1 ns\n"
                     "1  100000000000 s\n"
                     "2       -2.500 ns\n"
                     "3        123.5 ns\n"
                     "4     0.001234 ns\n"
                     "5            0 ns\n"
                     "6         1.235 s\n",
    [FORMAT_JSON] = "[\n{\"n\":0,\"x_ns\":0.1},\n"
                    "{\"n\":1,\"x_ns\":1e+20},\n{\"n\":2,\"x_ns\":-2.5},\n"
                    "{\"n\":3,\"x_ns\":123.4567},\n"
                    "{\"n\":4,\"x_ns\":0.001234},\n{\"n\":5,\"x_ns\":0},\n"
                    "{\"n\":6,\"x_ns\":1234567890.125}\n]\n",
    [FORMAT_JSONL] = "{\"n\":0,\"x_ns\":0.1}\n"
                     "{\"n\":1,\"x_ns\":1e+20}\n{\"n\":2,\"x_ns\":-2.5}\n"
                     "{\"n\":3,\"x_ns\":123.4567}\n"
                     "{\"n\":4,\"x_ns\":0.001234}\n{\"n\":5,\"x_ns\":0}\n"
                     "{\"n\":6,\"x_ns\":1234567890.125}\n",
};

TEST(numbers_by_format)
{
	for (enum format f = FORMAT_CSV; f <= FORMAT_JSONL; f++) {
		assert_child(write_numbers, &f, 0, numbers[f], "");
	}
}

static void
write_lines(const void *data)
{
	static const char *const name[] = {"a", "b"};
	struct preamble pre = {0};
	struct out o = {
	    .format = FORMAT_CSV, .no_preamble = false, .preamble = &pre};

	out_begin(&o, name, 2);
	out_lines(&o, "1,2\n3,4\n", 8, 2);
	out_text(&o, "5");
	out_text(&o, "6");
	out_finish(&o, true, NULL);
}

TEST(lines)
{
	assert_child(write_lines, NULL, 0,
	             "# pcb-csv: 1\na,b\n1,2\n3,4\n5,6\n"
	             "# end: rows=3 complete=yes\n",
	             "");
}

/* Any bytes make valid JSON, in names and in cells. ----------------- */

struct soup {
	uint64_t seed;
	char text[40];
};

static void
fill_soup(struct soup *s)
{
	size_t n = random_u64(&s->seed) % sizeof s->text;

	for (size_t i = 0; i < n; i++)
		s->text[i] = (char)(1 + random_u64(&s->seed) % 255);
	s->text[n] = '\0';
}

static void
write_soup(const void *data)
{
	struct soup s = {.seed = 11};
	struct preamble pre = {0};
	struct out o = {
	    .format = FORMAT_JSONL, .no_preamble = true, .preamble = &pre};
	const char *const name = s.text;

	fill_soup(&s);
	out_begin(&o, &name, 1);
	for (int i = 0; i < 1000; i++) {
		fill_soup(&s);
		out_text(&o, s.text);
	}
	out_finish(&o, true, NULL);
}

/* The end of the string or null at `p`; NULL if there is none. */
static const char *
json_value(const char *p)
{
	if (!strncmp(p, "null", 4))
		return p + 4;
	if (*p++ != '"')
		return NULL;
	while (*p != '"') {
		size_t n = utf8_length(p);

		if (!n || (unsigned char)*p < 0x20)
			return NULL;
		if (!strncmp(p, "\\u00", 4) &&
		    strspn(p + 4, "0123456789abcdef") >= 2)
			n = 6;
		else if (*p == '\\')
			n = p[1] == '"' || p[1] == '\\' ? 2 : 0;
		if (!n)
			return NULL;
		p += n;
	}
	return p + 1;
}

TEST(soup_is_json)
{
	struct ended e =
	    in_child(write_soup, NULL, (struct bytes)BYTES(""), FEED_FILE);
	const char *p = e.out;
	int count = 0;

	while (*p) {
		assert_true(*p == '{');
		p = json_value(p + 1);
		assert_non_null(p);
		assert_true(*p == ':');
		p = json_value(p + 1);
		assert_non_null(p);
		assert_memory_equal(p, "}\n", 2);
		p += 2;
		count++;
	}
	assert_int_equal(count, 1000);
	ended_free(&e);
}
