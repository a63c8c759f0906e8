/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets of the simulated device on its link. */
#include "rig/cmocka.h"
#include "rig/sim.h"

#include "collect/core/backend.h"
#include "common/sim/params.h"

#include <stdio.h>

/*
 * 100 ns in the device, 400 in the root complex and 70 in memory, plus the
 * bytes of a request (and of a write before it) and of all completions. A read
 * after a write hits the cache.
 */
static void
latencies_add_up(void **state)
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
static void
writes_wait_for_credits(void **state)
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
static void
credits_are_of_whole_words(void **state)
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
static void
writes_go_out_in_bursts(void **state)
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
static void
bursts_end_at_addresses(void **state)
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

static void
bandwidth_grows_up_to_the_link(void **state)
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

static void
what_is_answered_in_pieces_needs_more_headers(void **state)
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
static void
crossing_a_page_costs_a_header(void **state)
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(latencies_add_up),
	    cmocka_unit_test(writes_wait_for_credits),
	    cmocka_unit_test(credits_are_of_whole_words),
	    cmocka_unit_test(writes_go_out_in_bursts),
	    cmocka_unit_test(bursts_end_at_addresses),
	    cmocka_unit_test(bandwidth_grows_up_to_the_link),
	    cmocka_unit_test(what_is_answered_in_pieces_needs_more_headers),
	    cmocka_unit_test(crossing_a_page_costs_a_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
