/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/unit.h"
#include "import/decimal.h"

#include "common/base/util.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_scaled(void **state)
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

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char to[DECIMAL_MAX];

		assert_null(scale_unit(cases[i].text, cases[i].unit, to));
		assert_string_equal(to, cases[i].ours);
	}
}

static void
test_refused(void **state)
{
	char to[DECIMAL_MAX];

	(void)state;
	assert_string_equal(scale_unit("-1", "ns", to), "less than 0");
	assert_string_equal(scale_unit("x", "ns", to), "not a number");
	assert_string_equal(scale_unit("", "GB/s", to), "empty");
	assert_string_equal(scale_unit("1", "furlongs", to), "an unknown unit");
}

static void
test_units(void **state)
{
	(void)state;
	assert_true(is_time_unit("us"));
	assert_false(is_time_unit("GB/s"));
	assert_true(is_bandwidth_unit("GB/s"));
	assert_false(is_bandwidth_unit("us"));
	assert_false(is_bandwidth_unit(""));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_scaled),
	    cmocka_unit_test(test_refused),
	    cmocka_unit_test(test_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
