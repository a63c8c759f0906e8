/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A point for each host, beside the median of all: shows outliers. */
#include "common/base/number.h"
#include "common/base/utf8.h"
#include "plot/kind/kind.h"

/* Most hosts of a row that are named; the others are counted. */
#define NAMED_MOST 3

/* Largest distance from the median, in per cent. */
#define PCT_MOST 1e6

/* Distances up to this one are never cut off, in per cent. */
#define ALWAYS_SHOWN 100

/* Part of a row's height over which points spread. */
#define SPREAD 0.6

/* One host under one condition: the median of its rows. */
struct host_value {
	size_t condition;
	size_t host; /* index of its name */
	double value;
	double pct; /* per cent from the median of all hosts */
};

struct fleet {
	struct key_set conditions, hosts;
	struct host_value *value;
	size_t n;
	const char *measure; /* as in struct row_reader */
};

/* Reading ----------------------------------------------------------------- */

static int
by_place(const void *a, const void *b)
{
	const struct host_value *x = a, *y = b;

	if (x->condition != y->condition)
		return x->condition < y->condition ? -1 : 1;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

static void
read_fleet(struct fleet *f, struct table *t, const struct kind *kind)
{
	struct row_reader r = {.measures = kind->measures,
	                       .place = kind->column,
	                       .axis = kind->column,
	                       .lacking = kind->lacking};
	size_t n = 0;

	while (row_reader_next(&r, t))
		PUSH(f->value, f->n,
		     (struct host_value){
		         .condition = key_set_intern(&f->conditions, &r.key),
		         .host = key_set_intern_text(
		             &f->hosts, optional_text(t, kind->column)),
		         .value = row_value(t, r.col),
		     });
	f->measure = r.measure;
	if (f->n)
		qsort(f->value, f->n, sizeof *f->value, by_place);
	/* Keeps the middle one of several rows of a host. */
	for (size_t i = 0, k; i < f->n; i = k) {
		for (k = i; k < f->n && f->value[k].host == f->value[i].host &&
		            f->value[k].condition == f->value[i].condition;)
			k++;
		f->value[n++] = f->value[i + (k - i) / 2];
	}
	f->n = n;
}

/* Picture ----------------------------------------------------------------- */

enum { WITHIN, BEYOND };

/* Of all conditions. */
struct points {
	struct curve of[2]; /* within the tolerance, and beyond */
	struct named_host {
		double x, row;
		char *text;
	} * say;
	size_t nsays;
	struct row *name;
	double row;
	size_t rows;
	struct range range; /* of what is drawn */
	double most;        /* what is not cut off */
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

/* Computes how far n hosts are off their median, which it returns. */
static double
compare_hosts(struct host_value *v, size_t n)
{
	double *sorted = keep(n, sizeof *sorted), median;

	for (size_t i = 0; i < n; i++)
		sorted[i] = v[i].value;
	median = sorted_middle(sorted, n);
	for (size_t i = 0; i < n; i++) {
		double pct = 100 * (v[i].value - median) / fabs(median);

		/* From a median of 0 it is infinite. */
		v[i].pct = v[i].value == median
		               ? 0
		               : fmax(-PCT_MOST, fmin(pct, PCT_MOST));
	}
	return median;
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
 * Draws the rows of a condition: `n` hosts from v on, which end up sorted by
 * distance. Of those out of line the furthest have a row each, below that of
 * all others, and their names.
 */
static void
add_condition(struct picture *p, const struct fleet *f, struct host_value *v,
              size_t n, struct points *points, char *name)
{
	double row = ++points->row, median = compare_hosts(v, n);
	size_t beyond = 0;

	qsort(v, n, sizeof *v, by_size);
	while (beyond < n && fabs(v[beyond].pct) > p->tolerance)
		beyond++;
	points->row += (double)(beyond < NAMED_MOST ? beyond : NAMED_MOST);
	PUSH(points->name, points->rows, (struct row){name, row});
	add_tip(p, AT(0, row), name, "median of all hosts: %s",
	        quantity_words(f->measure, median));
	for (size_t i = 0; i < n; i++) {
		/* A bit lower than the last: equal values stay visible. */
		double place = fmod(0.5 + (double)i * 0.618034, 1) - 0.5;
		bool named = i < beyond && i < NAMED_MOST;
		double x = fmax(-points->most, fmin(v[i].pct, points->most));
		double y = row + (named ? (double)i + 1 : SPREAD * place);
		const char *host = key_find(&f->hosts.key[v[i].host], 0);
		char *pct = pct_words(v[i].pct), *text;

		curve_add(&points->of[i < beyond ? BEYOND : WITHIN], x, y);
		add_tip(p, AT(x, y), name, "%s: %s, %s", host,
		        quantity_words(f->measure, v[i].value), pct);
		widen(&points->range, x);
		points->cut += x != v[i].pct;
		if (!named)
			continue;
		text = words("%.*s %s", (int)(strlen(host) - points->domain),
		             host, pct);
		if (i + 1 == NAMED_MOST && beyond > NAMED_MOST)
			add_words(&text, ", ", "%zu more", beyond - NAMED_MOST);
		PUSH(points->say, points->nsays,
		     (struct named_host){x, y, text});
	}
	points->named += beyond;
	points->hosts += n;
}

/* The hosts of one condition, from v on. */
static size_t
hosts_of(const struct fleet *f, const struct host_value *v)
{
	size_t n = 1;

	while (v + n < f->value + f->n && v[n].condition == v->condition)
		n++;
	return n;
}

/*
 * The largest distance that does not flatten the others, in per cent: ten times
 * that of nine points in ten.
 */
static double
furthest_shown(const struct fleet *f)
{
	double *far = keep(f->n, sizeof *far), most = INFINITY;

	for (size_t i = 0, n; i < f->n; i += n) {
		n = hosts_of(f, &f->value[i]);
		compare_hosts(&f->value[i], n);
	}
	for (size_t i = 0; i < f->n; i++)
		far[i] = fabs(f->value[i].pct);
	sort_numbers(far, f->n);
	/* Of few, the percentile would be the furthest. */
	if (f->n > 2)
		most = 10 * far[f->n < 11 ? f->n - 2 : (f->n - 1) * 9 / 10];
	return fmax(most, ALWAYS_SHOWN);
}

/* The names beside outliers, and a range with room for them. */
static void
put_says(struct picture *p, const struct points *points)
{
	const struct named_host *say = points->say;
	size_t n = points->nsays;
	double names = (double)CUT(points->name, points->rows, name, 0);
	double room = text_columns(p) - fmin(names, text_columns(p) / 2);
	struct range r = points->range;
	double span = r.high - r.low;
	struct scale scale;

	/* Wide enough for each name, however far to the right it is. */
	for (size_t i = 0; i < n; i++) {
		double part =
		    fmin(((double)plain_width(say[i].text) + 4) / room, 0.6);

		r.high = fmax(r.high, r.low + (say[i].x - r.low) / (1 - part));
		r.high = fmax(r.high, say[i].x + part * span);
	}
	scale = choose_scale(p, false, "%", r, INFINITY);
	put_scale(p, false, &scale, "off the median of all hosts");
	put_number(p, "nsays", (double)n);
	PUT(p, "says", say, n, text);
	PUT(p, "saysat", say, n, x);
	PUT(p, "saysrow", say, n, row);
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

static void
draw(struct picture *p, struct table *t, const struct kind *kind)
{
	static struct fleet f;
	struct points points = {.range = {-p->tolerance, p->tolerance}};
	struct scale plain = {.unit = 1};
	struct names names;

	read_fleet(&f, t, kind);
	names = names_of(t, &f.conditions);
	points.most = furthest_shown(&f);
	points.domain = common_domain(&f.hosts);
	for (size_t i = 0, n; i < f.n; i += n) {
		size_t key = f.value[i].condition;

		n = hosts_of(&f, &f.value[i]);
		add_condition(p, &f, &f.value[i], n, &points,
		              names_key(&names, &f.conditions, key,
		                        names_constant(&names, "bench")));
	}
	p->finding = finding(&f, &points, p->tolerance);
	names_describe(&names, p, measure_words(f.measure));
	p->note =
	    words("%zu host%s; %zu of %zu points within %g %% of their "
	          "median, which is grey",
	          f.hosts.n, f.hosts.n == 1 ? "" : "s",
	          points.hosts - points.named, points.hosts, p->tolerance);
	if (points.cut)
		add_words(&p->note, "; ", "cut off at %.3g %%", points.most);
	put_curves(p, "rows", points.of, 2, sizeof *points.of, &plain, &plain);
	put_number(p, "tolerance", p->tolerance);
	put_says(p, &points);
	put_rows(p, points.name, points.rows, points.row, 3);
	p->empty = !f.n;
}

const struct kind kind_fleet = {
    .name = "fleet",
    .help = "a point for each host, and the names of the outliers",
    .takes = TAKES_TOLERANCE,
    .draw = draw,
    .template = "fleet",
    .column = "host",
    .measures =
        (const char *const[]){"median_ns", "latency_ns", "median_gbit_s",
                              "bandwidth_gbit_s", "median_per_s", NULL},
    .lacking = "a host or a measure",
};
