/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in and out: rows of examples, then properties of random values. */
#include "common/base/number.h"

#include "rig/cmocka.h"
#include "rig/support.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#define ROUNDS 200000
#define MAX    UINT64_MAX

typedef const char *parser(const char *text, uint64_t *value);

struct integer_row {
	parser *parse;
	const char *text;
	uint64_t value;
};

static const struct integer_row integer_rows[] = {
    {parse_size, "0", 0},
    {parse_size, "64", 64},
    {parse_size, "007", 7},
    {parse_size, "4K", 4096},
    {parse_size, "4k", 4096},
    {parse_size, "4KB", 4096},
    {parse_size, "4KiB", 4096},
    {parse_size, "64B", 64},
    {parse_size, "1.5K", 1536},
    {parse_size, "1.50K", 1536},
    {parse_size, "0.0009765625K", 1},
    {parse_size, "1e3", 1000},
    {parse_size, "1.5e3", 1500},
    {parse_size, "1e3K", 1024000},
    {parse_size, "3M", 3145728},
    {parse_size, "2G", UINT64_C(2147483648)},
    {parse_size, "1T", UINT64_C(1099511627776)},
    {parse_size, "0G", 0},
    {parse_size, "0e99", 0},
    {parse_size, "18446744073709551615", MAX},
    {parse_size, "1844674407370955161.5e1", MAX},
    {parse_size, "17179869183G", UINT64_C(18446744072635809792)},
    {parse_size, "2000e-3K", 2048},

    {parse_count, "2M", 2000000},
    {parse_count, "4K", 4000},
    {parse_count, "4k", 4000},
    {parse_count, "1.5k", 1500},
    {parse_count, "1e6", 1000000},
    {parse_count, "18G", UINT64_C(18000000000)},
    {parse_count, "1T", UINT64_C(1000000000000)},
    {parse_count, "18446744073G", UINT64_C(18446744073000000000)},

    {parse_integer, "18446744073709551615", MAX},

    {parse_offset, "8", 8},
    {parse_offset, "010", 10},
    {parse_offset, "0x0", 0},
    {parse_offset, "0x1c", 28},
    {parse_offset, "0xAbC", 2748},
    {parse_offset, "0xffffffffffffffff", MAX},
    {parse_offset, "0x00ffffffffffffffff", MAX},

    {parse_time, "1ps", 1},
    {parse_time, "1ns", 1000},
    {parse_time, "1.5us", 1500000},
    {parse_time, "2ms", UINT64_C(2000000000)},
    {parse_time, "1s", UINT64_C(1000000000000)},
    {parse_time, "1e3s", UINT64_C(1000000000000000)},
    {parse_time, "1min", UINT64_C(60000000000000)},
    {parse_time, "0.5h", UINT64_C(1800000000000000)},
    {parse_time, "0.001ns", 1},
    {parse_time, "0.000000000001s", 1},
    {parse_time, "1.000000000000000000ps", 1},
    {parse_time, "18446744s", UINT64_C(18446744000000000000)},
    {parse_time, "18446744.073709551615s", MAX},
    {parse_time, "1d", UINT64_C(86400000000000000)},
    {parse_time, "1S", UINT64_C(1000000000000)},
};

#define NO_SIZE  "not a size such as 64, 4K, 1.5M or 64KiB"
#define NO_COUNT "not a count such as 1000, 1e6, 10K or 1.5M"
#define NO_TIME                                                                \
	"not a time with its unit, such as 100ns, 1.5us, 10s, 5min or 1h"
#define NO_PERCENTAGE "not a percentage such as 50, 99.9 or 3%"
#define NO_INT        "not a whole number such as 42"

static const struct {
	parser *parse;
	const char *why, *text[16];
} refused_rows[] = {
    {parse_size,
     "out of range",
     {"18446744073709551616", "99999999999999999999999", "17179869184G", "1e20",
      "1e100"}},
    {parse_size, "empty", {""}},
    {parse_size,
     NO_SIZE,
     {"K", "4Q", "4b", "64iB", "4Ki", "4 K", "1.", ".5K", "1e", "0x10", "+1",
      "-1", " 1", "1 ", "1\n"}},
    {parse_size, "not a whole number", {"1.0001K", "1.5", "1e-3"}},
    {parse_count, "out of range", {"18446744074G"}},
    {parse_count, NO_COUNT, {"4KB", "-5"}},
    {parse_count, "empty", {""}},
    {parse_integer, "out of range", {"18446744073709551616"}},
    {parse_integer, NO_INT, {"1K", "1e6", "\xd9\xa3"}},
    {parse_integer, "empty", {""}},
    {parse_offset, "out of range", {"0x10000000000000000"}},
    {parse_offset, "not a number such as 28 or 0x1c", {"0x", "0x1g", "0x-1"}},
    {parse_offset, NO_INT, {"0X8", "1c", "-8"}},
    {parse_offset, "empty", {""}},
    {parse_time,
     "not a whole number",
     {"0.0001ns", "0.5ps", "0.05ps", "0.00001ns", "1.00000000000001min",
      "1.000000000000000001h"}},
    {parse_time,
     "out of range",
     {"18446744.073709551616s", "18446745s", "5125h"}},
    {parse_time, NO_TIME, {"5", "1.5", "1.s", ".5s", "1 s", "-1s"}},
    {parse_time, "empty", {""}},
};

TEST(integers)
{
	for (size_t i = 0; i < ARRAY_LEN(integer_rows); i++) {
		const struct integer_row *row = &integer_rows[i];
		uint64_t value;

		assert_null(row->parse(row->text, &value));
		if (value != row->value)
			fail_msg("'%s': %" PRIu64, row->text, value);
	}
}

TEST(refused_integers_change_nothing)
{
	for (size_t i = 0; i < ARRAY_LEN(refused_rows); i++) {
		const char *const *text = refused_rows[i].text;

		for (; *text; text++) {
			uint64_t value = 4711;
			const char *why = refused_rows[i].parse(*text, &value);

			if (!why || strcmp(why, refused_rows[i].why) != 0)
				fail_msg("'%s': %s", *text,
				         why ? why : "taken");
			assert_int_equal(value, 4711);
		}
	}
}

TEST(numbers)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
	    {"0", 0},
	    {"-1.5e3", -1500},
	    {"+2", 2},
	    {".5", 0.5},
	    {"5.", 5},
	    {"1E+2", 100},
	    {"1e-400", 0},
	    {"9007199254740993", 9007199254740992.0},
	    {"1.7976931348623157e308", 1.7976931348623157e308},
	};
	static const char *const refused[][2] = {
	    {"1e309", "out of range"},
	    {"-1e309", "out of range"},
	    {"", "empty"},
	    {"1,5", "a comma in a number is not read: write 1027.5, not "
	            "1027,5 or 1,027.5"},
	};
	static const char *const none[] = {
	    ".",  "-",  "e5",   "1e",  "1e+", "1e5.5",     "--1",
	    " 1", "1 ", "0x10", "inf", "nan", "-infinity", "12ns"};
	double value = 4711;

	for (size_t i = 0; i < ARRAY_LEN(refused); i++)
		assert_string_equal(parse_number(refused[i][0], &value),
		                    refused[i][1]);
	for (size_t i = 0; i < ARRAY_LEN(none); i++)
		assert_string_equal(parse_number(none[i], &value),
		                    "not a number");
	assert_true(value == 4711);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_null(parse_number(rows[i].text, &value));
		if (value != rows[i].value)
			fail_msg("'%s': %g", rows[i].text, value);
	}
}

/* Texts of up to nine bytes, most of them digits, against strtod. */
TEST(words)
{
	static const char letters[] = "0123456789012345678./:-e,+ \xff\x1b";
	uint64_t seed = 6, good = 0;

	for (int i = 0; i < ROUNDS; i++) {
		char text[10] = "";
		size_t n = random_u64(&seed) % sizeof text, digits, points = 0;
		double value = 4711;
		bool is_number;

		for (size_t k = 0; k < n; k++)
			text[k] = letters[random_u64(&seed) %
			                  (i % 2 ? 20 : sizeof letters - 1)];
		digits = strspn(text, ".0123456789");
		for (size_t k = 0; k < n; k++)
			points += text[k] == '.';
		is_number =
		    n && n <= 8 && digits == n && points < 2 && points < n;
		assert_int_equal(parse_word(word_of(text), &value), is_number);
		assert_true(value == (is_number ? strtod(text, NULL) : 4711));
		good += is_number;
	}
	assert_in_range(good, ROUNDS / 5, ROUNDS);
}

TEST(percentages)
{
	static const struct {
		const char *text;
		uint64_t num, den;
	} good[] = {
	    {"0", 0, 100},
	    {"50", 50, 100},
	    {"50.000", 50, 100},
	    {"050", 50, 100},
	    {"100", 100, 100},
	    {"100.00000000000000000000", 100, 100},
	    {"99.9", 999, 1000},
	    {"99.90", 999, 1000},
	    {"3%", 3, 100},
	    {"99.9%", 999, 1000},
	    {"0.001", 1, 100000},
	    {"99.999999999999999", UINT64_C(99999999999999999),
	     UINT64_C(100000000000000000)},
	};
	struct fraction part;

	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		assert_null(parse_percentage(good[i].text, &part));
		assert_int_equal(part.num, good[i].num);
		assert_int_equal(part.den, good[i].den);
	}
}

/* 1844674407370955161.6: 2^64 tenths. */
TEST(bad_percentages_change_nothing)
{
	static const struct {
		const char *why, *text[10];
	} bad[] = {
	    {"empty", {""}},
	    {NO_PERCENTAGE, {"x", "-1", ".5", "99.", "99%%", "9.9.9", "1e1"}},
	    {"over 100",
	     {"101", "100.1", "99999999999999999999", "1844674407370955161.6"}},
	    {"more than 15 decimals", {"0.0000000000000001"}},
	};
	struct fraction part = {7, 8};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		for (const char *const *text = bad[i].text; *text; text++)
			assert_string_equal(parse_percentage(*text, &part),
			                    bad[i].why);
	}
	assert_true(part.num == 7 && part.den == 8);
}

/* Values as decimal numbers separated by blanks. */
static const char *const list_rows[][2] = {
    {"64", "64"},
    {"64,128,64", "64 128 64"},
    {"1K,0", "1024 0"},
    {"64:512", "64 128 256 512"},
    {"64:500", "64 128 256 500"},
    {"64:64", "64"},
    {"1:30:x3", "1 3 9 27 30"},
    {"64:1500:+700,1500", "64 764 1464 1500"},
    {"0:256:+64", "0 64 128 192 256"},
    {"1K:2K:+512,7", "1024 1536 2048 7"},
    {"0:0:+1", "0"},
    {"18446744073709551614:18446744073709551615:+1",
     "18446744073709551614 18446744073709551615"},
    {"9223372036854775808:18446744073709551615",
     "9223372036854775808 18446744073709551615"},
    {"64..512", "64 128 256 512"},
    {"1k-4KiB", "1024 2048 4096"},
    {"0..256:+64", "0 64 128 192 256"},
};

static const struct {
	const char *why, *text[8];
} refused_lists[] = {
    {"too many values", {"0:65535:+1,0", "0:18446744073709551615:+1"}},
    {"empty", {"", ",64", "64,", "64:", "1:64:x", "1:64:+"}},
    {NO_SIZE, {":64", "-64", "64 , 128", "1:4Q"}},
    {"the range ends before it begins", {"128:64"}},
    {"a doubling range cannot start at 0", {"0:64", "0:64:x2"}},
    {"a step of 0 never ends", {"0:64:+0"}},
    {"a factor is 2 or more", {"1:64:x1", "1:64:x0"}},
    {"a step is +SIZE or xFACTOR", {"1:64:", "1:64:2"}},
    {NO_INT, {"1:64:x2K", "1:64:x2:3"}},
};

static void
join(const struct size_list *list, char *to, size_t size)
{
	size_t n = 0;

	*to = '\0';
	for (size_t i = 0; i < list->n && n < size; i++)
		n += (size_t)snprintf(to + n, size - n, "%s%" PRIu64,
		                      i ? " " : "", list->value[i]);
}

TEST(lists)
{
	for (size_t i = 0; i < ARRAY_LEN(list_rows); i++) {
		struct size_list list = {0};
		char text[256];

		assert_null(parse_size_list(list_rows[i][0], &list));
		join(&list, text, sizeof text);
		free(list.value);
		assert_string_equal(text, list_rows[i][1]);
	}
}

TEST(refused_lists_change_nothing)
{
	struct size_list list = {0};

	assert_null(parse_size_list("4711", &list));
	for (size_t i = 0; i < ARRAY_LEN(refused_lists); i++) {
		const char *const *text = refused_lists[i].text;

		for (; *text; text++)
			assert_string_equal(parse_size_list(*text, &list),
			                    refused_lists[i].why);
	}
	assert_int_equal(list.n, 1);
	assert_int_equal(list.value[0], 4711);
	free(list.value);
}

TEST(longest_list)
{
	struct size_list list = {0};

	assert_null(parse_size_list("0:65535:+1", &list));
	assert_int_equal(list.n, 65536);
	for (size_t i = 0; i < list.n; i++)
		assert_int_equal(list.value[i], i);
	free(list.value);
}

/* Random values of every magnitude. */
static uint64_t
next_magnitude(uint64_t *seed)
{
	unsigned shift = (unsigned)(random_u64(seed) % 64);

	return random_u64(seed) >> shift;
}

static void
same_u64(uint64_t value)
{
	char text[21], expected[32];

	*print_u64(text, value) = '\0';
	snprintf(expected, sizeof expected, "%" PRIu64, value);
	assert_string_equal(text, expected);
}

TEST(print_u64_as_snprintf)
{
	uint64_t seed = 1;

	for (uint64_t power = 1;; power *= 10) {
		same_u64(power - 1);
		same_u64(power);
		if (power > MAX / 10)
			break;
	}
	same_u64(MAX);
	for (int i = 0; i < ROUNDS; i++)
		same_u64(next_magnitude(&seed));
}

static void
same_ns(uint64_t ps)
{
	char text[22], expected[40];
	size_t n;

	*print_ns(text, ps) = '\0';
	n = (size_t)snprintf(expected, sizeof expected,
	                     "%" PRIu64 ".%03" PRIu64, ps / 1000, ps % 1000);
	while (expected[n - 1] == '0')
		n--;
	n -= expected[n - 1] == '.';
	expected[n] = '\0';
	assert_string_equal(text, expected);
}

TEST(print_ns_as_snprintf)
{
	uint64_t seed = 2;

	for (uint64_t ps = 0; ps < 3000; ps++)
		same_ns(ps);
	same_ns(MAX);
	for (int i = 0; i < ROUNDS; i++)
		same_ns(next_magnitude(&seed));
}

static void
same_double(double value)
{
	char text[32];
	char *end = print_double(text, value);
	double back = 4711;

	assert_in_range(end - text, 1, 24);
	*end = '\0';
	assert_null(parse_number(text, &back));
	if (memcmp(&back, &value, sizeof value) != 0)
		print_error("%a is read back as %a\n", value, back);
	assert_memory_equal(&back, &value, sizeof value);
}

TEST(double_is_read_as_printed)
{
	static const double corners[] = {
	    0.0,        -0.0,    0.1,      5e-324,     DBL_MAX,
	    -DBL_MAX,   DBL_MIN, 1e15,     1e16,       1e17,
	    123456.789, 0x1p-44, 0x1p1023, 0x1p53 - 1, -1.7976931348623157e-308,
	};
	uint64_t seed = 4;

	for (size_t i = 0; i < ARRAY_LEN(corners); i++)
		same_double(corners[i]);
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t bits = random_u64(&seed);
		double value;

		memcpy(&value, &bits, sizeof value);
		if (isfinite(value))
			same_double(value);
		same_double((double)next_magnitude(&seed) / 1000);
	}
}

/* The first of 15, 16 and 17 digits that reads back equal. */
static void
same_as_printf(double value)
{
	char text[32], expected[32];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(expected, sizeof expected, "%.*g", digits, value);
		if (strtod(expected, NULL) == value)
			break;
	}
	*print_double(text, value) = '\0';
	assert_string_equal(text, expected);
}

/* With many digits or few, and on both sides of powers of ten and two. */
TEST(print_double_as_printf)
{
	uint64_t seed = 6;

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t bits = random_u64(&seed);
		double ten = pow(10, i % 20 - 4);
		double two = ldexp(1, i % 70 - 20);

		same_as_printf(ldexp((double)(bits >> 11), -(int)(bits % 63)));
		same_as_printf(-(double)(bits >> 14) / ten);
		same_as_printf((double)(bits % 1000000) / 1000);
		same_as_printf(nextafter(ten, bits % 2 ? 0 : DBL_MAX));
		same_as_printf(nextafter(two, bits % 2 ? 0 : DBL_MAX));
		same_as_printf(ten);
		same_as_printf(two);
	}
}
