/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A misspelt word finds the intended one, an unrelated word none. */
#include "common/base/nearest.h"
#include "rig/cmocka.h"

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

static void
one_mistake_of_each_kind_is_seen(void **state)
{
	assert_string_equal(meant("lat_cgf"), "lat_cfg"); /* swapped */
	assert_string_equal(meant("lat_rdd"), "lat_rd");  /* too many */
	assert_string_equal(meant("bwrd"), "bw_rd");      /* missing */
	assert_string_equal(meant("lat-cfg"), "lat_cfg"); /* wrong */
	assert_string_equal(meant("CDF"), "cdf");
	assert_string_equal(meant("cdff"), "cdf"); /* not ccdf, the second */
}

static void
a_strange_word_is_near_to_none(void **state)
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

static void
the_beginning_of_words_names_them(void **state)
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_mistake_of_each_kind_is_seen),
	    cmocka_unit_test(a_strange_word_is_near_to_none),
	    cmocka_unit_test(the_beginning_of_words_names_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
