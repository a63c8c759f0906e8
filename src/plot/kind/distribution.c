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

/* Of 1000 samples, 999 are not above it. */
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
	const char *const measures[] = {p->measure ? p->measure : "latency_ns",
	                                NULL};
	struct row_reader rows = {.measures = measures, .lacking = measures[0]};
	struct names names;
	double *median;

	read_groups(&s->groups, &rows, t);
	if (strcmp(unit_of(rows.measure), "ns") != 0)
		die("-c %s: not a time, whose name ends in _ns, _us, _ms or _s",
		    rows.measure);
	*s = (struct samples){s->groups, .n = s->groups.keys.n,
	                      .median = RANGE_OF_NONE, .range = RANGE_OF_NONE,
	                      .most = 1};
	median = keep(s->n, sizeof *median);
	for (size_t i = 0; i < s->n; i++) {
		const struct histogram *d = &s->groups.histogram[i];

		median[i] = percentile(d, 50);
		widen(&s->median, median[i]);
		widen(&s->range, histogram_nth(d, 0));
		widen(&s->range, histogram_nth(d, d->n - 1));
		s->most = d->n > s->most ? d->n : s->most;
		s->all += d->n;
	}
	names = names_of(t, &s->groups.keys);
	s->curve = named_curves(&names, &s->groups.keys, false, median, "");
	p->finding = finding(s);
	names_describe(&names, p, column_words(rows.measure));
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
		double median = percentile(&s->groups.histogram[i], 50);
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
 * A horizontal axis for all samples. It ends above the highest p99.9, p99, p95
 * or p90, whichever is the first near the lowest median, if the tail would take
 * more than half of it: a note says what is beyond.
 */
static struct scale
scale_of_samples(struct picture *p, const struct samples *s)
{
	static const unsigned promille[] = {999, 990, 950, 900};
	struct range r = s->range;
	double end = INFINITY;
	size_t k = 0;

	for (; k < ARRAY_LEN(promille); k++) {
		struct fraction part = {promille[k], 1000};

		end = -INFINITY;
		for (size_t i = 0; i < s->n; i++)
			end = fmax(end,
			           histogram_quantile(&s->groups.histogram[i],
			                              part, USUAL_QUANTILE));
		if (end <= BODY_MOST * s->median.low)
			break;
	}
	end += 0.05 * (end - r.low);
	if (!(end > r.low))
		end = r.low + 0.05 * fabs(r.low);
	if (p->x.range || p->x.log || !s->n || k == ARRAY_LEN(promille) ||
	    r.high - r.low <= 2 * (end - r.low))
		return choose_scale(p, false, "ns", r,
		                    LOG_FROM * s->median.low);
	p->note = words("to the right of the axis: up to %.3g %%, at most %s",
	                (1000 - promille[k]) / 10.0, time_words(r.high));
	r.high = end;
	return choose_scale(p, false, "ns", r, INFINITY);
}

/* Curves ------------------------------------------------------------------- */

/* Marks of a curve for the pointer are at least this part of an axis apart. */
#define TIPS_APART 0.004

/*
 * An axis of shares; where it is 1 / (1 - share), 90 % is at 10, 99 % at 100.
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

/* The axes of values and of shares; with nines, shares are horizontal. */
struct axes {
	struct scale value, share;
	bool nines;
};

static void
put_corner(struct picture *p, const struct axes *a, double value, double share)
{
	put_point(p, a->nines ? share : value, a->nines ? value : share);
}

/*
 * The corners of a distribution's steps; those that change the curve by less
 * than half a dot are left out.
 */
static void
put_steps(struct picture *p, const struct histogram *d, const struct axes *a,
          const struct curve *c)
{
	double width = a->nines ? p->height : p->width; /* of values */
	double height = a->nines ? p->width : p->height;
	double at = -1, up = scale_position(&a->share, a->nines);
	double tip_at = -1, tip_up = up, from = a->nines;
	uint64_t sum = 0;

	if (!a->nines)
		put_corner(p, a, d->bin[0].value, 0);
	for (size_t i = 0; i < d->nbins; i++) {
		double value = d->bin[i].value, n = (double)d->n, here, high,
		       next;
		bool last = i + 1 == d->nbins;
		double pct, to;

		sum += d->bin[i].count;
		to = pct = 100 * (double)sum / n;
		/* One in how many samples is above, at least the last. */
		if (a->nines)
			to = last ? fmax(n, 2) : n / (double)(d->n - sum);
		here = scale_position(&a->value, value);
		high = scale_position(&a->share, to);
		next = last ? here
		            : scale_position(&a->value, d->bin[i + 1].value);
		/* Too low, or the next one is as near to the one before. */
		if (!last &&
		    (high - up < 0.5 / height || next - at < 0.5 / width))
			continue;
		put_corner(p, a, value, from);
		put_corner(p, a, value, to);
		if (last || here - tip_at > TIPS_APART ||
		    high - tip_up > TIPS_APART) {
			struct place place =
			    a->nines ? SPAN(from, to, value) : AT(value, to);

			place.look = c->look;
			add_tip(p, place, whole_name(c),
			        "%.6g %% at or below %s", pct,
			        time_words(value));
			tip_at = here;
			tip_up = high;
		}
		from = to;
		at = here;
		up = high;
	}
	if (!a->nines && d->bin[d->nbins - 1].value < a->value.high)
		put_corner(p, a, a->value.high, 100);
}

void
draw_distribution(struct picture *p, struct table *t)
{
	static struct samples s;
	struct axes a = {.nines = !strcmp(p->kind, "pct")};

	if (!a.nines && p->y.log)
		die("--log y: pct has such an axis");
	read_samples(&s, p, t);
	a.value = a.nines ? choose_scale(p, true, "ns", s.range,
	                                 LOG_TAIL_FROM * s.median.low)
	                  : scale_of_samples(p, &s);
	a.share = a.nines ? scale_of_shares(&p->x, 1,
	                                    1.2 * fmax((double)s.most, 10), 10)
	                  : scale_of_shares(&p->y, 0, 101, 0);
	put_scale(p, a.nines, &a.value, "latency");
	put_scale(p, !a.nines, &a.share, "samples at or below");
	put_number(p, "nines", a.nines);
	block_begin(p, "rows");
	for (size_t i = 0; i < s.n; i++) {
		block_next(p);
		put_steps(p, &s.groups.histogram[i], &a, &s.curve[i]);
	}
	block_end(p);
	put_samples(p, &s);
}
