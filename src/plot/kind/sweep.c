/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency or bandwidth against a size: lat, bw, window, share, nic; load. */
#include "common/link/model.h"
#include "plot/kind/kind.h"

#include <ctype.h>

/* Values above this part of a limit are said, in per cent. */
#define ABOVE 102

/* A share of the limit that is this part of the best one counts as it. */
#define NEARLY 0.97

/* In us: a logarithm has no 0. */
#define LEAST_SILENCE 1

/* Sweeps ------------------------------------------------------------------- */

/* Rows that differ only in size; curves are sorted once read. */
struct sweep {
	struct curve values;
	struct curve low, high; /* the edges of the band, where it has one */
	bool band_of_runs;      /* from the lowest to the highest */
	struct curve floor;     /* minima below the band */
	struct curve expected;
	struct curve *more; /* percentiles, for each column of the table */
	struct tallies samples;
	struct pool {
		double x;
		size_t run;
	} * pool; /* of each distribution of samples */
	size_t npools;
	size_t last;     /* result of the last search */
	unsigned limits; /* a bit for each in limit_words */
};

/* What limits a bandwidth, by the column limited_by. */
enum { BY_LINK, BY_READS, BY_CREDITS, NO_LIMIT };

static const char *const limit_words[] = {"the link", "outstanding reads",
                                          "credits"};

struct sweeps {
	const struct kind *kind;
	const struct table *t;
	struct key_set keys, links;
	struct curve *of_link; /* the bound of each link */
	size_t link_room;
	struct sweep *sweep;       /* one per key */
	size_t room, holes, empty; /* rows without a value; of size 0 */
	char *limits; /* "limited by credits, from 256 bytes on by ..." */
	size_t limit; /* of the row before */
	double limit_at;
	unsigned all_limits; /* of all sweeps */
	size_t runs;
	double most;         /* per cent of the limit */
	size_t most_by;      /* the limit there */
	const char *measure; /* as in struct row_reader */
	struct range values;
	double *x; /* the distinct places, ascending */
	size_t nx;
	bool banded; /* bands are drawn */
	struct curve *bound;
	size_t nbounds;
};

/* Fast if samples are sorted by place, or by place in turn. */
static size_t
find_pool(struct sweep *s, double x, size_t run)
{
	for (size_t i = 0; i < s->npools; i++) {
		size_t k = (s->last + i) % s->npools;

		if (s->pool[k].x == x && s->pool[k].run == run)
			return s->last = k;
	}
	PUSH(s->pool, s->npools, (struct pool){x, run});
	return s->last = s->npools - 1;
}

/* Adds a value and its band; NAN: none. */
static void
add_value(struct sweep *s, double x, double y, double low, double high,
          double floor)
{
	curve_add(&s->values, x, y);
	if (!isnan(low)) {
		curve_add(&s->low, x, low);
		curve_add(&s->high, x, high);
	}
	if (!isnan(floor))
		curve_add(&s->floor, x, floor);
}

static void
take_row(struct sweep *s, const struct table *t, double x,
         const struct row_reader *r)
{
	const char *measure = t->name[r->col];
	double value = row_value(t, r->col), low, high, min;

	if (!strcmp(measure, "latency_ns")) {
		row_sample(t, r, &s->samples, find_pool(s, x, r->run));
	} else if (!strcmp(measure, "median_ns") && row_has(t, "p95_ns")) {
		low = row_number(t, "p5_ns");
		high = row_number(t, "p95_ns");
		min = row_number(t, "min_ns");
		add_value(s, x, value, isnan(low) ? min : low, high,
		          isnan(low) ? NAN : min);
	} else {
		add_value(s, x, value, NAN, NAN, NAN);
	}
	/* Without a band, other percentiles are curves. */
	for (size_t i = 0; i < t->ncols && table_find(t, "p95_ns") < 0; i++) {
		const char *name = t->name[i];

		if (*name != 'p' || strcmp(unit_of(name), "ns") != 0 ||
		    name[1 + strspn(name + 1, "0123456789_")] != 'n' ||
		    !row_has(t, name))
			continue;
		if (!s->more)
			s->more = keep(t->ncols, sizeof *s->more);
		curve_add(&s->more[i], x, row_value(t, i));
	}
}

/*
 * Notes what limits the model, for a single curve also where that changes, and
 * the largest part of it in per cent.
 */
static void
take_limit(struct sweeps *s, struct sweep *of, const struct table *t, double x,
           double part)
{
	const char *text = optional_text(t, "limited_by");
	size_t limit = !strcmp(text, "inflight")  ? BY_READS
	               : !strcmp(text, "credits") ? BY_CREDITS
	               : strstr(text, "_bytes")   ? BY_LINK
	                                          : NO_LIMIT;

	if (part > s->most) {
		s->most = part;
		s->most_by = limit;
	}
	if (limit == NO_LIMIT)
		return;
	of->limits |= 1u << limit;
	if (s->keys.n > 1 || x < s->limit_at)
		return;
	s->limit_at = x;
	if (!s->limits)
		s->limits = words("limited by %s", limit_words[limit]);
	else if (s->limit != limit)
		add_words(&s->limits, ", ", "from %.10g bytes on by %s", x,
		          limit_words[limit]);
	s->limit = limit;
}

/* "limit of the link and credits"; of the link, if that is not known. */
static char *
limit_name(unsigned limits)
{
	char *of = NULL;

	for (size_t i = 0; i < NO_LIMIT; i++) {
		if ((limits ? limits : 1u << BY_LINK) & 1u << i)
			add_words(&of, " and ", "%s", limit_words[i]);
	}
	return words("limit of %s", of);
}

/* Summarises the samples of each size, and sorts. */
static void
finish(struct sweep *s, const struct kind *kind, size_t ncols)
{
	struct histogram *d = tallies_finish(&s->samples, s->npools);

	for (size_t i = 0; i < s->npools; i++)
		add_value(s, s->pool[i].x, percentile(&d[i], 50),
		          percentile(&d[i], 5), percentile(&d[i], 95),
		          histogram_nth(&d[i], 0));
	histograms_free(d);
	curve_merge(&s->low, NULL, NULL);
	curve_merge(&s->high, NULL, NULL);
	curve_merge(&s->floor, NULL, NULL);
	for (size_t i = 0; s->more && i < ncols; i++)
		curve_merge(&s->more[i], NULL, NULL);
	s->band_of_runs = !s->low.n && !s->more && !kind->link;
	/* Bandwidth may fall while the load rises. */
	if (kind->label)
		curve_merge(&s->values, s->band_of_runs ? &s->low : NULL,
		            &s->high);
	curve_sort(&s->expected);
}

/* Ethernets have a bound each, whatever the device. */
static void
take_link(struct sweeps *s, const struct table *t, const char *column, double x,
          double bound)
{
	size_t i = key_set_intern_text(&s->links, optional_text(t, column));

	s->of_link = key_set_grow(&s->links, s->of_link, &s->link_room,
	                          sizeof *s->of_link);
	curve_add(&s->of_link[i], x, bound);
}

/* The number at the end of a text, such as that of "sm/workers64"; or 0. */
static double
number_at_end(const char *text)
{
	const char *at = text + strlen(text);

	while (at > text && isdigit((unsigned char)at[-1]))
		at--;
	return strtod(at, NULL);
}

/* Widens a range to the values of a curve. */
static void
widen_to(struct range *r, const struct curve *c)
{
	struct range of = range_of(c, 1, true);

	if (of.low <= of.high) {
		widen(r, of.low);
		widen(r, of.high);
	}
}

/* Takes the value of a row, with its bound. */
static void
take_value(struct sweeps *s, struct sweep *of, const struct table *t, double x,
           const struct row_reader *r)
{
	double value = row_value(t, r->col), expected;

	take_row(of, t, x, r);
	if (!strcmp(t->name[r->col], "model_ratio_pct"))
		take_limit(s, of, t, x, value);
	if (strcmp(unit_of(r->measure), "gbit_s") != 0 ||
	    !row_has(t, s->kind->expected))
		return;
	expected = row_number(t, s->kind->expected);
	if (s->kind->link) {
		take_link(s, t, s->kind->link, x, expected);
	} else {
		curve_add(&of->expected, x, expected);
		take_limit(s, of, t, x, 100 * value / expected);
	}
}

/* The column that says what x is, with its unit. */
static const char *
axis_of(const struct kind *kind)
{
	return kind->silence ? "silence_ns" : kind->column;
}

/*
 * Reads the table to its end; pools samples of one size. Dies if the input is
 * bad, columns are missing or measures have different units; warns of rows
 * without a value. `rising` is the column that raises a load.
 */
static void
sweeps_read(struct sweeps *s, struct table *t, const char *rising)
{
	const struct kind *kind = s->kind;
	const char *place = kind->outstanding && rising ? rising : kind->column;
	struct row_reader r = {.measures = kind->measures,
	                       .place = place,
	                       .axis = kind->label ? place : rising,
	                       .besides = kind->link,
	                       .lacking = kind->lacking,
	                       .holes = true,
	                       .runs_apart = !kind->label};

	while (row_reader_next(&r, t)) {
		size_t col = (size_t)table_find(t, place), i;
		double x = kind->outstanding ? number_at_end(t->field[col])
		           : kind->silence
		               ? 1000 * fmax(LEAST_SILENCE, row_value(t, col))
		           : kind->label ? row_size(t, col)
		                         : row_value(t, col);

		/* Some programs measure size 0, too; a logarithm has none. */
		if (kind->label && x <= 0) {
			s->empty++;
			continue;
		}
		i = key_set_intern(&s->keys, &r.key);
		s->sweep = key_set_grow(&s->keys, s->sweep, &s->room,
		                        sizeof *s->sweep);
		if (r.hole) {
			curve_add(&s->sweep[i].values, x, NAN);
			s->holes++;
		} else {
			take_value(s, &s->sweep[i], t, x, &r);
		}
	}
	s->measure = r.measure;
	s->runs = r.nruns;
	for (size_t i = 0; i < s->keys.n; i++) {
		struct curve *v = &s->sweep[i].values;

		finish(&s->sweep[i], kind, t->ncols);
		s->all_limits |= s->sweep[i].limits;
		widen_to(&s->values, v);
		for (size_t k = 0; k < v->n; k++)
			PUSH(s->x, s->nx, v->point[k].x);
	}
	s->nx = sort_distinct(s->x, s->nx);
}

/* Bands -------------------------------------------------------------------- */

/* More bands could not be told apart. */
#define BANDS_MOST 6

/* Whether the bands overlap at more than half of their common places. */
static bool
overlap(const struct sweep *a, const struct sweep *b)
{
	size_t apart = 0, both = 0, k = 0;

	for (size_t i = 0; i < a->low.n; i++) {
		double x = a->low.point[i].x;

		while (k < b->low.n && b->low.point[k].x < x)
			k++;
		if (k == b->low.n || b->low.point[k].x != x)
			continue;
		both++;
		apart += a->low.point[i].y > b->high.point[k].y ||
		         b->low.point[k].y > a->high.point[i].y;
	}
	return 2 * apart < both;
}

/* Whether a value is missing between two places. */
static bool
any_missing(const struct curve *c, double from, double to)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->point[i].x > from && c->point[i].x < to &&
		    isnan(c->point[i].y))
			return true;
	}
	return false;
}

/* Overlapping bands form a patchwork in which none is visible. */
static bool
any_overlap(const struct sweeps *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		for (size_t k = i + 1; k < s->keys.n; k++) {
			if (overlap(&s->sweep[i], &s->sweep[k]))
				return true;
		}
	}
	return false;
}

/* How to read bands; NULL: there are none, or too many to tell apart. */
static char *
band_note(struct sweeps *s)
{
	bool p5 = false, minimum = false; /* where bands start */
	bool runs = false;

	for (size_t i = 0; i < s->keys.n; i++) {
		runs |= s->sweep[i].band_of_runs;
		p5 |= s->sweep[i].floor.n > 0;
		minimum |= s->sweep[i].low.n > s->sweep[i].floor.n;
	}
	if (s->keys.n > BANDS_MOST || (!p5 && !minimum))
		return NULL;
	s->banded = !any_overlap(s);
	if (!s->banded)
		return runs ? NULL
		            : words("median; bands from p5 to p95 overlap, and "
		                    "are left out");
	return words("median; %s",
	             runs      ? "band from the lowest to the highest run"
	             : !p5     ? "band from minimum to p95"
	             : minimum ? "band from p5, or the minimum, to p95"
	                       : "band from p5 to p95; dots: minimum");
}

/* "560 ns at 64 B; p5 548 ns, p95 580 ns" */
static char *
value_text(const struct sweeps *all, const struct sweep *s,
           struct plot_point at)
{
	const struct {
		const char *name;
		const struct curve *curve;
	} others[] = {{s->band_of_runs ? "lowest run"
	               : s->floor.n    ? "p5"
	                               : "minimum",
	               &s->low},
	              {s->band_of_runs ? "highest run" : "p95", &s->high},
	              {"minimum", &s->floor}};
	double bound = curve_at(&s->expected, at.x);
	char *text = words("%s at %s", quantity_words(all->measure, at.y),
	                   place_words(axis_of(all->kind), at.x));

	for (size_t k = 0; k < ARRAY_LEN(others); k++) {
		double other = curve_at(others[k].curve, at.x);

		if (!isnan(other))
			add_words(&text, "; ", "%s %s", others[k].name,
			          quantity_words(all->measure, other));
	}
	if (!isnan(bound))
		add_words(&text, "; ", "%.3g %% of the limit",
		          100 * at.y / bound);
	return text;
}

/* Expectations ------------------------------------------------------------- */

/* A curve of the model, for all sweeps with the same expectation. */
struct model {
	struct key key;  /* what its sweeps have in common */
	size_t first, n; /* index of the first of them, and number */
	unsigned limits;
	struct curve curve;
};

static const char accounting[] = "model_accounting";

/* Whether the two agree at every common x. */
static bool
agree(const struct curve *a, const struct curve *b)
{
	size_t i = 0, k = 0;

	while (i < a->n && k < b->n) {
		if (a->point[i].x < b->point[k].x)
			i++;
		else if (a->point[i].x > b->point[k].x)
			k++;
		else if (a->point[i].y != b->point[k++].y)
			return false;
	}
	return true;
}

static bool
same_cell(const struct table *t, const char *column, const struct key *a,
          const struct key *b)
{
	ptrdiff_t col = table_find(t, column);

	return col < 0 ||
	       !strcmp(key_find(a, (size_t)col), key_find(b, (size_t)col));
}

/*
 * The cells that both keys have in common. A sweep's kind is not the model's;
 * the accounting is its name.
 */
static struct key
common_key(const struct table *t, const struct key *a, const struct key *b)
{
	struct key key = {0};

	for (size_t col = 0; col < t->ncols; col++) {
		const char *text = key_find(a, col);

		if (*text && !strcmp(text, key_find(b, col)) &&
		    strcmp(t->name[col], "kind") != 0 &&
		    strcmp(t->name[col], accounting) != 0)
			key_append(&key, col, text);
	}
	return key;
}

/*
 * Adds the expectation of each sweep: to a model of the same link and bench
 * that never contradicts it, else as a new one. Returns the number of models.
 */
static size_t
find_models(struct model **models, const struct sweeps *s)
{
	const struct table *t = s->t;
	size_t n = 0;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct key *key = &s->keys.key[i];
		const struct curve *expected = &s->sweep[i].expected;
		struct model *m = *models, *end = m + n;
		struct key common;

		if (!expected->n)
			continue;
		for (; m != end; m++) {
			const struct key *of = &s->keys.key[m->first];

			if (same_cell(t, "link", of, key) &&
			    same_cell(t, "bench", of, key) &&
			    same_cell(t, accounting, of, key) &&
			    agree(&m->curve, expected))
				break;
		}
		if (m == end) {
			PUSH(*models, n, (struct model){.first = i});
			m = &(*models)[n - 1];
		}
		common = common_key(t, m->n ? &m->key : key, key);
		free(m->key.bytes);
		m->key = common;
		m->limits |= s->sweep[i].limits;
		m->n++;
		curve_append(&m->curve, expected);
		curve_unique(&m->curve);
	}
	return n;
}

static void
add_bound(struct sweeps *s, struct curve curve, char *name)
{
	curve.name = name;
	curve.look = BOUND;
	curve.dash = (double)s->nbounds + 2;
	PUSH(s->bound, s->nbounds, curve);
}

static void
list_bounds(struct sweeps *s, const struct names *names)
{
	ptrdiff_t col = table_find(names->t, accounting);
	struct model *models = NULL;
	size_t n = find_models(&models, s);

	for (size_t i = 0; i < n; i++) {
		struct model *m = &models[i];
		const char *how =
		    col < 0 ? ""
		            : key_find(&s->keys.key[m->first], (size_t)col);
		const char *rest = names_legend(names, &m->key);

		/* Real data may exceed any other accounting. */
		if (!strcmp(how, accounting_names[ACCOUNTING_TRAFFIC]))
			how = limit_name(m->limits);
		add_bound(s, m->curve,
		          words("%s%s%s", *how ? how : "model",
		                *rest ? ", " : "", rest));
		free(m->key.bytes);
	}
	for (size_t i = 0; i < s->links.n; i++) {
		const char *rate = key_find(&s->links.key[i], 0);

		curve_unique(&s->of_link[i]);
		add_bound(s, s->of_link[i],
		          words("Ethernet%s%s", *rate ? " " : "", rate));
	}
}

/* Outstanding -------------------------------------------------------------- */

/* What n outstanding transfers allow: n * size / RTT, up to the link. */
struct flight {
	double bytes, rtt_ns; /* the time is 0 if it is not known */
	double link, knee;    /* Gbit/s, and what fills it; NAN: not known */
};

/* The time comes from the point with the least outstanding. */
static struct flight
flight_of(const struct sweeps *s, size_t i)
{
	const struct curve *v = &s->sweep[i].values, *b = &s->sweep[i].expected;
	ptrdiff_t size = table_find(s->t, "size_bytes");
	const char *text =
	    size < 0 ? "" : key_find(&s->keys.key[i], (size_t)size);
	struct flight f = {.bytes = strtod(text, NULL), .link = NAN};

	if (v->n && v->point[0].y > 0)
		f.rtt_ns = v->point[0].x * f.bytes * 8 / v->point[0].y;
	if (b->n)
		f.link = b->point[b->n - 1].y;
	f.knee = f.link * f.rtt_ns / 8 / f.bytes;
	return f;
}

static void
list_flights(struct sweeps *s)
{
	for (size_t i = 0; i < s->keys.n && s->nx; i++) {
		struct flight f = flight_of(s, i);
		double first = s->x[0], last = s->x[s->nx - 1];
		double most = fmin(f.knee, last), each;
		struct curve c = {0};

		if (f.rtt_ns <= 0)
			continue;
		each = f.bytes * 8 / f.rtt_ns;
		curve_add(&c, first, first * each);
		curve_add(&c, most, most * each);
		if (most < last)
			curve_add(&c, last, f.link);
		add_bound(s, c,
		          words("n * %s / %s%s", size_words(f.bytes),
		                time_words(f.rtt_ns),
		                isnan(f.knee) ? "" : ", limit of the link"));
	}
}

/* From this part of what was outstanding at most, it still gave more. */
#define LEVELS_OFF 0.8

/*
 * "809 outstanding fill the link; 93.8 % reached"; without a limit of the link
 * "up to 30 Gbit/s, from 240 outstanding on".
 */
static char *
flight_words(const struct sweeps *s)
{
	struct flight f;
	double most, enough;

	if (s->keys.n != 1)
		return NULL;
	f = flight_of(s, 0);
	most = range_of(&s->sweep[0].values, 1, true).high;
	enough = most * f.rtt_ns / 8 / f.bytes;
	if (f.rtt_ns <= 0)
		return NULL;
	if (!isnan(f.link))
		return words("%.0f outstanding fill the link; %.3g %% reached",
		             ceil(f.knee), 100 * most / f.link);
	if (enough > LEVELS_OFF * s->x[s->nx - 1])
		return NULL;
	return words("up to %s, from %.0f outstanding on",
	             quantity_words(s->measure, most), ceil(enough));
}

/* Findings ----------------------------------------------------------------- */

/* A value in per cent of its bound, or NAN. */
static double
share_at(const struct sweeps *s, size_t i, struct plot_point at)
{
	return !strcmp(s->measure, "model_ratio_pct")
	           ? at.y
	           : 100 * at.y / curve_at(&s->sweep[i].expected, at.x);
}

/* ", writes": the curve, if there are others. */
static char *
of_curve(const struct sweeps *s, const struct curve *c, const char *name)
{
	return s->keys.n > 1 && c->name ? words(", %s", name) : "";
}

/* "96.1 % of the limit of the link, writes, from 2 KiB on" */
static char *
share_words(const struct sweeps *s, const struct curve curve[],
            const char *limit)
{
	double best = 0, from = NAN, last = NAN;
	const struct curve *v;
	size_t of = 0;

	for (size_t i = 0; i < s->keys.n; i++) {
		v = &s->sweep[i].values;
		for (size_t k = 0; k < v->n; k++) {
			double part = share_at(s, i, v->point[k]);

			of = part > best ? i : of;
			best = fmax(best, part);
		}
	}
	if (best <= 0)
		return NULL;
	v = &s->sweep[of].values;
	for (size_t k = v->n; k-- > 0;) {
		if (!(share_at(s, of, v->point[k]) >= NEARLY * best))
			break;
		from = v->point[k].x;
		last = isnan(last) ? from : last;
	}
	return words("%.3g %% of the %s%s%s%s%s", best, limit,
	             of_curve(s, &curve[of], whole_name(&curve[of])),
	             from < last ? ", from " : "",
	             from < last ? size_words(from) : "",
	             from < last ? " on" : "");
}

/* "504 ns to 784 ns", "up to 51 Gbit/s, writes, at 1 KiB" */
static char *
extent_words(const struct sweeps *s, const struct curve curve[])
{
	struct plot_point low = {0, INFINITY}, high = {0, -INFINITY};
	const char *from, *to;
	size_t of = 0;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct curve *v = &s->sweep[i].values;

		for (size_t k = 0; k < v->n; k++) {
			low = v->point[k].y < low.y ? v->point[k] : low;
			of = v->point[k].y > high.y ? i : of;
			high = v->point[k].y > high.y ? v->point[k] : high;
		}
	}
	if (!(low.y <= high.y))
		return NULL;
	from = quantity_words(s->measure, low.y);
	to = quantity_words(s->measure, high.y);
	if (!strcmp(unit_of(s->measure), "gbit_s"))
		return words("up to %s%s, at %s", to,
		             of_curve(s, &curve[of], curve[of].name),
		             place_words(axis_of(s->kind), high.x));
	return words("%s%s%s", from, low.y < high.y ? " to " : "",
	             low.y < high.y ? to : "");
}

/* "after 1 ms 55 us more, after 1 s 64 us", of the curve that rises most. */
static char *
silence_words(const struct sweeps *s)
{
	struct plot_point first = {0}, last = {0};
	double most = 0;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct curve *v = &s->sweep[i].values;
		double base = v->n ? v->point[0].y : NAN, high;
		size_t k = 0;

		high = v->n ? curve_at(&s->sweep[i].high, v->point[0].x)
		            : (double)NAN;
		high = isnan(high) ? base : high;
		while (k < v->n && !(v->point[k].y > high))
			k++;
		if (k == v->n || v->point[v->n - 1].y - base <= most)
			continue;
		most = v->point[v->n - 1].y - base;
		first =
		    (struct plot_point){v->point[k].x, v->point[k].y - base};
		last = (struct plot_point){v->point[v->n - 1].x, most};
	}
	if (most <= 0)
		return NULL;
	if (first.x < last.x)
		return words("after %s %s more, after %s %s",
		             time_words(first.x), time_words(first.y),
		             time_words(last.x), time_words(last.y));
	return words("after %s %s more", time_words(first.x),
	             time_words(first.y));
}

/* Picture ------------------------------------------------------------------ */

static struct curve *
name_sweeps(const struct names *names, const struct sweeps *s)
{
	/* A sweep without distinguishing columns is named after its kind. */
	const char *kind = names_constant(names, "kind");
	double *median = keep(s->keys.n, sizeof *median);

	for (size_t i = 0; i < s->keys.n; i++)
		median[i] = points_middle(&s->sweep[i].values, 1, true);
	return named_curves(names, &s->keys, true, median,
	                    *kind ? kind : "measured");
}

static void
put_bands(struct picture *p, const struct sweeps *s)
{
	block_begin(p, "bands");
	for (size_t i = 0; i < s->keys.n; i++) {
		const struct sweep *w = &s->sweep[i];

		block_next(p);
		for (size_t k = 0; k < w->low.n && k < w->high.n; k++) {
			struct plot_point low = w->low.point[k];

			if (k && any_missing(&w->values, w->low.point[k - 1].x,
			                     low.x))
				block_gap(p);
			POINT(p, low.x / p->x_unit, low.y / p->y_unit,
			      w->high.point[k].y / p->y_unit);
		}
	}
	block_end(p);
}

/* Percentiles: "cache cold, p99.9", in the colour of the medians. */
static struct curve *
list_more(const struct sweeps *s, const struct curve curve[], size_t *n)
{
	struct curve *more = NULL;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct sweep *w = &s->sweep[i];
		const char *of =
		    curve[i].name && s->keys.n > 1 ? curve[i].name : "";
		double dash = 2;

		for (size_t k = 0; w->more && k < s->t->ncols; k++) {
			struct curve c = w->more[k];
			char *pct = column_words(s->t->name[k]), *dot;

			if (!c.n)
				continue;
			while ((dot = strchr(pct, ' ')))
				*dot = '.';
			c.name = words("%s%s%s", of, *of ? ", " : "", pct);
			c.look = curve[i].look;
			c.dash = dash++;
			PUSH(more, *n, c);
		}
	}
	return more;
}

static void
put_tips(struct picture *p, const struct sweeps *s, const struct curve curve[])
{
	for (size_t i = 0; i < s->keys.n && p->page; i++) {
		const struct curve *v = &s->sweep[i].values;

		for (size_t k = 0; k < v->n; k++) {
			struct plot_point at = v->point[k];

			if (!isnan(at.y))
				add_tip(p, ON(&curve[i], at.x, at.y),
				        whole_name(&curve[i]), "%s",
				        value_text(s, &s->sweep[i], at));
		}
	}
}

/* Writes all curves, and their names. */
static void
put_all(struct picture *p, const struct sweeps *s, const struct names *names,
        struct curve curve[])
{
	size_t n = s->keys.n, nmore = 0, nends = 0;
	struct curve *more = list_more(s, curve, &nmore), *ends = NULL;
	double *line = keep(n, sizeof *line);

	put_series(p, curve, n);
	for (size_t i = 0; i < s->nbounds; i++)
		PUSH(ends, nends, s->bound[i]);
	for (size_t i = 0; i < n; i++) {
		struct curve c = curve[i];

		line[i] = is_computed(names, &s->keys.key[i]);
		c.point = s->sweep[i].values.point;
		c.n = s->sweep[i].values.n;
		if (n + s->nbounds > 1 || s->sweep[i].more)
			PUSH(ends, nends, c);
	}
	for (size_t i = 0; i < nmore; i++)
		PUSH(ends, nends, more[i]);
	put_ends(p, ends, nends, MARK_CURVE);
	PUT_LIST(p, "lines_only", line, n);
	PUT_CURVES(p, "rows", s->sweep, n, values);
	PUT_CURVES(p, "floors", s->sweep, n, floor);
	put_number(p, "nbounds", (double)s->nbounds);
	put_curves(p, "bounds", s->bound, s->nbounds, sizeof *s->bound);
	put_number(p, "nmore", (double)nmore);
	put_curves(p, "more", more, nmore, sizeof *more);
	PUT(p, "morelook", more, nmore, look);
	PUT(p, "moredash", more, nmore, dash);
}

/* The vertical axis of all that is drawn. */
static struct scale
choose_y(const struct picture *p, const struct sweeps *s)
{
	struct range r = s->values;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct sweep *w = &s->sweep[i];

		for (size_t k = 0; w->more && k < s->t->ncols; k++)
			widen_to(&r, &w->more[k]);
		if (s->banded) {
			widen_to(&r, &w->low);
			widen_to(&r, &w->high);
			widen_to(&r, &w->floor);
		}
	}
	for (size_t i = 0; i < s->nbounds; i++)
		widen_to(&r, &s->bound[i]);
	if (s->kind->outstanding) {
		r.high = scale_from_zero(p, true, "Gbit/s", r).high;
		r.low = fmax(s->values.low, 1e-3);
		return choose_scale(p, true, "Gbit/s", r, 0);
	}
	if (!strcmp(unit_of(s->measure), "gbit_s"))
		return scale_from_zero(p, true, "Gbit/s", r);
	if (!strcmp(unit_of(s->measure), "ns"))
		return choose_scale(p, true, "ns", r, LOG_FROM * s->values.low);
	return choose_scale(p, true, "", r, INFINITY);
}

static struct scale
choose_x(const struct picture *p, const struct sweeps *s)
{
	struct range r = {s->nx ? s->x[0] : 1, s->nx ? s->x[s->nx - 1] : 10};

	if (s->kind->outstanding)
		return choose_scale(p, false, "", r, 0);
	if (s->kind->silence)
		return choose_scale(p, false, "ns",
		                    s->nx ? r : (struct range){1e3, 1e9}, 0);
	if (s->kind->label)
		return scale_of_sizes(p, s->x, s->nx);
	r = (struct range){0, s->nx ? r.high : 0};
	return scale_from_zero(p, false, "Gbit/s", r);
}

static void
note_all(struct picture *p, const struct sweeps *s)
{
	if (s->most > ABOVE)
		add_words(
		    &p->note, "; ", "up to %.3g %% of the limit%s", s->most,
		    s->most_by == BY_READS ? ": --inflight or --rtt is too low"
		                           : "");
	if (s->all_limits & ~(1u << BY_LINK) && s->limits)
		add_words(&p->note, "; ", "%s", s->limits);
	if (s->empty)
		add_words(&p->note, "; ", "left out: %zu row%s %s", s->empty,
		          s->empty == 1 ? "" : "s",
		          s->kind->outstanding ? "without a number of transfers"
		                               : "of size 0");
	if (s->holes)
		add_words(&p->note, "; ", "gaps: %zu row%s without a value",
		          s->holes, s->holes == 1 ? "" : "s");
}

/* Lists what bounds the values; returns the name of the vertical axis. */
static char *
bound_all(struct sweeps *s, struct names *names, const char *limit)
{
	bool share = !strcmp(s->measure, "model_ratio_pct");
	bool both_ways = !strcmp(names_constant(names, "bench"), "bw_rdwr") ||
	                 (s->kind->link &&
	                  !strcmp(names_constant(names, "direction"), "both"));
	const char *base, *other;
	struct curve line = {0};

	compared_words(names, &base, &other);
	if (s->kind->outstanding)
		list_flights(s);
	else
		list_bounds(s, names);
	if (strcmp(unit_of(s->measure), "pct") != 0)
		return words("%s%s",
		             s->kind->link ? "throughput"
		             : both_ways   ? "bandwidth"
		                           : measure_words(s->measure),
		             both_ways ? " each way" : "");
	if (s->nx) {
		curve_add(&line, s->x[0], 100);
		curve_add(&line, s->x[s->nx - 1], 100);
		add_bound(s, line, words("%s", share ? limit : "base"));
	}
	return share ? words("%% of the %s", limit)
	             : words("%s%s%% of %s", other, *other ? " in " : "",
	                     *base ? base : "the base");
}

static const struct kind silence_sweep = {
    .column = "idle_us",
    .label = "silence before, from 1 us",
    .measures =
        (const char *const[]){"median_ns", "latency_ns", "mean_ns", NULL},
    .lacking = "a silence or a latency",
    .silence = true,
};

/* By --x, latency has another axis. */
static const struct kind *
kind_by_axis(const struct picture *p, const struct kind *kind)
{
	const char *x = p->x_column;

	if (!x || kind->outstanding || !kind->label || !strcmp(x, kind->column))
		return kind;
	if (strcmp(x, silence_sweep.column) != 0)
		die_usage("--x %s: for lat size_bytes or idle_us", x);
	return &silence_sweep;
}

/*
 * Reads the table to its end: a curve for rows that differ only in size, its
 * bound if there is one, and for few curves of latency the scatter. Dies as
 * sweeps_read does.
 */
static void
draw_sweep(struct picture *p, struct table *t, const struct kind *kind)
{
	static struct sweeps s;
	struct scale x, y;
	struct names names;
	struct curve *curve;
	char *limit, *label;

	kind = kind_by_axis(p, kind);
	s = (struct sweeps){.kind = kind, .t = t, .values = RANGE_OF_NONE};
	sweeps_read(&s, t,
	            p->x_column || kind->outstanding ? p->x_column
	                                             : "inject_delay");
	names = names_of(t, &s.keys);
	limit = limit_name(s.all_limits);
	label = bound_all(&s, &names, limit);
	curve = name_sweeps(&names, &s);
	p->finding = kind->outstanding ? flight_words(&s)
	             : kind->silence   ? silence_words(&s)
	                               : share_words(&s, curve, limit);
	if (!p->finding)
		p->finding = extent_words(&s, curve);
	names_describe(&names, p,
	               kind->link ? "throughput" : measure_words(s.measure));
	if (s.runs > 1 && !kind->link)
		add_words(&p->subtitle, ", ", "%zu runs", s.runs);
	p->note = band_note(&s);
	note_all(p, &s);
	x = choose_x(p, &s);
	y = choose_y(p, &s);
	put_scale(p, false, &x, kind->label ? kind->label : "bandwidth");
	put_scale(p, true, &y, label);
	put_all(p, &s, &names, curve);
	put_bands(p, &s);
	put_tips(p, &s, curve);
	put_number(p, "bands", s.banded);
	put_number(p, "sizes",
	           kind->label && !kind->outstanding && !kind->silence);
	p->empty = !(s.values.low <= s.values.high);
}

/* Kinds -------------------------------------------------------------------- */

#define OF_SIZES                                                               \
	.takes = TAKES_AXES, .template = "sweep", .draw = draw_sweep,          \
	.column = "size_bytes", .label = "transfer size"

const struct kind kind_lat = {
    .name = "lat",
    .help = "latency against size or silence: median, p5 to p95, minimum",
    .takes = TAKES_AXES | TAKES_X,
    .template = "sweep",
    .draw = draw_sweep,
    .column = "size_bytes",
    .label = "transfer size",
    .measures =
        (const char *const[]){"median_ns", "latency_ns", "mean_ns", NULL},
    .lacking = "a size or a latency",
};

const struct kind kind_bw = {
    .name = "bw",
    .help = "bandwidth against transfer size, with the model if it is there",
    OF_SIZES,
    .measures =
        (const char *const[]){"median_gbit_s", "bandwidth_gbit_s", NULL},
    .expected = "model_gbit_s",
    .lacking = "a size or a bandwidth",
};

const struct kind kind_share = {
    .name = "share",
    .help = "bandwidth in % of the limit of pcb-model, against transfer size",
    OF_SIZES,
    .measures = (const char *const[]){"model_ratio_pct", "ratio_pct", NULL},
    .lacking = "a size or a share",
};

const struct kind kind_window = {
    .name = "window",
    .help = "latency or bandwidth against the window of memory",
    .takes = TAKES_AXES,
    .template = "sweep",
    .draw = draw_sweep,
    .column = "window_bytes",
    .label = "window",
    .measures =
        (const char *const[]){"median_ns", "latency_ns", "median_gbit_s",
                              "bandwidth_gbit_s", "ratio_pct", NULL},
    .expected = "model_gbit_s",
    .lacking = "a window or a measure",
};

const struct kind kind_load = {
    .name = "load",
    .help = "latency against bandwidth, as the load rises",
    .takes = TAKES_AXES | TAKES_X,
    .template = "sweep",
    .draw = draw_sweep,
    .column = "bandwidth_gbit_s",
    .measures =
        (const char *const[]){"median_ns", "mean_ns", "latency_ns", NULL},
    .lacking = "a bandwidth or a latency",
};

const struct kind kind_nic = {
    .name = "nic",
    .help = "throughput of devices against frame size, and that of Ethernet",
    .takes = TAKES_AXES,
    .template = "sweep",
    .draw = draw_sweep,
    .column = "frame_bytes",
    .label = "frame size",
    .measures =
        (const char *const[]){"median_gbit_s", "bandwidth_gbit_s", NULL},
    .expected = "ethernet_gbit_s",
    .link = "ethernet",
    .lacking = "a size or a bandwidth",
};

const struct kind kind_inflight = {
    .name = "inflight",
    .help =
        "bandwidth against what is outstanding, and where it fills the link",
    .takes = TAKES_AXES | TAKES_X,
    .template = "sweep",
    .draw = draw_sweep,
    .column = "interface",
    .label = "outstanding transfers",
    .measures =
        (const char *const[]){"median_gbit_s", "bandwidth_gbit_s", NULL},
    .expected = "model_gbit_s",
    .lacking = "a number of transfers or a bandwidth",
    .outstanding = true,
};
