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

/* Kinds -------------------------------------------------------------------- */

enum axis { AXIS_SIZE, AXIS_LOAD, AXIS_SILENCE, AXIS_TRANSFERS };

struct sweep_kind {
	const char *name;
	enum axis axis;
	const char *column, *label; /* of the axis; without its unit */
	const char *const *measures, *lacking; /* as in struct row_reader */
	const char *expected; /* column in Gbit/s for measures in Gbit/s */
	const char *link;     /* column that `expected` depends on, no curve */
};

static const char *const latencies[] = {"median_ns", "latency_ns", "mean_ns",
                                        NULL};
static const char *const bandwidths[] = {"median_gbit_s", "bandwidth_gbit_s",
                                         NULL};
static const char *const shares[] = {"model_ratio_pct", "ratio_pct", NULL};
static const char *const of_windows[] = {"median_ns",     "latency_ns",
                                         "median_gbit_s", "bandwidth_gbit_s",
                                         "ratio_pct",     NULL};

static const char model[] = "model_gbit_s";
static const char accounting[] = "model_accounting";

static const struct sweep_kind sweep_kinds[] = {
    {"lat", AXIS_SIZE, "size_bytes", "transfer size", latencies,
     "a size or a latency", NULL, NULL},
    {"lat", AXIS_SILENCE, "idle_us", "silence before, from 1 us", latencies,
     "a silence or a latency", NULL, NULL},
    {"bw", AXIS_SIZE, "size_bytes", "transfer size", bandwidths,
     "a size or a bandwidth", model, NULL},
    {"share", AXIS_SIZE, "size_bytes", "transfer size", shares,
     "a size or a share", NULL, NULL},
    {"window", AXIS_SIZE, "window_bytes", "window", of_windows,
     "a window or a measure", model, NULL},
    {"load", AXIS_LOAD, "bandwidth_gbit_s", "bandwidth", latencies,
     "a bandwidth or a latency", NULL, NULL},
    {"nic", AXIS_SIZE, "frame_bytes", "frame size", bandwidths,
     "a size or a bandwidth", "ethernet_gbit_s", "ethernet"},
    {"inflight", AXIS_TRANSFERS, "interface", "outstanding transfers",
     bandwidths, "a number of transfers or a bandwidth", model, NULL},
};

/* Sweeps ------------------------------------------------------------------- */

/*
 * Curves: medians, the edges of their band, minima below it, the model, and
 * medians in per cent of that.
 */
enum { VALUES, LOW, HIGH, FLOOR, EXPECTED, SHARE, PARTS };

/* Rows that differ only in their place; sorted by it once read. */
struct sweep {
	struct curve part[PARTS];
	struct curve *more; /* percentiles, for each column of the table */
	bool band_of_runs;  /* from the lowest to the highest */
	unsigned limits;    /* a bit for each in limit_words */
};

/* What limits a bandwidth, by the column limited_by. */
enum { BY_LINK, BY_READS, BY_CREDITS, NO_LIMIT };

static const char *const limit_words[] = {"the link", "outstanding reads",
                                          "credits"};

struct sweeps {
	const struct sweep_kind *kind;
	const struct table *t;
	const char *measure; /* as in struct row_reader */
	struct key_set keys;
	struct sweep *sweep; /* one per key */
	size_t room;
	struct tallies samples;
	struct pool {
		size_t sweep, run;
		double x;
	} * pool;            /* of each distribution of samples */
	size_t npools, last; /* last: result of the last search */
	struct curves links; /* the bound of each link */
	size_t holes, empty; /* rows without a value; of size 0 */
	unsigned all_limits; /* of all sweeps */
	double most;         /* per cent of the limit */
	size_t most_by;      /* the limit there */
	struct range x, values;
	bool banded; /* bands are drawn */
	struct curve *bound;
	size_t nbounds;
	size_t outliers; /* above the axis */
};

static bool
has_unit(const struct sweeps *s, const char *unit)
{
	return !strcmp(unit_of(s->measure), unit);
}

/* Fast if samples are sorted by place, or by place in turn. */
static size_t
find_pool(struct sweeps *s, size_t sweep, double x, size_t run)
{
	for (size_t i = 0; i < s->npools; i++) {
		size_t k = (s->last + i) % s->npools;
		const struct pool *p = &s->pool[k];

		if (p->x == x && p->run == run && p->sweep == sweep)
			return s->last = k;
	}
	PUSH(s->pool, s->npools, (struct pool){sweep, run, x});
	return s->last = s->npools - 1;
}

/* Adds a value; and a band from `low`, else from the minimum, unless NAN. */
static void
add_value(struct sweep *s, double x, double y, double low, double high,
          double minimum)
{
	curve_add(&s->part[VALUES], x, y);
	if (!isnan(low) && !isnan(minimum))
		curve_add(&s->part[FLOOR], x, minimum);
	low = isnan(low) ? minimum : low;
	if (isnan(low))
		return;
	curve_add(&s->part[LOW], x, low);
	curve_add(&s->part[HIGH], x, high);
}

static bool
is_percentile(const char *column)
{
	return *column == 'p' && !strcmp(unit_of(column), "ns") &&
	       column[1 + strspn(column + 1, "0123456789_")] == 'n';
}

static void
take_row(struct sweeps *s, size_t i, double x, const struct row_reader *r)
{
	const struct table *t = s->t;
	const char *measure = t->name[r->col];
	double value = row_value(t, r->col);
	struct sweep *of = &s->sweep[i];

	if (!strcmp(measure, "latency_ns"))
		row_sample(t, r, &s->samples, find_pool(s, i, x, r->run));
	else if (!strcmp(measure, "median_ns") && row_has(t, "p95_ns"))
		add_value(of, x, value, row_number(t, "p5_ns"),
		          row_number(t, "p95_ns"), row_number(t, "min_ns"));
	else
		curve_add(&of->part[VALUES], x, value);
	/* Without a band, other percentiles are curves. */
	for (size_t k = 0; k < t->ncols && table_find(t, "p95_ns") < 0; k++) {
		if (!is_percentile(t->name[k]) || !row_has(t, t->name[k]))
			continue;
		if (!of->more)
			of->more = keep(t->ncols, sizeof *of->more);
		curve_add(&of->more[k], x, row_value(t, k));
	}
}

/* Notes what limits the model, and the largest part of it in per cent. */
static void
take_limit(struct sweeps *s, struct sweep *of, double part)
{
	const char *text = optional_text(s->t, "limited_by");
	size_t limit = !strcmp(text, "inflight")  ? BY_READS
	               : !strcmp(text, "credits") ? BY_CREDITS
	               : strstr(text, "_bytes")   ? BY_LINK
	                                          : NO_LIMIT;
	const char *how = optional_text(s->t, accounting);

	/* Real data may exceed any other accounting. */
	if (part > s->most &&
	    (!*how || !strcmp(how, accounting_names[ACCOUNTING_TRAFFIC]))) {
		s->most = part;
		s->most_by = limit;
	}
	if (limit == NO_LIMIT)
		return;
	of->limits |= 1u << limit;
	s->all_limits |= 1u << limit;
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

/* Takes what a row's value is compared with. */
static void
take_bound(struct sweeps *s, struct sweep *of, double x, double value)
{
	const struct sweep_kind *kind = s->kind;
	double bound;

	if (!strcmp(s->measure, "model_ratio_pct"))
		take_limit(s, of, value);
	if (!has_unit(s, "gbit_s") || !row_has(s->t, kind->expected))
		return;
	bound = row_number(s->t, kind->expected);
	/* Ethernets have a bound each, whatever the device. */
	if (kind->link) {
		size_t link = key_set_intern_text(
		    &s->links.keys, optional_text(s->t, kind->link));

		curve_add(curve_of(&s->links, link), x, bound);
		return;
	}
	curve_add(&of->part[EXPECTED], x, bound);
	take_limit(s, of, 100 * value / bound);
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

/* The column of places as they are read, with its unit. */
static const char *
place_column(const struct sweeps *s)
{
	return s->kind->axis == AXIS_SILENCE ? "silence_ns" : s->kind->column;
}

static double
place_of(const struct sweeps *s, size_t col)
{
	switch (s->kind->axis) {
	case AXIS_TRANSFERS:
		return number_at_end(s->t->field[col]);
	case AXIS_SILENCE:
		return 1000 * fmax(LEAST_SILENCE, row_value(s->t, col));
	case AXIS_LOAD:
		return row_value(s->t, col);
	default:
		return row_size(s->t, col);
	}
}

/* Sorts, and takes the median of the runs at each place. */
static void
finish(struct sweeps *s, struct sweep *of)
{
	struct curve *values = &of->part[VALUES];

	for (size_t i = LOW; i <= FLOOR; i++)
		curve_merge(&of->part[i], NULL, NULL);
	for (size_t i = 0; of->more && i < s->t->ncols; i++)
		curve_merge(&of->more[i], NULL, NULL);
	of->band_of_runs = !of->part[LOW].n && !of->more && !s->kind->link;
	/* Bandwidth may fall while the load rises. */
	if (s->kind->axis != AXIS_LOAD)
		curve_merge(values, of->band_of_runs ? &of->part[LOW] : NULL,
		            &of->part[HIGH]);
	curve_sort(&of->part[EXPECTED]);
	for (size_t k = 0; k < values->n; k++) {
		double x = values->point[k].x, y = values->point[k].y;

		curve_add(&of->part[SHARE], x,
		          strcmp(s->measure, "model_ratio_pct") != 0
		              ? 100 * y / curve_at(&of->part[EXPECTED], x)
		              : y);
		/* A missing value interrupts the band, too. */
		for (size_t i = LOW; i <= FLOOR; i++) {
			if (isnan(y) && of->part[i].n)
				curve_add(&of->part[i], x, NAN);
		}
	}
	for (size_t i = LOW; i <= FLOOR; i++)
		curve_sort(&of->part[i]);
	widen_to(&s->x, values, 1, false);
	widen_to(&s->values, values, 1, true);
}

/*
 * Reads the table to its end; pools samples of one place. Dies if the input is
 * bad, columns are missing or measures have different units; warns of rows
 * without a value. `rising` is the column that raises a load.
 */
static void
read_sweeps(struct sweeps *s, struct row_reader *r, struct table *t,
            const char *rising)
{
	const struct sweep_kind *kind = s->kind;
	bool load = kind->axis == AXIS_LOAD;
	struct histogram *d;

	r->place =
	    kind->axis == AXIS_TRANSFERS && rising ? rising : kind->column;
	r->axis = load ? rising : r->place;
	r->besides = kind->link;
	r->holes = true;
	r->runs_apart = load;
	while (row_reader_next(r, t)) {
		double x = place_of(s, (size_t)r->place_at);
		size_t i;

		/* Some programs measure size 0, too; a logarithm has none. */
		if (!load && x <= 0) {
			s->empty++;
			continue;
		}
		s->measure = r->measure;
		i = key_set_intern(&s->keys, &r->key);
		s->sweep = key_set_grow(&s->keys, s->sweep, &s->room,
		                        sizeof *s->sweep);
		if (r->hole) {
			curve_add(&s->sweep[i].part[VALUES], x, NAN);
			s->holes++;
		} else {
			take_row(s, i, x, r);
			take_bound(s, &s->sweep[i], x, row_value(t, r->col));
		}
	}
	s->measure = r->measure;
	d = tallies_finish(&s->samples, s->npools);
	for (size_t i = 0; i < s->npools; i++)
		add_value(&s->sweep[s->pool[i].sweep], s->pool[i].x,
		          percentile(&d[i], 50), percentile(&d[i], 5),
		          percentile(&d[i], 95), histogram_nth(&d[i], 0));
	histograms_free(d);
	for (size_t i = 0; i < s->keys.n; i++)
		finish(s, &s->sweep[i]);
}

/* Bands -------------------------------------------------------------------- */

/* More bands could not be told apart. */
#define BANDS_MOST 6

/* Whether two bands overlap at more than half of their common places. */
static bool
overlap(const struct sweep *a, const struct sweep *b)
{
	size_t apart = 0, both = 0;

	for (size_t i = 0; i < a->part[LOW].n; i++) {
		struct plot_point low = a->part[LOW].point[i];
		double other = curve_at(&b->part[LOW], low.x);

		if (isnan(low.y) || isnan(other))
			continue;
		both++;
		apart += low.y > curve_at(&b->part[HIGH], low.x) ||
		         other > a->part[HIGH].point[i].y;
	}
	return 2 * apart < both;
}

/*
 * How to read bands; NULL: there are none, or too many to tell apart. Those
 * that overlap form a patchwork in which none is visible.
 */
static char *
band_note(struct sweeps *s)
{
	bool p5 = false, minimum = false; /* where bands start */
	bool runs = false;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct sweep *w = &s->sweep[i];

		runs |= w->band_of_runs;
		p5 |= w->part[FLOOR].n > 0;
		minimum |= w->part[LOW].n > w->part[FLOOR].n;
	}
	/* At one size, a band has no width. */
	if (s->keys.n > BANDS_MOST || (!p5 && !minimum) ||
	    s->x.low == s->x.high)
		return NULL;
	s->banded = true;
	for (size_t i = 0; i < s->keys.n; i++) {
		for (size_t k = 0; k < i; k++)
			s->banded &= !overlap(&s->sweep[i], &s->sweep[k]);
	}
	if (!s->banded && runs)
		return NULL;
	return words("median; %s",
	             !s->banded ? "bands from p5 to p95 overlap, and are left "
	                          "out"
	             : runs     ? "band from the lowest to the highest run"
	             : !p5      ? "band from minimum to p95"
	             : minimum  ? "band from p5, or the minimum, to p95"
	                        : "band from p5 to p95; dots: minimum");
}

/* Bounds ------------------------------------------------------------------- */

static void
add_bound(struct sweeps *s, struct curve curve, char *name)
{
	curve.name = name;
	curve.look = BOUND;
	curve.dash = (double)s->nbounds + 2;
	PUSH(s->bound, s->nbounds, curve);
}

/* A curve of the model, for all sweeps with the same expectation. */
struct model {
	const struct key *first; /* of its sweeps */
	struct names names;      /* what its sweeps have in common */
	unsigned limits;
	struct curve curve;
};

/* Whether the model is of this link and bench, and never contradicts. */
static bool
is_model_of(const struct model *m, const struct key *key,
            const struct curve *expected)
{
	static const char *const same[] = {"link", "bench", accounting};
	const struct table *t = m->names.t;

	for (size_t i = 0; i < ARRAY_LEN(same); i++) {
		if (strcmp(key_text(t, m->first, same[i]),
		           key_text(t, key, same[i])) != 0)
			return false;
	}
	for (size_t i = 0; i < expected->n; i++) {
		double y = curve_at(&m->curve, expected->point[i].x);

		if (!isnan(y) && y != expected->point[i].y)
			return false;
	}
	return true;
}

static struct model
model_of(const struct names *names, const struct key *key)
{
	size_t size = names->t->ncols * sizeof *names->place;
	struct model m = {.first = key, .names = *names};

	m.names.place = memcpy(keep(size, 1), names->place, size);
	/* A sweep's kind is not the model's. */
	names_hide(&m.names, "kind");
	names_hide(&m.names, accounting);
	return m;
}

static void
list_bounds(struct sweeps *s, const struct names *names)
{
	struct model *models = NULL, *m;
	size_t n = 0, k;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct curve *expected = &s->sweep[i].part[EXPECTED];
		const struct key *key = &s->keys.key[i];

		if (!expected->n)
			continue;
		for (k = 0; k < n && !is_model_of(&models[k], key, expected);)
			k++;
		if (k == n)
			PUSH(models, n, model_of(names, key));
		m = &models[k];
		for (k = 0; k < s->t->ncols; k++) {
			const char *text = key_find(m->first, k);

			if (strcmp(key_find(key, k), text) != 0)
				m->names.place[k] = NAME_NOWHERE;
		}
		m->limits |= s->sweep[i].limits;
		curve_append(&m->curve, expected);
		curve_merge(&m->curve, NULL, NULL);
	}
	for (k = 0; k < n; k++) {
		const char *how = key_text(s->t, models[k].first, accounting);

		m = &models[k];
		/* Real data may exceed any other accounting. */
		if (!strcmp(how, accounting_names[ACCOUNTING_TRAFFIC]))
			how = limit_name(m->limits);
		add_bound(s, m->curve,
		          joined(*how ? how : "model", ", ",
		                 names_legend(&m->names, m->first)));
	}
	for (size_t i = 0; i < s->links.keys.n; i++) {
		curve_merge(&s->links.of[i], NULL, NULL);
		add_bound(s, s->links.of[i],
		          joined("Ethernet", " ",
		                 key_find(&s->links.keys.key[i], 0)));
	}
}

/* Outstanding -------------------------------------------------------------- */

/* What n outstanding transfers allow: n * size / RTT, up to the link. */
struct flight {
	double bytes, each; /* of a transfer; for bandwidths in ns */
	double rtt_ns;      /* 0: not known */
	double link, knee;  /* its limit, and what fills it; NAN: not known */
};

/* The time comes from the point with the least outstanding. */
static struct flight
flight_of(const struct sweeps *s, size_t i)
{
	const struct curve *v = &s->sweep[i].part[VALUES];
	const struct curve *bound = &s->sweep[i].part[EXPECTED];
	const char *size = key_text(s->t, &s->keys.key[i], "size_bytes");
	struct flight f = {.bytes = strtod(size, NULL), .link = NAN};

	f.each = f.bytes * 8 / rate_unit().gbit_s;
	if (v->n && v->point[0].y > 0)
		f.rtt_ns = v->point[0].x * f.each / v->point[0].y;
	if (bound->n)
		f.link = bound->point[bound->n - 1].y;
	f.knee = f.link * f.rtt_ns / f.each;
	return f;
}

/* Bounds that differ by less, in a part of their end, are one. */
#define ALIKE 0.01

static void
list_flights(struct sweeps *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		struct flight f = flight_of(s, i);
		double most = fmin(f.knee, s->x.high);
		double each = f.each / f.rtt_ns, end;
		struct curve c = {0};
		size_t k = 0;

		if (f.rtt_ns <= 0)
			continue;
		curve_add(&c, s->x.low, s->x.low * each);
		curve_add(&c, most, most * each);
		if (most < s->x.high)
			curve_add(&c, s->x.high, f.link);
		c.name = words("n * %s / %s%s", size_words(f.bytes),
		               time_words(f.rtt_ns),
		               isnan(f.knee) ? "" : ", limit of the link");
		end = c.point[c.n - 1].y;
		while (k < s->nbounds &&
		       (strcmp(s->bound[k].name, c.name) != 0 ||
		        fabs(range_of(&s->bound[k], 1, true).high - end) >
		            ALIKE * end))
			k++;
		if (k == s->nbounds)
			add_bound(s, c, c.name);
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
	double enough;

	if (s->keys.n != 1)
		return NULL;
	f = flight_of(s, 0);
	enough = s->values.high * f.rtt_ns / f.each;
	if (f.rtt_ns <= 0)
		return NULL;
	if (!isnan(f.link))
		return words("%.0f outstanding fill the link; %.3g %% reached",
		             ceil(f.knee), 100 * s->values.high / f.link);
	if (enough > LEVELS_OFF * s->x.high)
		return NULL;
	return words("up to %s, from %.0f outstanding on",
	             quantity_words(s->measure, s->values.high), ceil(enough));
}

/* Findings ----------------------------------------------------------------- */

/* The highest value of a part of all sweeps. */
struct best {
	double value, x; /* -INFINITY: none */
	size_t sweep;
};

static struct best
best_of(const struct sweeps *s, size_t part)
{
	struct best best = {.value = -INFINITY};

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct curve *v = &s->sweep[i].part[part];

		for (size_t k = 0; k < v->n; k++) {
			if (v->point[k].y > best.value)
				best = (struct best){v->point[k].y,
				                     v->point[k].x, i};
		}
	}
	return best;
}

/* Where values begin that are at least so high to the end, or INFINITY. */
static double
high_from(const struct curve *v, double least)
{
	size_t k = v->n;

	while (k && v->point[k - 1].y >= least)
		k--;
	return k < v->n ? v->point[k].x : INFINITY;
}

/* ", writes": the curve, if there are others. */
static char *
of_curve(const struct sweeps *s, const char *name)
{
	return s->keys.n > 1 && name ? words(", %s", name) : "";
}

/*
 * "at least 96.1 % of the limit of the link, writes, from 2 KiB on"; without a
 * name if it is true of all curves.
 */
static char *
share_words(const struct sweeps *s, const struct curve curve[],
            const char *limit)
{
	struct best best = best_of(s, SHARE);
	double enough = NEARLY * best.value, from = 0, least = best.value;
	const char *of = "";

	if (!(best.value > 0))
		return NULL;
	for (size_t i = 0; i < s->keys.n; i++)
		from = fmax(from, high_from(&s->sweep[i].part[SHARE], enough));
	if (isinf(from)) {
		from = high_from(&s->sweep[best.sweep].part[SHARE], enough);
		of = of_curve(s, whole_name(&curve[best.sweep]));
	}
	/* A single size is none from which on. */
	if (!(from < s->x.high))
		return words("%s %% of the %s%s", number_words(best.value, 3),
		             limit, of);
	for (size_t i = 0; i < s->keys.n; i++) {
		const struct curve *v = &s->sweep[i].part[SHARE];

		for (size_t k = 0; k < v->n; k++) {
			if (v->point[k].x >= from && (!*of || i == best.sweep))
				least = fmin(least, v->point[k].y);
		}
	}
	/* Rounded down, so that all points keep the word. */
	return words("at least %s %% of the %s%s, from %s on",
	             number_words(floor(least * 10) / 10, 3), limit, of,
	             size_words(from));
}

/* "504 ns to 784 ns", "up to 51 Gbit/s, writes, at 1 KiB" */
static char *
extent_words(const struct sweeps *s, const struct curve curve[])
{
	struct best best = best_of(s, VALUES);
	char *low, *high, *where;

	if (!(s->values.low <= s->values.high))
		return NULL;
	low = quantity_words(s->measure, s->values.low);
	high = quantity_words(s->measure, s->values.high);
	where = words("%s, at %s", of_curve(s, whole_name(&curve[best.sweep])),
	              place_words(place_column(s), best.x));
	if (has_unit(s, "gbit_s"))
		return words("up to %s%s", high, where);
	if (!(s->values.low < s->values.high))
		return low;
	return words("%s to %s%s", low, high, has_unit(s, "pct") ? where : "");
}

/* "PCIe allows up to 51 Gbit/s, at 1518 B; Ethernet 40G from 224 B on" */
static char *
frame_words(const struct sweeps *s, const struct curve curve[])
{
	struct curve *v, part = {0};
	char *text = extent_words(s, curve);
	double from;

	if (!text)
		return NULL;
	text = words("PCIe allows %s", text);
	if (s->keys.n > 1 || s->links.keys.n != 1)
		return text;
	v = &s->sweep[0].part[VALUES];
	for (size_t k = 0; k < v->n; k++)
		curve_add(&part, v->point[k].x,
		          v->point[k].y / curve_at(s->links.of, v->point[k].x));
	from = high_from(&part, 1);
	if (!isinf(from))
		add_words(&text, "; ", "%s from %s on", s->bound->name,
		          place_words(place_column(s), from));
	else if (part.n && part.point[part.n - 1].y < 1)
		add_words(&text, "; ", "less than %s at %s", s->bound->name,
		          place_words(place_column(s), s->x.high));
	return text;
}

/* More than this much of the first value counts, if it has no band. */
#define RISES 0.01

/*
 * "after 1 ms 55 us more, after 1 s 64 us", "from 8 MiB on 70 ns more, at 64
 * MiB 140 ns", of the curve that rises most.
 */
static char *
rise_words(const struct sweeps *s, const struct curve curve[])
{
	bool silence = s->kind->axis == AXIS_SILENCE;
	const char *column = place_column(s), *name = NULL, *rest;
	struct plot_point first = {0}, last = {0};

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct sweep *w = &s->sweep[i];
		struct curve v = w->part[VALUES];
		double base, high, x;

		if (!v.n)
			continue;
		base = v.point[0].y;
		high = curve_at(&w->part[HIGH], v.point[0].x);
		high = isnan(high) ? base + RISES * fabs(base) : high;
		x = high_from(&v, nextafter(high, INFINITY));
		if (isinf(x) || v.point[v.n - 1].y - base <= last.y)
			continue;
		first = (struct plot_point){x, curve_at(&v, x) - base};
		last = v.point[v.n - 1];
		last.y -= base;
		name = whole_name(&curve[i]);
	}
	if (last.y <= 0)
		return NULL;
	rest = words(", %s %s %s", silence ? "after" : "at",
	             place_words(column, last.x), time_words(last.y));
	return words("%s %s%s %s more%s%s", silence ? "after" : "from",
	             place_words(column, first.x), silence ? "" : " on",
	             time_words(first.y), first.y < last.y ? rest : "",
	             of_curve(s, name));
}

/* Picture ------------------------------------------------------------------ */

static void
put_bands(struct picture *p, const struct sweeps *s)
{
	block_begin(p, "bands");
	for (size_t i = 0; i < s->keys.n; i++) {
		const struct curve *low = &s->sweep[i].part[LOW];
		const struct curve *high = &s->sweep[i].part[HIGH];

		block_next(p);
		for (size_t k = 0; k < low->n && k < high->n; k++) {
			if (isnan(low->point[k].y))
				block_gap(p);
			else
				POINT(p, low->point[k].x / p->x_unit,
				      low->point[k].y / p->y_unit,
				      high->point[k].y / p->y_unit);
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
		double dash = 2;

		for (size_t k = 0; w->more && k < s->t->ncols; k++) {
			struct curve c = w->more[k];
			char *pct = column_words(s->t->name[k]), *dot;

			if (!c.n)
				continue;
			while ((dot = strchr(pct, ' ')))
				*dot = '.';
			c.name = s->keys.n > 1 && curve[i].name
			             ? joined(curve[i].name, ", ", pct)
			             : pct;
			c.look = curve[i].look;
			c.dash = dash++;
			PUSH(more, *n, c);
		}
	}
	return more;
}

/* "560 ns at 64 B; p5 548 ns, p95 580 ns" */
static void
add_tips(struct picture *p, const struct sweeps *s, size_t i,
         const struct curve *curve)
{
	const struct sweep *w = &s->sweep[i];
	const char *const name[PARTS] = {
	    [LOW] = w->band_of_runs        ? "lowest run"
	            : w->part[FLOOR].n > 0 ? "p5"
	                                   : "minimum",
	    [HIGH] = w->band_of_runs ? "highest run" : "p95",
	    [FLOOR] = "minimum"};
	size_t parts = w->part[EXPECTED].n ? PARTS : EXPECTED;

	for (size_t k = 0; k < w->part[VALUES].n && p->terminal->page; k++) {
		struct plot_point at = w->part[VALUES].point[k];
		char *text = words("%s at %s", quantity_words(s->measure, at.y),
		                   place_words(place_column(s), at.x));

		for (size_t part = LOW; part < parts; part++) {
			double y = curve_at(&w->part[part], at.x);

			if (part == SHARE && !isnan(y))
				add_words(&text, "; ", "%s %% of the limit",
				          number_words(y, 3));
			else if (part != EXPECTED && !isnan(y))
				add_words(&text, "; ", "%s %s", name[part],
				          quantity_words(s->measure, y));
		}
		if (!isnan(at.y))
			add_tip(p, ON(curve, at.x, at.y), whole_name(curve),
			        "%s", text);
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

		c.point = s->sweep[i].part[VALUES].point;
		c.n = s->sweep[i].part[VALUES].n;
		/* So many points would be a thick line. */
		line[i] = c.bare = is_computed(names, &s->keys.key[i]) ||
		                   (double)c.n > text_columns(p);
		if (n + s->nbounds > 1 || s->sweep[i].more)
			PUSH(ends, nends, c);
		add_tips(p, s, i, &curve[i]);
	}
	for (size_t i = 0; i < nmore; i++)
		PUSH(ends, nends, more[i]);
	put_ends(p, ends, nends, MARK_CURVE);
	PUT_LIST(p, "lines_only", line, n);
	PUT_CURVES(p, "rows", s->sweep, n, part[VALUES]);
	PUT_CURVES(p, "floors", s->sweep, n, part[FLOOR]);
	put_bands(p, s);
	put_number(p, "bands", s->banded);
	put_number(p, "nbounds", (double)s->nbounds);
	put_curves(p, "bounds", s->bound, s->nbounds, sizeof *s->bound);
	put_number(p, "nmore", (double)nmore);
	put_curves(p, "more", more, nmore, sizeof *more);
	PUT(p, "morelook", more, nmore, look);
	PUT(p, "moredash", more, nmore, dash);
}

/*
 * An outlier has more than this factor of the bandwidth of the next larger
 * size, and of that of the next smaller size times the ratio of the sizes.
 */
#define OUTLIER 20

/* The largest value of a part that is no outlier; counts those that are. */
static double
usual_most(struct sweeps *s, size_t part)
{
	double most = -INFINITY;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct curve *v = &s->sweep[i].part[part];

		for (size_t k = 0; k < v->n; k++) {
			const struct plot_point *at = &v->point[k];
			double low = k ? at[-1].y * at->x / at[-1].x : NAN;
			double high = k + 1 < v->n ? at[1].y : NAN;

			if (fmax(low, high) > 0 &&
			    at->y > OUTLIER * fmax(low, high))
				s->outliers++;
			else
				most = fmax(most, at->y);
		}
	}
	return most;
}

static void
put_axes(struct picture *p, struct sweeps *s, const char *label)
{
	enum axis axis = s->kind->axis;
	const char *rate = rate_unit().name;
	struct range r = s->values;
	struct scale x, y;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct sweep *w = &s->sweep[i];

		if (w->more)
			widen_to(&r, w->more, s->t->ncols, true);
		if (s->banded)
			widen_to(&r, &w->part[LOW], FLOOR - LOW + 1, true);
	}
	if (axis == AXIS_SIZE && !has_unit(s, "ns") && !p->y.range && !p->y.log)
		r.high = fmax(usual_most(s, VALUES),
		              s->banded ? usual_most(s, HIGH) : -INFINITY);
	if (s->outliers)
		add_words(&p->note, "; ", "above the axis: %zu point%s",
		          s->outliers, s->outliers == 1 ? "" : "s");
	put_number(p, "cut", (double)s->outliers);
	widen_to(&r, s->bound, s->nbounds, true);
	x = axis == AXIS_TRANSFERS ? choose_scale(p, false, "", s->x, 0)
	    : axis == AXIS_SILENCE ? choose_scale(p, false, "ns", s->x, 0)
	    : axis == AXIS_LOAD
	        ? scale_from_zero(p, false, rate, (struct range){0, s->x.high})
	        : SCALE_OF_SIZES(p, s->sweep, s->keys.n, part[VALUES]);
	if (axis == AXIS_TRANSFERS) {
		r.high = scale_from_zero(p, true, rate, r).high;
		r.low = fmax(s->values.low, 1e-3);
	}
	y = axis == AXIS_TRANSFERS  ? choose_scale(p, true, rate, r, 0)
	    : has_unit(s, "gbit_s") ? scale_from_zero(p, true, rate, r)
	    : has_unit(s, "ns")
	        ? choose_scale(p, true, "ns", r, LOG_FROM * s->values.low)
	        : choose_scale(p, true, "", r, INFINITY);
	put_scale(p, false, &x, s->kind->label);
	put_scale(p, true, &y, label);
	put_number(p, "sizes", axis == AXIS_SIZE);
}

static void
note_all(struct picture *p, struct sweeps *s)
{
	p->note = band_note(s);
	if (s->most > ABOVE)
		add_words(&p->note, "; ", "up to %s %% of the limit%s",
		          number_words(s->most, 3),
		          s->most_by == BY_READS
		              ? ": --inflight or --rtt is too low"
		              : "");
	if (s->empty)
		add_words(&p->note, "; ", "left out: %zu row%s %s", s->empty,
		          s->empty == 1 ? "" : "s",
		          s->kind->axis == AXIS_TRANSFERS
		              ? "without a number of transfers"
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
	/* "limit" says it. */
	if (!strcmp(names_constant(names, accounting),
	            accounting_names[ACCOUNTING_TRAFFIC]))
		names_hide(names, accounting);
	if (s->kind->axis == AXIS_TRANSFERS)
		list_flights(s);
	else
		list_bounds(s, names);
	if (!has_unit(s, "pct"))
		return words("%s%s",
		             s->kind->link ? "throughput"
		             : both_ways   ? "bandwidth"
		                           : measure_words(s->measure),
		             both_ways ? " each way" : "");
	if (s->keys.n) {
		curve_add(&line, s->x.low, 100);
		curve_add(&line, s->x.high, 100);
		add_bound(s, line, words("%s", share ? limit : "base"));
	}
	return share ? words("%% of the %s", limit)
	             : words("%s%s%% of %s", other, *other ? " in " : "",
	                     *base ? base : "the base");
}

/* By --x, latency has another axis; a load has other columns that raise it. */
static const struct sweep_kind *
find_kind(const struct picture *p)
{
	for (size_t i = 0; i < ARRAY_LEN(sweep_kinds); i++) {
		const struct sweep_kind *kind = &sweep_kinds[i];
		bool free = kind->axis == AXIS_LOAD ||
		            kind->axis == AXIS_TRANSFERS || !p->x_column;

		if (!strcmp(kind->name, p->kind) &&
		    (free || !strcmp(p->x_column, kind->column)))
			return kind;
	}
	die_usage("--x %s: for lat size_bytes or idle_us", p->x_column);
}

/*
 * Reads the table to its end: a curve for rows that differ only in size, its
 * bound if there is one, and for few curves of latency the scatter. Dies as
 * read_sweeps does.
 */
void
draw_sweep(struct picture *p, struct table *t)
{
	const struct sweep_kind *kind = find_kind(p);
	struct row_reader r = {.measures = kind->measures,
	                       .lacking = kind->lacking};
	static struct sweeps s;
	struct names names;
	struct curve *curve;
	double *median;
	const char *computed;
	char *limit, *label;

	s = (struct sweeps){
	    .kind = kind, .t = t, .x = RANGE_OF_NONE, .values = RANGE_OF_NONE};
	read_sweeps(&s, &r, t,
	            p->x_column || kind->axis == AXIS_TRANSFERS
	                ? p->x_column
	                : "inject_delay");
	if (kind->axis == AXIS_LOAD && p->x_column &&
	    table_find_given(t, p->x_column) < 0)
		need_given_column(t, p->x_column);
	names = names_of(t, &s.keys);
	limit = limit_name(s.all_limits);
	for (size_t i = 0; i < s.keys.n; i++) {
		const char *how = key_text(t, &s.keys.key[i], accounting);

		/* Real data may exceed it. */
		if (*how &&
		    strcmp(how, accounting_names[ACCOUNTING_TRAFFIC]) != 0)
			limit = words("model of %s", how);
	}
	label = bound_all(&s, &names, limit);
	median = keep(s.keys.n, sizeof *median);
	for (size_t i = 0; i < s.keys.n; i++)
		median[i] = points_middle(&s.sweep[i].part[VALUES], 1, true);
	/* A sweep without distinguishing columns is named after its kind. */
	computed = names_constant(&names, "kind");
	curve = named_curves(&names, &s.keys, true, median,
	                     *computed ? computed : "measured");
	p->finding = kind->axis == AXIS_TRANSFERS ? flight_words(&s)
	             : has_unit(&s, "ns") && (kind->axis == AXIS_SILENCE ||
	                                      kind->measures == of_windows)
	                 ? rise_words(&s, curve)
	             : kind->link && !strcmp(computed, "model")
	                 ? frame_words(&s, curve)
	                 : share_words(&s, curve, limit);
	if (!p->finding)
		p->finding = extent_words(&s, curve);
	names_describe(&names, p,
	               kind->link ? "throughput" : measure_words(s.measure));
	if (!kind->link)
		say_runs(p, &r);
	note_all(p, &s);
	put_axes(p, &s, label);
	put_all(p, &s, &names, curve);
	p->empty = !(s.values.low <= s.values.high);
}
