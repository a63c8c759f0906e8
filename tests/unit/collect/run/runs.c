/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Medians of runs, and samples that depend on each other. */
#include "rig/cmocka.h"

#include "collect/run/runs.h"
#include "rig/support.h"

#include <math.h>

#define SAMPLES 1001

static uint64_t seed = 3;

/* A run of one point: latencies around `median`, of which a tenth is slower. */
static void
add_run(struct runs *r, const char *kind, uint64_t median, bool slow_start)
{
	struct series series = {.id = {[ID_KIND] = (char *)kind}};
	const struct bench *bench = find_bench("lat_rd");

	runs_begin_point(r, &series, 1);
	for (unsigned i = 0; i < SAMPLES; i++) {
		uint64_t sample = median - 500 + random_u64(&seed) % 1001;

		if (slow_start && i < SAMPLES / 10)
			sample = median * 2;
		runs_add(r, bench, 0, &sample, 1);
	}
	runs_end_point(r);
}

/* Of 6 runs the interval is their range, of 9 without one run at each end. */
TEST(runs_bound_their_median)
{
	static const uint64_t median[] = {1010000, 1000000, 990000,
	                                  1005000, 995000,  1001000,
	                                  900000,  1100000, 999000};
	static const double reach[] = {INFINITY, INFINITY, INFINITY,
	                               INFINITY, INFINITY, 0.01,
	                               0.1,      0.1,      0.01};
	struct runs r = {.compare = true};

	for (size_t i = 0; i < ARRAY_LEN(median); i++) {
		double reached;

		add_run(&r, "simulated", median[i], false);
		reached = runs_end(&r);
		assert_int_equal(isinf(reached), isinf(reach[i]));
		if (isfinite(reached))
			assert_true(fabs(reached - reach[i]) < 0.002);
	}
	assert_int_equal(r.steadiness.unsteady, 0);
	runs_free(&r);
}

/* The worst of several points counts; each has its own median. */
TEST(the_widest_point_counts)
{
	struct runs r = {.compare = true};
	double reach = 0;

	for (uint64_t i = 0; i < RUNS_LEAST; i++) {
		add_run(&r, "measured", 1000000, false);
		add_run(&r, "measured", 5000000 + i * 100000, false);
		reach = runs_end(&r);
	}
	assert_true(fabs(reach - 250. / 5250) < .001);
	runs_free(&r);
}

TEST(bandwidths_are_compared)
{
	struct series series = {.id = {[ID_KIND] = (char *)"measured"}};
	struct runs r = {.compare = true};
	double reach = 0;

	for (uint64_t i = 0; i < RUNS_LEAST; i++) {
		const uint64_t total[] = {1, 1000, 1000 + 20 * (i % 2)};

		runs_begin_point(&r, &series, 1);
		runs_add(&r, find_bench("bw_rd"), 0, total, 1);
		runs_end_point(&r);
		reach = runs_end(&r);
	}
	assert_true(fabs(reach - .0099) < .0001);
	runs_free(&r);
}

TEST(a_slow_start_is_not_steady)
{
	struct runs r = {0};

	add_run(&r, "measured", 1000000, false);
	assert_int_equal(r.steadiness.unsteady, 0);
	add_run(&r, "virtual", 1000000, true);
	assert_int_equal(r.steadiness.unsteady, 1);
	assert_int_equal(r.steadiness.tenth, 0);
	assert_int_equal(r.sequences, 2);
	add_run(&r, "simulated", 1000000, true);
	assert_int_equal(r.sequences, 2);
	runs_free(&r);
}
