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

TEST(bad_options_are_refused_by_name)
{
	static const struct {
		const char *options, *text;
	} rows[] = {
	    {"inflight=0", "-O inflight=0: not within 1 to 65536"},
	    {"inflight=65537", "-O inflight=65537: not within 1 to 65536"},
	    {"inflight=-1", "-O inflight=-1: not a count"},
	    {"rc=400", "-O rc=400: not a time with its unit, such as 100ns, "
	               "1.5us, 10s, 5min or 1h"},
	    {"rc=2ms", "-O rc=2ms: not within 0ns to 1ms"},
	    {"miss=x", "-O miss=x: not a time"},
	    {"remote=", "-O remote=: empty"},
	    {"jitter=1001us", "-O jitter=1001us: not within 0ns to 1ms"},
	    {"issue=2s", "-O issue=2s: not within 0ns to 1ms"},
	    {"tick=0ns", "-O tick=0ns: not within 1ps to 1ms"},
	    {"llc=63", "-O llc=63: not within 64 to 4G"},
	    {"llc=5G", "-O llc=5G: not within 64 to 4G"},
	    {"llc=15Q", "-O llc=15Q: not a size such as 64, 4K, 1.5M or 64KiB"},
	    {"ways=0", "-O ways=0: not within 1 to 64"},
	    {"llc=1K", "-O ways=20: more than the cache has lines"},
	    {"ddio-ways=21", "-O ddio-ways=21: more than the cache has"},
	    {"page=3K", "-O page=3K: not a power of two"},
	    {"page=2K", "-O page=2K: not within 4K to 1G"},
	    {"iotlb=0", "-O iotlb=0: not within 1 to 65536"},
	    {"iotlb-ways=3", "-O iotlb-ways=3: does not divide"},
	    {"iommu=yes", "-O iommu=yes: neither on nor off"},
	    {"interface=dma", "interface=dma: neither engine nor command"},
	    {"stall1-odds=2M", "-O stall1-odds=2M: not within 0 to 1M"},
	    {"stall3=2s", "-O stall3=2s: not within 0ns to 1s"},
	    {"data-credits=16", "-O data-credits=16: not within 256 to"},
	    {"link=", "-O link=: empty"},
	    {"link=pci32/33", "-O link=pci32/33: only PCI Express"},
	    {"link=gen8x8/mps256/mrrs512/rcb64", "the generation is 1 to 7"},
	    {"link=gen6x8/mps256/mrrs512/rcb64", "have only flit mode"},
	    {"link=gen5x32/mps256/mrrs512/rcb64/flit",
	     "has no links of 12 or 32 lanes"},
	};
	struct scene sc = noisy(LAT_RD, 64);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		sc.options = rows[i].options;
		assert_refused(sc, STATUS_TROUBLE, rows[i].text);
	}
}
