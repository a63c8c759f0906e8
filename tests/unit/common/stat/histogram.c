/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/stat/histogram.h"
#include "common/base/number.h"
#include "rig/cmocka.h"
#include "rig/support.h"

#include <float.h>
#include <math.h>

/* The only distribution of the last samples. */
static struct histogram d;

static void
finish(struct tallies *s)
{
	struct histogram *only = tallies_finish(s, 1);

	free(d.bin);
	d = *only;
	free(only);
}

static int
release(void **state)
{
	free(d.bin);
	return 0;
}

const struct fixtures fixtures = {NULL, release};

static void
histogram_of(const double value[], const uint64_t count[], size_t n)
{
	struct tallies s = {0};

	for (size_t i = 0; i < n; i++)
		assert_true(tallies_add(&s, 0, value[i], count ? count[i] : 1));
	finish(&s);
}

static void
assert_near(double got, double wanted, double relative)
{
	if (!(fabs(got - wanted) <= relative * fabs(wanted)))
		fail_msg("%.17g, not %.17g", got, wanted);
}

TEST(test_empty)
{
	histogram_of(NULL, NULL, 0);
	assert_int_equal(d.n, 0);
	assert_true(isnan(histogram_quantile(&d, percent("50"), 7)));
	assert_true(isnan(histogram_moments(&d).mean));
	assert_true(isnan(histogram_moments(&d).stddev));
}

TEST(test_one)
{
	histogram_of((double[]){0.1}, NULL, 1);
	assert_true(histogram_quantile(&d, percent("0"), 7) == 0.1);
	assert_true(histogram_quantile(&d, percent("99.9"), 7) == 0.1);
	assert_true(histogram_quantile(&d, percent("100"), 7) == 0.1);
	assert_true(histogram_moments(&d).mean == 0.1);
	assert_true(isnan(histogram_moments(&d).stddev));
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

	histogram_of(x, NULL, ARRAY_LEN(x));
	for (size_t i = 0; i < ARRAY_LEN(type_rows); i++) {
		for (unsigned type = 1; type <= 9; type++)
			assert_near(histogram_quantile(
			                &d, percent(type_rows[i].part), type),
			            type_rows[i].wanted[type - 1], 1e-14);
	}
}

/* Position 2^64 of type 6 needs 65 bits. */
TEST(test_quantile_of_the_most_samples)
{
	static const uint64_t most = UINT64_MAX;

	histogram_of((double[]){1}, &most, 1);
	for (unsigned type = 1; type <= 9; type++)
		assert_true(histogram_quantile(&d, percent("100"), type) == 1);
}

/* 10^18 samples, of which exactly 0.999 are 0 and the rest 1. */
TEST(test_quantile_types_are_exact)
{
	static const double wanted[] = {0,     0.5,   0,         0,      0.5,
	                                0.999, 0.001, 1.999 / 3, 0.62475};
	static const uint64_t zeros = UINT64_C(999000000000000000);
	static const uint64_t ones = UINT64_C(1000000000000000);

	for (uint64_t fewer = 0; fewer < 2; fewer++) {
		histogram_of((double[]){0, 1},
		             (uint64_t[]){zeros - fewer, ones + fewer}, 2);
		for (unsigned type = 1; type <= 9; type++)
			assert_near(
			    histogram_quantile(&d, percent("99.9"), type),
			    fewer ? 1 : wanted[type - 1], 1e-15);
	}
}

/* x <- rep(c(704, 720, 736, 1072), c(3, 5, 2, 1))
 * c(mean(x), sd(x), quantile(x, c(.25, .5, .75, .95)))
 */
TEST(test_weights_are_repeated_samples)
{
	static const double x[] = {720, 1072, 704, 736};
	static const uint64_t count[] = {5, 1, 3, 2};

	histogram_of(x, count, 4);
	assert_int_equal(d.n, 11);
	assert_near(histogram_moments(&d).mean, 750.545454545455, 1e-15);
	assert_near(histogram_moments(&d).stddev, 107.201085476187, 1e-14);
	assert_true(histogram_quantile(&d, percent("25"), 7) == 712);
	assert_true(histogram_quantile(&d, percent("50"), 7) == 720);
	assert_true(histogram_quantile(&d, percent("75"), 7) == 728);
	assert_true(histogram_quantile(&d, percent("95"), 7) == 904);
}

/* A sum of squares would give a negative variance here. */
TEST(test_no_cancellation)
{
	struct tallies s = {0};

	for (int i = 1; i <= 9; i++)
		assert_true(tallies_add(&s, 0, 1e15 + i, 1));
	finish(&s);
	assert_true(histogram_moments(&d).mean == 1e15 + 5);
	assert_near(histogram_moments(&d).stddev, 2.73861278752583, 1e-14);
}

TEST(test_equal_samples_do_not_deviate)
{
	static const uint64_t count = UINT64_C(0x123456789abcdef);

	histogram_of((double[]){0.1}, &count, 1);
	assert_true(histogram_moments(&d).mean == 0.1);
	assert_true(histogram_moments(&d).stddev == 0);
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

	histogram_of(x, (uint64_t[]){zeros, ones}, 2);
	assert_true(histogram_quantile(&d, percent("99.9"), 7) == 1);
	histogram_of(x, (uint64_t[]){zeros + 1, ones}, 2);
	assert_near(histogram_quantile(&d, percent("99.9"), 7), 0.999, 1e-15);
}

TEST(test_weights_beyond_32_bits)
{
	static const uint64_t most = UINT64_MAX - 1;
	struct tallies s = {0};

	histogram_of((double[]){7, 1e12}, (uint64_t[]){most, 1}, 2);
	assert_int_equal(d.n, UINT64_MAX);
	assert_true(histogram_nth(&d, most - 1) == 7);
	assert_true(histogram_nth(&d, most) == 1e12);
	assert_true(histogram_quantile(&d, percent("99.999999999999999"), 7) ==
	            7);
	assert_true(histogram_quantile(&d, percent("100"), 7) == 1e12);
	assert_near(histogram_moments(&d).mean,
	            7 + 1e12 / 18446744073709551615.0, 1e-15);
	assert_true(tallies_add(&s, 0, 7, most));
	assert_true(tallies_add(&s, 0, 7, 1));
	assert_false(tallies_add(&s, 0, 7, 1));
	assert_true(tallies_add(&s, 0, 7, 0));
	finish(&s);
	assert_int_equal(d.n, UINT64_MAX);
}

TEST(test_extremes)
{
	static const double x[] = {-1.7e308, 1.7e308, 5e-324};
	volatile long double most = DBL_MAX;

	if (most * 2 / 2 != most)
		skip(); /* as in valgrind, whose long double is a double */
	histogram_of(x, NULL, 3);
	assert_true(histogram_quantile(&d, percent("25"), 7) == -0.85e308);
	assert_true(histogram_moments(&d).mean == 0);
	assert_near(histogram_moments(&d).stddev, 1.7e308, 1e-15);
	histogram_of(x, NULL, 2);
	assert_true(isinf(histogram_moments(&d).stddev));
}

/* At most 512 KiB and 1280 bytes for each value, however many samples. */
TEST(test_repeated_values_take_no_room)
{
	enum { SAMPLES = 2000000 };
	static const size_t numbers[] = {100, 20000};

	for (size_t k = 0; k < ARRAY_LEN(numbers); k++) {
		size_t values = numbers[k], most = (1 << 19) + 1280 * values;
		struct tallies s = {0};

		for (size_t i = 0; i < SAMPLES; i++) {
			assert_true(
			    tallies_add(&s, 0, (double)(i % values), 1));
			assert_true(s.room * sizeof *s.list +
			                (sizeof *s.place << s.place_bits) <=
			            most);
		}
		finish(&s);
		assert_int_equal(d.nbins, values);
		assert_int_equal(d.bin[values - 1].count, SAMPLES / values);
	}
}

/* Small values beside a large one, which swallows them in a long double. */
TEST(test_small_terms_add_up)
{
	static const uint64_t many[] = {UINT64_C(1) << 62, UINT64_C(1) << 62};
	struct tallies s = {0};

	for (int i = 0; i < 2; i++)
		assert_true(tallies_add(&s, 0, 2 * i, many[i]));
	for (int i = 0; i < 8192; i++)
		assert_true(tallies_add(&s, 0, 2.225 + i * 0x1p-40, 1));
	finish(&s);
	assert_true(histogram_moments(&d).mean == 1 + 5 * 0x1p-52);
	assert_true(histogram_moments(&d).population_stddev == 1 + 0x1p-52);
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
			uint64_t at = random_u64(&seed);
			size_t of = at % 4 ? 2 : at % NUMBERS, k = i % lists;
			double value =
			    (double)random_u64(&seed) - (double)(values / 2);

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

/* Random distributions, against a sorted list of samples ----------------- */

#define DISTRIBUTIONS 1000
#define SAMPLES_MAX   40000
#define MOST          5 /* distributions at once */

static uint64_t seed = 1;

static double
any_finite(void)
{
	uint64_t bits;
	double value;

	do {
		bits = random_u64(&seed);
		memcpy(&value, &bits, sizeof value);
	} while (!isfinite(value));
	return value;
}

static double
subnormal(void)
{
	uint64_t bits = random_u64(&seed) >> 12 | random_u64(&seed) % 2 << 63;
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Sample i of a distribution; `few` is the number of repeated values. */
static double
draw(unsigned kind, uint64_t few, size_t i)
{
	switch (kind % 9) {
	case 0:
		return any_finite();
	case 1:
		return (double)(random_u64(&seed) % few) * 13.3;
	case 2:
		return random_u64(&seed) % 2 ? 0.0 : -0.0;
	case 3:
		return subnormal();
	case 4: /* a few, which differ in the last bit */
		return nextafter(1e9, random_u64(&seed) % 2 ? 0 : 1e10);
	case 5: /* repeated at first, then not, then again */
		return seed >> 20 & 1 ? (double)(random_u64(&seed) % few)
		                      : any_finite();
	case 6:
		return -1e-3 * (double)(random_u64(&seed) % 10000000);
	case 7: /* ever more values, each several times */
		return (double)(random_u64(&seed) % (1 + i / 8));
	default: /* neighbours in the list share all but one high bit */
		return ldexp(1 + (double)(random_u64(&seed) % few) * 0x1p-52,
		             (int)(random_u64(&seed) % 2));
	}
}

static int
by_value(const void *a, const void *b)
{
	const struct histogram_bin *x = a;
	const struct histogram_bin *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/* The same by qsort. */
static size_t
count_sorted(struct histogram_bin bin[], size_t n)
{
	size_t nbins = 0;

	qsort(bin, n, sizeof *bin, by_value);
	for (size_t i = 0; i < n; i++) {
		if (nbins && bin[nbins - 1].value == bin[i].value)
			bin[nbins - 1].count += bin[i].count;
		else
			bin[nbins++] = bin[i];
	}
	return nbins;
}

/* The distribution must have these samples. */
static void
check(const struct histogram *h, struct histogram_bin sample[], size_t n)
{
	size_t nbins = count_sorted(sample, n);
	uint64_t total = 0;

	assert_int_equal(h->nbins, nbins);
	for (size_t i = 0; i < nbins; i++) {
		total += sample[i].count;
		assert_true(h->bin[i].value == sample[i].value);
		assert_true(h->bin[i].value != 0 || !signbit(h->bin[i].value));
		assert_int_equal(h->bin[i].count, sample[i].count);
	}
	assert_int_equal(h->n, total);
}

/* Several distributions, of one or of several kinds, whose samples are mixed.
 */
static void
try_distributions(unsigned kind, struct histogram_bin sample[MOST][SAMPLES_MAX],
                  size_t n, size_t number)
{
	uint64_t few = 1 + random_u64(&seed) % 5000;
	bool weighted = random_u64(&seed) % 2;
	struct tallies s = {0};
	struct histogram *all;
	size_t length[MOST] = {0};

	for (size_t i = 0; i < n; i++) {
		size_t of = random_u64(&seed) % number;
		struct histogram_bin *to = &sample[of][length[of]++];

		to->value = draw(kind, few, i);
		to->count = weighted ? 1 + random_u64(&seed) % 1000000 : 1;
		assert_true(tallies_add(&s, of, to->value, to->count));
	}
	all = tallies_finish(&s, number);
	for (size_t of = 0; of < number; of++)
		check(&all[of], sample[of], length[of]);
	histograms_free(all);
}

TEST(test_random_distributions)
{
	static struct histogram_bin sample[MOST][SAMPLES_MAX];

	for (unsigned i = 0; i < DISTRIBUTIONS; i++) {
		/* Most are short, like groups. */
		size_t most = i / 9 % 10 ? 300 : SAMPLES_MAX;

		try_distributions(i, sample, (size_t)(random_u64(&seed) % most),
		                  i % 2 ? 1 : 1 + random_u64(&seed) % MOST);
	}
}
