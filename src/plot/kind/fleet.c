/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A point for each host, beside the median of all: shows outliers. */
#include "common/base/utf8.h"
#include "common/base/util.h"
#include "plot/kind/kind.h"
#include "plot/picture/drawing.h"

#include <math.h>

static const char *const measures[] = {"median_ns",     "latency_ns",
                                       "median_gbit_s", "bandwidth_gbit_s",
                                       "median_per_s",  NULL};

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
read_fleet(struct fleet *f, struct table *t)
{
	struct row_reader r = {.measures = measures,
	                       .place = "host",
	                       .axis = "host",
	                       .lacking = "a host or a measure"};
	size_t n = 0;

	while (row_reader_next(&r, t)) {
		size_t host = (size_t)table_find(t, "host");

		array_push(
		    f->value, f->n,
		    (struct host_value){
		        .condition = key_set_intern(&f->conditions, &r.key),
		        .host = key_set_intern_text(&f->hosts, t->field[host]),
		        .value = row_value(t, r.col),
		    });
	}
	f->measure = r.measure;
	row_reader_free(&r);
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

struct named_host {
	double x, row;
	char *text;
};

/* Of all conditions. */
struct points {
	struct curve within, beyond;
	struct named_host *say;
	size_t nsays;
	char **name; /* of rows */
	double *at, row;
	size_t rows;
	double low, high, most; /* of what is drawn; of what is not cut off */
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
	return pct < 1000 ? xasprintf("%+.3g %%", pct)
	                  : xasprintf("%.4g times", 1 + pct / 100);
}

/* Computes how far n hosts are off their median, which it returns. */
static double
compare_hosts(struct host_value *v, size_t n)
{
	double *sorted = xcalloc(n, sizeof *sorted), median;

	for (size_t i = 0; i < n; i++)
		sorted[i] = v[i].value;
	median = sorted_middle(sorted, n);
	free(sorted);
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
	size_t beyond = 0, rows = points->rows;
	double row = ++points->row, median = compare_hosts(v, n);
	char *middle = quantity_words(f->measure, median);

	qsort(v, n, sizeof *v, by_size);
	while (beyond < n && fabs(v[beyond].pct) > p->tolerance)
		beyond++;
	points->row += (double)(beyond < NAMED_MOST ? beyond : NAMED_MOST);
	array_push(points->name, points->rows, name);
	points->at =
	    xreallocarray(points->at, points->rows, sizeof *points->at);
	points->at[rows] = row;
	add_tip(p, AT(0, row), name, "median of all hosts: %s", middle);
	free(middle);
	for (size_t i = 0; i < n; i++) {
		/* A bit lower than the last: equal values stay visible. */
		double place = fmod(0.5 + (double)i * 0.618034, 1) - 0.5;
		bool named = i < beyond && i < NAMED_MOST;
		struct curve *to =
		    i < beyond ? &points->beyond : &points->within;
		double at = fmax(-points->most, fmin(v[i].pct, points->most));
		const char *host = key_find(&f->hosts.key[v[i].host], 0);
		char *value = quantity_words(f->measure, v[i].value);
		char *pct = pct_words(v[i].pct);

		double y = row + (named ? (double)i + 1 : SPREAD * place);

		curve_add(to, at, y);
		add_tip(p, AT(at, y), name, "%s: %s, %s", host, value, pct);
		if (named) {
			char *text = xasprintf(
			    "%.*s %s", (int)(strlen(host) - points->domain),
			    host, pct);

			if (i + 1 == NAMED_MOST && beyond > NAMED_MOST)
				xappend(&text, ", ", "%zu more",
				        beyond - NAMED_MOST);
			array_push(points->say, points->nsays,
			           (struct named_host){at, y, text});
		}
		free(value);
		free(pct);
		points->low = fmin(points->low, at);
		points->high = fmax(points->high, at);
		points->cut += at != v[i].pct;
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
	double *far = xcalloc(f->n, sizeof *far), most = INFINITY;

	for (size_t i = 0, n; i < f->n; i += n) {
		n = hosts_of(f, &f->value[i]);
		compare_hosts(&f->value[i], n);
	}
	for (size_t i = 0; i < f->n; i++)
		far[i] = fabs(f->value[i].pct);
	sort_ascending(far, f->n);
	/* Of few, the percentile would be the furthest. */
	if (f->n > 2)
		most = 10 * far[f->n < 11 ? f->n - 2 : (f->n - 1) * 9 / 10];
	free(far);
	return fmax(most, ALWAYS_SHOWN);
}

static void
put_curve(struct picture *p, struct curve *c)
{
	for (size_t i = 0; i < c->n; i++)
		POINT(p, c->point[i].x, c->point[i].y);
	free(c->point);
}

/* The names beside outliers, and a range with room for them. */
static void
put_says(struct picture *p, const struct points *points)
{
	size_t n = points->nsays;
	char **text = xcalloc(n + 1, sizeof *text);
	double *x = xcalloc(n + 1, sizeof *x),
	       *row = xcalloc(n + 1, sizeof *row);
	double room = text_columns(p) -
	              fmin((double)widest_of(points->name, points->rows),
	                   text_columns(p) / 2);
	double span = points->high - points->low, high = points->high;
	struct scale scale;

	for (size_t i = 0; i < n; i++) {
		text[i] = points->say[i].text;
		x[i] = points->say[i].x;
		row[i] = points->say[i].row;
	}
	/* Wide enough for each name, however far to the right it is. */
	for (size_t i = 0; i < n; i++) {
		double part =
		    fmin(((double)plain_width(text[i]) + 4) / room, 0.6);

		high =
		    fmax(high, points->low + (x[i] - points->low) / (1 - part));
		high = fmax(high, x[i] + part * span);
	}
	scale = choose_scale(p, false, "%", points->low, high, INFINITY);
	put_scale(p, false, &scale, "off the median of all hosts");
	put_number(p, "nsays", (double)n);
	put_texts(p, "says", text, n);
	put_numbers(p, "saysat", x, n);
	put_numbers(p, "saysrow", row, n);
	for (size_t i = 0; i < n; i++)
		free(text[i]);
	free(text);
	free(x);
	free(row);
}

/* "node7 is 50 % off the median of 40 hosts": the furthest, if it is beyond. */
static char *
finding(const struct fleet *f, const struct points *points, double tolerance)
{
	const struct host_value *far = NULL;
	const char *host;
	char *pct, *words;

	for (size_t i = 0; i < f->n; i++) {
		if (!far || fabs(f->value[i].pct) > fabs(far->pct))
			far = &f->value[i];
	}
	if (!far)
		return NULL;
	if (!points->named)
		return xasprintf("%zu host%s within %g %%", f->hosts.n,
		                 f->hosts.n == 1 ? "" : "s", tolerance);
	host = key_find(&f->hosts.key[far->host], 0);
	pct = pct_words(far->pct);
	words = xasprintf("%.*s is %s off the median of %zu hosts",
	                  (int)(strlen(host) - points->domain), host, pct,
	                  f->hosts.n);
	free(pct);
	return words;
}

static void
draw(struct picture *p, struct table *t)
{
	struct fleet f = {0};
	struct points points = {.low = -p->tolerance, .high = p->tolerance};
	struct names names;

	read_fleet(&f, t);
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
	    xasprintf("%zu host%s; %zu of %zu points within %g %% of their "
	              "median, which is grey",
	              f.hosts.n, f.hosts.n == 1 ? "" : "s",
	              points.hosts - points.named, points.hosts, p->tolerance);
	if (points.cut)
		xappend(&p->note, "; ", "cut off at %.3g %%", points.most);
	block_begin(p, "rows");
	put_curve(p, &points.within);
	block_next(p);
	put_curve(p, &points.beyond);
	block_end(p);
	put_number(p, "tolerance", p->tolerance);
	put_says(p, &points);
	put_rows(p, points.name, points.at, points.rows, points.row, 3);
	p->empty = !f.n;
	free(points.say);
	free(points.at);
	names_free(&names);
	key_set_free(&f.conditions);
	key_set_free(&f.hosts);
	free(f.value);
}

const struct kind kind_fleet = {
    .name = "fleet",
    .help = "a point for each host, and the names of the outliers",
    .takes = TAKES_TOLERANCE,
    .draw = draw,
    .template = "fleet",
};
