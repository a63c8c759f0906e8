/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulated device itself, and the order of its steps. */
#include "rig/cmocka.h"

#include "collect/core/backend.h"
#include "collect/sim/device.h"
#include "common/sim/params.h"
#include "rig/sim.h"

#include <unistd.h>

/* Without these options 583712 and 524884 ps. */
TEST(each_step_of_the_device_takes_its_time)
{
	static const struct {
		enum bench_id bench;
		uint64_t size;
		const char *options;
		uint64_t ps;
	} rows[] = {
	    {LAT_RD, 64, "", 583712},
	    {LAT_WRRD, 64, "", 524884},
	    {LAT_RD, 64, "issue=101ns", 584712},
	    {LAT_RD, 64, "copy-read=1ns", 584712},
	    {LAT_RD, 64, "copy-write=1ns", 583712},
	    {LAT_RD, 64, "packet=1ns", 584712},
	    /* the store overlaps with the first packet of a write */
	    {LAT_WRRD, 64, "copy-write=1ns", 524884},
	    {LAT_WRRD, 64, "store=1ns", 525884},
	    {LAT_WRRD, 64, "gap=1ns", 525884},
	    /* lines, 8.125 ns on the wire, are stored one after another */
	    {LAT_RD, 256, "copy-read=50ns", 583712 + 4 * 50000},
	    /* and so are completions, here of 64, 64 and 128 bytes */
	    {LAT_RD, 256, "combine=257 packet=50ns", 583712 + 3 * 50000},
	    {LAT_RD, 256, "combine=257 packet=50ns copy-read=50ns",
	     583712 + 7 * 50000},
	    {LAT_RD, 64,
	     "interface=command command=7ns copy-read=1ns packet=1ns", 490712},
	    {LAT_WRRD, 64, "interface=command command=7ns command-store=2ns",
	     433884},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_latency(
		    exact(rows[i].bench, rows[i].size, rows[i].options),
		    rows[i].ps);
	assert_latency(exact(LAT_RD, 256, "copy-read=1ns"),
	               latency(exact(LAT_RD, 256, "")) + 1000);
	assert_latency(exact(LAT_RD, 256, "packet=50ns"),
	               latency(exact(LAT_RD, 256, "")) + 50000);
	/* the four lines of the second packet */
	assert_latency(exact(LAT_WRRD, 512, "copy-write=51ns"),
	               latency(exact(LAT_WRRD, 512, "copy-write=50ns")) + 4000);
}

TEST(a_command_is_short_and_for_latencies)
{
	assert_refused(exact(LAT_WRRD, 129, "interface=command"),
	               STATUS_TROUBLE, "at most 128 bytes, not 129");
	assert_refused(exact(BW_RD, 64, "interface=command"), STATUS_TROUBLE,
	               "-O interface=command: for latency");
}

TEST(one_in_flight_is_one_after_the_other)
{
	static const struct {
		const char *options;
		uint64_t ps;
	} rows[] = {
	    {"inflight=1 workers=1", COUNT * UINT64_C(583712)},
	    {"inflight=8 workers=1", COUNT * UINT64_C(583712)},
	    /* the device's own time counts only for the first */
	    {"inflight=1 workers=2", COUNT * UINT64_C(483712) + 100000},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(simulate(exact(BW_RD, 64, rows[i].options))[2],
		                 rows[i].ps);
}

/* 64 bytes in 20 ns are 25.6 Gbit/s; 5 chunks of 128 bytes take 100 ns. */
TEST(an_engine_has_a_rate)
{
	static const char options[] =
	    "read-chunk=20ns write=10ns write-chunk=10ns read-odd=5ns "
	    "link=gen4x16/mps256/mrrs512/rcb64 inflight=256";
	static const struct {
		enum bench_id bench;
		uint64_t size;
		double ns;
	} rows[] = {
	    {BW_RD, 64, 20},
	    {BW_RD, 128, 20},
	    {BW_RD, 132, 40},
	    {BW_RD, 516, 100},
	    {BW_WR, 64, 20},
	    {BW_WR, 129, 30},
	    /* Partial DWs: per request, and for writes per chunk. */
	    {BW_RD, 129, 15},
	    {BW_RD, 259, 25},
	    {BW_RD, 515, 50},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct scene sc = exact(rows[i].bench, rows[i].size, options);
		double ns;

		sc.point.window = (rows[i].size + 63) / 64 * 64; /* one unit */
		ns = 8 * (double)rows[i].size / gbit_s(sc);
		assert_true(ns > rows[i].ns && ns < rows[i].ns * 1.01);
	}
}

TEST(reads_of_no_whole_words_take_longer)
{
	static const char options[] = "inflight=256 read-odd=100ns";
	double odd = gbit_s(exact(BW_RD, 63, options));
	struct scene sc = exact(BW_RD, 63, options);

	assert_true(gbit_s(exact(BW_RD, 64, options)) > 40);
	assert_true(odd > 5 && odd < 5.04);
	/* Across a multiple of MRRS there are two requests. */
	sc.point.offset = 480;
	sc.point.window = 576;
	odd = gbit_s(sc);
	assert_true(odd > 2.5 && odd < 2.52);
}

/* Two completions, the second of 4 bytes: as many as take 30 ns each. */
TEST(completions_are_taken_in_at_a_rate)
{
	struct scene sc =
	    exact(BW_RD, 64, "inflight=256 combine=65 receive=30ns");
	double ns;

	sc.point.offset = 4;
	sc.point.window = 128;
	ns = 64 * 8 / gbit_s(sc);
	assert_true(ns > 60 && ns < 60.6);
	/* Not for a single one. */
	sc.bench = LAT_RD;
	assert_latency(sc, latency(exact(LAT_RD, 64, "")) + 2539);
}

static bool
visits_all(const struct point *point, size_t units)
{
	static bool seen[1000];
	struct sim_order order;
	uint64_t random = 1;
	bool again;

	sim_order_make(&order, point);
	for (int pass = 0; pass < 3; pass++) {
		memset(seen, 0, sizeof seen);
		for (size_t i = 0; i < units; i++) {
			uint64_t at = sim_order_next(&order, &random, &again);

			if (again != !i || at % 64 || seen[at / 64])
				return false;
			seen[at / 64] = true;
		}
	}
	return true;
}

TEST(a_cold_pass_touches_each_unit_once)
{
	for (size_t units = 1; units < 1000; units += 37) {
		struct point point = {
		    .size = 64, .window = 64 * units, .cache = CACHE_COLD};

		assert_true(visits_all(&point, units));
		point.pattern = PATTERN_SEQUENTIAL;
		assert_true(visits_all(&point, units));
	}
}

/* Backend ---------------------------------------------------------------- */

/* With the offset, rounded up to cache lines; NULL if accepted. */
TEST(windows_hold_a_unit_and_buffers_a_window)
{
	static const struct {
		uint64_t size, offset, window, buffer;
		const char *why;
	} rows[] = {
	    {64, 0, 64, 0, NULL},
	    {64, 0, 63, 0, "a window of 63 bytes does not hold 64 bytes"},
	    {64, 1, 127, 0, "offset 1, rounded up"},
	    {64, 1, 128, 0, NULL},
	    {64, UINT64_MAX, 128, 0, "does not hold"},
	    {UINT64_MAX - 7, 0, 65536, 0, "does not hold"},
	    {0, 0, 65536, 0, "a transfer of 0 bytes"},
	    {64, 0, (64 << 20) + 1, 0, "the buffer (-b) of 67108864"},
	    {64, 0, (64 << 20) + 1, 128 << 20, NULL},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct scene sc = noisy(LAT_RD, rows[i].size);

		sc.point.offset = rows[i].offset;
		sc.point.window = rows[i].window;
		sc.buffer = rows[i].buffer;
		if (rows[i].why)
			assert_refused(sc, STATUS_TROUBLE, rows[i].why);
		else
			simulate(sc);
	}
}

static void
assert_no_samples(enum bench_id bench)
{
	static struct rig rig;
	struct scene sc = noisy(bench, 64);

	assert_true(rig_open(&rig, &sc) && rig_prepare(&rig, &sc.point));
	rig_halt = 1;
	assert_true(sim_backend.run(&rig.session, COUNT));
	assert_int_equal(rig.session.series->n, 0);
	rig_close(&rig);
}

TEST(nothing_is_begun_after_a_halt)
{
	assert_no_samples(LAT_RD);
	assert_no_samples(BW_RDWR);
}

/* The text names the option; the last one is of a cache that is too small. */
TEST(bad_options_are_refused_by_name)
{
	static const char *const bad[] = {
	    "inflight=0",
	    "inflight=65537",
	    "inflight=-1",
	    "rc=400",
	    "rc=2ms",
	    "miss=x",
	    "remote=",
	    "jitter=1001us",
	    "issue=2s",
	    "tick=0ns",
	    "llc=63",
	    "llc=5G",
	    "llc=15Q",
	    "ways=0",
	    "ddio-ways=21",
	    "page=3K",
	    "page=2K",
	    "iotlb=0",
	    "iotlb-ways=3",
	    "iommu=yes",
	    "interface=dma",
	    "stall1-odds=2M",
	    "stall3=2s",
	    "data-credits=16",
	    "link=",
	    "link=pci32/33",
	    "link=gen8x8/mps256/mrrs512/rcb64",
	    "link=gen6x8/mps256/mrrs512/rcb64",
	    "link=gen5x32/mps256/mrrs512/rcb64/flit"};
	struct scene sc = noisy(LAT_RD, 64);

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		char *text = xasprintf("-O %s: ", bad[i]);

		sc.options = bad[i];
		assert_refused(sc, STATUS_TROUBLE, text);
		free(text);
	}
	sc.options = "llc=1K";
	assert_refused(sc, STATUS_TROUBLE, "-O ways=20: ");
}
