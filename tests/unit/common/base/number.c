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

/* `why` is the reason for refusal; NULL: accepted, with this value. */
struct integer_row {
	parser *parse;
	const char *text;
	uint64_t value;
	const char *why;
};

#define NO_SIZE  "not a size such as 64, 4K, 1.5M or 64KiB"
#define NO_COUNT "not a count such as 1000, 1e6, 10K or 1.5M"
#define NO_TIME                                                                \
	"not a time with its unit, such as 100ns, 1.5us, 10s, 5min or 1h"
#define NO_PERCENTAGE "not a percentage such as 50, 99.9 or 3%"
#define NO_INT        "not a whole number such as 42"

static const struct integer_row integer_rows[] = {
    {parse_size, "0", 0, NULL},
    {parse_size, "64", 64, NULL},
    {parse_size, "007", 7, NULL},
    {parse_size, "4K", 4096, NULL},
    {parse_size, "4k", 4096, NULL},
    {parse_size, "4KB", 4096, NULL},
    {parse_size, "4KiB", 4096, NULL},
    {parse_size, "64B", 64, NULL},
    {parse_size, "1.5K", 1536, NULL},
    {parse_size, "1.50K", 1536, NULL},
    {parse_size, "0.0009765625K", 1, NULL},
    {parse_size, "1e3", 1000, NULL},
    {parse_size, "1.5e3", 1500, NULL},
    {parse_size, "1e3K", 1024000, NULL},
    {parse_size, "3M", 3145728, NULL},
    {parse_size, "2G", UINT64_C(2147483648), NULL},
    {parse_size, "1T", UINT64_C(1099511627776), NULL},
    {parse_size, "0G", 0, NULL},
    {parse_size, "0e99", 0, NULL},
    {parse_size, "18446744073709551615", MAX, NULL},
    {parse_size, "1844674407370955161.5e1", MAX, NULL},
    {parse_size, "18446744073709551616", 0, "out of range"},
    {parse_size, "99999999999999999999999", 0, "out of range"},
    {parse_size, "17179869183G", UINT64_C(18446744072635809792), NULL},
    {parse_size, "17179869184G", 0, "out of range"},
    {parse_size, "1e20", 0, "out of range"},
    {parse_size, "1e100", 0, "out of range"},
    {parse_size, "", 0, "empty"},
    {parse_size, "K", 0, NO_SIZE},
    {parse_size, "4Q", 0, NO_SIZE},
    {parse_size, "4b", 0, NO_SIZE},
    {parse_size, "64iB", 0, NO_SIZE},
    {parse_size, "4Ki", 0, NO_SIZE},
    {parse_size, "4 K", 0, NO_SIZE},
    {parse_size, "1.0001K", 0, "not a whole number"},
    {parse_size, "1.5", 0, "not a whole number"},
    {parse_size, "1.", 0, NO_SIZE},
    {parse_size, ".5K", 0, NO_SIZE},
    {parse_size, "1e", 0, NO_SIZE},
    {parse_size, "1e-3", 0, "not a whole number"},
    {parse_size, "2000e-3K", 2048, NULL},
    {parse_size, "0x10", 0, NO_SIZE},
    {parse_size, "+1", 0, NO_SIZE},
    {parse_size, "-1", 0, NO_SIZE},
    {parse_size, " 1", 0, NO_SIZE},
    {parse_size, "1 ", 0, NO_SIZE},
    {parse_size, "1\n", 0, NO_SIZE},

    {parse_count, "2M", 2000000, NULL},
    {parse_count, "4K", 4000, NULL},
    {parse_count, "4k", 4000, NULL},
    {parse_count, "1.5k", 1500, NULL},
    {parse_count, "1e6", 1000000, NULL},
    {parse_count, "18G", UINT64_C(18000000000), NULL},
    {parse_count, "1T", UINT64_C(1000000000000), NULL},
    {parse_count, "18446744073G", UINT64_C(18446744073000000000), NULL},
    {parse_count, "18446744074G", 0, "out of range"},
    {parse_count, "4KB", 0, NO_COUNT},
    {parse_count, "", 0, "empty"},
    {parse_count, "-5", 0, NO_COUNT},

    {parse_integer, "18446744073709551615", MAX, NULL},
    {parse_integer, "18446744073709551616", 0, "out of range"},
    {parse_integer, "1K", 0, NO_INT},
    {parse_integer, "1e6", 0, NO_INT},
    {parse_integer, "", 0, "empty"},
    {parse_integer, "\xd9\xa3", 0, NO_INT},

    {parse_offset, "8", 8, NULL},
    {parse_offset, "010", 10, NULL},
    {parse_offset, "0x0", 0, NULL},
    {parse_offset, "0x1c", 28, NULL},
    {parse_offset, "0xAbC", 2748, NULL},
    {parse_offset, "0x10000000000000000", 0, "out of range"},
    {parse_offset, "0xffffffffffffffff", MAX, NULL},
    {parse_offset, "0x00ffffffffffffffff", MAX, NULL},
    {parse_offset, "0x", 0, "not a number such as 28 or 0x1c"},
    {parse_offset, "0x1g", 0, "not a number such as 28 or 0x1c"},
    {parse_offset, "0x-1", 0, "not a number such as 28 or 0x1c"},
    {parse_offset, "0X8", 0, NO_INT},
    {parse_offset, "1c", 0, NO_INT},
    {parse_offset, "-8", 0, NO_INT},
    {parse_offset, "", 0, "empty"},

    {parse_time, "1ps", 1, NULL},
    {parse_time, "1ns", 1000, NULL},
    {parse_time, "1.5us", 1500000, NULL},
    {parse_time, "2ms", UINT64_C(2000000000), NULL},
    {parse_time, "1s", UINT64_C(1000000000000), NULL},
    {parse_time, "1e3s", UINT64_C(1000000000000000), NULL},
    {parse_time, "1min", UINT64_C(60000000000000), NULL},
    {parse_time, "0.5h", UINT64_C(1800000000000000), NULL},
    {parse_time, "0.001ns", 1, NULL},
    {parse_time, "0.000000000001s", 1, NULL},
    {parse_time, "1.000000000000000000ps", 1, NULL},
    {parse_time, "0.0001ns", 0, "not a whole number"},
    {parse_time, "0.5ps", 0, "not a whole number"},
    {parse_time, "0.05ps", 0, "not a whole number"},
    {parse_time, "0.00001ns", 0, "not a whole number"},
    {parse_time, "1.00000000000001min", 0, "not a whole number"},
    {parse_time, "1.000000000000000001h", 0, "not a whole number"},
    {parse_time, "18446744s", UINT64_C(18446744000000000000), NULL},
    {parse_time, "18446744.073709551615s", MAX, NULL},
    {parse_time, "18446744.073709551616s", 0, "out of range"},
    {parse_time, "18446745s", 0, "out of range"},
    {parse_time, "5125h", 0, "out of range"},
    {parse_time, "5", 0, NO_TIME},
    {parse_time, "1.5", 0, NO_TIME},
    {parse_time, "1.s", 0, NO_TIME},
    {parse_time, ".5s", 0, NO_TIME},
    {parse_time, "1d", UINT64_C(86400000000000000), NULL},
    {parse_time, "1S", UINT64_C(1000000000000), NULL},
    {parse_time, "1 s", 0, NO_TIME},
    {parse_time, "-1s", 0, NO_TIME},
    {parse_time, "", 0, "empty"},

};

TEST(integers)
{
	for (size_t i = 0; i < ARRAY_LEN(integer_rows); i++) {
		const struct integer_row *row = &integer_rows[i];
		uint64_t value = 4711;
		const char *why = row->parse(row->text, &value);
		uint64_t expected = row->why ? 4711 : row->value;

		if (value != expected)
			print_error("'%s': %" PRIu64 "\n", row->text, value);
		if (row->why)
			assert_non_null(why);
		assert_string_equal(why ? why : "", row->why ? row->why : "");
		assert_true(value == expected);
	}
}

struct number_row {
	const char *text;
	double value;
	const char *why;
};

static const struct number_row number_rows[] = {
    {"0", 0, NULL},
    {"-1.5e3", -1500, NULL},
    {"+2", 2, NULL},
    {".5", 0.5, NULL},
    {"5.", 5, NULL},
    {"1E+2", 100, NULL},
    {"1e-400", 0, NULL},
    {"9007199254740993", 9007199254740992.0, NULL},
    {"1.7976931348623157e308", 1.7976931348623157e308, NULL},
    {"1e309", 0, "out of range"},
    {"-1e309", 0, "out of range"},
    {"", 0, "empty"},
    {".", 0, "not a number"},
    {"-", 0, "not a number"},
    {"e5", 0, "not a number"},
    {"1e", 0, "not a number"},
    {"1e+", 0, "not a number"},
    {"1e5.5", 0, "not a number"},
    {"--1", 0, "not a number"},
    {"1,5", 0,
     "a comma in a number is not read: write 1027.5, not "
     "1027,5 or 1,027.5"},
    {" 1", 0, "not a number"},
    {"1 ", 0, "not a number"},
    {"0x10", 0, "not a number"},
    {"inf", 0, "not a number"},
    {"nan", 0, "not a number"},
    {"-infinity", 0, "not a number"},
    {"12ns", 0, "not a number"},
};

TEST(numbers)
{
	for (size_t i = 0; i < ARRAY_LEN(number_rows); i++) {
		const struct number_row *row = &number_rows[i];
		double value = 4711;
		const char *why = parse_number(row->text, &value);
		double expected = row->why ? 4711 : row->value;

		if (value != expected)
			print_error("'%s': %g\n", row->text, value);
		assert_string_equal(why ? why : "", row->why ? row->why : "");
		assert_true(value == expected);
	}
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

TEST(bad_percentages_change_nothing)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
	    {"", "empty"},
	    {"x", NO_PERCENTAGE},
	    {"-1", NO_PERCENTAGE},
	    {".5", NO_PERCENTAGE},
	    {"101", "over 100"},
	    {"100.1", "over 100"},
	    {"99999999999999999999", "over 100"},
	    {"1844674407370955161.6", "over 100"}, /* 2^64 tenths */
	    {"99.", NO_PERCENTAGE},
	    {"99%%", NO_PERCENTAGE},
	    {"9.9.9", NO_PERCENTAGE},
	    {"1e1", NO_PERCENTAGE},
	    {"0.0000000000000001", "more than 15 decimals"},
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct fraction part = {7, 8};

		assert_string_equal(parse_percentage(bad[i].text, &part),
		                    bad[i].why);
		assert_true(part.num == 7 && part.den == 8);
	}
}

/* `values` as decimal numbers separated by blanks. */
struct list_row {
	const char *text;
	const char *values;
	const char *why;
};

static const struct list_row list_rows[] = {
    {"64", "64", NULL},
    {"64,128,64", "64 128 64", NULL},
    {"1K,0", "1024 0", NULL},
    {"64:512", "64 128 256 512", NULL},
    {"64:500", "64 128 256 500", NULL},
    {"64:64", "64", NULL},
    {"1:30:x3", "1 3 9 27 30", NULL},
    {"64:1500:+700,1500", "64 764 1464 1500", NULL},
    {"0:256:+64", "0 64 128 192 256", NULL},
    {"1K:2K:+512,7", "1024 1536 2048 7", NULL},
    {"0:0:+1", "0", NULL},
    {"18446744073709551614:18446744073709551615:+1",
     "18446744073709551614 18446744073709551615", NULL},
    {"9223372036854775808:18446744073709551615",
     "9223372036854775808 18446744073709551615", NULL},
    {"0:65535:+1,0", NULL, "too many values"},
    {"0:18446744073709551615:+1", NULL, "too many values"},
    {"", NULL, "empty"},
    {",64", NULL, "empty"},
    {"64,", NULL, "empty"},
    {"64:", NULL, "empty"},
    {":64", NULL, NO_SIZE},
    {"64..512", "64 128 256 512", NULL},
    {"1k-4KiB", "1024 2048 4096", NULL},
    {"0..256:+64", "0 64 128 192 256", NULL},
    {"-64", NULL, NO_SIZE},
    {"64 , 128", NULL, NO_SIZE},
    {"128:64", NULL, "the range ends before it begins"},
    {"0:64", NULL, "a doubling range cannot start at 0"},
    {"0:64:x2", NULL, "a doubling range cannot start at 0"},
    {"0:64:+0", NULL, "a step of 0 never ends"},
    {"1:64:x1", NULL, "a factor is 2 or more"},
    {"1:64:x0", NULL, "a factor is 2 or more"},
    {"1:64:x", NULL, "empty"},
    {"1:64:+", NULL, "empty"},
    {"1:64:", NULL, "a step is +SIZE or xFACTOR"},
    {"1:64:2", NULL, "a step is +SIZE or xFACTOR"},
    {"1:64:x2K", NULL, NO_INT},
    {"1:64:x2:3", NULL, NO_INT},
    {"1:4Q", NULL, NO_SIZE},
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
		const struct list_row *row = &list_rows[i];
		struct size_list list = {0};
		char text[256];
		const char *why;

		assert_null(parse_size_list("4711", &list));
		why = parse_size_list(row->text, &list);
		join(&list, text, sizeof text);
		free(list.value);
		assert_string_equal(why ? why : "", row->why ? row->why : "");
		assert_string_equal(text, row->why ? "4711" : row->values);
	}
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

TEST(time_is_read_as_printed)
{
	uint64_t seed = 3;

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t ps = next_magnitude(&seed), back;
		char text[32];

		memcpy(print_ns(text, ps), "ns", 3);
		assert_null(parse_time(text, &back));
		assert_true(back == ps);
	}
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

/* A decimal of up to 15 digits is printed no longer than it was. */
TEST(double_is_short)
{
	uint64_t seed = 5;

	for (int i = 0; i < ROUNDS; i++) {
		char text[32], expected[22];
		double value;
		char *end;

		*print_ns(expected, random_u64(&seed) % 1000000000000000) =
		    '\0';
		assert_null(parse_number(expected, &value));
		end = print_double(text, value);
		*end = '\0';
		assert_true(strlen(text) <= strlen(expected));
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
