/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/util.h"
#include "plot/data/samples.h"
#include "plot/gnuplot/quote.h"

#include <math.h>

#include "rig/cmocka.h"
#include "rig/support.h"

/* Texts -------------------------------------------------------------------- */

static void
test_plain_texts(void **state)
{
	static const struct {
		const char *text;
		size_t width;
		const char *wanted;
	} rows[] = {
	    {"", 0, ""},
	    {"abc", 3, "abc"},
	    {"abcd", 3, "..."},
	    {"abcdef", 5, "a...f"},
	    {"abcdefgh", 6, "a...gh"},
	    {"abcdefgh", 8, "abcdefgh"},
	    {"abcd", 2, "abcd"},
	    {"a\nb\x1b\x7f", 0, "a?b??"},
	    {"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 5,
	     "\xc3\xa9...\xc3\xa9"},
	    {"a\xff\xc3", 0, "a??"},
	    {"a]]>b]>", 0, "a]]?b]>"},
	    {"a\xe2\x80\xae|\xe2\x81\xa7|\xe2\x80\x94", 0, "a?|?|\xe2\x80\x94"},
	    {"\xef\xbf\xbe|\xef\xbf\xbf|\xef\xbf\xbd", 0, "?|?|\xef\xbf\xbd"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *plain = plain_text(rows[i].text, rows[i].width);

		assert_string_equal(plain, rows[i].wanted);
		free(plain);
	}
}

static void
assert_written(void (*write)(FILE *, const char *), const char *text,
               const char *wanted)
{
	char *written;
	size_t size;
	FILE *to = open_memstream(&written, &size);

	assert_non_null(to);
	write(to, text);
	assert_int_equal(fclose(to), 0);
	assert_string_equal(written, wanted);
	free(written);
}

static void
write_only(FILE *to, const char *text)
{
	write_string(to, "", text);
}

static void
test_strings(void **state)
{
	assert_written(write_only, "", "''");
	assert_written(write_only, "a\\n`@b\"", "'a\\n`@b\"'");
	assert_written(write_only, "'it's\n",
	               "''.\"\\047\".'it'.\"\\047\".'s?'");
	assert_written(write_comment, "a\\`b`@c\n#'\"", "a??b??c?#'\"");
}

/* Steps -------------------------------------------------------------------- */

/* The part of the samples up to `x`, by a step curve. */
static double
curve_at(const struct curve *c, double x)
{
	double y = 0;

	for (size_t i = 0; i < c->n && c->point[i].x <= x; i++)
		y = c->point[i].y / 100;
	return y;
}

static double
dist_at(const struct histogram *d, double x)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < d->nbins && d->bin[i].value <= x; i++)
		sum += d->bin[i].count;
	return (double)sum / (double)d->n;
}

static struct picture
picture_of(const struct histogram *d, unsigned width, unsigned height)
{
	struct picture p = {.width = width, .height = height, .room = 10};

	axis_values(&p.x, "t", "ns", histogram_nth(d, 0),
	            histogram_nth(d, d->n - 1),
	            LOG_FROM * histogram_nth(d, d->n / 2), p.room);
	axis_percent(&p.y, "%");
	add_steps(picture_take(&p, STYLE_STEPS, xstrdup(""), 0, NULL), d, &p);
	return p;
}

static void
test_few_steps_are_all_kept(void **state)
{
	struct tallies s = {0};
	struct histogram *d;
	struct picture p;
	const struct curve *c;

	assert_true(tallies_add(&s, 0, 100, 1));
	assert_true(tallies_add(&s, 0, 110, 2));
	assert_true(tallies_add(&s, 0, 200, 5));
	d = tallies_finish(&s, 1);
	p = picture_of(d, 800, 500);
	c = &p.curve[0];
	assert_int_equal(c->n, 4);
	assert_true(c->point[0].x == 100 && c->point[0].y == 0);
	assert_true(c->point[1].x == 100 && c->point[1].y == 12.5);
	assert_true(c->point[2].x == 110 && c->point[2].y == 37.5);
	assert_true(c->point[3].x == 200 && c->point[3].y == 100);
	picture_free(&p);
	histograms_free(d);
}

static void
test_one_value(void **state)
{
	struct tallies s = {0};
	struct histogram *d;
	struct picture p;

	assert_true(tallies_add(&s, 0, 7, UINT64_MAX));
	d = tallies_finish(&s, 1);
	p = picture_of(d, 800, 500);
	assert_int_equal(p.curve[0].n, 2);
	assert_true(p.curve[0].point[1].y == 100);
	assert_true(p.x.min < 7 && p.x.max > 7);
	picture_free(&p);
	histograms_free(d);
}

/*
 * Within half a dot of any place, to the left and right, the drawn curve has
 * passed the height of the true one, except half a dot.
 */
static void
assert_looks_the_same(const struct picture *p, const struct histogram *d)
{
	const struct curve *c = &p->curve[0];
	double dy = 0.5 / p->height + 1e-12;

	for (size_t i = 0; i < d->nbins; i++) {
		double x = d->bin[i].value;
		double at = axis_position(&p->x, x);
		double y = dist_at(d, x);
		double low = x;
		double high = x;

		for (size_t k = i;
		     k-- > 0 && at - axis_position(&p->x, d->bin[k].value) <
		                    0.5 / p->width;)
			low = d->bin[k].value;
		for (size_t k = i + 1;
		     k < d->nbins &&
		     axis_position(&p->x, d->bin[k].value) - at <
		         0.5 / p->width;
		     k++)
			high = d->bin[k].value;
		assert_true(curve_at(c, low) <= y + dy);
		assert_true(curve_at(c, high) >= y - dy);
	}
}

/* Every corner is on the true curve. */
static void
assert_corners_are_exact(const struct curve *c, const struct histogram *d)
{
	for (size_t i = 1; i < c->n; i++) {
		double wanted = 100 * dist_at(d, c->point[i].x);

		assert_true(fabs(c->point[i].y - wanted) < 1e-9);
		assert_true(c->point[i - 1].x <= c->point[i].x);
		assert_true(c->point[i - 1].y < c->point[i].y);
	}
	assert_true(c->point[c->n - 1].y == 100);
	assert_true(c->point[c->n - 1].x == d->bin[d->nbins - 1].value);
}

static void
test_many_steps_look_the_same(void **state)
{
	static const double tail[] = {1, 4, 10, 1000};
	uint64_t seed = 1;

	for (size_t k = 0; k < ARRAY_LEN(tail); k++) {
		struct tallies s = {0};
		struct histogram *d;
		struct picture p;

		for (int i = 0; i < 3000; i++) {
			double u = (double)(random_u64(&seed) % 1000000) / 1e6;

			assert_true(tallies_add(&s, 0,
			                        500 + 100 * pow(u, tail[k]),
			                        (uint64_t)(1 + i % 7)));
		}
		assert_true(tallies_add(&s, 0, 500 * tail[k] + 700, 1));
		d = tallies_finish(&s, 1);
		p = picture_of(d, 100, 60);
		assert_in_range(p.curve[0].n, 3, 2 * 60 + 2);
		assert_corners_are_exact(&p.curve[0], d);
		assert_looks_the_same(&p, d);
		picture_free(&p);
		histograms_free(d);
	}
}

/* Axes --------------------------------------------------------------------- */

static void
test_time_axes(void **state)
{
	static const struct {
		double low, high, typical;
		const char *label;
		unsigned log;
		size_t tics; /* ours, for a logarithm */
	} rows[] = {
	    {500, 2000, 600, "t (ns)", 0, 0},
	    {500, 9999, 600, "t (ns)", 0, 0},
	    {500, 12000, 600, "t (us)", 0, 0},
	    {500, 12001, 600, "t (ns)", 10, 15},
	    {30000, 90000, 31000, "t (us)", 0, 0},
	    {3e7, 9e7, 3e7, "t (ms)", 0, 0},
	    {3e7, 9e12, 3e7, "t (s)", 10, 6},
	    {0, 1e6, 100, "t (us)", 0, 0}, /* no logarithm of 0 */
	    {-5, -5, -5, "t (ns)", 0, 0},
	    {0, 0, 0, "t (ns)", 0, 0},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct axis a = {0};

		axis_values(&a, "t", "ns", rows[i].low, rows[i].high,
		            LOG_FROM * rows[i].typical, 9);
		assert_string_equal(a.label, rows[i].label);
		assert_int_equal(a.log, rows[i].log);
		assert_true(a.min < a.max);
		assert_true(axis_position(&a, rows[i].low) > 0);
		assert_true(axis_position(&a, rows[i].high) < 1);
		assert_int_equal(a.ntics, rows[i].tics);
		for (size_t k = 0; k < a.ntics; k++)
			assert_true(a.tic[k].at >= a.min &&
			            a.tic[k].at <= a.max);
		axis_free(&a);
	}
}

/* The body takes its part; behind it, equal factors have equal lengths. */
static void
test_long_tails(void **state)
{
	struct axis a = {0};
	size_t behind = 0;

	axis_long_tail(&a, "t", 500, 698, 1e6, 12);
	assert_string_equal(a.label, "t (ns), logarithmic from 700 ns on");
	assert_true(a.body == 700);
	assert_true(fabs(axis_position(&a, 700) - BODY_PART) < 1e-9);
	assert_true(axis_position(&a, 500) > 0);
	assert_true(axis_position(&a, 1e6) < 1);
	assert_true(fabs(axis_position(&a, 650) - axis_position(&a, 600) -
	                 (axis_position(&a, 600) - axis_position(&a, 550))) <
	            1e-9);
	assert_true(fabs(axis_position(&a, 1e5) - axis_position(&a, 1e4) -
	                 (axis_position(&a, 1e4) - axis_position(&a, 1e3))) <
	            1e-9);
	for (size_t i = 0; i < a.ntics; i++) {
		assert_true(a.tic[i].at >= a.min && a.tic[i].at <= a.max);
		behind += a.tic[i].at > a.body && *a.tic[i].label;
	}
	assert_true(behind > 0 && behind < a.ntics);
	axis_free(&a);
	/* With a request for range or logarithm, it is an ordinary axis. */
	a.wish = (struct axis_wish){.range = true, .low = 400, .high = 900};
	axis_long_tail(&a, "t", 500, 700, 1e6, 12);
	assert_true(a.body == 0 && !a.log && a.min == 400 && a.max == 900);
	axis_free(&a);
	a.wish = (struct axis_wish){.log = true};
	axis_long_tail(&a, "t", 500, 700, 1e6, 12);
	assert_true(a.body == 0 && a.log == 10);
	axis_free(&a);
}

static void
test_size_axes(void **state)
{
	static const struct {
		double size[8];
		size_t n;
		unsigned log;
		const char *first, *last;
		size_t tics;
	} rows[] = {
	    {{64, 128, 256, 512, 1024, 2048}, 6, 2, "64", "2048", 6},
	    {{64, 128}, 2, 2, "64", "128", 2},
	    {{64, 65, 127, 128, 129, 511, 512, 513}, 8, 2, "64", "512", 4},
	    {{4096, 1 << 20, 1 << 26}, 3, 2, "4K", "64M", 8},
	    {{64, 128, 192, 256, 320}, 5, 0, "64", "320", 9},
	    {{0, 64, 128, 2048}, 4, 0, "0", "2048", 9},
	    {{1536}, 1, 0, "1536", "1536", 1},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct plot_point point[8];
		struct axis a = {0};

		for (size_t k = 0; k < rows[i].n; k++)
			point[k] = (struct plot_point){rows[i].size[k], 0, 0};
		axis_bytes(&a, "size", point, rows[i].n, 12);
		assert_string_equal(a.label, "size (bytes)");
		assert_true(a.unit == 1);
		assert_int_equal(a.log, rows[i].log);
		assert_int_equal(a.ntics, rows[i].tics);
		assert_string_equal(a.tic[0].label, rows[i].first);
		assert_string_equal(a.tic[a.ntics - 1].label, rows[i].last);
		axis_free(&a);
	}
}

/* Of equal x the first in order stays. */
static void
thin_curves(void **state)
{
	struct curve c = {0};

	curve_unique(&c);
	assert_int_equal(c.n, 0);
	for (int i = 0; i < 6; i++)
		curve_add(&c, i % 3, 10 - i);
	curve_unique(&c);
	assert_int_equal(c.n, 3);
	for (int i = 0; i < 3; i++) {
		assert_true(c.point[i].x == i);
		assert_true(c.point[i].y == 7 - i);
	}
	free(c.point);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_plain_texts),
	    cmocka_unit_test(test_strings),
	    cmocka_unit_test(test_few_steps_are_all_kept),
	    cmocka_unit_test(test_one_value),
	    cmocka_unit_test(test_many_steps_look_the_same),
	    cmocka_unit_test(test_time_axes),
	    cmocka_unit_test(test_long_tails),
	    cmocka_unit_test(test_size_axes),
	    cmocka_unit_test(thin_curves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
