/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks that bound a quantile, against exact sums. */
#include "rig/cmocka.h"
#include "rig/support.h"

#include "common/stat/quantile_ci.h"

/* From quantile_ci.py, which contains the R commands. */
static const struct {
	uint64_t n;
	const char *part, *level;
	uint64_t lower, upper;
} rows[] = {
    {1, "50", "95", 0, 0},
    {5, "50", "95", 0, 0},
    {6, "50", "95", 1, 6},
    {9, "50", "95", 2, 8},
    {10, "50", "95", 2, 9},
    {25, "50", "95", 8, 18},
    {100, "50", "95", 40, 61},
    {6, "50", "96.875", 1, 6},
    {6, "50", "96.876", 0, 0},
    {100, "50", "99.9", 34, 67},
    {71, "95", "95", 63, 0},
    {72, "95", "95", 64, 72},
    {1000, "95", "95", 936, 964},
    {1000, "99.9", "95", 997, 0},
    {4000, "99.9", "99", 3990, 0},
    {5000, "12.5", "80", 595, 656},
    {1000000, "99.99", "95", 999880, 999920},
    {2000000, "50", "95", 998614, 1001387},
    {2000000, "99", "95", 1979724, 1980276},
    {2000000, "50", "99.9999999999", 994958, 1005043},
    {UINT64_C(4000000000), "50", "95", 1999938020, 2000061981},
    {UINT64_C(4000000004), "50", "95", 1999938022, 2000061983},
    {UINT64_C(100000000000), "99", "95", UINT64_C(98999938331),
     UINT64_C(99000061669)},
    {UINT64_C(1000000000000), "99.9", "99.9", UINT64_C(998999895995),
     UINT64_C(999000104003)},
    {UINT64_C(100000000000), "90", "95", UINT64_C(89999814061),
     UINT64_C(90000185939)},
    {UINT64_C(100000000000), "99.5", "95", UINT64_C(99499956283),
     UINT64_C(99500043717)},
    {UINT64_C(200000000000), "99", "95", UINT64_C(197999912787),
     UINT64_C(198000087213)},
    {UINT64_C(300000000000), "99.8", "95", UINT64_C(299399952038),
     UINT64_C(299400047962)},
    {UINT64_C(1000000000000000000), "99.9999999999", "95",
     UINT64_C(999999999998998040), UINT64_C(999999999999001960)},
};

TEST(test_limits)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct fraction part = percent(rows[i].part);
		struct fraction level = percent(rows[i].level);

		assert_int_equal(lower_limit(rows[i].n, part, level),
		                 rows[i].lower);
		assert_int_equal(upper_limit(rows[i].n, part, level),
		                 rows[i].upper);
	}
}

TEST(test_none)
{
	struct fraction level = percent("95");

	assert_int_equal(lower_limit(0, percent("50"), level), 0);
	assert_int_equal(upper_limit(0, percent("50"), level), 0);
	assert_int_equal(lower_limit(1000, percent("0"), level), 0);
	assert_int_equal(upper_limit(1000, percent("0"), level), 0);
	assert_int_equal(lower_limit(1000, percent("100"), level), 0);
	assert_int_equal(upper_limit(1000, percent("100"), level), 0);
}

/* n / 2 + 1 / 2 -+ 1.959963984540054 sqrt(n) / 2, in 50 digits. */
TEST(test_the_most_samples)
{
	const uint64_t most = UINT64_C(4000000000000);
	struct fraction half = percent("50"), level = percent("95");
	uint64_t lower = lower_limit(most, half, level);

	assert_int_equal(lower, UINT64_C(1999998040036));
	assert_int_equal(upper_limit(most, half, level), most - lower + 1);
	assert_int_equal(lower_limit(most + 1, half, level), 0);
	assert_int_equal(upper_limit(UINT64_MAX, half, level), 0);
}
