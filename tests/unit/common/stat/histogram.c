/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/stat/histogram.h"
#include "rig/cmocka.h"

#include <float.h>
#include <math.h>

static struct fraction
percent(const char *text)
{
	struct fraction part = {0};

	assert_null(parse_percentage(text, &part));
	return part;
}

/* The only distribution. */
static struct histogram
finish(struct tallies *s)
{
	struct histogram *d = tallies_finish(s, 1), first = *d;

	free(d);
	return first;
}

static struct histogram
histogram_of(const double value[], const uint64_t count[], size_t n)
{
	struct tallies s = {0};

	for (size_t i = 0; i < n; i++)
		assert_true(tallies_add(&s, 0, value[i], count ? count[i] : 1));
	return finish(&s);
}

static void
histogram_free(struct histogram *d)
{
	free(d->bin);
}

static void
assert_near(double got, double wanted, double relative)
{
	if (!(fabs(got - wanted) <= relative * fabs(wanted)))
		fail_msg("%.17g, not %.17g", got, wanted);
}

/* The same numbers on every machine. */
static uint64_t
next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *state >> 33;
}

TEST(test_empty)
{
	struct histogram d = histogram_of(NULL, NULL, 0);

	assert_int_equal(d.n, 0);
	assert_true(isnan(histogram_quantile(&d, percent("50"), 7)));
	assert_true(isnan(histogram_moments(&d).mean));
	assert_true(isnan(histogram_moments(&d).stddev));
	histogram_free(&d);
}

TEST(test_one)
{
	struct histogram d = histogram_of((double[]){0.1}, NULL, 1);

	assert_true(histogram_quantile(&d, percent("0"), 7) == 0.1);
	assert_true(histogram_quantile(&d, percent("99.9"), 7) == 0.1);
	assert_true(histogram_quantile(&d, percent("100"), 7) == 0.1);
	assert_true(histogram_moments(&d).mean == 0.1);
	assert_true(isnan(histogram_moments(&d).stddev));
	histogram_free(&d);
}

TEST(test_two)
{
	struct histogram d = histogram_of((double[]){4, 2}, NULL, 2);

	assert_true(histogram_quantile(&d, percent("0"), 7) == 2);
	assert_true(histogram_quantile(&d, percent("25"), 7) == 2.5);
	assert_true(histogram_quantile(&d, percent("50"), 7) == 3);
	assert_true(histogram_quantile(&d, percent("100"), 7) == 4);
	assert_true(histogram_moments(&d).mean == 3);
	assert_near(histogram_moments(&d).stddev, sqrt(2), 1e-15);
	histogram_free(&d);
}

/* Expected: quantile_types.py, which contains the R commands. */
static const struct {
	const char *part;
	double wanted[9];
} type_rows[] = {
    {"0", {13.3, 13.3, 13.3, 13.3, 13.3, 13.3, 13.3, 13.3, 13.3}},
    {"1", {13.3, 13.3, 13.3, 13.3, 13.3, 13.3, 14.238, 13.3, 13.3}},
    {"6.25", {13.3, 13.3, 13.3, 13.3, 13.3, 13.3, 19.1625, 13.3, 13.3}},
    {"12.5", {13.3, 20, 13.3, 13.3, 20, 14.975, 25.025, 18.325, 18.74375}},
    {"18.75",
     {26.7, 26.7, 26.7, 20, 26.7, 22.5125, 30.85625, 25.3041666666667,
      25.653125}},
    {"25",
     {26.7, 33.35, 26.7, 26.7, 33.35, 30.025, 36.675, 32.2416666666667,
      32.51875}},
    {"33.3",
     {40, 40, 40, 35.5312, 42.1812, 39.9601, 44.4023, 41.4408333333333,
      41.625925}},
    {"50", {53.3, 60, 53.3, 53.3, 60, 60, 60, 60, 60}},
    {"68.75",
     {80, 80, 80, 73.35, 80, 82.49375, 77.50625, 80.83125, 80.6234375}},
    {"75",
     {80, 86.65, 80, 80, 86.65, 89.975, 83.325, 87.7583333333333, 87.48125}},
    {"90",
     {1040, 1040, 93.3, 282.64, 755.99, 1040, 377.31, 882.216666666667,
      850.66}},
    {"93.75", {1040, 1040, 1040, 566.65, 1040, 1040, 625.81875, 1040, 1040}},
    {"99.9", {1040, 1040, 1040, 1032.4264, 1040, 1040, 1033.3731, 1040, 1040}},
    {"100", {1040, 1040, 1040, 1040, 1040, 1040, 1040, 1040, 1040}},
};

TEST(test_quantile_types)
{
	static const double x[] = {1040, 13.3, 66.7, 26.7, 80, 40, 53.3, 93.3};
	struct histogram d = histogram_of(x, NULL, ARRAY_LEN(x));

	for (size_t i = 0; i < ARRAY_LEN(type_rows); i++) {
		for (unsigned type = 1; type <= 9; type++)
			assert_near(histogram_quantile(
			                &d, percent(type_rows[i].part), type),
			            type_rows[i].wanted[type - 1], 1e-14);
	}
	histogram_free(&d);
}

/* Position 2^64 of type 6 needs 65 bits. */
TEST(test_quantile_of_the_most_samples)
{
	static const uint64_t most = UINT64_MAX;
	struct histogram d = histogram_of((double[]){1}, &most, 1);

	for (unsigned type = 1; type <= 9; type++)
		assert_true(histogram_quantile(&d, percent("100"), type) == 1);
	histogram_free(&d);
}

/* 10^18 samples, of which exactly 0.999 are 0 and the rest 1. */
TEST(test_quantile_types_are_exact)
{
	static const double wanted[] = {0,     0.5,   0,         0,      0.5,
	                                0.999, 0.001, 1.999 / 3, 0.62475};
	static const uint64_t zeros = UINT64_C(999000000000000000);
	static const uint64_t ones = UINT64_C(1000000000000000);
	struct histogram d =
	    histogram_of((double[]){0, 1}, (uint64_t[]){zeros, ones}, 2);
	struct histogram fewer = histogram_of(
	    (double[]){0, 1}, (uint64_t[]){zeros - 1, ones + 1}, 2);

	for (unsigned type = 1; type <= 9; type++) {
		assert_near(histogram_quantile(&d, percent("99.9"), type),
		            wanted[type - 1], 1e-15);
		assert_true(histogram_quantile(&fewer, percent("99.9"), type) ==
		            1);
	}
	histogram_free(&d);
	histogram_free(&fewer);
}

/* x <- rep(c(704, 720, 736, 1072), c(3, 5, 2, 1))
 * c(mean(x), sd(x), quantile(x, c(.25, .5, .75, .95)))
 */
TEST(test_weights_are_repeated_samples)
{
	static const double x[] = {720, 1072, 704, 736};
	static const uint64_t count[] = {5, 1, 3, 2};
	struct histogram d = histogram_of(x, count, 4);

	assert_int_equal(d.n, 11);
	assert_near(histogram_moments(&d).mean, 750.545454545455, 1e-15);
	assert_near(histogram_moments(&d).stddev, 107.201085476187, 1e-14);
	assert_true(histogram_quantile(&d, percent("25"), 7) == 712);
	assert_true(histogram_quantile(&d, percent("50"), 7) == 720);
	assert_true(histogram_quantile(&d, percent("75"), 7) == 728);
	assert_true(histogram_quantile(&d, percent("95"), 7) == 904);
	histogram_free(&d);
}

/* A sum of squares would give a negative variance here. */
TEST(test_no_cancellation)
{
	struct tallies s = {0};
	struct histogram d;

	for (int i = 1; i <= 9; i++)
		assert_true(tallies_add(&s, 0, 1e15 + i, 1));
	d = finish(&s);
	assert_true(histogram_moments(&d).mean == 1e15 + 5);
	assert_near(histogram_moments(&d).stddev, 2.73861278752583, 1e-14);
	histogram_free(&d);
}

TEST(test_equal_samples_do_not_deviate)
{
	static const uint64_t count = UINT64_C(0x123456789abcdef);
	struct histogram d = histogram_of((double[]){0.1}, &count, 1);

	assert_true(histogram_moments(&d).mean == 0.1);
	assert_true(histogram_moments(&d).stddev == 0);
	histogram_free(&d);
}

/*
 * (n - 1) * 0.999 is exactly the rank of the first 1. With another 0 before it,
 * and n - 1 no multiple of 1000, the rank is the last 0's plus a fraction.
 */
TEST(test_position_is_exact)
{
	static const double x[] = {0, 1};
	static const uint64_t zeros = UINT64_C(999000000000000000);
	static const uint64_t ones = UINT64_C(1000000000000001);
	struct histogram d = histogram_of(x, (uint64_t[]){zeros, ones}, 2);

	assert_true(histogram_quantile(&d, percent("99.9"), 7) == 1);
	histogram_free(&d);
	d = histogram_of(x, (uint64_t[]){zeros + 1, ones}, 2);
	assert_near(histogram_quantile(&d, percent("99.9"), 7), 0.999, 1e-15);
	histogram_free(&d);
}

TEST(test_weights_beyond_32_bits)
{
	static const uint64_t most = UINT64_MAX - 1;
	struct tallies s = {0};
	struct histogram d =
	    histogram_of((double[]){7, 1e12}, (uint64_t[]){most, 1}, 2);

	assert_int_equal(d.n, UINT64_MAX);
	assert_true(histogram_nth(&d, most - 1) == 7);
	assert_true(histogram_nth(&d, most) == 1e12);
	assert_true(histogram_quantile(&d, percent("99.999999999999999"), 7) ==
	            7);
	assert_true(histogram_quantile(&d, percent("100"), 7) == 1e12);
	assert_near(histogram_moments(&d).mean,
	            7 + 1e12 / 18446744073709551615.0, 1e-15);
	histogram_free(&d);
	assert_true(tallies_add(&s, 0, 7, most));
	assert_true(tallies_add(&s, 0, 7, 1));
	assert_false(tallies_add(&s, 0, 7, 1));
	assert_true(tallies_add(&s, 0, 7, 0));
	d = finish(&s);
	assert_int_equal(d.n, UINT64_MAX);
	histogram_free(&d);
}

TEST(test_zeros)
{
	struct histogram d = histogram_of((double[]){-0.0, 0.0, -0.0}, NULL, 3);

	assert_int_equal(d.nbins, 1);
	assert_false(signbit(d.bin[0].value));
	histogram_free(&d);
}

TEST(test_extremes)
{
	static const double x[] = {-1.7e308, 1.7e308, 5e-324};
	volatile long double most = DBL_MAX;
	struct histogram d;

	if (most * 2 / 2 != most)
		skip(); /* as in valgrind, whose long double is a double */
	d = histogram_of(x, NULL, 3);
	assert_true(histogram_quantile(&d, percent("25"), 7) == -0.85e308);
	assert_true(histogram_moments(&d).mean == 0);
	assert_near(histogram_moments(&d).stddev, 1.7e308, 1e-15);
	histogram_free(&d);
	d = histogram_of(x, NULL, 2);
	assert_true(isinf(histogram_moments(&d).stddev));
	histogram_free(&d);
}

/* Values as far apart as bits allow, or adjacent, each of them twice. */
TEST(test_growth)
{
	enum { VALUES = 100000 };
	struct tallies s = {0};
	struct histogram d;

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < VALUES; i++) {
			assert_true(tallies_add(&s, 0, i, 1));
			assert_true(
			    tallies_add(&s, 0, ldexp(-1 - i, i % 900), 1));
		}
	}
	d = finish(&s);
	assert_int_equal(d.n, 4 * VALUES);
	assert_true(d.nbins <= 2 * VALUES);
	for (size_t i = 0; i < d.nbins; i++) {
		assert_int_equal(d.bin[i].count % 2, 0);
		assert_true(!i || d.bin[i - 1].value < d.bin[i].value);
	}
	for (int i = 0; i < VALUES; i++)
		assert_true(d.bin[d.nbins - VALUES + (size_t)i].value == i);
	histogram_free(&d);
}

/* At most 512 KiB and 1280 bytes for each value, however many samples. */
TEST(test_repeated_values_take_no_room)
{
	enum { SAMPLES = 2000000 };
	static const size_t numbers[] = {100, 20000};

	for (size_t k = 0; k < ARRAY_LEN(numbers); k++) {
		size_t values = numbers[k], most = (1 << 19) + 1280 * values;
		struct tallies s = {0};
		struct histogram d;

		for (size_t i = 0; i < SAMPLES; i++) {
			assert_true(
			    tallies_add(&s, 0, (double)(i % values), 1));
			assert_true(s.room * sizeof *s.list <= most);
		}
		d = finish(&s);
		assert_int_equal(d.nbins, values);
		assert_int_equal(d.bin[values - 1].count, SAMPLES / values);
		histogram_free(&d);
	}
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a;
	const double *y = b;

	return (*x > *y) - (*x < *y);
}

/* Type 7 by its definition, from the samples themselves. */
TEST(test_quantiles_by_definition)
{
	enum { SAMPLES = 1000 };
	double x[SAMPLES];
	struct tallies s = {0};
	struct histogram d;
	uint64_t seed = 1;

	for (int i = 0; i < SAMPLES; i++) {
		x[i] = 13.3 * (double)(next_random(&seed) % 50);
		assert_true(tallies_add(&s, 0, x[i], 1));
	}
	d = finish(&s);
	qsort(x, SAMPLES, sizeof *x, by_value);
	for (uint64_t k = 0; k <= 1000; k++) {
		uint64_t at = (SAMPLES - 1) * k / 1000;
		double rest = (double)((SAMPLES - 1) * k % 1000) / 1000;
		double next = at + 1 < SAMPLES ? x[at + 1] : x[at];

		assert_near(
		    histogram_quantile(&d, (struct fraction){k, 1000}, 7),
		    x[at] + rest * (next - x[at]), 1e-15);
	}
	histogram_free(&d);
}

/* For any order and any split into weights, the same to the last bit. */
TEST(test_order_changes_nothing)
{
	enum { SAMPLES = 3000 };
	double x[SAMPLES];
	struct tallies s = {0};
	struct histogram d, other;
	uint64_t seed = 2;

	for (int i = 0; i < SAMPLES; i++)
		x[i] = 1e9 + 1e-3 * (double)(next_random(&seed) % 2000);
	d = histogram_of(x, NULL, SAMPLES);
	for (size_t i = SAMPLES - 1; i; i--) {
		size_t k = next_random(&seed) % (i + 1);
		double kept = x[i];

		x[i] = x[k];
		x[k] = kept;
	}
	for (size_t i = 0; i < SAMPLES; i++)
		assert_true(tallies_add(&s, 0, x[i], 1 + i % 3));
	for (size_t i = SAMPLES; i--;)
		assert_true(tallies_add(&s, 0, x[i], 2 - i % 3));
	other = finish(&s);
	assert_int_equal(d.n, SAMPLES);
	assert_int_equal(3 * d.n, other.n);
	assert_int_equal(d.nbins, other.nbins);
	for (size_t i = 0; i < d.nbins; i++) {
		assert_true(d.bin[i].value == other.bin[i].value);
		assert_int_equal(3 * d.bin[i].count, other.bin[i].count);
	}
	assert_true(histogram_moments(&d).mean ==
	            histogram_moments(&other).mean);
	histogram_free(&d);
	histogram_free(&other);
}

/* Small values beside a large one, which swallows them in a long double. */
TEST(test_small_terms_add_up)
{
	static const uint64_t many[] = {UINT64_C(1) << 62, UINT64_C(1) << 62};
	struct tallies s = {0};
	struct histogram d;

	for (int i = 0; i < 2; i++)
		assert_true(tallies_add(&s, 0, 2 * i, many[i]));
	for (int i = 0; i < 8192; i++)
		assert_true(tallies_add(&s, 0, 2.225 + i * 0x1p-40, 1));
	d = finish(&s);
	assert_true(histogram_moments(&d).mean == 1 + 5 * 0x1p-52);
	assert_true(histogram_moments(&d).population_stddev == 1 + 0x1p-52);
	histogram_free(&d);
}

/* Enough samples for the most pieces. */
#define MANY    300000
#define LISTS   5
#define NUMBERS 8

/*
 * Groups of all sizes, one of them most of all, and one empty, in lists with
 * numbers of their own: as one list, by any number of threads.
 */
TEST(test_lists_are_as_one)
{
	uint64_t seed = 3;

	for (unsigned threads = 1; threads <= NUMBERS; threads++) {
		struct tally_list list[LISTS] = {0};
		uint32_t number[LISTS][NUMBERS];
		size_t lists = 1 + threads % LISTS;
		uint64_t values = threads % 2 ? 1000 : 1 << 30;
		struct tallies one = {0};
		struct histogram *want, *got;

		for (uint32_t i = 0; i < LISTS * NUMBERS; i++)
			number[i / NUMBERS][i % NUMBERS] =
			    (i % NUMBERS + i / NUMBERS) % NUMBERS;
		for (size_t i = 0; i < MANY; i++) {
			uint64_t at = next_random(&seed);
			size_t of = at % 4 ? 2 : at % NUMBERS, k = i % lists;
			double value =
			    (double)next_random(&seed) - (double)(values / 2);

			value = fmod(value, (double)values);
			of += of == 5;
			of = threads == 1 ? 0 : of;
			tallies_add(&one, of, value, 1 + i % 3);
			list[k].number = number[k];
			tallies_add(&list[k].samples,
			            (of + NUMBERS - k) % NUMBERS, value,
			            1 + i % 3);
		}
		want = tallies_finish(&one, NUMBERS);
		got = tallies_unite(list, lists, NUMBERS, threads);
		for (size_t i = 0; i < NUMBERS; i++) {
			assert_int_equal(got[i].n, want[i].n);
			assert_int_equal(got[i].nbins, want[i].nbins);
			for (size_t k = 0; k < want[i].nbins; k++) {
				const struct histogram_bin *b = want[i].bin;

				assert_true(got[i].bin[k].value == b[k].value);
				assert_true(got[i].bin[k].count == b[k].count);
				assert_true(!k || b[k - 1].value < b[k].value);
			}
		}
		histograms_free(want);
		histograms_free(got);
	}
}

/* What was added behind a mark can be taken back, also after joins. */
TEST(test_marks)
{
	struct tallies s = {.share = 2};
	struct histogram *d;
	size_t n = 0;

	for (size_t window = 0; window < 40; window++) {
		size_t mark = tallies_mark(&s), all;

		for (size_t i = 0; i < 10000; i++)
			tallies_add(&s, i % 2, (double)(i % 100), 1);
		all = s.n;
		n += window % 3 ? 10000 : 0;
		tallies_keep(&s, window % 3 ? all : mark);
		assert_int_equal(s.total, n);
	}
	d = tallies_finish(&s, 2);
	for (size_t k = 0; k < 2; k++) {
		assert_int_equal(d[k].n, n / 2);
		assert_int_equal(d[k].nbins, 50);
	}
	histograms_free(d);
}
