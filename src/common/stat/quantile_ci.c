/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Confidence limits of quantiles, as ranks, by the binomial distribution. */
#include "common/stat/quantile_ci.h"

#include "common/base/intmath.h"

#include <math.h>

/* Skips terms smaller than the mode's by this factor. */
#define NEGLIGIBLE 1e-40L

/* Error of a sum within which it equals the bound. */
#define TOLERANCE 1e-12L

/* The number of terms, and the time, grow with its square root. */
#define MOST_VARIANCE 1e12L

/* P(k + 1) / P(k) of a binomial distribution of n trials. */
static long double
growth(uint64_t n, long double odds, uint64_t k)
{
	return (long double)(n - k) / (k + 1.0L) * odds;
}

/*
 * The number of terms, from zero successes on, that sum up to at most `tail` of
 * all. Adds from the far end of the tail, where terms are small; they are in
 * units of that at the mean.
 */
static uint64_t
terms_in_tail(uint64_t n, long double odds, uint64_t mean, long double tail)
{
	long double first = 1, term, all = 0, sum;
	uint64_t begin = mean, k;

	for (; begin > 0 && first > NEGLIGIBLE; begin--)
		first /= growth(n, odds, begin - 1);
	term = first;
	for (k = begin; k <= mean || term > NEGLIGIBLE; k++) {
		all += term;
		term *= growth(n, odds, k);
	}
	sum = term = first;
	for (k = begin; sum <= tail * all * (1 + TOLERANCE) && k < n; k++) {
		term *= growth(n, odds, k);
		sum += term;
	}
	return k;
}

uint64_t
lower_limit(uint64_t n, struct fraction part, struct fraction level)
{
	uint128 mean = (uint128)n * part.num;
	long double fails = part.den - part.num, odds = part.num / fails;
	long double variance =
	    (long double)n * part.num / part.den * fails / part.den;
	long double tail = (level.den - level.num) / (2.0L * level.den);

	if (!n || !part.num || part.num == part.den || variance > MOST_VARIANCE)
		return 0;
	return terms_in_tail(n, odds, (uint64_t)(mean / part.den), tail);
}

uint64_t
upper_limit(uint64_t n, struct fraction part, struct fraction level)
{
	struct fraction rest = {part.den - part.num, part.den};
	uint64_t mirrored = lower_limit(n, rest, level);

	return mirrored ? n + 1 - mirrored : 0;
}
