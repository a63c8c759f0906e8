/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much samples depend on those before, from counts of blocks in order. */
#include "common/stat/sequence.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <math.h>

/* Samples that decide what is low and high. */
#define FIRST 64

/* With as many blocks, each two become one. */
#define BLOCKS 32
#define LENGTH 1 /* so the first ones fill them, as a power of two */

/* Samples that are kept: all, then every second, fourth and so on. */
#define KEPT 640

/*
 * A sample scores 0 below the median of the first ones, 1 at it, 2 above. The
 * score of a block is the sum of its samples.
 */
struct sequence {
	double kept[KEPT];
	unsigned apart; /* from one kept to the next, as a power of two */
	double middle, last;
	uint64_t n;
	uint64_t high, equal;   /* samples above the median, and at it */
	uint64_t before;        /* the score of the last sample */
	uint64_t products;      /* sum of scores times the score before */
	uint64_t block[BLOCKS]; /* the last one may be incomplete */
	unsigned length;        /* of a complete one, as a power of two */
	bool rises, falls;      /* some sample does */
};

static void
score(struct sequence *s, uint64_t nth, double value)
{
	uint64_t block = nth >> s->length;
	uint64_t scored =
	    (uint64_t)(value >= s->middle) + (uint64_t)(value > s->middle);

	if (block == BLOCKS) {
		for (size_t i = 0; i < BLOCKS / 2; i++)
			s->block[i] = s->block[2 * i] + s->block[2 * i + 1];
		memset(s->block + BLOCKS / 2, 0, sizeof s->block / 2);
		s->length++;
		block = BLOCKS / 2;
	}
	s->high += value > s->middle;
	s->equal += value == s->middle;
	s->block[block] += scored;
	s->products += scored * s->before;
	s->before = scored;
}

/* Scores the first samples. */
static void
begin_scores(struct sequence *s)
{
	double sorted[FIRST];

	memcpy(sorted, s->kept, sizeof sorted);
	sort_numbers(sorted, FIRST);
	s->middle = sorted[FIRST / 2];
	s->length = LENGTH;
	for (uint64_t i = 0; i < FIRST; i++)
		score(s, i, s->kept[i]);
}

static void
keep(struct sequence *s, double value)
{
	if (s->n == (uint64_t)KEPT << s->apart) {
		for (size_t i = 0; i < KEPT / 2; i++)
			s->kept[i] = s->kept[2 * i];
		s->apart++;
	}
	if (!(s->n & ((UINT64_C(1) << s->apart) - 1)))
		s->kept[s->n >> s->apart] = value;
}

struct sequence *
sequence_make(void)
{
	return xcalloc(1, sizeof(struct sequence));
}

void
sequence_add(struct sequence *s, double value)
{
	s->rises = s->rises || (s->n && value > s->last);
	s->falls = s->falls || (s->n && value < s->last);
	s->last = value;
	keep(s, value);
	if (s->n >= FIRST)
		score(s, s->n, value);
	if (++s->n == FIRST)
		begin_scores(s);
}

/* Of the scores. */
static double
mean_of(const struct sequence *s)
{
	return ((double)s->equal + 2 * (double)s->high) / (double)s->n;
}

static double
variance_of(const struct sequence *s)
{
	return ((double)s->equal + 4 * (double)s->high) / (double)s->n -
	       mean_of(s) * mean_of(s);
}

double
sequence_spread(const struct sequence *s)
{
	uint64_t complete;
	double blocks, sum = 0, squares = 0, ratio;

	/* Sorted: the order says nothing. */
	if (s->n < SEQUENCE_ENOUGH || !s->rises || !s->falls)
		return 1;
	complete = s->n >> s->length;
	blocks = (double)complete;
	for (uint64_t i = 0; i < complete; i++)
		sum += (double)s->block[i];
	for (uint64_t i = 0; i < complete; i++)
		squares += pow((double)s->block[i] - sum / blocks, 2);
	ratio = squares / (blocks - 1) /
	        (ldexp(1, (int)s->length) * variance_of(s));
	if (!(ratio > 1))
		return 1;
	/* Student's t over the normal quantile at 97.5 %. */
	return ratio * pow(1 + 1.21 / (blocks - 1), 2);
}

/* The median; leaves the values as they are. */
static double
median_of(const double x[], size_t n)
{
	double sorted[KEPT];

	memcpy(sorted, x, n * sizeof *x);
	sort_numbers(sorted, n);
	return sorted[n / 2];
}

/* The tenth whose median differs most from that of all, and by what part. */
static double
trend_of(const struct sequence *s, unsigned *tenth)
{
	size_t n = (size_t)((s->n - 1) >> s->apart) + 1;
	double all = median_of(s->kept, n), most = 0;

	*tenth = 0;
	for (unsigned i = 0; i < 10 && all != 0; i++) {
		size_t begin = n * i / 10, end = n * (i + 1) / 10;
		double change =
		    median_of(s->kept + begin, end - begin) / all - 1;

		if (fabs(change) > fabs(most)) {
			most = change;
			*tenth = i;
		}
	}
	return most;
}

void
steadiness_add(struct steadiness *all, const struct sequence *s, double spread)
{
	double trend, n = (double)s->n;
	unsigned tenth;

	if (spread < UNSTEADY)
		return;
	all->unsteady++;
	if (spread > all->spread) {
		all->spread = spread;
		all->n = s->n;
		all->lag1 =
		    ((double)s->products / (n - 1) - mean_of(s) * mean_of(s)) /
		    variance_of(s);
	}
	trend = trend_of(s, &tenth);
	if (fabs(trend) > fabs(all->trend)) {
		all->trend = trend;
		all->tenth = tenth;
	}
}

char *
steadiness_text(const struct steadiness *all)
{
	static const char *const tenths[] = {
	    "first", "second",  "third",  "fourth", "fifth",
	    "sixth", "seventh", "eighth", "ninth",  "last"};

	return xasprintf("the %s tenth is %.2g %% %s", tenths[all->tenth],
	                 100 * fabs(all->trend),
	                 all->trend < 0 ? "lower" : "higher");
}
