/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts samples by value, sorts them, and computes their statistics. */
#include "common/stat/histogram.h"

#include "common/base/intmath.h"
#include "common/base/util.h"

#include <math.h>

/* Counting ----------------------------------------------------------------- */

/* The bits of a finite value as an integer that sorts like the value. */
static uint64_t
order_of(double value)
{
	const uint64_t sign = UINT64_C(1) << 63;
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return (bits & sign) ? ~bits : bits | sign;
}

/* Up to this number of bins, insertion sort is faster than radix sort. */
#define INSERTION_MAX 64

static void
insertion_sort(struct histogram_bin bin[], size_t nbins)
{
	for (size_t i = 1; i < nbins; i++) {
		struct histogram_bin moved = bin[i];
		size_t at = i;

		for (; at && bin[at - 1].value > moved.value; at--)
			bin[at] = bin[at - 1];
		bin[at] = moved;
	}
}

#define DIGIT_BITS 11
#define DIGITS     (1 << DIGIT_BITS)

/* Radix sort by all digits in which values differ, the lowest first. */
static void
radix_sort(struct histogram_bin bin[], size_t nbins)
{
	struct histogram_bin *scratch =
	    xreallocarray(NULL, nbins, sizeof *scratch);
	struct histogram_bin *from = bin, *to = scratch;
	uint64_t differ = 0;

	for (size_t i = 1; i < nbins; i++)
		differ |= order_of(bin[i].value) ^ order_of(bin[0].value);
	for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
		size_t next[DIGITS] = {0}, begin = 0;
		struct histogram_bin *sorted = to;

		if (!(differ >> shift & (DIGITS - 1)))
			continue;
		for (size_t i = 0; i < nbins; i++)
			next[order_of(from[i].value) >> shift & (DIGITS - 1)]++;
		for (size_t i = 0; i < DIGITS; i++) {
			size_t count = next[i];

			next[i] = begin;
			begin += count;
		}
		for (size_t i = 0; i < nbins; i++)
			to[next[order_of(from[i].value) >> shift &
			        (DIGITS - 1)]++] = from[i];
		to = from;
		from = sorted;
	}
	if (from != bin)
		memcpy(bin, from, nbins * sizeof *bin);
	free(scratch);
}

/* Sorts the bins, and joins those of equal value. */
static void
unite(struct histogram *d)
{
	size_t n = 0;

	(d->nbins > INSERTION_MAX ? radix_sort : insertion_sort)(d->bin,
	                                                         d->nbins);
	for (size_t i = 0; i < d->nbins; i++) {
		d->n += d->bin[i].count;
		if (n && d->bin[n - 1].value == d->bin[i].value)
			d->bin[n - 1].count += d->bin[i].count;
		else
			d->bin[n++] = d->bin[i];
	}
	d->nbins = n;
}

/* Gives each of n distributions its bins, in one block that the first has. */
static void
scatter(struct histogram *d, size_t n, const struct tallies *s)
{
	struct histogram_bin *bin = xreallocarray(NULL, s->n, sizeof *bin);

	for (size_t i = 0; i < s->n; i++)
		d[s->of[i]].nbins++;
	for (size_t k = 0; k < n; k++) {
		d[k].bin = bin;
		bin += d[k].nbins;
		d[k].nbins = 0;
	}
	for (size_t i = 0; i < s->n; i++) {
		struct histogram *to = &d[s->of[i]];

		to->bin[to->nbins++] = s->list[i];
	}
}

/* The first n distributions; their bins are in the list, or take its place. */
static struct histogram *
gather(const struct tallies *s, size_t n)
{
	struct histogram *d = xcalloc(n + 1, sizeof *d);

	if (s->of && s->n) {
		scatter(d, n, s);
		free(s->list);
	} else {
		d->bin = s->list;
		d->nbins = s->n;
	}
	for (size_t k = 0; k < n; k++)
		unite(&d[k]);
	return d;
}

struct histogram *
tallies_finish(struct tallies *s, size_t n)
{
	struct histogram *d = gather(s, n);

	free(s->of);
	*s = (struct tallies){0};
	return d;
}

void
histograms_free(struct histogram *first)
{
	if (first)
		free(first->bin);
	free(first);
}

/* A shorter list is sorted only at the end. */
#define UNITE_MIN ((size_t)1 << 14)

/*
 * Joins equal samples each time that there are 32 times as many as distinct
 * ones, which costs little; or 4 times as many once values repeat.
 */
static void
join_equal(struct tallies *s)
{
	size_t before = s->n, n = 1;
	struct histogram *d;

	for (size_t i = 0; s->of && i < before; i++)
		n = s->of[i] < n ? n : s->of[i] + (size_t)1;
	d = gather(s, n);
	s->list = d->bin;
	s->n = 0;
	for (size_t k = 0; k < n; k++) {
		for (size_t i = 0; i < d[k].nbins; i++) {
			if (s->of)
				s->of[s->n] = (uint32_t)k;
			s->list[s->n++] = d[k].bin[i];
		}
	}
	free(d);
	s->limit = s->n * (s->n <= before / 2 ? 4 : 32);
}

bool
tallies_add(struct tallies *s, size_t of, double value, uint64_t count)
{
	if (__builtin_add_overflow(s->total, count, &s->total)) {
		s->total -= count;
		return false;
	}
	if (!count)
		return true;
	if (s->n == s->room && s->n >= UNITE_MIN && s->n >= s->limit)
		join_equal(s);
	if (s->n == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		s->list = xreallocarray(s->list, s->room, sizeof *s->list);
		if (s->of)
			s->of = xreallocarray(s->of, s->room, sizeof *s->of);
	}
	if (of && !s->of)
		s->of = xcalloc(s->room, sizeof *s->of);
	if (s->of)
		s->of[s->n] = (uint32_t)of;
	/* + 0.0 turns -0 into 0 */
	s->list[s->n++] = (struct histogram_bin){value + 0.0, count};
	return true;
}

/* Order -------------------------------------------------------------------- */

double
histogram_nth(const struct histogram *d, uint64_t rank)
{
	const struct histogram_bin *bin = d->bin;
	ptrdiff_t step = 1;

	if (rank > d->n / 2) {
		/* The end is nearer. */
		rank = d->n - 1 - rank;
		bin += d->nbins - 1;
		step = -1;
	}
	for (; rank >= bin->count; bin += step)
		rank -= bin->count;
	return bin->value;
}

/*
 * A type {a, b} puts a quantile at n * part + (a + b * part) / 24, in samples
 * numbered from 1.
 */
static const int quantile_types[][2] = {
    {0, 0},  {0, 0},    {-12, 0}, {0, 0}, {12, 0},
    {0, 24}, {24, -24}, {8, 8},   {9, 6},
};

double
histogram_quantile(const struct histogram *d, struct fraction part,
                   unsigned type)
{
	const int *m = quantile_types[type - 1];
	int128 position =
	    ((int128)d->n * 24 + m[1]) * part.num + (int128)m[0] * part.den;
	uint64_t den = 24 * part.den, below = (uint64_t)(position / den);
	uint64_t rest = (uint64_t)(position % den);
	long double low, high;

	if (!d->n)
		return NAN;
	if (position < den)
		return histogram_nth(d, 0);
	if (position / den >= d->n) /* which may exceed 64 bits */
		return histogram_nth(d, d->n - 1);
	/* Between samples, types 1 to 3 take the next one. */
	if (type <= 3)
		rest = rest        ? den
		       : type == 2 ? den / 2
		                   : den * (type == 3 && below % 2);
	low = histogram_nth(d, below - 1);
	high = rest ? histogram_nth(d, below) : low;
	return (double)(rest == den ? high : low + (high - low) * rest / den);
}

/* Counts ------------------------------------------------------------------- */

double
histogram_mode(const struct histogram *d)
{
	const struct histogram_bin *most = d->bin;

	for (size_t i = 1; i < d->nbins; i++) {
		if (d->bin[i].count > most->count)
			most = &d->bin[i];
	}
	return d->n ? most->value : NAN;
}

uint64_t
histogram_above(const struct histogram *d, long double value)
{
	uint64_t above = 0;

	for (size_t i = d->nbins; i-- && d->bin[i].value > value;)
		above += d->bin[i].count;
	return above;
}

/* Moments ------------------------------------------------------------------ */

/* A sum that also keeps rounding errors (Neumaier). */
struct sum {
	long double total, lost;
};

static void
add(struct sum *s, long double x)
{
	long double total = s->total + x;

	if (fabsl(s->total) >= fabsl(x))
		s->lost += s->total - total + x;
	else
		s->lost += x - total + s->total;
	s->total = total;
}

/*
 * From values minus the minimum: so they are exact if all samples are equal,
 * and a large offset costs no digits.
 */
struct moments
histogram_moments(const struct histogram *d)
{
	struct moments m = {NAN, NAN, NAN};
	struct sum sum = {0}, of_squares = {0};
	long double mean, squares, min;

	if (!d->n)
		return m;
	min = d->bin[0].value;
	for (size_t i = 0; i < d->nbins; i++)
		add(&sum, (d->bin[i].value - min) * d->bin[i].count);
	mean = (sum.total + sum.lost) / d->n;
	for (size_t i = 0; i < d->nbins; i++) {
		long double off = d->bin[i].value - min - mean;

		add(&of_squares, off * off * d->bin[i].count);
	}
	squares = of_squares.total + of_squares.lost;
	m.mean = (double)(min + mean);
	if (d->n > 1)
		m.stddev = (double)sqrtl(squares / (d->n - 1));
	m.population_stddev = (double)sqrtl(squares / d->n);
	return m;
}

/* Groups ------------------------------------------------------------------- */

void
groups_free(struct groups *g)
{
	free(g->samples.list);
	free(g->samples.of);
	histograms_free(g->histogram);
	key_set_free(&g->keys);
	*g = (struct groups){0};
}
