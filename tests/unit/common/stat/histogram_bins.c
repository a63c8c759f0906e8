/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bins of random distributions, against a sorted list of samples. */
#include "common/stat/histogram.h"
#include "rig/cmocka.h"

#include <math.h>

#define DISTRIBUTIONS 1000
#define SAMPLES_MAX   40000
#define MOST          5 /* distributions at once */

static uint64_t state = 1;

static uint64_t
next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static double
any_finite(void)
{
	uint64_t bits;
	double value;

	do {
		bits = next_random();
		memcpy(&value, &bits, sizeof value);
	} while (!isfinite(value));
	return value;
}

static double
subnormal(void)
{
	uint64_t bits = next_random() >> 12 | next_random() % 2 << 63;
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
		return (double)(next_random() % few) * 13.3;
	case 2:
		return next_random() % 2 ? 0.0 : -0.0;
	case 3:
		return subnormal();
	case 4: /* a few, which differ in the last bit */
		return nextafter(1e9, next_random() % 2 ? 0 : 1e10);
	case 5: /* repeated at first, then not, then again */
		return state >> 20 & 1 ? (double)(next_random() % few)
		                       : any_finite();
	case 6:
		return -1e-3 * (double)(next_random() % 10000000);
	case 7: /* ever more values, each several times */
		return (double)(next_random() % (1 + i / 8));
	default: /* neighbours in the list share all but one high bit */
		return ldexp(1 + (double)(next_random() % few) * 0x1p-52,
		             (int)(next_random() % 2));
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
check(const struct histogram *d, struct histogram_bin sample[], size_t n)
{
	size_t nbins = count_sorted(sample, n);
	uint64_t total = 0;

	assert_int_equal(d->nbins, nbins);
	for (size_t i = 0; i < nbins; i++) {
		total += sample[i].count;
		assert_true(d->bin[i].value == sample[i].value);
		assert_true(d->bin[i].value != 0 || !signbit(d->bin[i].value));
		assert_int_equal(d->bin[i].count, sample[i].count);
	}
	assert_int_equal(d->n, total);
}

/* Several distributions, of one or of several kinds, whose samples are mixed.
 */
static void
try_distributions(unsigned kind, struct histogram_bin sample[MOST][SAMPLES_MAX],
                  size_t n, size_t number)
{
	uint64_t few = 1 + next_random() % 5000;
	bool weighted = next_random() % 2;
	struct tallies s = {0};
	struct histogram *d;
	size_t length[MOST] = {0};

	for (size_t i = 0; i < n; i++) {
		size_t of = next_random() % number;
		struct histogram_bin *to = &sample[of][length[of]++];

		to->value = draw(kind, few, i);
		to->count = weighted ? 1 + next_random() % 1000000 : 1;
		assert_true(tallies_add(&s, of, to->value, to->count));
	}
	d = tallies_finish(&s, number);
	for (size_t of = 0; of < number; of++)
		check(&d[of], sample[of], length[of]);
	histograms_free(d);
}

TEST(test_random_distributions)
{
	static struct histogram_bin sample[MOST][SAMPLES_MAX];

	for (unsigned i = 0; i < DISTRIBUTIONS; i++) {
		/* Most are short, like groups. */
		size_t most = i / 9 % 10 ? 300 : SAMPLES_MAX;

		try_distributions(i, sample, (size_t)(next_random() % most),
		                  i % 2 ? 1 : 1 + next_random() % MOST);
	}
}
