/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers as users type them and as the column has them. */
#include "collect/pio/pio.h"
#include "rig/cmocka.h"

#include "common/base/util.h"

static void
places_have_one_text(void **state)
{
	static const struct {
		const char *text, *column;
	} cases[] = {
	    {"0x08", "0x08"},
	    {"8", "0x08"},
	    {"0", "0x00"},
	    {"0xFFC", "0xffc"},
	    {"256", "0x100"},
	    {"BAR0+0x8", "BAR0+0x8"},
	    {"bar5+16", "BAR5+0x10"},
	    {"BAR2", "BAR2+0x0"},
	    {"BAR1+0xfffffffffffffffc", "BAR1+0xfffffffffffffffc"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct reg_addr addr;
		char text[REG_ADDR_TEXT_MAX];

		assert_null(reg_addr_parse(cases[i].text, &addr));
		reg_addr_format(&addr, text);
		assert_string_equal(text, cases[i].column);
	}
}

static void
others_are_refused(void **state)
{
	static const char *const texts[] = {
	    "",         "0x",    "0x2",    "6",      "0x1000",   "BAR",
	    "BAR6",     "BAR0+", "BAR0+2", "BAR0-4", "BAR0 + 4", "BAR01",
	    "BAR0+BAR", "-4",    "+4",     "0x08 ",  "BAR-1+0",  "4K",
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct reg_addr addr = {3, 28};

		assert_non_null(reg_addr_parse(texts[i], &addr));
		assert_int_equal(addr.bar, 3);
		assert_int_equal(addr.offset, 28);
	}
}

static void
ids_and_class_are_constant(void **state)
{
	assert_true(reg_addr_is_constant(&(struct reg_addr){CONFIG_SPACE, 0}));
	assert_true(reg_addr_is_constant(&(struct reg_addr){CONFIG_SPACE, 8}));
	assert_false(reg_addr_is_constant(&(struct reg_addr){CONFIG_SPACE, 4}));
	assert_false(reg_addr_is_constant(&(struct reg_addr){0, 0}));
	assert_false(reg_addr_is_constant(&(struct reg_addr){0, 8}));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(places_have_one_text),
	    cmocka_unit_test(others_are_refused),
	    cmocka_unit_test(ids_and_class_are_constant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
