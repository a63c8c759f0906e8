/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/stat/histogram.h"

#include "common/base/util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

/* Counting ----------------------------------------------------------------- */

/* The slot of `value`, or the empty one where it belongs. */
static uint32_t *
find_slot(const struct dist *d, double value)
{
	uint64_t hash;
	size_t i;

	memcpy(&hash, &value, sizeof hash);
	hash ^= hash >> 32;
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	i = (size_t)((hash >> 32) * d->nslots >> 32);
	while (d->slot[i] && d->bin[d->slot[i] - 1].value != value)
		i = i + 1 < d->nslots ? i + 1 : 0;
	return d->slot + i;
}

/* So few bins get slots in plenty: collisions take time. */
#define FEW 4096

/*
 * Twice, or half as much room again. The slots are built anew from the bins,
 * so the old ones go first; the bins beyond nbins are not touched. Beyond
 * FEW that is 16 bytes a value and 5 to 7.5 for its slot.
 */
static void
grow(struct dist *d)
{
	bool few = d->nbins < FEW;

	free(d->slot);
	d->nslots = few ? 32 + 8 * d->nbins : d->nbins / 8 * 15;
	d->room = few ? d->nslots / 4 : d->nslots - d->nslots / 5;
	d->slot = xcalloc(d->nslots, sizeof *d->slot);
	d->bin = xreallocarray(d->bin, d->room, sizeof *d->bin);
	for (size_t i = 0; i < d->nbins; i++)
		*find_slot(d, d->bin[i].value) = (uint32_t)i + 1;
}

bool
dist_add(struct dist *d, double value, uint64_t count)
{
	uint32_t *slot;
	uint64_t n;

	if (__builtin_add_overflow(d->n, count, &n))
		return false;
	if (!count)
		return true;
	value += 0.0; /* makes 0 of -0 */
	if (d->nbins >= d->room)
		grow(d);
	slot = find_slot(d, value);
	if (!*slot) {
		if (d->nbins == UINT32_MAX)
			return false;
		d->bin[d->nbins++] = (struct dist_bin){.value = value};
		*slot = (uint32_t)d->nbins;
	}
	d->bin[*slot - 1].count += count;
	d->n = n;
	return true;
}

/* Moves bin[top] down to where no bin below it in the heap is greater. */
static void
sift_down(struct dist_bin bin[], size_t top, size_t nbins)
{
	struct dist_bin moved = bin[top];
	size_t child;

	for (; (child = 2 * top + 1) < nbins; top = child) {
		if (child + 1 < nbins &&
		    bin[child].value < bin[child + 1].value)
			child++;
		if (bin[child].value <= moved.value)
			break;
		bin[top] = bin[child];
	}
	bin[top] = moved;
}

/* In place, as qsort is not: the heapsort of Williams (1964) and Floyd. */
static void
sort(struct dist_bin bin[], size_t nbins)
{
	for (size_t i = nbins / 2; i--;)
		sift_down(bin, i, nbins);
	while (nbins > 1) {
		struct dist_bin greatest = bin[0];

		bin[0] = bin[--nbins];
		bin[nbins] = greatest;
		sift_down(bin, 0, nbins);
	}
}

void
dist_finish(struct dist *d)
{
	free(d->slot);
	d->slot = NULL;
	d->nslots = d->room = 0;
	sort(d->bin, d->nbins);
}

void
dist_free(struct dist *d)
{
	free(d->slot);
	free(d->bin);
	*d = (struct dist){0};
}

/* Order -------------------------------------------------------------------- */

double
dist_nth(const struct dist *d, uint64_t rank)
{
	const struct dist_bin *bin = d->bin;

	for (; rank >= bin->count; bin++)
		rank -= bin->count;
	return bin->value;
}

/*
 * Type t puts a quantile at n * part + m in the samples as numbered from 1,
 * with m = (a + b * part) / c.
 */
static const struct {
	int a, b, c;
} quantile_types[] = {
    {0, 0, 1}, {0, 0, 1},  {-1, 0, 2}, {0, 0, 1}, {1, 0, 2},
    {0, 1, 1}, {1, -1, 1}, {1, 1, 3},  {3, 2, 8},
};

/*
 * How far a quantile is from sample `below` to the next one, as numerator
 * over *den; `rest` over *den is what its position is beyond `below`.
 */
static uint64_t
weight_of_next(unsigned type, uint64_t below, uint64_t rest, uint64_t *den)
{
	if (type > 3)
		return rest;
	*den = 2;
	if (rest)
		return 2;
	return type == 1 ? 0 : type == 2 ? 1 : 2 * (below % 2);
}

double
dist_quantile_type(const struct dist *d, struct fraction part, unsigned type)
{
	int a = quantile_types[type - 1].a;
	int b = quantile_types[type - 1].b;
	unsigned c = (unsigned)quantile_types[type - 1].c;
	uint64_t den = c * part.den;
	wide position =
	    (wide)d->n * c * part.num + (wide)a * part.den + (wide)b * part.num;
	uint64_t below, weight;
	long double low, high;

	if (!d->n)
		return NAN;
	if (position < (wide)den)
		return dist_nth(d, 0);
	if (position >= (wide)d->n * den)
		return dist_nth(d, d->n - 1);
	below = (uint64_t)(position / den);
	weight = weight_of_next(type, below, (uint64_t)(position % den), &den);
	low = dist_nth(d, below - 1);
	if (!weight)
		return (double)low;
	high = dist_nth(d, below);
	if (weight == den)
		return (double)high;
	return (double)(low + (high - low) * weight / den);
}

double
dist_quantile(const struct dist *d, struct fraction part)
{
	return dist_quantile_type(d, part, 7);
}

/* Counts ------------------------------------------------------------------- */

double
dist_mode(const struct dist *d)
{
	const struct dist_bin *most = d->bin;

	for (size_t i = 1; i < d->nbins; i++) {
		if (d->bin[i].count > most->count)
			most = &d->bin[i];
	}
	return d->n ? most->value : NAN;
}

uint64_t
dist_above(const struct dist *d, long double value)
{
	uint64_t above = 0;

	for (size_t i = d->nbins; i-- && d->bin[i].value > value;)
		above += d->bin[i].count;
	return above;
}

/* Moments ------------------------------------------------------------------ */

/* A sum that keeps what each addition rounds off (Neumaier). */
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
 * What a bin's value exceeds the minimum by. The moments are taken of this:
 * exact where all samples are equal, and a large offset costs no digits.
 */
static long double
above_minimum(const struct dist *d, size_t i)
{
	return (long double)d->bin[i].value - d->bin[0].value;
}

static long double
mean_above_minimum(const struct dist *d)
{
	struct sum s = {0};

	for (size_t i = 0; i < d->nbins; i++)
		add(&s, above_minimum(d, i) * d->bin[i].count);
	return (s.total + s.lost) / d->n;
}

double
dist_mean(const struct dist *d)
{
	return d->n ? (double)(d->bin[0].value + mean_above_minimum(d)) : NAN;
}

/* The sum of the squared differences from the mean. */
static long double
sum_of_squares(const struct dist *d)
{
	long double mean = mean_above_minimum(d);
	struct sum s = {0};

	for (size_t i = 0; i < d->nbins; i++) {
		long double off = above_minimum(d, i) - mean;

		add(&s, off * off * d->bin[i].count);
	}
	return s.total + s.lost;
}

double
dist_stddev(const struct dist *d)
{
	return d->n < 2 ? NAN : (double)sqrtl(sum_of_squares(d) / (d->n - 1));
}

double
dist_population_stddev(const struct dist *d)
{
	return d->n ? (double)sqrtl(sum_of_squares(d) / d->n) : NAN;
}
