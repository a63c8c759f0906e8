/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions as curves: cdf, and percentiles in nines. */
#include "common/stream/columns.h"
#include "plot/kind/kind.h"

/* Samples ------------------------------------------------------------------ */

/* A histogram and a curve, with a name, for each key. */
struct samples {
	struct groups groups;
	struct curve *curve;
	size_t n; /* of both */
	uint64_t all;
	struct range median, range; /* of all groups */
	uint64_t most;              /* samples of a group; at least 1 */
};

/* Half of the samples are not above it; of 1000, 999. */
static double
median_of(const struct histogram *d)
{
	return percentile(d, 50);
}

static double
tail_of(const struct histogram *d)
{
	return histogram_quantile(d, (struct fraction){999, 1000},
	                          USUAL_QUANTILE);
}

/* "median 1.2 us to 1.3 us, p99.9 5 us (cache cold)" */
static char *
finding(const struct samples *s)
{
	size_t worst = 0;
	char *text;

	if (!s->n)
		return NULL;
	for (size_t i = 0; i < s->n; i++) {
		if (tail_of(&s->groups.histogram[i]) >
		    tail_of(&s->groups.histogram[worst]))
			worst = i;
	}
	text = words("median %s", time_words(s->median.low));
	if (s->median.high > s->median.low)
		add_words(&text, " to ", "%s", time_words(s->median.high));
	add_words(&text, ", ", "p99.9 %s",
	          time_words(tail_of(&s->groups.histogram[worst])));
	if (s->n > 1)
		add_words(&text, " ", "(%s)", whole_name(&s->curve[worst]));
	return text;
}

/* Reads all rows with the measure `latency_ns`, or of -c; sets the titles. */
static void
read_samples(struct samples *s, struct picture *p, struct table *t)
{
	const char *const measures[] = {
	    p->measure ? foreign_name(p->measure) : "latency_ns", NULL};
	struct row_reader rows = {.measures = measures, .lacking = measures[0]};
	struct names names;
	double *median;

	if (strcmp(unit_of(measures[0]), "ns") != 0)
		die("-c %s: not a time, whose name ends in _ns, _us, _ms or _s",
		    measures[0]);
	read_groups(&s->groups, &rows, t);
	*s = (struct samples){s->groups, .n = s->groups.keys.n,
	                      .median = RANGE_OF_NONE, .range = RANGE_OF_NONE,
	                      .most = 1};
	median = keep(s->n, sizeof *median);
	for (size_t i = 0; i < s->n; i++) {
		const struct histogram *d = &s->groups.histogram[i];

		median[i] = median_of(d);
		widen(&s->median, median[i]);
		widen(&s->range, histogram_nth(d, 0));
		widen(&s->range, histogram_nth(d, d->n - 1));
		s->most = d->n > s->most ? d->n : s->most;
		s->all += d->n;
	}
	names = names_of(t, &s->groups.keys);
	s->curve = named_curves(&names, &s->groups.keys, false, median, "");
	p->finding = finding(s);
	names_describe(&names, p, column_words(measures[0]));
	if (s->all)
		add_words(&p->subtitle, ", ", "%ju sample%s", (uintmax_t)s->all,
		          s->all == 1 ? "" : "s");
	say_runs(p, &rows);
}

/* Ends with names in the order of the medians, which follow them. */
static void
put_samples(struct picture *p, const struct samples *s)
{
	struct curve *end = keep(s->n, sizeof *end);

	put_series(p, s->curve, s->n);
	for (size_t i = 0; i < s->n; i++) {
		double median = median_of(&s->groups.histogram[i]);
		const char *name = s->curve[i].name, *time = time_words(median);

		end[i] = s->curve[i];
		end[i].dash = fmod(end[i].look - 1, 5) + 1;
		curve_add(&end[i], 0, median);
		if (name && end[i].look != PALE)
			end[i].name =
			    words("%s%s%s", name, *name ? ": " : "", time);
	}
	put_ends(p, end, s->n, MARK_LINE);
	p->empty = !s->n;
}

/* Axis -------------------------------------------------------------------- */

/* The body of a distribution ends below this many typical values. */
#define BODY_MOST 8

/*
 * The share, in per mille, of the first of these percentiles of which the
 * highest, *end, is near the typical value, the lowest median; 0: none is.
 */
static unsigned
body_of(const struct samples *s, double *end)
{
	static const unsigned promille[] = {999, 990, 950, 900};

	for (size_t k = 0; k < ARRAY_LEN(promille); k++) {
		struct fraction part = {promille[k], 1000};

		*end = -INFINITY;
		for (size_t i = 0; i < s->n; i++)
			*end = fmax(*end,
			            histogram_quantile(&s->groups.histogram[i],
			                               part, USUAL_QUANTILE));
		if (*end <= BODY_MOST * s->median.low)
			return promille[k];
	}
	return 0;
}

/*
 * A horizontal axis for all samples. It ends above the highest p99.9, p99, p95
 * or p90, whichever is the first near the lowest median, if the tail would take
 * more than half of it: a note says what is beyond.
 */
static struct scale
scale_of_samples(struct picture *p, const struct samples *s)
{
	struct range r = s->range;
	unsigned promille;
	double body, end;

	if (p->x.range || p->x.log || !s->n)
		return choose_scale(p, false, "ns", r,
		                    LOG_FROM * s->median.low);
	promille = body_of(s, &body);
	end = body + 0.05 * (body - r.low);
	if (!(end > r.low))
		end = r.low + 0.05 * fabs(r.low);
	if (!promille || r.high - r.low <= 2 * (end - r.low))
		return choose_scale(p, false, "ns", r,
		                    LOG_FROM * s->median.low);
	p->note = words("to the right of the axis: up to %.3g %%, at most %s",
	                (1000 - promille) / 10.0, time_words(r.high));
	r.high = end;
	return choose_scale(p, false, "ns", r, INFINITY);
}

/* Curves ------------------------------------------------------------------- */

/* Marks of a curve for the pointer are at least this part of an axis apart. */
#define TIPS_APART 0.004

/* A mark on curve `c` up to x: "99 % at or below 700 ns". */
static void
add_share(struct picture *p, const struct curve *c, struct place at,
          double share, double value)
{
	at.look = c->look;
	add_tip(p, at, whole_name(c), "%.6g %% at or below %s", share,
	        time_words(value));
}

/*
 * The corners of a distribution's steps; those that change the curve by less
 * than half a dot are left out.
 */
static void
put_steps(struct picture *p, const struct histogram *d, const struct scale *x,
          const struct curve *c)
{
	double dx = 0.5 / p->width, dy = 0.5 / p->height, at = -1, up = 0;
	double above = 0, tip = -1;
	uint64_t sum = 0;

	put_point(p, d->bin[0].value, 0);
	for (size_t i = 0; i < d->nbins; i++) {
		double value = d->bin[i].value, here, below;
		bool last = i + 1 == d->nbins;

		sum += d->bin[i].count;
		below = 100 * (double)sum / (double)d->n;
		here = scale_position(x, value);
		/* The step is too low, or too close to the one before. */
		if (!last && (below / 101 - up < dy || here - at < dx))
			continue;
		put_point(p, value, above);
		put_point(p, value, below);
		if (here - tip > TIPS_APART || below / 101 - up > TIPS_APART ||
		    last) {
			add_share(p, c, AT(value, below), below, value);
			tip = here;
		}
		above = below;
		at = here;
		up = below / 101;
	}
	if (d->bin[d->nbins - 1].value < x->high)
		put_point(p, x->high, 100);
}

/* Adds steps that are wide enough to see, each as high as its last value. */
static void
put_percentiles(struct picture *p, const struct histogram *d,
                const struct scale *x, const struct curve *c)
{
	double narrowest = 0.5 / p->width, begin = 1, end;
	uint64_t left = d->n;

	for (size_t i = 0; i < d->nbins; i++) {
		double value = d->bin[i].value;

		left -= d->bin[i].count;
		/* One in how many samples is above, at least the last. */
		end =
		    left ? (double)d->n / (double)left : fmax((double)d->n, 2);
		if (left && scale_position(x, end) - scale_position(x, begin) <
		                narrowest)
			continue;
		put_point(p, begin, value);
		put_point(p, end, value);
		add_share(p, c, SPAN(begin, end, value),
		          100 * (double)(d->n - left) / (double)d->n, value);
		begin = end;
	}
}

/* An axis of shares; where it is 1 / (1 - share), 90 % is at 10, 99 % at 100.
 */
static struct scale
scale_of_shares(const struct axis_wish *wish, double low, double high,
                unsigned log)
{
	return (struct scale){.low = wish->range ? wish->low : low,
	                      .high = wish->range ? wish->high : high,
	                      .unit = 1,
	                      .log = log,
	                      .unit_name = "%"};
}

static void
draw(struct picture *p, struct table *t, const struct kind *kind)
{
	static struct samples s;
	bool nines = kind == &kind_pct;
	const char *share = "samples at or below", *time = "latency";
	struct scale x, y;

	if (!nines && p->y.log)
		die("--log y: pct has such an axis");
	read_samples(&s, p, t);
	if (nines) {
		x = scale_of_shares(&p->x, 1, 1.2 * fmax((double)s.most, 10),
		                    10);
		y = choose_scale(p, true, "ns", s.range,
		                 LOG_TAIL_FROM * s.median.low);
	} else {
		x = scale_of_samples(p, &s);
		y = scale_of_shares(&p->y, 0, 101, 0);
	}
	put_scale(p, false, &x, nines ? share : time);
	put_scale(p, true, &y, nines ? time : share);
	put_number(p, "nines", nines);
	block_begin(p, "rows");
	for (size_t i = 0; i < s.n; i++) {
		const struct histogram *d = &s.groups.histogram[i];

		block_next(p);
		if (nines)
			put_percentiles(p, d, &x, &s.curve[i]);
		else
			put_steps(p, d, &x, &s.curve[i]);
	}
	block_end(p);
	put_samples(p, &s);
}

const struct kind kind_cdf = {
    .name = "cdf",
    .help = "share of samples at or below a latency",
    .takes = TAKES_AXES | TAKES_COLUMN,
    .draw = draw,
    .template = "cdf",
};

const struct kind kind_pct = {
    .name = "pct",
    .help = "latency at each percentile: 50, 90, 99, 99.9 and so on",
    .takes = TAKES_AXES | TAKES_COLUMN,
    .draw = draw,
    .template = "cdf",
};
