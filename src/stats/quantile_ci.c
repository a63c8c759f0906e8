/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Confidence limits of quantiles, as ranks, by the binomial distribution. */
#include "stats/stats.h"

#include "common/base/intmath.h"

#include <math.h>

/* A binomial distribution of n trials. */
struct binomial {
	uint64_t n;
	long double odds;     /* of success */
	long double variance; /* of the number of successes */
	uint64_t mean;        /* rounded down */
	long double beyond;   /* the fraction rounded off */
};

/* Skips terms smaller than the mode's by this factor. */
#define NEGLIGIBLE 1e-40L

/* Error of a sum within which it equals the bound. */
#define TOLERANCE 1e-12L

#define MOST_VARIANCE 1e9L

static struct binomial
binomial(uint64_t n, struct fraction p)
{
	uint128 mean = (uint128)n * p.num;
	long double fails = p.den - p.num;

	return (struct binomial){
	    .n = n,
	    .odds = p.num / fails,
	    .variance = (long double)n * p.num / p.den * fails / p.den,
	    .mean = (uint64_t)(mean / p.den),
	    .beyond = (long double)(uint64_t)(mean % p.den) / p.den,
	};
}

/* P(k + 1) / P(k) */
static long double
growth(const struct binomial *b, uint64_t k)
{
	return (long double)(b->n - k) / (k + 1.0L) * b->odds;
}

/* The sum of all terms, in units of the term at the mean. */
static long double
sum_of_terms(const struct binomial *b)
{
	long double term = 1, sum = 1;

	for (uint64_t k = b->mean; k < b->n && term > NEGLIGIBLE; k++) {
		term *= growth(b, k);
		sum += term;
	}
	term = 1;
	for (uint64_t k = b->mean; k > 0 && term > NEGLIGIBLE; k--) {
		term /= growth(b, k - 1);
		sum += term;
	}
	return sum;
}

/*
 * The number of terms, from zero successes on, that sum up to at most `tail`.
 * Adds from the far end of the tail, where terms are small.
 */
static uint64_t
terms_in_tail(const struct binomial *b, long double tail)
{
	long double most = tail * sum_of_terms(b) * (1 + TOLERANCE);
	long double term = 1, sum;
	uint64_t k = b->mean;

	for (; k > 0 && term > NEGLIGIBLE; k--)
		term /= growth(b, k - 1);
	for (sum = term; sum <= most && k < b->n; k++) {
		term *= growth(b, k);
		sum += term;
	}
	return k;
}

/* Standard deviations above the mean at which a normal tail begins. */
static long double
normal_quantile(long double tail)
{
	long double low = 0, high = 20;

	for (int i = 0; i < 80; i++) {
		long double z = (low + high) / 2;

		if (erfcl(z / sqrtl(2)) / 2 > tail)
			low = z;
		else
			high = z;
	}
	return low;
}

/*
 * The same for large n: the expansion of Cornish and Fisher (1938) up to the
 * skewness. The next term is a small part of a rank.
 */
static uint64_t
expanded_tail(const struct binomial *b, long double tail)
{
	long double z = -normal_quantile(tail);
	long double skew = (1 - b->odds) / (1 + b->odds);
	long double off = z * sqrtl(b->variance) + skew * (z * z - 1) / 6;

	return b->mean + (uint64_t)(int64_t)floorl(b->beyond + off + 0.5L);
}

uint64_t
lower_limit(uint64_t n, struct fraction part, struct fraction level)
{
	struct binomial b;
	long double tail = (level.den - level.num) / (2.0L * level.den);

	if (!n || !part.num || part.num == part.den)
		return 0;
	b = binomial(n, part);
	if (b.variance > MOST_VARIANCE)
		return expanded_tail(&b, tail);
	return terms_in_tail(&b, tail);
}

uint64_t
upper_limit(uint64_t n, struct fraction part, struct fraction level)
{
	struct fraction rest = {part.den - part.num, part.den};
	uint64_t mirrored = lower_limit(n, rest, level);

	return mirrored ? n + 1 - mirrored : 0;
}
