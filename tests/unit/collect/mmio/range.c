/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges as users type them. */
#include "collect/mmio/mmio.h"
#include "rig/cmocka.h"

#include "common/base/util.h"

static void
ranges_are_read(void **state)
{
	static const struct {
		const char *text;
		struct mmio_range range;
	} cases[] = {
	    {"BAR2+0x1000,4K", {2, 0x1000, 4096}},
	    {"bar0+0,64", {0, 0, 64}},
	    {"BAR5+128,1M", {5, 128, 1048576}},
	    {"BAR4+0xffffffffffffff80,64",
	     {4, UINT64_C(0xffffffffffffff80), 64}},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct mmio_range range;

		assert_null(mmio_range_parse(cases[i].text, &range));
		assert_int_equal(range.bar, cases[i].range.bar);
		assert_int_equal(range.offset, cases[i].range.offset);
		assert_int_equal(range.size, cases[i].range.size);
	}
}

static void
others_are_refused(void **state)
{
	static const char *const cases[] = {
	    "", "BAR2", "BAR2+0", "BAR6+0,4K", "BAR+0,4K", "2+0,4K", "BAR2+,4K",
	    "BAR2+0,", "BAR2+0,0", "BAR2+4,4K", "BAR2+0,100", "BAR2+0,4K,4K",
	    "BAR2-0,4K", "BAR2+-64,4K", "BAR20,4K", "BAR2 +0,4K", "BAR2+0x,4K",
	    /* Beyond the end of the address space. */
	    "BAR2+0xffffffffffffffc0,128"};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct mmio_range range = {1, 2, 3};

		if (!mmio_range_parse(cases[i], &range))
			print_error("%s\n", cases[i]);
		assert_non_null(mmio_range_parse(cases[i], &range));
		assert_int_equal(range.bar, 1);
		assert_int_equal(range.size, 3);
	}
}

static void
a_range_holds_another(void **state)
{
	const struct mmio_range outer = {2, 0x1000, 0x1000};
	static const struct {
		struct mmio_range inner;
		bool held;
	} cases[] = {
	    {{2, 0x1000, 0x1000}, true},         {{2, 0x1fc0, 0x40}, true},
	    {{2, 0x1fc0, 0x80}, false},          {{2, 0xfc0, 0x40}, false},
	    {{2, 0x1000, 0x1040}, false},        {{4, 0x1000, 0x40}, false},
	    {{2, UINT64_MAX - 63, 0x40}, false},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(mmio_range_holds(&outer, &cases[i].inner),
		                 cases[i].held);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ranges_are_read),
	    cmocka_unit_test(others_are_refused),
	    cmocka_unit_test(a_range_holds_another),
	};

	return cmocka_run_group_tests_name("ranges", tests, NULL, NULL);
}
