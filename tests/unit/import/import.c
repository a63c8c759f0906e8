/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/decimal.h"

#include "common/base/number.h"
#include "import/pciebench_system.h"
#include "import/result.h"
#include "rig/cmocka.h"
#include "rig/support.h"

TEST(test_systems)
{
	static const struct {
		const char *name, *host, *device, *node, *iommu;
	} cases[] = {
	    {"nfp6000-1.2GHz_hsw-Xeon-E5-2637v3_supermicro",
	     "hsw-Xeon-E5-2637v3_supermicro", "nfp6000", "", "off"},
	    {"nfp6000-1.2GHz_bdw-X-dell-t430-s0-s0-s0", "bdw-X-dell-t430",
	     "nfp6000", "0", "off"},
	    {"nfp6000-1.2GHz_bdw_t430_s0-s1-s1_iommu-nosp", "bdw_t430",
	     "nfp6000", "1", "on-nosp"},
	    {"nfp6000-1.2GHz_bdw_t430-iommu", "bdw_t430", "nfp6000", "", "on"},
	    /* Without the sockets, different systems would have one name. */
	    {"c-1GHz_h-s1-s1-s1", "h-s1-s1-s1", "c", "", "off"},
	    {"c-1GHz_h-s0-s1-s0", "h-s0-s1-s0", "c", "", "off"},
	    {"c-1GHz_h_gen2x4", "h_gen2x4", "c", "", "off"},
	    {"c-1GHz_s0-s1-s1", "s0-s1-s1", "c", "", "off"},
	    {"c-1GHz_iommu", "iommu", "c", "", "off"},
	    {"", "", "", "", ""},
	    {"results", "", "", "", ""},
	    {"c-1GHz_", "", "", "", ""},
	    {"-1GHz_h", "", "", "", ""},
	    {"c-GHz-x_h", "", "", "", ""},
	    {"c_1GHz_h", "", "", "", ""},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct system system;

		assert_int_equal(parse_system(cases[i].name, &system),
		                 *cases[i].host != 0);
		assert_string_equal(system.host, cases[i].host);
		assert_string_equal(system.device, cases[i].device);
		assert_string_equal(system.node, cases[i].node);
		assert_string_equal(system.iommu, cases[i].iommu);
		free(system.host);
		free(system.device);
	}
}

TEST(test_products)
{
	static const struct {
		const char *a, *b, *product;
	} cases[] = {
	    {"31.472", "1000", "31472"},
	    {"0.1", "3", "0.3"},
	    {"0.001", "0.001", "0.000001"},
	    {"1.10", "10", "11"},
	    {"-2.5", "4", "-10"},
	    {"-2.5", "-.4", "1"},
	    {"+1", "1.", "1"},
	    {"007.50", "1", "7.5"},
	    {"100", "0.01", "1"},
	    {"105", "1", "105"},
	    {"0", "-1", "0"},
	    {"1.5e3", "1E-3", "1.5"},
	    {"18446744073709551615", "18446744073709551615",
	     "340282366920938463426481119284349108225"},
	    {"18446744073709551615000", "0.001", "18446744073709551615"},
	    {"1e30", "1e-30", "1"},
	    {"1e15", "1e15", "1000000000000000000000000000000"},
	    {"1e-30", "1e-30",
	     "0.000000000000000000000000000000000000000000000000000000000001"},
	};
	char product[DECIMAL_MAX];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_null(multiply_decimals(cases[i].a, cases[i].b, product));
		assert_string_equal(product, cases[i].product);
	}
}

TEST(test_refused)
{
	static const struct {
		const char *a, *b, *why;
	} cases[] = {
	    {"", "1", "empty"},
	    {"1", "x", "not a number"},
	    {"1", "nan", "not a number"},
	    {"1e31", "1", "out of range"},
	    {"1e30", "10", "out of range"},
	    {"1e-30", "1e-31", "out of range"},
	    {"0.1e-30", "1e-30", "out of range"},
	    {"340282366920938463463374607431768211456", "1",
	     "too many digits to be exact"},
	    {"1.00000000000000000001", "1.00000000000000000001",
	     "too many digits to be exact"},
	};
	char product[DECIMAL_MAX];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(
		    multiply_decimals(cases[i].a, cases[i].b, product),
		    cases[i].why);
}

TEST(test_scaled)
{
	static const struct {
		const char *text, *unit, *ours;
	} cases[] = {
	    {"1.5", "ns", "1.5"},
	    {"1.5", "us", "1500"},
	    {"0.0625", "usec", "62.5"},
	    {"2", "ms", "2000000"},
	    {"24.5", "GB/s", "196"},
	    {"1000", "MB/s", "8"},
	    {"1", "GiB/s", "8.589934592"},
	    {"500", "MiB/s", "4.194304"},
	    {"96.47", "Gb/s", "96.47"},
	    {"1000000000", "B/s", "8"},
	    {"255.172608", "MB/sec", "2.041380864"},
	    {"1e3", "KB/sec", "0.008"},
	    {"0", "GB/sec", "0"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char to[DECIMAL_MAX];

		assert_null(scale_unit(cases[i].text, cases[i].unit, to));
		assert_string_equal(to, cases[i].ours);
	}
}

TEST(test_units_refused)
{
	char to[DECIMAL_MAX];

	assert_string_equal(scale_unit("-1", "ns", to), "less than 0");
	assert_string_equal(scale_unit("x", "ns", to), "not a number");
	assert_string_equal(scale_unit("", "GB/s", to), "empty");
	assert_string_equal(scale_unit("1", "furlongs", to), "an unknown unit");
}

TEST(test_units)
{
	assert_true(is_time_unit("us"));
	assert_false(is_time_unit("GB/s"));
	assert_true(is_time_unit("usec"));
	assert_false(is_time_unit("sec/ec"));
}

TEST(test_missing_links)
{
	static const struct {
		const char *directory, *device;
	} cases[] = {{NULL, "nfp6000"}, {".", "fpga"}, {"missing", "nfp6000"}};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char text[LINK_TEXT_MAX] = "of before";

		link_of_listing(cases[i].directory, cases[i].device, text);
		assert_string_equal(text, "");
	}
}

/* Results ---------------------------------------------------------------- */

#define COLUMNS 6
#define ROWS    40
#define RESULTS 300

/* A result, and its cells one by one. */
struct model {
	enum format format;
	size_t ncols, nrows;
	char text[ROWS][COLUMNS][64];
	struct result result;
};

static void
random_text(uint64_t *seed, char *to)
{
	static const char *const parts[] = {
	    "7",       "1234.5", "-",  "x", "\"",       ",", "\n",
	    "#",       " ",      "\r", ".", "\xc3\xa9", "!", "\xef\xbb\xbf",
	    "abcdefgh"};
	size_t n = random_u64(seed) % 5;

	for (*to = '\0'; n--;)
		to = stpcpy(to, parts[random_u64(seed) % ARRAY_LEN(parts)]);
}

/* Sets some cells of the next row; the others stay as they are. */
static void
add_row(struct model *m, uint64_t *seed)
{
	size_t row = m->nrows++;

	if (row)
		memcpy(m->text[row], m->text[row - 1], sizeof m->text[row]);
	for (size_t i = random_u64(seed) % (m->ncols + 1); i < m->ncols; i++) {
		random_text(seed, m->text[row][i]);
		result_cell(&m->result, i, m->text[row][i]);
	}
	result_end_row(&m->result);
}

static void
fill(struct model *m, uint64_t *seed)
{
	size_t most = 1 + random_u64(seed) % COLUMNS;

	for (size_t row = random_u64(seed) % ROWS; row--;) {
		if (!m->ncols || (m->ncols < most && !(random_u64(seed) % 4))) {
			char name[] = {(char)('a' + m->ncols), '\0'};

			assert_int_equal(result_column(&m->result, name),
			                 m->ncols);
			m->ncols++;
		}
		add_row(m, seed);
	}
}

static void
write_model(const void *data)
{
	const struct model *m = data;
	struct preamble pre = {0};
	struct out out = {.format = m->format, .preamble = &pre};
	struct result result = m->result;

	result_write(&result, &out);
	out_finish(&out, true, NULL);
}

/* Cell by cell. The first column may have a label. */
static void
write_cells(const void *data)
{
	static const char *const name[] = {"a", "b", "c", "d", "e", "f"};
	const struct model *m = data;
	const struct labels *labels = m->result.labels;
	struct preamble pre = {0};
	struct out out = {.format = m->format, .preamble = &pre};

	out_begin(&out, name, m->ncols);
	for (size_t row = 0; row < m->nrows; row++) {
		for (size_t i = 0; i < m->ncols; i++)
			out_text(&out, i || !labels->n
			                   ? m->text[row][i]
			                   : labels->label[0].value);
	}
	out_finish(&out, true, NULL);
}

TEST(rows_are_those_that_were_set)
{
	static const enum format formats[] = {FORMAT_CSV, FORMAT_JSONL,
	                                      FORMAT_TABLE};
	uint64_t seed = 1;

	for (size_t i = 0; i < RESULTS; i++) {
		struct labels labels = {0};
		struct model m = {.format = formats[i % 3],
		                  .result.labels = &labels};
		struct ended is, wanted;

		if (i % 2)
			labels_add(&labels, "a=x,\"y");
		fill(&m, &seed);
		if (m.ncols) {
			is = in_child(write_model, &m, (struct bytes){0},
			              FEED_NONE);
			wanted = in_child(write_cells, &m, (struct bytes){0},
			                  FEED_NONE);
			assert_ended(&is, 0, wanted.out, "");
			ended_free(&is);
			ended_free(&wanted);
		}
		result_free(&m.result);
		labels_free(&labels);
	}
}
