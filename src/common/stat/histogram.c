/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts samples by value, sorts them, and computes their statistics. */
#include "common/stat/histogram.h"

#include "common/base/intmath.h"
#include "common/base/parallel.h"
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

/* Sorts by the bits from `low` to below `high`, the lowest digit first. */
static void
sort_by_digits(struct histogram_bin bin[], size_t nbins, unsigned low,
               unsigned high)
{
	struct histogram_bin *scratch =
	    xreallocarray(NULL, nbins, sizeof *scratch);
	struct histogram_bin *from = bin, *to = scratch;

	for (; low < high; low += DIGIT_BITS) {
		size_t next[DIGITS] = {0}, begin = 0;
		struct histogram_bin *sorted = to;

		for (size_t i = 0; i < nbins; i++)
			next[order_of(from[i].value) >> low & (DIGITS - 1)]++;
		for (size_t i = 0; i < DIGITS; i++) {
			size_t count = next[i];

			next[i] = begin;
			begin += count;
		}
		for (size_t i = 0; i < nbins; i++)
			to[next[order_of(from[i].value) >> low &
			        (DIGITS - 1)]++] = from[i];
		to = from;
		from = sorted;
	}
	if (from != bin)
		memcpy(bin, from, nbins * sizeof *bin);
	free(scratch);
}

/* More bins are sorted by three digits. */
#define TWO_DIGITS_MAX ((size_t)1 << 16)

/*
 * Radix sort by the highest digits in which values differ: as many as tell
 * nearly all apart, which takes half of the time of a sort by all digits. Then
 * sorts those that are alike in them.
 */
static void
sort_bins(struct histogram_bin bin[], size_t nbins)
{
	unsigned digits = nbins > TWO_DIGITS_MAX ? 3 : 2, high, low;
	uint64_t differ = 0;

	if (nbins <= INSERTION_MAX) {
		insertion_sort(bin, nbins);
		return;
	}
	for (size_t i = 1; i < nbins; i++)
		differ |= order_of(bin[i].value) ^ order_of(bin[0].value);
	if (!differ)
		return;
	high = 64 - (unsigned)__builtin_clzll(differ);
	low = high > digits * DIGIT_BITS ? high - digits * DIGIT_BITS : 0;
	sort_by_digits(bin, nbins, low, high);
	for (size_t begin = 0, end; low && begin < nbins; begin = end) {
		uint64_t prefix = order_of(bin[begin].value) >> low;

		end = begin + 1;
		while (end < nbins && order_of(bin[end].value) >> low == prefix)
			end++;
		if (end - begin <= INSERTION_MAX)
			insertion_sort(bin + begin, end - begin);
		else
			sort_by_digits(bin + begin, end - begin, 0, low);
	}
}

/* Sorts the bins, and joins those of equal value. */
static void
unite(struct histogram *d)
{
	size_t n = 0;

	sort_bins(d->bin, d->nbins);
	for (size_t i = 0; i < d->nbins; i++) {
		d->n += d->bin[i].count;
		if (n && d->bin[n - 1].value == d->bin[i].value)
			d->bin[n - 1].count += d->bin[i].count;
		else
			d->bin[n++] = d->bin[i];
	}
	d->nbins = n;
}

/*
 * Gives each of n distributions, the first of which is number `first`, its bins
 * at `bin`, where there is room for all.
 */
static void
scatter(struct histogram *d, size_t n, const struct tallies *s, size_t first,
        struct histogram_bin *bin)
{
	for (size_t i = 0; i < s->n; i++)
		d[s->of[i] - first].nbins++;
	for (size_t k = 0; k < n; k++) {
		d[k].bin = bin;
		bin += d[k].nbins;
		d[k].nbins = 0;
	}
	for (size_t i = 0; i < s->n; i++) {
		struct histogram *to = &d[s->of[i] - first];

		to->bin[to->nbins++] = s->list[i];
	}
}

/*
 * The distributions of the samples, n from number `first` on, with their bins
 * at `bin`; NULL: in the list, because there is only one.
 */
static struct histogram *
sort_samples(const struct tallies *s, size_t first, size_t n,
             struct histogram_bin *bin)
{
	struct histogram *d = xcalloc(n + 1, sizeof *d);

	if (bin)
		scatter(d, n, s, first, bin);
	else
		*d = (struct histogram){s->list, s->n, 0};
	for (size_t k = 0; k < n; k++)
		unite(&d[k]);
	return d;
}

struct histogram *
tallies_finish(struct tallies *s, size_t n)
{
	bool several = s->of && s->n;
	struct histogram_bin *bin =
	    several ? xreallocarray(NULL, s->n, sizeof *bin) : NULL;
	struct histogram *d = sort_samples(s, 0, n, bin);

	if (!several)
		s->list = NULL;
	tallies_free(s);
	return d;
}

void
tallies_free(struct tallies *s)
{
	free(s->list);
	free(s->of);
	free(s->place);
	*s = (struct tallies){0};
}

void
histograms_free(struct histogram *first)
{
	if (first)
		free(first->bin);
	free(first);
}

static void
append(struct tallies *s, uint32_t of, struct histogram_bin bin)
{
	if (s->n == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		s->list = xreallocarray(s->list, s->room, sizeof *s->list);
		if (s->of)
			s->of = xreallocarray(s->of, s->room, sizeof *s->of);
	}
	if (of && !s->of)
		s->of = xcalloc(s->room, sizeof *s->of);
	if (s->of)
		s->of[s->n] = of;
	s->list[s->n++] = bin;
}

/* In a shorter list, equal samples are joined only at the end. */
#define UNITE_MIN ((size_t)1 << 14)

/* So many samples are looked up at once, while memory answers. */
#define LOOKUPS 32

static inline uint64_t
hash_of(const struct tallies *s, size_t i)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = order_of(s->list[i].value) + (s->of ? s->of[i] * odd : 0);

	x = (x ^ x >> 32) * odd;
	return (x ^ x >> 29) * odd;
}

/* The slot of a sample equal to sample i, or the free one for it. */
static uint32_t *
find_equal(struct tallies *s, size_t i, size_t slot)
{
	size_t mask = ((size_t)1 << s->place_bits) - 1;

	for (;; slot = (slot + 1) & mask) {
		uint32_t at = s->place[slot];

		if (!at || (s->list[at - 1].value == s->list[i].value &&
		            (!s->of || s->of[at - 1] == s->of[i])))
			return &s->place[slot];
	}
}

/* Makes half of the slots free even if all samples differ. */
static void
make_place(struct tallies *s)
{
	unsigned bits = 8;

	while ((size_t)1 << bits < 2 * s->n)
		bits++;
	if (bits <= s->place_bits)
		return;
	free(s->place);
	s->place = xcalloc((size_t)1 << bits, sizeof *s->place);
	s->place_bits = bits;
	s->joined = 0;
}

/* Joins the next n samples, at most LOOKUPS, to those that are joined. */
static void
join_next(struct tallies *s, size_t first, size_t n)
{
	size_t slot[LOOKUPS];

	for (size_t k = 0; k < n; k++) {
		slot[k] =
		    (size_t)(hash_of(s, first + k) >> (64 - s->place_bits));
		__builtin_prefetch(&s->place[slot[k]]);
	}
	for (size_t k = 0; k < n; k++) {
		uint32_t at = s->place[slot[k]];

		if (at)
			__builtin_prefetch(&s->list[at - 1]);
		if (at && s->of)
			__builtin_prefetch(&s->of[at - 1]);
	}
	for (size_t k = 0; k < n; k++) {
		uint32_t *at = find_equal(s, first + k, slot[k]);

		if (*at) {
			s->list[*at - 1].count += s->list[first + k].count;
			continue;
		}
		s->list[s->joined] = s->list[first + k];
		if (s->of)
			s->of[s->joined] = s->of[first + k];
		*at = (uint32_t)++s->joined;
	}
}

/* Joins equal samples, and finds them again as long as they repeat. */
static void
join_all(struct tallies *s)
{
	size_t before = s->joined, added = s->n - before;

	make_place(s);
	for (size_t i = s->joined; i < s->n; i += LOOKUPS)
		join_next(s, i, min_u64(s->n - i, LOOKUPS));
	s->n = s->joined;
	s->marked = 0;
	s->repeats = s->n - before <= added / 2;
	if (!s->repeats || (size_t)1 << s->place_bits > 8 * s->n) {
		free(s->place);
		s->place = NULL;
		s->place_bits = 0;
	}
}

/* Of more samples, a sixteenth shows whether many are equal. */
#define SIXTEENTH_MIN (16 * UNITE_MIN)

/* About so many samples are distinct: a sixteenth of the hashes says it. */
static size_t
estimate_distinct(const struct tallies *s)
{
	struct tallies few = {0};
	size_t distinct;

	for (size_t i = 0; i < s->n; i++) {
		/* Not the highest bits, which choose the slot. */
		if (!(hash_of(s, i) & 15))
			append(&few, s->of ? s->of[i] : 0, s->list[i]);
	}
	join_all(&few);
	distinct = 16 * few.n;
	tallies_free(&few);
	return distinct;
}

/*
 * Joins equal samples each time that there are 32 times as many as distinct
 * ones, or a quarter more once values repeat, because then each new sample is
 * looked up once; earlier if other lists grow, too, because each of them has
 * most of the values. To look up many that differ would take longer than to
 * sort them at the end.
 */
static void
join_equal(struct tallies *s)
{
	size_t distinct = 0;

	if (s->n >= UINT32_MAX) {
		s->limit = SIZE_MAX;
		return;
	}
	if (!s->repeats && s->n >= SIXTEENTH_MIN)
		distinct = estimate_distinct(s);
	if (distinct <= s->n / 2) {
		join_all(s);
		distinct = s->n;
	}
	if (s->repeats)
		s->limit = s->n + s->n / 4;
	else
		s->limit = distinct * (s->share < 2    ? 32
		                       : s->share == 2 ? 8
		                                       : 4);
}

size_t
tallies_mark(struct tallies *s)
{
	size_t added = s->n - s->marked;

	/* So many may come until the next mark. */
	if (s->n >= UNITE_MIN && s->n + added >= s->limit)
		join_equal(s);
	s->marked = s->n;
	s->hold = true;
	return s->n;
}

void
tallies_keep(struct tallies *s, size_t n)
{
	while (s->n > n)
		s->total -= s->list[--s->n].count;
	s->hold = false;
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
	if (s->n == s->room && s->n >= UNITE_MIN && s->n >= s->limit &&
	    !s->hold)
		join_equal(s);
	/* + 0.0 turns -0 into 0 */
	append(s, (uint32_t)of, (struct histogram_bin){value + 0.0, count});
	return true;
}

/* Several lists ------------------------------------------------------------ */

/* Fewer samples are not worth a thread. */
#define PIECE_MIN ((size_t)1 << 15)

/* Of each list, so many samples show where to cut. */
#define PROBES 256

/*
 * All samples, in the order of their distributions and values, are cut into
 * pieces, and each piece is a thread's.
 */
struct pieces {
	struct tally_list *list;
	size_t nlists;

	uint128 cut[THREADS_MAX]; /* the first place of pieces 1, 2 and so on */
	size_t n;
	size_t (*end)[THREADS_MAX]; /* of each list's samples of each piece */
	size_t begin[THREADS_MAX + 1];

	struct tallies all;        /* piece by piece; of: NULL if there is */
	size_t groups;             /* only one distribution */
	struct histogram_bin *bin; /* their bins, at the same places */
	struct histogram *histogram[THREADS_MAX]; /* from first_of on */
};

static uint128
place_of(const struct tally_list *l, size_t i)
{
	size_t of = l->samples.of ? l->samples.of[i] : 0;

	return (uint128)(l->number ? l->number[of] : of) << 64 |
	       order_of(l->samples.list[i].value);
}

static size_t
piece_of(const struct pieces *p, uint128 place)
{
	size_t piece = 0;

	for (size_t i = 1; i < p->n; i++)
		piece += place >= p->cut[i];
	return piece;
}

static int
by_place(const void *a, const void *b)
{
	const uint128 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Cuts where probes say that the pieces are of equal size. */
static void
choose_cuts(struct pieces *p)
{
	uint128 *probe = xcalloc(p->nlists * PROBES, sizeof *probe);
	size_t n = 0;

	for (size_t k = 0; k < p->nlists; k++) {
		const struct tally_list *l = &p->list[k];
		size_t most = min_u64(l->samples.n, PROBES);

		for (size_t i = 0; i < most; i++)
			probe[n++] = place_of(l, l->samples.n / most * i);
	}
	qsort(probe, n, sizeof *probe, by_place);
	for (size_t i = 1; i < p->n; i++)
		p->cut[i] = probe[n * i / p->n];
	free(probe);
}

/* Joins equal samples of a list, if that makes it much shorter. */
static void
shorten(void *job, size_t k)
{
	struct tallies *s = &((struct pieces *)job)->list[k].samples;

	if (s->repeats)
		join_equal(s);
}

/* Counts the samples of a list, by their pieces. */
static void
count_pieces(void *job, size_t k)
{
	struct pieces *p = job;
	const struct tally_list *l = &p->list[k];
	size_t n[THREADS_MAX] = {0};

	for (size_t i = 0; i < l->samples.n; i++)
		n[piece_of(p, place_of(l, i))]++;
	memcpy(p->end[k], n, sizeof n);
}

/* Moves the samples of a list to their pieces. */
static void
fill_pieces(void *job, size_t k)
{
	struct pieces *p = job;
	struct tally_list *l = &p->list[k];
	size_t at[THREADS_MAX];

	memcpy(at, p->end[k], sizeof at);
	for (size_t i = 0; i < l->samples.n; i++) {
		uint128 place = place_of(l, i);
		size_t to = at[piece_of(p, place)]++;

		p->all.list[to] = l->samples.list[i];
		if (p->all.of)
			p->all.of[to] = (uint32_t)(place >> 64);
	}
	tallies_free(&l->samples);
}

/* The number of the first distribution of a piece, and after the last one. */
static size_t
first_of(const struct pieces *p, size_t piece)
{
	return piece ? (size_t)(p->cut[piece] >> 64) : 0;
}

static void
sort_piece(void *job, size_t i)
{
	struct pieces *p = job;
	size_t first = first_of(p, i), begin = p->begin[i];
	size_t last = i + 1 < p->n ? first_of(p, i + 1) : p->groups - 1;
	struct tallies s = {.list = p->all.list + begin,
	                    .of = p->all.of ? p->all.of + begin : NULL,
	                    .n = p->begin[i + 1] - begin};

	p->histogram[i] = sort_samples(&s, first, last - first + 1,
	                               s.of ? p->bin + begin : NULL);
}

/* Puts the parts of a distribution that was cut side by side. */
static struct histogram *
join_pieces(struct pieces *p)
{
	struct histogram *all = xcalloc(p->groups, sizeof *all);

	for (size_t i = 0; i < p->n; i++) {
		size_t first = first_of(p, i);
		size_t last = i + 1 < p->n ? first_of(p, i + 1) : p->groups - 1;

		for (size_t k = first; k <= last; k++) {
			const struct histogram *d = &p->histogram[i][k - first];

			if (!all[k].nbins)
				all[k].bin = d->bin;
			else
				memmove(all[k].bin + all[k].nbins, d->bin,
				        d->nbins * sizeof *d->bin);
			all[k].nbins += d->nbins;
			all[k].n += d->n;
		}
		free(p->histogram[i]);
	}
	all->bin = p->bin;
	return all;
}

struct histogram *
tallies_unite(struct tally_list list[], size_t nlists, size_t n,
              unsigned threads)
{
	struct pieces p = {.list = list, .nlists = nlists, .groups = n};
	struct histogram *d;

	if (nlists > 1)
		in_parallel(nlists, shorten, &p);
	for (size_t k = 0; k < nlists; k++)
		p.all.n += list[k].samples.n;
	p.n = min_u64(threads, p.all.n / PIECE_MIN);
	p.n = p.n ? p.n : 1;
	if (!p.all.n || (p.n == 1 && nlists == 1)) {
		for (size_t k = 1; k < nlists; k++)
			tallies_free(&list[k].samples);
		return tallies_finish(&list->samples, n);
	}
	choose_cuts(&p);
	p.end = xcalloc(nlists, sizeof *p.end);
	in_parallel(nlists, count_pieces, &p);
	for (size_t i = 0, at = 0; i < p.n; i++) {
		for (size_t k = 0; k < nlists; k++) {
			size_t count = p.end[k][i];

			p.end[k][i] = at;
			at += count;
		}
		p.begin[i + 1] = at;
	}
	p.all.list = xreallocarray(NULL, p.all.n, sizeof *p.all.list);
	if (n > 1)
		p.all.of = xreallocarray(NULL, p.all.n, sizeof *p.all.of);
	in_parallel(nlists, fill_pieces, &p);
	p.bin =
	    p.all.of ? xreallocarray(NULL, p.all.n, sizeof *p.bin) : p.all.list;
	in_parallel(p.n, sort_piece, &p);
	d = join_pieces(&p);
	if (p.all.of)
		tallies_free(&p.all);
	free(p.end);
	return d;
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
	tallies_free(&g->samples);
	histograms_free(g->histogram);
	key_set_free(&g->keys);
	*g = (struct groups){0};
}
