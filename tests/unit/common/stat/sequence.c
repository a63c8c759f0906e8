/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much samples depend on those before. */
#include "rig/cmocka.h"

#include "common/stat/sequence.h"
#include "rig/support.h"

#include <math.h>

static uint64_t seed = 1;

/* Nearly normal: the sum of twelve uniform numbers. */
static double
noise(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)(random_u64(&seed) >> 11) / 0x1p53;
	return sum;
}

/* Adds n samples with this autocorrelation; the first tenth has more. */
static struct steadiness
steadiness_of(size_t n, double ar, double more, double *spread)
{
	struct sequence *s = sequence_make();
	struct steadiness all = {0};
	double value = noise();

	for (size_t i = 0; i < n; i++) {
		value = ar * value + sqrt(1 - ar * ar) * noise();
		sequence_add(s, 100 + value + (i < n / 10 ? more : 0));
	}
	*spread = sequence_spread(s);
	steadiness_add(&all, s, *spread);
	free(s);
	return all;
}

/* Of a normal autoregression, by arcsines: 2 / pi asin(ar). */
TEST(dependence_is_that_of_the_process)
{
	static const double ar[] = {0.5, 0.9, 0.97};

	for (size_t i = 0; i < ARRAY_LEN(ar); i++) {
		double spread, sum = 1;
		struct steadiness s = steadiness_of(200000, ar[i], 0, &spread);

		for (int lag = 1; lag < 2000; lag++)
			sum += 2 * 2 / M_PI * asin(pow(ar[i], lag));
		assert_true(spread > sum / 2 && spread < sum * 2);
		if (spread < UNSTEADY)
			continue;
		assert_int_equal(s.n, 200000);
		assert_true(fabs(s.lag1 - 2 / M_PI * asin(ar[i])) < 0.02);
	}
}

TEST(independent_samples_are_steady)
{
	size_t unsteady = 0;

	for (int i = 0; i < 200; i++) {
		double spread;

		unsteady +=
		    steadiness_of(SEQUENCE_ENOUGH, 0, 0, &spread).unsteady;
		unsteady += steadiness_of(5000, 0, 0, &spread).unsteady;
	}
	assert_true(unsteady <= 4);
}

TEST(the_tenth_that_differs_is_named)
{
	double spread;
	struct steadiness s = steadiness_of(20000, 0, 30, &spread);
	char *text = steadiness_text(&s);

	assert_int_equal(s.unsteady, 1);
	assert_int_equal(s.tenth, 0);
	assert_true(fabs(s.trend - 0.3) < 0.01);
	assert_true(s.lag1 > 0.1);
	assert_string_equal(text, "the first tenth is 30 % higher");
	free(text);
}

TEST(too_few_or_sorted_samples_claim_nothing)
{
	struct sequence *s = sequence_make();
	double spread;

	assert_int_equal(
	    steadiness_of(SEQUENCE_ENOUGH - 1, 0.99, 0, &spread).unsteady, 0);
	assert_true(spread == 1);
	for (int i = 0; i < 10000; i++)
		sequence_add(s, i);
	assert_true(sequence_spread(s) == 1);
	free(s);
}
