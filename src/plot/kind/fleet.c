/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A point for each host, beside the median of all: shows outliers. */
#include "common/base/number.h"
#include "plot/kind/bars.h"
#include "plot/kind/kind.h"

/* Most hosts of a row that are named; the others are counted. */
#define NAMED_MOST 3

/* Largest distance from the median, in per cent. */
#define PCT_MOST 1e6

/* Distances up to this one are never cut off, in per cent. */
#define ALWAYS_SHOWN 100

/* Part of a row's height over which points spread; fewer points need less. */
#define SPREAD 0.6
#define FEW    20

/* One host under one condition: the median of its rows. */
struct host_value {
	size_t host; /* index of its name */
	double value;
	double pct; /* per cent from the median of all hosts */
};

struct fleet {
	struct curves conditions; /* host and value */
	struct key_set hosts;
	struct host_value *value; /* by condition */
	size_t n;
	const char *measure; /* as in struct row_reader */
};

/* Reading ----------------------------------------------------------------- */

/* From a median of 0 others are infinitely far. */
static double
pct_off(double value, double median)
{
	double pct = 100 * (value - median) / fabs(median);

	return value == median ? 0 : fmax(-PCT_MOST, fmin(pct, PCT_MOST));
}

static void
read_fleet(struct fleet *f, struct table *t)
{
	struct row_reader r = {
	    .measures = MEASURES("median_ns", "latency_ns", "median_gbit_s",
	                         "bandwidth_gbit_s", "median_per_s"),
	    .place = "host",
	    .axis = "host",
	    .lacking = "a host or a measure"};

	while (row_reader_next(&r, t))
		curve_add(row_curve(&f->conditions, &r),
		          (double)key_set_intern_text(&f->hosts,
		                                      optional_text(t, "host")),
		          row_value(t, r.col));
	f->measure = r.measure;
	for (size_t i = 0; i < f->conditions.keys.n; i++) {
		struct curve *c = &f->conditions.of[i];
		double median;

		curve_merge(c, NULL, NULL);
		median = points_middle(c, 1, true);
		for (size_t k = 0; k < c->n; k++)
			PUSH(f->value, f->n,
			     (struct host_value){
			         (size_t)c->point[k].x, c->point[k].y,
			         pct_off(c->point[k].y, median)});
	}
}

/* Picture ----------------------------------------------------------------- */

enum { WITHIN, BEYOND };

/* Of all conditions. */
struct points {
	struct bars bars;
	double most; /* what is not cut off */
	size_t named, hosts, cut;
	size_t domain; /* bytes at the end of each name */
};

static int
by_size(const void *a, const void *b)
{
	const struct host_value *x = a, *y = b;
	double p = fabs(x->pct), q = fabs(y->pct);

	return (p < q) - (p > q);
}

/* "+54 %", "1001 times" */
static char *
pct_words(double pct)
{
	return pct < 1000 ? words("%+.3g %%", pct)
	                  : words("%.4g times", 1 + pct / 100);
}

/* The bytes at the end of all names that are one domain, from its dot on. */
static size_t
common_domain(const struct key_set *hosts)
{
	const char *first = hosts->n > 1 ? key_find(&hosts->key[0], 0) : "";
	const char *domain = strchr(first, '.');

	for (size_t i = 1; domain && i < hosts->n;) {
		const char *host = key_find(&hosts->key[i], 0);
		size_t length = strlen(host), end = strlen(domain);

		if (length > end && !strcmp(host + length - end, domain))
			i++;
		else
			domain = strchr(domain + 1, '.');
	}
	return domain ? strlen(domain) : 0;
}

/*
 * Draws the rows of a condition, with the hosts from v on, which end up sorted
 * by distance. Of those out of line the furthest have a row each, below that of
 * all others, and their names.
 */
static void
add_condition(struct picture *p, const struct fleet *f, const struct curve *c,
              struct host_value *v, struct points *points, char *name)
{
	struct bars *b = &points->bars;
	double row = bars_row(b, name);
	double spread = SPREAD * fmin((double)c->n / FEW, 1);
	size_t n = c->n, beyond = 0;

	qsort(v, n, sizeof *v, by_size);
	while (beyond < n && fabs(v[beyond].pct) > p->tolerance)
		beyond++;
	add_tip(p, AT(0, row), name, "median of all hosts: %s",
	        quantity_words(f->measure, points_middle(c, 1, true)));
	for (size_t i = 0; i < n; i++) {
		/* A bit lower than the last: equal values stay visible. */
		double place = fmod(0.5 + (double)i * 0.618034, 1) - 0.5;
		bool named = i < beyond && i < NAMED_MOST;
		double x = fmax(-points->most, fmin(v[i].pct, points->most));
		double y = named ? bars_row(b, "") : row + spread * place;
		const char *host = key_find(&f->hosts.key[v[i].host], 0);
		char *pct = pct_words(v[i].pct), *text;

		bars_bar(b, y, i < beyond ? BEYOND : WITHIN, x, x, 0,
		         words("%s: %s, %s", host,
		               quantity_words(f->measure, v[i].value), pct));
		widen(&b->panel->range, x);
		points->cut += x != v[i].pct;
		if (!named)
			continue;
		text = words("%.*s %s", (int)(strlen(host) - points->domain),
		             host, pct);
		if (i + 1 == NAMED_MOST && beyond > NAMED_MOST)
			add_words(&text, ", ", "%zu more", beyond - NAMED_MOST);
		bars_say(b, y, x, text, PLAIN);
	}
	points->named += beyond;
	points->hosts += n;
}

/*
 * The largest distance that does not flatten the others, in per cent: ten times
 * that of nine points in ten.
 */
static double
furthest_shown(const struct fleet *f)
{
	double *far = keep(f->n, sizeof *far), most = INFINITY;

	for (size_t i = 0; i < f->n; i++)
		far[i] = fabs(f->value[i].pct);
	sort_numbers(far, f->n);
	/* Of few, the percentile would be the furthest. */
	if (f->n > 2)
		most = 10 * far[f->n < 11 ? f->n - 2 : (f->n - 1) * 9 / 10];
	return fmax(most, ALWAYS_SHOWN);
}

/* "node7 is 50 % off the median of 40 hosts": the furthest, if it is beyond. */
static char *
finding(const struct fleet *f, const struct points *points, double tolerance)
{
	const struct host_value *far = f->value;
	const char *host;

	for (size_t i = 0; i < f->n; i++) {
		if (fabs(f->value[i].pct) > fabs(far->pct))
			far = &f->value[i];
	}
	if (!far)
		return NULL;
	if (!points->named)
		return words("%zu host%s within %g %%", f->hosts.n,
		             f->hosts.n == 1 ? "" : "s", tolerance);
	host = key_find(&f->hosts.key[far->host], 0);
	return words("%.*s is %s off the median of %zu hosts",
	             (int)(strlen(host) - points->domain), host,
	             pct_words(far->pct), f->hosts.n);
}

void
draw_fleet(struct picture *p, struct table *t)
{
	static struct fleet f;
	struct points points = {.bars = {.lined = true, .band = p->tolerance}};
	struct host_value *v;
	struct names names;

	read_fleet(&f, t);
	v = f.value;
	names = names_of(t, &f.conditions.keys);
	points.most = furthest_shown(&f);
	points.domain = common_domain(&f.hosts);
	bars_panel(&points.bars, "off the median of all hosts", "%",
	           (struct range){-p->tolerance, p->tolerance});
	bars_point(&points.bars, NULL, 0x800072b2, '.', DOT,
	           f.hosts.n < FEW ? 0.7 : 0.4);
	bars_point(&points.bars, NULL, series_hue(4), 'X', DOT, 0.9);
	for (size_t i = 0; i < f.conditions.keys.n; i++) {
		const struct curve *c = &f.conditions.of[i];

		add_condition(p, &f, c, v, &points,
		              names_key(&names, &f.conditions.keys, i,
		                        names_bench(&names)));
		v += c->n;
	}
	p->finding = finding(&f, &points, p->tolerance);
	names_describe(&names, p, measure_words(f.measure));
	p->note = words("%zu host%s; %zu of %zu points within %g %% of their "
	                "median%s",
	                f.hosts.n, f.hosts.n == 1 ? "" : "s",
	                points.hosts - points.named, points.hosts, p->tolerance,
	                p->terminal->text ? "" : " (grey)");
	if (points.cut)
		add_words(&p->note, "; ", "cut off at %.3g %%", points.most);
	put_bars(p, &points.bars);
}
