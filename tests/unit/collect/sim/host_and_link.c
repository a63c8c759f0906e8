/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulated host and link: caches, nodes, IOMMU, credits, completions. */
#include "rig/cmocka.h"

#include "collect/core/backend.h"
#include "common/sim/host.h"
#include "common/sim/params.h"
#include "rig/sim.h"

#include <math.h>

/* A cold read of 64 bytes, and a cache hit. */
#define READ_PS 583712
#define HIT_PS  513712

static int
compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

TEST(latencies_have_a_tail)
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
TEST(the_mean_of_the_jitter_is_as_told)
{
	struct scene sc = exact(LAT_RD, 64, "jitter=20ns");
	double added = mean(sc) - READ_PS;
	const uint64_t *raw = simulate(sc);

	assert_true(added > 0.99 * 20000 && added < 1.01 * 20000);
	for (size_t i = 0; i < COUNT; i++)
		assert_in_range(raw[i], READ_PS, READ_PS + 40000);
}

/* One in 20 waits for half of 350 ns on average, if it misses the cache. */
TEST(memory_is_refreshed)
{
	struct scene sc = exact(LAT_RD, 64, "refresh=350ns refresh-every=7us");
	double added = mean(sc) - READ_PS;

	assert_true(added > 0.93 * 8750 && added < 1.07 * 8750);
	sc.point.cache = CACHE_DEVICE_WARM;
	assert_true(mean(sc) == HIT_PS);
}

/* 1 % of 1 to 2 us and 2 % of 10 us. */
TEST(stalls_are_as_rare_as_told)
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
TEST(caches_and_nodes_cost_what_is_said)
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
TEST(large_windows_miss_in_proportion)
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
TEST(writes_fill_the_ways_of_ddio)
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
TEST(pages_need_entries_of_the_iotlb)
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
TEST(a_set_of_all_takes_any_page)
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
TEST(large_pages_need_fewer_entries)
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
TEST(walks_limit_bandwidth)
{
	struct scene sc = exact(BW_WR, 64, "iommu=on walk=1us walks=2");
	double ns;

	sc.point.window = 64 << 20;
	ns = 8 * 64 / gbit_s(sc);
	assert_true(ns > 490 && ns < 501);
}

/* 1 us each: one at a time within 2 MiB, two within 4, or any number. */
TEST(walks_of_a_region_go_one_by_one)
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
TEST(a_walk_is_held_for_the_lines_of_a_read)
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
TEST(a_write_to_the_other_node_takes_longer)
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
TEST(writes_to_one_line_merge)
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
TEST(runs_differ_by_the_drift)
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

TEST(caches_keep_the_latest)
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

TEST(a_flush_empties_the_cache)
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

/* Links ------------------------------------------------------------------ */

/*
 * 100 ns in the device, 400 in the root complex and 70 in memory, plus the
 * bytes of a request (and of a write before it) and of all completions. A read
 * after a write hits the cache.
 */
TEST(latencies_add_up)
{
	static const struct {
		enum bench_id bench;
		uint64_t size;
		const char *link;
		uint64_t ps;
	} rows[] = {
	    /* 4 ns a byte: MRd 24, CplD 20 + size, MWr 24 + size */
	    {LAT_RD, 64, "gen1x1/mps128/mrrs128/rcb64", 570000 + 108 * 4000},
	    {LAT_RD, 1, "gen1x1/mps128/mrrs128/rcb64", 570000 + 48 * 4000},
	    {LAT_RD, 256, "gen1x1/mps128/mrrs128/rcb64", 570000 + 320 * 4000},
	    {LAT_RD, 260, "gen1x1/mps128/mrrs512/rcb64", 570000 + 344 * 4000},
	    {LAT_RD, 256, "gen1x1/mps512/mrrs128/rcb64", 570000 + 320 * 4000},
	    {LAT_WRRD, 64, "gen1x1/mps128/mrrs128/rcb64", 500000 + 196 * 4000},
	    {LAT_WRRD, 128, "gen1x1/mps128/mrrs128/rcb64", 500000 + 324 * 4000},
	    {LAT_RD, 64, "gen1x1/mps128/mrrs128/rcb64/a32",
	     570000 + 104 * 4000},
	    {LAT_RD, 64, "gen1x1/mps128/mrrs128/rcb64/ecrc",
	     570000 + 116 * 4000},
	    /* 126.953 ps: 3.047 and 10.665 ns */
	    {LAT_RD, 64, "gen3x8/mps256/mrrs512/rcb64", 583712},
	    /* no framing, 7.813 ps x 256 / 236 = 8.476: 0.136 and 0.645 ns */
	    {LAT_RD, 64, "gen6x16/mps256/mrrs512/rcb64/flit", 570781},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char options[100];

		snprintf(options, sizeof options, "link=%s", rows[i].link);
		assert_latency(exact(rows[i].bench, rows[i].size, options),
		               rows[i].ps);
	}
}

/* 100 ns per write, the time of a credit; 280 bytes at 126.953 ps. */
TEST(writes_wait_for_credits)
{
	static const struct {
		const char *options;
		double low, high;
	} rows[] = {
	    {"update=1us credits=1", 1.976, 1.978},
	    {"update=1us credits=2", 1.99 * 1.977, 2.01 * 1.977},
	    {"update=1us credits=128", 57, 63},
	    {"update=1us credits=128 data-credits=256", 15 * 2.048, 16 * 2.048},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		double got = gbit_s(exact(BW_WR, 256, rows[i].options));

		assert_true(got > rows[i].low && got < rows[i].high);
	}
}

/* 16 bytes in 4 DWs take one data credit, in 5 DWs from address 1 two. */
TEST(credits_are_of_whole_words)
{
	struct scene sc =
	    exact(BW_WR, 16, "update=10us credits=65536 data-credits=256");
	double aligned = gbit_s(sc), unaligned;

	sc.point.offset = 1;
	unaligned = gbit_s(sc);
	assert_true(unaligned > 0.49 * aligned && unaligned < 0.51 * aligned);
}

/*
 * 4096 bytes are sent in 8 bursts of 512: 16 packets and 568.7 ns of wire. From
 * address 1 the first packet has 255 bytes, and the last byte is a 9th burst:
 * 17 packets and 1025 DWs in 572.3 ns.
 */
TEST(writes_go_out_in_bursts)
{
	struct scene sc = exact(BW_WR, 4096, "burst=1us");
	double ns = 4096 * 8 / gbit_s(sc);

	assert_true(ns > 8568 && ns < 8570);
	sc.point.offset = 1;
	sc.point.window = 4160;
	ns = 4096 * 8 / gbit_s(sc);
	assert_true(ns > 9571 && ns < 9574);
}

/* 512 bytes from address 448 are one burst, or two: 64 and 448. */
TEST(bursts_end_at_addresses)
{
	static const struct {
		const char *options;
		double low, high;
	} rows[] = {
	    {"burst=1us", 1071, 1072},
	    {"burst=1us cut-write=512", 2074, 2075},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct scene sc = exact(BW_WR, 512, rows[i].options);
		double ns;

		sc.point.offset = 448;
		sc.point.window = 960;
		ns = 512 * 8 / gbit_s(sc);
		assert_true(ns > rows[i].low && ns < rows[i].high);
	}
}

/*
 * Payload on a gen3 x8 link, 63.0154 Gbit/s: with all headers, limits of 256
 * and 512 B, and 8 bytes of an Ack per completion, upstream.
 */
static double
link_limit(enum bench_id bench, double size)
{
	double payloads = size > 256 ? size / 256 : 1;
	double requests = size > 512 ? size / 512 : 1;
	double down = payloads * 20 + size;
	double up = requests * 24 + payloads * 8;

	if (bench == BW_WR)
		up = payloads * 24 + size;
	if (bench == BW_RDWR)
		up += payloads * 24 + size;
	return 63.0156 * size / (up > down ? up : down);
}

TEST(bandwidth_grows_up_to_the_link)
{
	static const char *const inflight[] = {"inflight=1", "inflight=4",
	                                       "inflight=32", "inflight=256"};

	for (enum bench_id bench = BW_RD; bench <= BW_RDWR; bench++) {
		for (uint64_t size = 64; size <= 4096; size *= 2) {
			double limit = link_limit(bench, (double)size);
			double before = 0, now = 0;

			for (size_t i = 0; i < ARRAY_LEN(inflight); i++) {
				now = gbit_s(exact(bench, size, inflight[i]));
				assert_true(now <= limit);
				assert_true(now > before || now > 0.98 * limit);
				before = now;
			}
			assert_true(now > 0.98 * limit);
		}
	}
}

TEST(what_is_answered_in_pieces_needs_more_headers)
{
	static const struct {
		const char *options;
		uint64_t size, offset;
		double wire;
	} rows[] = {
	    {"inflight=256 combine=0", 256, 0, 276},
	    /* 64, 64 and 128; 64, 64, 128 and 64; 60, 64, 128 and 4 */
	    {"inflight=256 combine=257", 128, 0, 168},
	    {"inflight=256 combine=257", 256, 0, 316},
	    {"inflight=256 combine=321", 320, 0, 400},
	    {"inflight=256 combine=257", 256, 4, 336},
	    {"inflight=256 combine=257", 512, 0, 552},
	    {"inflight=256 combine=449", 448, 64, 548},
	    /* Requests end at multiples of MRRS: 448, 512 and 64. */
	    {"inflight=256 combine=512", 1024, 64, 1184},
	    {"inflight=256 combine=0", 1024, 64, 1124},
	    /* One more completion if it has several lines and is cut. */
	    {"inflight=256 combine=257 split=1", 256, 4, 356},
	    {"inflight=256 combine=257 split=1", 256, 0, 316},
	    {"inflight=256 combine=257 split=1", 64, 4, 104},
	    /* Packets of 24 + 64 bytes, and of 24 + 128. */
	    {"inflight=256 combine=257 align=8", 256, 0, 328},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct scene sc = exact(BW_RD, rows[i].size, rows[i].options);
		double limit = 63.0156 * (double)rows[i].size / rows[i].wire;

		sc.point.offset = rows[i].offset;
		/* One unit. */
		sc.point.window =
		    (rows[i].offset + rows[i].size + 63) / 64 * 64;
		assert_true(gbit_s(sc) <= limit);
		assert_true(gbit_s(sc) > 0.98 * limit);
	}
}

/*
 * 256 bytes at offset 32 make a unit of 320, and of 13 consecutive units only
 * the last one crosses a page: one more completion of 20 bytes. Requests are as
 * long as a page.
 */
TEST(crossing_a_page_costs_a_header)
{
	struct scene sc =
	    exact(LAT_RD, 256, "link=gen3x8/mps256/mrrs4096/rcb64");
	const uint64_t *raw;
	size_t crossings = 0;

	sc.point.offset = 32;
	sc.point.window = 13 * 320 + 319;
	sc.point.pattern = PATTERN_SEQUENTIAL;
	raw = simulate(sc);
	for (size_t i = 0; i < COUNT; i++)
		assert_int_equal(raw[i], raw[0] + (i % 13 == 12 ? 2539 : 0));
	sc.point.pattern = PATTERN_RANDOM;
	raw = simulate(sc);
	for (size_t i = 0; i < COUNT; i++)
		crossings += raw[i] > raw[0] || raw[0] > raw[i];
	assert_in_range(crossings, COUNT / 13 * 9 / 10, COUNT / 13 * 11 / 10);
}
