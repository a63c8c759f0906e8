/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulated host: random effects, caches, nodes and the IOMMU. */
#include "rig/cmocka.h"
#include "rig/sim.h"

#include "collect/core/backend.h"
#include "common/sim/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cold read of 64 bytes, and a cache hit. */
#define READ_PS 583712
#define HIT_PS  513712

static int
compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
latencies_have_a_tail(void **state)
{
	struct scene sc = noisy(LAT_RD, 64);
	uint64_t *sorted = malloc(COUNT * sizeof *sorted);
	uint64_t median;

	assert_non_null(sorted);
	memcpy(sorted, simulate(sc), COUNT * sizeof *sorted);
	qsort(sorted, COUNT, sizeof *sorted, compare);
	median = sorted[COUNT / 2];
	for (size_t i = 0; i < COUNT; i++)
		assert_int_equal(sorted[i] % 4000, 0);
	assert_in_range(median, 556000, 560000);
	assert_true(sorted[0] >= 548000 && sorted[0] < median);
	assert_true(mean(sc) > (double)median);
	assert_true(sorted[COUNT / 100 * 99] > median + 200000);
	assert_true(sorted[COUNT - 1] > median + 340000);
	free(sorted);
}

/* 20 ns, and at most twice that. */
static void
the_mean_of_the_jitter_is_as_told(void **state)
{
	struct scene sc = exact(LAT_RD, 64, "jitter=20ns");
	double added = mean(sc) - READ_PS;
	const uint64_t *raw = simulate(sc);

	assert_true(added > 0.99 * 20000 && added < 1.01 * 20000);
	for (size_t i = 0; i < COUNT; i++)
		assert_in_range(raw[i], READ_PS, READ_PS + 40000);
}

/* One in 20 waits for half of 350 ns on average, if it misses the cache. */
static void
memory_is_refreshed(void **state)
{
	struct scene sc = exact(LAT_RD, 64, "refresh=350ns refresh-every=7us");
	double added = mean(sc) - READ_PS;

	assert_true(added > 0.93 * 8750 && added < 1.07 * 8750);
	sc.point.cache = CACHE_DEVICE_WARM;
	assert_true(mean(sc) == HIT_PS);
}

/* 1 % of 1 to 2 us and 2 % of 10 us. */
static void
stalls_are_as_rare_as_told(void **state)
{
	const uint64_t *raw = simulate(exact(LAT_RD, 64,
	                                     "stall1-odds=10K stall1=1us "
	                                     "stall2-odds=20K stall2=10us"));
	size_t first = 0, second = 0;

	for (size_t i = 0; i < COUNT; i++) {
		first += raw[i] >= 1583712 && raw[i] <= 3583712;
		second += raw[i] == 10583712;
	}
	assert_in_range(first, COUNT / 100 * 8 / 10, COUNT / 100 * 12 / 10);
	assert_in_range(second, COUNT / 50 * 8 / 10, COUNT / 50 * 12 / 10);
}

/* Node 1 has its own cache, which the device does not reach. */
static void
caches_and_nodes_cost_what_is_said(void **state)
{
	static const struct {
		enum cache cache;
		int node;
		const char *options;
		uint64_t ps;
	} rows[] = {
	    {CACHE_COLD, NODE_LOCAL, "snoop=3ns", READ_PS},
	    {CACHE_THRASHED, NODE_LOCAL, "snoop=3ns", READ_PS},
	    {CACHE_HOST_WARM, NODE_LOCAL, "snoop=3ns", HIT_PS + 3000},
	    {CACHE_HOST_WARM, 0, "snoop=3ns", HIT_PS + 3000},
	    {CACHE_DEVICE_WARM, NODE_LOCAL, "snoop=3ns", HIT_PS},
	    {CACHE_COLD, NODE_REMOTE, "snoop=3ns", READ_PS + 100000},
	    /* Which node's CPU wrote a line decides, not where memory is. */
	    {CACHE_HOST_WARM, NODE_LOCAL, "warm-node=1", READ_PS + 100000},
	    {CACHE_HOST_WARM, NODE_REMOTE, "warm-node=0", HIT_PS},
	    {CACHE_COLD, NODE_LOCAL, "warm-node=1", READ_PS},
	    {CACHE_HOST_WARM, 1, "snoop=3ns", READ_PS + 100000},
	    {CACHE_DEVICE_WARM, 1, "snoop=3ns", HIT_PS},
	    {CACHE_DEVICE_WARM, 0, "ddio-ways=0", READ_PS},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct scene sc = exact(LAT_RD, 64, rows[i].options);

		sc.point.cache = rows[i].cache;
		sc.point.node = rows[i].node;
		assert_latency(sc, rows[i].ps);
	}
}

/* The window is four times the cache: one of four accesses hits. */
static void
large_windows_miss_in_proportion(void **state)
{
	struct scene sc = exact(LAT_RD, 64, "");
	double misses;

	sc.point.cache = CACHE_HOST_WARM;
	sc.point.window = 60 << 20;
	misses = (mean(sc) - HIT_PS) / 70000;
	assert_true(misses > 0.74 && misses < 0.76);
	sc.point.window = 15 << 20;
	assert_true(mean(sc) == HIT_PS);
}

/*
 * The read after a write waits for the write's cache miss, 1 us, or 2 us if it
 * reads memory. Two of ten ways of 40 KiB are 8 KiB.
 */
static void
writes_fill_the_ways_of_ddio(void **state)
{
	static const struct {
		uint64_t window, size;
		enum cache cache;
		double low, high;
	} rows[] = {
	    {16384, 64, CACHE_THRASHED, 0.45, 0.55},
	    {8192, 64, CACHE_THRASHED, 0, 0.01},
	    {16384, 64, CACHE_HOST_WARM, 0, 0.01},
	    /* flushed before every pass: always missing */
	    {8192, 64, CACHE_COLD, 0.97, 1},
	    /* a partial line must be read first */
	    {8192, 8, CACHE_COLD, 1.9, 2},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint64_t size = rows[i].size;
		struct scene sc = exact(
		    LAT_WRRD, size, "llc=40K ways=10 allocate=1us miss=2us");
		double us;

		sc.point.window = rows[i].window;
		sc.point.cache = rows[i].cache;
		us = (mean(sc) - (double)latency(exact(LAT_WRRD, size, ""))) /
		     1e6;
		assert_true(us >= rows[i].low && us <= rows[i].high);
	}
}

/* 64 pages fit. */
static void
pages_need_entries_of_the_iotlb(void **state)
{
	struct scene sc = exact(LAT_RD, 4096, "iommu=on walk=1us");
	const uint64_t *raw;

	sc.count = 200;
	sc.point.pattern = PATTERN_SEQUENTIAL;
	sc.point.window = 64 * 4096;
	raw = simulate(sc);
	assert_int_equal(raw[63], raw[0]);
	assert_int_equal(raw[64] + 1000000, raw[0]);
}

/* 64 pages in one of 16 sets, with 4 ways or 1. */
static void
a_set_of_all_takes_any_page(void **state)
{
	static const struct {
		const char *options;
		bool fits;
	} rows[] = {
	    {"iommu=on walk=1us iotlb=64 page=4K", false},
	    {"iommu=on walk=1us iotlb=64 iotlb-ways=0", true},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct scene sc = exact(LAT_RD, 64, rows[i].options);
		const uint64_t *raw;

		sc.count = 70;
		sc.buffer = 8 << 20;
		sc.point.offset = 65536 - 64;
		sc.point.pattern = PATTERN_SEQUENTIAL;
		sc.point.window = 64 * 65536;
		raw = simulate(sc);
		assert_int_equal(raw[66] < raw[0], rows[i].fits);
	}
}

/* Half of 128 pages miss; larger pages all fit. */
static void
large_pages_need_fewer_entries(void **state)
{
	static const struct {
		const char *options;
		double low, high;
	} rows[] = {
	    {"iommu=on walk=1us", 0.48, 0.53},
	    {"iommu=on walk=1us page=2M", 0, 0.001},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct scene sc = exact(LAT_RD, 64, rows[i].options);
		double misses;

		sc.point.window = 128 * 4096;
		misses = (mean(sc) - READ_PS) / 1e6;
		assert_true(misses >= rows[i].low && misses < rows[i].high);
	}
}

/* Two walks at a time, 1 us each. */
static void
walks_limit_bandwidth(void **state)
{
	struct scene sc = exact(BW_WR, 64, "iommu=on walk=1us walks=2");
	double ns;

	sc.point.window = 64 << 20;
	ns = 8 * 64 / gbit_s(sc);
	assert_true(ns > 490 && ns < 501);
}

/* 1 us each: one at a time within 2 MiB, two within 4, or any number. */
static void
walks_of_a_region_go_one_by_one(void **state)
{
	static const struct {
		const char *options;
		uint64_t window;
		double low, high;
	} rows[] = {
	    {"walk-alone=2M", 2 << 20, 840, 900},
	    {"walk-alone=2M", 64 << 20, 125, 200},
	    {"walk-alone=0", 2 << 20, 105, 125},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char options[80];
		struct scene sc;
		double ns;

		snprintf(options, sizeof options,
		         "iommu=on walk=1us walks=8 iotlb=64 %s",
		         rows[i].options);
		sc = exact(BW_WR, 64, options);
		sc.point.pattern = PATTERN_RANDOM;
		sc.point.cache = CACHE_THRASHED;
		sc.point.window = rows[i].window;
		ns = 8 * 64 / gbit_s(sc);
		if (ns < rows[i].low || ns > rows[i].high)
			fail_msg("%s: %g ns", options, ns);
	}
}

/* One walk at a time, held for each of 4 lines. */
static void
a_walk_is_held_for_the_lines_of_a_read(void **state)
{
	struct scene sc = exact(
	    BW_RD, 256, "iommu=on walk=1us walks=1 walk-hold=50ns iotlb=4");
	double ns;

	sc.point.window = 64 << 20;
	sc.point.pattern = PATTERN_RANDOM;
	sc.point.cache = CACHE_THRASHED;
	ns = 8 * 256 / gbit_s(sc);
	assert_true(ns > 1195 && ns < 1201);
}

/* The read after the write waits for it; a line in the cache is near. */
static void
a_write_to_the_other_node_takes_longer(void **state)
{
	struct scene near = exact(LAT_WRRD, 64, "remote-write=90ns");
	struct scene far = exact(LAT_WRRD, 64, "remote-write=190ns");

	assert_int_equal(latency(far), latency(near));
	near.point.node = far.point.node = NODE_REMOTE;
	assert_int_equal(latency(far), latency(near) + 100000);
	near.point.cache = far.point.cache = CACHE_DEVICE_WARM;
	assert_int_equal(latency(far), latency(near));
}

/*
 * 416 bytes from address 41 are 255 and 161, which share a line; from 64 on
 * they do not, nor do those of two transfers.
 */
static void
writes_to_one_line_merge(void **state)
{
	struct scene sc = exact(BW_WR, 416, "merge=500ns update=0ns");

	sc.point.cache = CACHE_HOST_WARM;
	sc.point.window = 512;
	sc.point.offset = 64;
	assert_true(8 * 416 / gbit_s(sc) < 65);
	sc.point.offset = 41;
	assert_true(8 * 416 / gbit_s(sc) > 495);
	assert_true(8 * 416 / gbit_s(sc) < 510);
}

/* 1 % of 400 ns: 4 ns, from run to run and not within a run. */
static void
runs_differ_by_the_drift(void **state)
{
	struct scene sc = exact(LAT_RD, 64, "drift=10000");
	double sum = 0, squares = 0, sd;
	size_t runs = 200;

	sc.count = 3;
	for (sc.seed = 1; sc.seed <= runs; sc.seed++) {
		const uint64_t *raw = simulate(sc);
		double ns = (double)raw[0] / 1000 - READ_PS / 1e3;

		assert_int_equal(raw[0], raw[2]);
		sum += ns;
		squares += ns * ns;
	}
	sd = sqrt(squares / (double)runs - sum * sum / (double)(runs * runs));
	assert_true(sd > 3.4 && sd < 4.6);
	assert_true(fabs(sum / (double)runs) < 1);
}

static void
caches_keep_the_latest(void **state)
{
	struct sim_cache cache;

	sim_cache_make(&cache, 8, 4);
	for (uint64_t block = 0; block < 8; block++)
		sim_cache_insert(&cache, block, 4, 0);
	assert_non_null(sim_cache_find(&cache, 0));
	sim_cache_insert(&cache, 8, 4, SIM_BY_HOST);
	assert_null(sim_cache_find(&cache, 0));
	assert_true(*sim_cache_find(&cache, 8) & SIM_BY_HOST);
	assert_non_null(sim_cache_find(&cache, 1));
	/* only the first two ways of the set */
	sim_cache_insert(&cache, 10, 2, 0);
	sim_cache_insert(&cache, 12, 2, 0);
	assert_non_null(sim_cache_find(&cache, 10));
	assert_non_null(sim_cache_find(&cache, 6));
	sim_cache_free(&cache);
}

static void
a_flush_empties_the_cache(void **state)
{
	struct sim_cache cache;

	sim_cache_make(&cache, 8, 4);
	for (uint64_t block = 0; block < 16; block++)
		sim_cache_insert(&cache, block, 4, 0);
	sim_cache_flush(&cache);
	for (uint64_t block = 0; block < 16; block++)
		assert_null(sim_cache_find(&cache, block));
	/* Also when its generations wrap. */
	cache.generation = SIM_BY_HOST - 1;
	cache.generation -= cache.generation % (UINT64_C(1) << 34);
	sim_cache_insert(&cache, 3, 4, 0);
	sim_cache_flush(&cache);
	assert_null(sim_cache_find(&cache, 3));
	sim_cache_free(&cache);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(latencies_have_a_tail),
	    cmocka_unit_test(the_mean_of_the_jitter_is_as_told),
	    cmocka_unit_test(memory_is_refreshed),
	    cmocka_unit_test(stalls_are_as_rare_as_told),
	    cmocka_unit_test(caches_and_nodes_cost_what_is_said),
	    cmocka_unit_test(large_windows_miss_in_proportion),
	    cmocka_unit_test(writes_fill_the_ways_of_ddio),
	    cmocka_unit_test(pages_need_entries_of_the_iotlb),
	    cmocka_unit_test(a_set_of_all_takes_any_page),
	    cmocka_unit_test(large_pages_need_fewer_entries),
	    cmocka_unit_test(walks_limit_bandwidth),
	    cmocka_unit_test(walks_of_a_region_go_one_by_one),
	    cmocka_unit_test(a_walk_is_held_for_the_lines_of_a_read),
	    cmocka_unit_test(a_write_to_the_other_node_takes_longer),
	    cmocka_unit_test(writes_to_one_line_merge),
	    cmocka_unit_test(runs_differ_by_the_drift),
	    cmocka_unit_test(caches_keep_the_latest),
	    cmocka_unit_test(a_flush_empties_the_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
