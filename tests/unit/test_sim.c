/* The simulated device, driven through its table as pcb-collect does. */
#include "collect/sim_cache.h"
#include "collect/sim_order.h"
#include "collect/sim_params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT 20000

extern const struct backend sim_backend;

/* Nothing random, a clock that shows it, and few costs, all of them round. */
static const char *const exact[][2] = {
    {"jitter", "0ns"},    {"tick", "1ps"},         {"refresh", "0ns"},
    {"stall1-odds", "0"}, {"rc", "400ns"},         {"miss", "70ns"},
    {"remote", "100ns"},  {"remote-write", "0ns"}, {"snoop", "0ns"},
    {"line", "0ns"},      {"allocate", "0ns"},     {"evict", "0ns"},
    {"issue", "100ns"},   {"complete", "0ns"},     {"loop", "0ns"},
    {"copy-read", "0ns"}, {"copy-write", "0ns"},   {"store", "0ns"},
    {"gap", "0ns"},       {"read", "0ns"},         {"read-chunk", "0ns"},
    {"write", "0ns"},     {"write-chunk", "0ns"},  {"burst", "0ns"},
    {"dllp", "0"},        {"workers", "4096"},
};

#define MORE_OPTIONS 4

/* What to simulate, with a few options, of which the later ones count. */
struct scene {
	enum bench_id bench;
	const char *option[MORE_OPTIONS][2];
	bool exact;
	struct point point;
	uint64_t seed, count, buffer;
	const char *which;
};

/* An open device and what it says. */
struct rig {
	struct setting setting[ARRAY_LEN(exact) + MORE_OPTIONS];
	struct request request;
	struct preamble preamble;
	struct session session;
	uint64_t raw[COUNT];
};

static volatile sig_atomic_t halt;

static struct scene
scene(enum bench_id bench, uint64_t size)
{
	return (struct scene){.bench = bench,
	                      .point = {.size = size,
	                                .window = 65536,
	                                .cache = COLD,
	                                .node = NODE_LOCAL},
	                      .seed = 1,
	                      .count = COUNT};
}

static void
set_option(struct rig *rig, const char *name, const char *value)
{
	struct setting *setting = &rig->setting[rig->request.nsettings++];

	setting->name = xstrdup(name);
	setting->value = value;
}

static bool
rig_open(struct rig *rig, const struct scene *sc)
{
	*rig = (struct rig){0};
	rig->request = (struct request){.bench = &benches[sc->bench],
	                                .setting = rig->setting,
	                                .which = sc->which,
	                                .seed = sc->seed,
	                                .buffer = sc->buffer};
	rig->session = (struct session){.request = &rig->request,
	                                .preamble = &rig->preamble,
	                                .halt = &halt};
	for (size_t i = 0; sc->exact && i < ARRAY_LEN(exact); i++)
		set_option(rig, exact[i][0], exact[i][1]);
	for (size_t i = 0; i < MORE_OPTIONS && sc->option[i][0]; i++)
		set_option(rig, sc->option[i][0], sc->option[i][1]);
	halt = 0;
	return sim_backend.open(&rig->session);
}

static bool
rig_prepare(struct rig *rig, const struct point *point)
{
	if (!sim_backend.prepare(&rig->session, point))
		return false;
	rig->session.series->raw = rig->raw;
	return true;
}

static void
rig_close(struct rig *rig)
{
	sim_backend.close(&rig->session);
	series_make(&rig->session, 0);
	while (rig->request.nsettings)
		free(rig->setting[--rig->request.nsettings].name);
	preamble_free(&rig->preamble);
	free(rig->session.failure.text);
}

static void
option(struct scene *sc, size_t at, const char *name, const char *value)
{
	sc->option[at][0] = name;
	sc->option[at][1] = value;
}

/* Samples of a whole session. */
static const uint64_t *
simulate(struct scene sc)
{
	static struct rig rig;

	assert_true(rig_open(&rig, &sc));
	assert_true(rig_prepare(&rig, &sc.point));
	assert_true(sim_backend.run(&rig.session, sc.count));
	assert_int_equal(rig.session.nseries, 1);
	assert_int_equal(rig.session.series->n,
	                 rig.request.bench->totals ? 1 : sc.count);
	rig_close(&rig);
	return rig.raw;
}

static double
mean(struct scene sc)
{
	const uint64_t *raw = simulate(sc);
	double sum = 0;

	for (size_t i = 0; i < sc.count; i++)
		sum += (double)raw[i];
	return sum / (double)sc.count;
}

static double
gbit_s(struct scene sc)
{
	const uint64_t *raw = simulate(sc);

	assert_int_equal(raw[0], sc.count);
	assert_int_equal(raw[1], sc.count * sc.point.size);
	return 8000 * (double)raw[1] / (double)raw[2];
}

static void
assert_refused(struct scene sc, int status, const char *text)
{
	static struct rig rig;

	assert_false(rig_open(&rig, &sc) && rig_prepare(&rig, &sc.point));
	assert_int_equal(rig.session.failure.status, status);
	if (!strstr(rig.session.failure.text, text))
		fail_msg("no '%s' in: %s", text, rig.session.failure.text);
	rig_close(&rig);
}

static void
samples_depend_on_the_seed(void **state)
{
	static uint64_t first[COUNT];

	(void)state;
	for (enum bench_id bench = LAT_RD; bench <= BW_RDWR; bench++) {
		struct scene sc = scene(bench, 64);
		size_t size = sizeof first;

		if (benches[bench].totals)
			size = benches[bench].width * sizeof *first;
		memcpy(first, simulate(sc), size);
		assert_memory_equal(first, simulate(sc), size);
		sc.seed = 5;
		assert_memory_not_equal(first, simulate(sc), size);
	}
}

/* What x86-64 gave: any other platform must give the same. */
static void
samples_are_those_of_every_platform(void **state)
{
	static const uint64_t ns[] = {560, 556, 552, 560, 564,
	                              560, 564, 556, 552, 560};
	static const uint64_t totals[] = {260220000, 263612000, 412080000};
	const uint64_t *raw = simulate(scene(LAT_RD, 64));

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ns); i++)
		assert_int_equal(raw[i], 1000 * ns[i]);
	for (size_t i = 0; i < ARRAY_LEN(totals); i++) {
		raw = simulate(scene(BW_RD + (enum bench_id)i, 64));
		assert_int_equal(raw[2], totals[i]);
	}
}

/*
 * 100 ns in the device, 400 in the root complex and 70 in memory, then the
 * bytes of a request (of a write before it) and of all completions. A read
 * behind a write hits what that has left in the cache.
 */
static void
latencies_add_up(void **state)
{
	static const struct {
		const char *link;
		enum bench_id bench;
		uint64_t size, ps;
	} rows[] = {
	    /* 4 ns a byte: MRd 24, CplD 20 + size, MWr 24 + size */
	    {"gen1x1/mps128/mrrs128/rcb64", LAT_RD, 64, 570000 + 108 * 4000},
	    {"gen1x1/mps128/mrrs128/rcb64", LAT_RD, 1, 570000 + 48 * 4000},
	    {"gen1x1/mps128/mrrs128/rcb64", LAT_RD, 256, 570000 + 320 * 4000},
	    {"gen1x1/mps128/mrrs512/rcb64", LAT_RD, 260, 570000 + 344 * 4000},
	    {"gen1x1/mps512/mrrs128/rcb64", LAT_RD, 256, 570000 + 320 * 4000},
	    {"gen1x1/mps128/mrrs128/rcb64", LAT_WRRD, 64, 500000 + 196 * 4000},
	    {"gen1x1/mps128/mrrs128/rcb64", LAT_WRRD, 128, 500000 + 324 * 4000},
	    {"gen1x1/mps128/mrrs128/rcb64/a32", LAT_RD, 64,
	     570000 + 104 * 4000},
	    {"gen1x1/mps128/mrrs128/rcb64/ecrc", LAT_RD, 64,
	     570000 + 116 * 4000},
	    /* 126.953 ps: 3.047 and 10.665 ns */
	    {"gen3x8/mps256/mrrs512/rcb64", LAT_RD, 64, 583712},
	    /* no framing, 7.813 ps x 256 / 236 = 8.476: 0.136 and 0.645 ns */
	    {"gen6x16/mps256/mrrs512/rcb64/flit", LAT_RD, 64, 570781},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct scene sc = scene(rows[i].bench, rows[i].size);

		sc.exact = true;
		option(&sc, 0, "link", rows[i].link);
		sc.count = 1;
		assert_int_equal(*simulate(sc), rows[i].ps);
	}
}

static uint64_t
latency(enum bench_id bench, uint64_t size, const char *name, const char *value)
{
	struct scene sc = scene(bench, size);

	sc.exact = true;
	sc.count = 1;
	option(&sc, 0, name, value);
	return *simulate(sc);
}

/* What each costs of the device: 583712 and 524884 ps without. */
static void
a_device_takes_its_time(void **state)
{
	(void)state;
	assert_int_equal(latency(LAT_WRRD, 64, "complete", "0ns"), 524884);
	assert_int_equal(latency(LAT_RD, 64, "issue", "101ns"), 584712);
	assert_int_equal(latency(LAT_RD, 64, "complete", "1ns"), 584712);
	assert_int_equal(latency(LAT_RD, 64, "copy-read", "1ns"), 584712);
	assert_int_equal(latency(LAT_RD, 64, "copy-write", "1ns"), 583712);
	assert_int_equal(latency(LAT_WRRD, 64, "copy-write", "1ns"), 525884);
	assert_int_equal(latency(LAT_WRRD, 64, "store", "1ns"), 525884);
	assert_int_equal(latency(LAT_WRRD, 64, "gap", "1ns"), 525884);
	/* lines of 8.125 ns on the wire are put away one after the other */
	assert_int_equal(latency(LAT_RD, 256, "copy-read", "50ns"),
	                 583712 + 4 * 50000);
	assert_int_equal(latency(LAT_RD, 256, "copy-read", "1ns"),
	                 latency(LAT_RD, 256, "copy-read", "0ns") + 1000);
}

static void
a_command_has_an_overhead_of_its_own(void **state)
{
	struct scene sc = scene(LAT_RD, 64);

	(void)state;
	sc.exact = true;
	sc.count = 1;
	option(&sc, 0, "interface", "command");
	option(&sc, 1, "command", "7ns");
	assert_int_equal(*simulate(sc), 490712);
	option(&sc, 2, "command-store", "2ns");
	sc.bench = LAT_WRRD;
	assert_int_equal(*simulate(sc), 433884);
	sc.point.size = 129;
	assert_refused(sc, STATUS_TROUBLE, "at most 128 bytes, not 129");
	sc.bench = BW_RD;
	assert_refused(sc, STATUS_TROUBLE, "-O interface=command: for latency");
}

static void
one_in_flight_is_one_after_the_other(void **state)
{
	struct scene sc = scene(BW_RD, 64);

	(void)state;
	sc.exact = true;
	option(&sc, 0, "inflight", "1");
	option(&sc, 1, "workers", "1");
	assert_int_equal(simulate(sc)[2], COUNT * UINT64_C(583712));
	option(&sc, 0, "inflight", "8");
	assert_int_equal(simulate(sc)[2], COUNT * UINT64_C(583712));
	/* without the device's own time, and with it for the first only */
	option(&sc, 0, "inflight", "1");
	option(&sc, 1, "workers", "2");
	assert_int_equal(simulate(sc)[2], COUNT * UINT64_C(483712) + 100000);
}

/* 100 ns a write, as fast as its credit comes back. */
static void
writes_wait_for_credits(void **state)
{
	struct scene sc = scene(BW_WR, 256);
	double one, two;

	(void)state;
	sc.exact = true;
	option(&sc, 0, "update", "1us");
	option(&sc, 1, "credits", "1");
	one = gbit_s(sc);
	/* 280 bytes of 126.953 ps */
	assert_true(one > 1.976 && one < 1.978);
	option(&sc, 1, "credits", "2");
	two = gbit_s(sc);
	assert_true(two > 1.99 * one && two < 2.01 * one);
	option(&sc, 1, "credits", "128");
	assert_true(gbit_s(sc) > 57);
	option(&sc, 2, "data-credits", "256");
	assert_true(gbit_s(sc) < 16 * 2.048 && gbit_s(sc) > 15 * 2.048);
}

static int
compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
latencies_have_a_tail(void **state)
{
	struct scene sc = scene(LAT_RD, 64);
	uint64_t *sorted = malloc(COUNT * sizeof *sorted);
	uint64_t median;

	(void)state;
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
	struct scene sc = scene(LAT_RD, 64);
	const uint64_t *raw;
	double added;

	(void)state;
	sc.exact = true;
	option(&sc, 0, "jitter", "20ns");
	added = mean(sc) - 583712;
	assert_true(added > 0.99 * 20000 && added < 1.01 * 20000);
	raw = simulate(sc);
	for (size_t i = 0; i < COUNT; i++)
		assert_in_range(raw[i], 583712, 623712);
}

/* One in 20 waits for the half of 350 ns, if the cache misses. */
static void
memory_is_refreshed(void **state)
{
	struct scene sc = scene(LAT_RD, 64);
	double added;

	(void)state;
	sc.exact = true;
	option(&sc, 0, "refresh", "350ns");
	option(&sc, 1, "refresh-every", "7us");
	added = mean(sc) - 583712;
	assert_true(added > 0.93 * 8750 && added < 1.07 * 8750);
	sc.point.cache = DEVICE_WARM;
	assert_true(mean(sc) == 513712);
}

/* 1 % of 1 to 2 us and 2 % of 10 us. */
static void
stalls_are_as_rare_as_told(void **state)
{
	struct scene sc = scene(LAT_RD, 64);
	const uint64_t *raw;
	size_t first = 0, second = 0;

	(void)state;
	sc.exact = true;
	option(&sc, 0, "stall1-odds", "10K");
	option(&sc, 1, "stall1", "1us");
	option(&sc, 2, "stall2-odds", "20K");
	option(&sc, 3, "stall2", "10us");
	raw = simulate(sc);
	for (size_t i = 0; i < COUNT; i++) {
		first += raw[i] >= 1583712 && raw[i] <= 3583712;
		second += raw[i] == 10583712;
	}
	assert_in_range(first, COUNT / 100 * 8 / 10, COUNT / 100 * 12 / 10);
	assert_in_range(second, COUNT / 50 * 8 / 10, COUNT / 50 * 12 / 10);
}

/*
 * Payload on a gen3 x8 link, 63.0154 Gbit/s: all headers counted, 256 and 512
 * B limits, and 8 bytes of an Ack for each completion, on the way up.
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
	static const char *const inflight[] = {"1", "4", "32", "256"};

	(void)state;
	for (enum bench_id bench = BW_RD; bench <= BW_RDWR; bench++) {
		for (uint64_t size = 64; size <= 4096; size *= 2) {
			struct scene sc = scene(bench, size);
			double limit = link_limit(bench, (double)size);
			double before = 0, now = 0;

			sc.exact = true;
			for (size_t i = 0; i < ARRAY_LEN(inflight); i++) {
				option(&sc, 0, "inflight", inflight[i]);
				now = gbit_s(sc);
				assert_true(now <= limit);
				assert_true(now > before || now > 0.98 * limit);
				before = now;
			}
			assert_true(now > 0.98 * limit);
		}
	}
}

/* 64 bytes in 20 ns are 25.6 Gbit/s; 5 chunks of 128 bytes take 50. */
static void
an_engine_has_a_rate(void **state)
{
	static const struct {
		enum bench_id bench;
		uint64_t size;
		const char *fixed, *chunk;
		double ns;
	} rows[] = {
	    {BW_RD, 64, "read", "read-chunk", 20},
	    {BW_RD, 128, "read", "read-chunk", 20},
	    {BW_RD, 129, "read", "read-chunk", 30},
	    {BW_RD, 516, "read", "read-chunk", 60},
	    {BW_WR, 64, "write", "write-chunk", 20},
	    {BW_WR, 129, "write", "write-chunk", 30},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct scene sc = scene(rows[i].bench, rows[i].size);
		double ns;

		sc.exact = true;
		option(&sc, 0, rows[i].fixed, "10ns");
		option(&sc, 1, rows[i].chunk, "10ns");
		option(&sc, 2, "link", "gen4x16/mps256/mrrs512/rcb64");
		option(&sc, 3, "inflight", "256");
		ns = 8 * (double)rows[i].size / gbit_s(sc);
		assert_true(ns > rows[i].ns && ns < rows[i].ns * 1.01);
	}
}

static void
odd_reads_take_longer(void **state)
{
	struct scene sc = scene(BW_RD, 64);

	(void)state;
	sc.exact = true;
	option(&sc, 0, "inflight", "256");
	option(&sc, 1, "read-odd", "100ns");
	assert_true(gbit_s(sc) > 40);
	sc.point.size = 63;
	assert_true(gbit_s(sc) < 5.04 && gbit_s(sc) > 5);
}

/* What a root complex answers in pieces of 64 bytes needs more headers. */
static void
short_requests_may_be_answered_in_pieces(void **state)
{
	static const struct {
		const char *combine, *align;
		uint64_t size, offset;
		double wire;
	} rows[] = {
	    {"0", "1", 256, 0, 276},      {"257", "1", 256, 0, 336},
	    {"257", "1", 512, 0, 552},    {"512", "512", 512, 0, 552},
	    {"512", "512", 448, 64, 588},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct scene sc = scene(BW_RD, rows[i].size);
		double limit = 63.0156 * (double)rows[i].size / rows[i].wire;

		sc.exact = true;
		sc.point.offset = rows[i].offset;
		option(&sc, 0, "inflight", "256");
		option(&sc, 1, "combine", rows[i].combine);
		option(&sc, 2, "combine-align", rows[i].align);
		assert_true(gbit_s(sc) <= limit);
		assert_true(gbit_s(sc) > 0.98 * limit);
	}
}

static uint64_t
state_latency(enum cache cache, int node, const char *name, const char *value)
{
	struct scene sc = scene(LAT_RD, 64);

	sc.exact = true;
	sc.count = 1;
	sc.point.cache = cache;
	sc.point.node = node;
	option(&sc, 0, name, value);
	return *simulate(sc);
}

/* Node 1 has a cache of its own, which the device does not reach. */
static void
caches_and_nodes_cost_what_is_said(void **state)
{
	static const struct {
		enum cache cache;
		int node;
		uint64_t ps;
	} rows[] = {
	    {COLD, NODE_LOCAL, 583712},
	    {THRASHED, NODE_LOCAL, 583712},
	    {HOST_WARM, NODE_LOCAL, 516712},
	    {HOST_WARM, 0, 516712},
	    {DEVICE_WARM, NODE_LOCAL, 513712},
	    {COLD, NODE_REMOTE, 683712},
	    {HOST_WARM, 1, 683712},
	    {DEVICE_WARM, 1, 513712},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(
		    state_latency(rows[i].cache, rows[i].node, "snoop", "3ns"),
		    rows[i].ps);
	assert_int_equal(state_latency(DEVICE_WARM, 0, "ddio-ways", "0"),
	                 583712);
}

/* The window is four times the cache: of four accesses one hits. */
static void
large_windows_miss_in_proportion(void **state)
{
	struct scene sc = scene(LAT_RD, 64);
	double misses;

	(void)state;
	sc.exact = true;
	sc.point.cache = HOST_WARM;
	sc.point.window = 60 << 20;
	misses = (mean(sc) - 513712) / 70000;
	assert_true(misses > 0.74 && misses < 0.76);
	sc.point.window = 15 << 20;
	assert_true(mean(sc) == 513712);
}

/* The read behind it waits for what a write does not find in the cache. */
static double
write_misses(uint64_t window, uint64_t size, enum cache cache)
{
	struct scene sc = scene(LAT_WRRD, size);

	sc.exact = true;
	sc.point.window = window;
	sc.point.cache = cache;
	option(&sc, 0, "llc", "40K");
	option(&sc, 1, "ways", "10");
	option(&sc, 2, "allocate", "1us");
	option(&sc, 3, "miss", "2us");
	return (mean(sc) - (double)latency(LAT_WRRD, size, "rc", "400ns")) /
	       1e6;
}

/* Two of ten ways of 40 KiB are 8 KiB. */
static void
writes_fill_the_ways_of_ddio(void **state)
{
	double some = write_misses(16384, 64, THRASHED);

	(void)state;
	assert_true(write_misses(8192, 64, THRASHED) < 0.01);
	assert_true(some > 0.45 && some < 0.55);
	assert_true(write_misses(16384, 64, HOST_WARM) < 0.01);
	/* flushed before every pass, so none is there */
	assert_true(write_misses(8192, 64, COLD) > 0.97);
	/* a part of a line has to be read */
	assert_true(write_misses(8192, 8, COLD) > 1.9);
}

/* 64 pages fit, of 128 a half. */
static void
pages_need_entries_of_the_iotlb(void **state)
{
	struct scene sc = scene(LAT_RD, 64);
	double misses;

	(void)state;
	sc.exact = true;
	sc.count = 200;
	sc.point.pattern = SEQUENTIAL;
	sc.point.window = 64 * 4096;
	sc.point.size = 4096;
	option(&sc, 0, "iommu", "on");
	option(&sc, 1, "walk", "1us");
	assert_int_equal(simulate(sc)[63], simulate(sc)[0]);
	assert_int_equal(simulate(sc)[64] + 1000000, simulate(sc)[0]);
	sc = scene(LAT_RD, 64);
	sc.exact = true;
	sc.point.window = 128 * 4096;
	option(&sc, 0, "iommu", "on");
	option(&sc, 1, "walk", "1us");
	misses = (mean(sc) - 583712) / 1e6;
	assert_true(misses > 0.48 && misses < 0.53);
	option(&sc, 2, "page", "2M");
	misses = (mean(sc) - 583712) / 1e6;
	assert_true(misses < 0.001);
}

/* Two walks at a time, of 1 us each. */
static void
walks_limit_bandwidth(void **state)
{
	struct scene sc = scene(BW_WR, 64);
	double ns;

	(void)state;
	sc.exact = true;
	sc.point.window = 64 << 20;
	option(&sc, 0, "iommu", "on");
	option(&sc, 1, "walk", "1us");
	option(&sc, 2, "walks", "2");
	ns = 8 * 64 / gbit_s(sc);
	assert_true(ns > 490 && ns < 501);
}

/*
 * 256 bytes at offset 32 make a unit of 320, and of 13 units in a row only
 * the last crosses a page: one more completion of 20 bytes.
 */
static void
crossing_a_page_costs_a_header(void **state)
{
	struct scene sc = scene(LAT_RD, 256);
	const uint64_t *raw;
	size_t crossings = 0;

	(void)state;
	sc.exact = true;
	sc.point.offset = 32;
	sc.point.window = 13 * 320 + 319;
	sc.point.pattern = SEQUENTIAL;
	raw = simulate(sc);
	for (size_t i = 0; i < COUNT; i++) {
		uint64_t more = i % 13 == 12 ? 2539 : 0;

		assert_int_equal(raw[i], raw[0] + more);
	}
	sc.point.pattern = RANDOM;
	raw = simulate(sc);
	for (size_t i = 0; i < COUNT; i++)
		crossings += raw[i] > raw[0] || raw[0] > raw[i];
	assert_in_range(crossings, COUNT / 13 * 9 / 10, COUNT / 13 * 11 / 10);
}

static void
windows_hold_a_unit(void **state)
{
	struct scene sc = scene(LAT_RD, 64);

	(void)state;
	sc.point.window = 64;
	simulate(sc);
	sc.point.window = 63;
	assert_refused(sc, STATUS_TROUBLE,
	               "a window of 63 bytes does not hold 64 bytes");
	sc.point.window = 127;
	sc.point.offset = 1;
	assert_refused(sc, STATUS_TROUBLE, "offset 1, rounded up");
	sc.point.window = 128;
	simulate(sc);
	sc.point.offset = UINT64_MAX;
	assert_refused(sc, STATUS_TROUBLE, "does not hold");
	sc = scene(LAT_RD, UINT64_MAX - 7);
	assert_refused(sc, STATUS_TROUBLE, "does not hold");
	sc = scene(LAT_RD, 0);
	assert_refused(sc, STATUS_TROUBLE, "a transfer of 0 bytes");
	sc = scene(LAT_RD, 64);
	sc.point.window = (64 << 20) + 1;
	assert_refused(sc, STATUS_TROUBLE, "in a buffer of 67108864");
	sc.buffer = 128 << 20;
	simulate(sc);
	sc.point.node = 2;
	assert_refused(sc, STATUS_TROUBLE, "node 2: ");
}

static void
set_halt(int number)
{
	(void)number;
	halt = 1;
}

static void
halt_leaves_what_is_whole(void **state)
{
	static struct rig rig;
	struct scene sc = scene(LAT_RD, 64);

	(void)state;
	assert_true(rig_open(&rig, &sc) && rig_prepare(&rig, &sc.point));
	halt = 1;
	assert_true(sim_backend.run(&rig.session, COUNT));
	assert_int_equal(rig.session.series->n, 0);
	rig_close(&rig);

	sc.bench = BW_RDWR;
	assert_true(rig_open(&rig, &sc) && rig_prepare(&rig, &sc.point));
	halt = 1;
	assert_true(sim_backend.run(&rig.session, COUNT));
	assert_int_equal(rig.session.series->n, 0);
	halt = 0;
	signal(SIGALRM, set_halt);
	ualarm(10000, 0);
	assert_true(sim_backend.run(&rig.session, UINT64_MAX));
	assert_int_equal(rig.session.series->n, 1);
	assert_true(rig.raw[0] > 0);
	assert_int_equal(rig.raw[1], 64 * rig.raw[0]);
	rig_close(&rig);
}

static void
bad_options_are_refused_by_name(void **state)
{
	static const struct {
		const char *name, *value, *text;
	} rows[] = {
	    {"inflight", "0", "-O inflight=0: not within 1 to 65536"},
	    {"inflight", "65537", "-O inflight=65537: not within 1 to 65536"},
	    {"inflight", "-1", "-O inflight=-1: not a number"},
	    {"rc", "400", "-O rc=400: a unit is missing"},
	    {"rc", "2ms", "-O rc=2ms: not within 0ns to 1ms"},
	    {"miss", "x", "-O miss=x: not a number"},
	    {"remote", "", "-O remote=: empty"},
	    {"jitter", "1001us", "-O jitter=1001us: not within 0ns to 1ms"},
	    {"issue", "2s", "-O issue=2s: not within 0ns to 1ms"},
	    {"tick", "0ns", "-O tick=0ns: not within 1ps to 1ms"},
	    {"llc", "63", "-O llc=63: not within 64 to 4G"},
	    {"llc", "5G", "-O llc=5G: not within 64 to 4G"},
	    {"llc", "15Q", "-O llc=15Q: unknown suffix"},
	    {"ways", "0", "-O ways=0: not within 1 to 64"},
	    {"llc", "1K", "-O ways=20: more than the cache has lines"},
	    {"ddio-ways", "21", "-O ddio-ways=21: more than the cache has"},
	    {"page", "3K", "-O page=3K: not a power of two"},
	    {"page", "2K", "-O page=2K: not within 4K to 1G"},
	    {"iotlb", "0", "-O iotlb=0: not within 1 to 65536"},
	    {"iotlb-ways", "3", "-O iotlb-ways=3: does not divide"},
	    {"iommu", "yes", "-O iommu=yes: neither on nor off"},
	    {"interface", "dma", "interface=dma: neither engine nor command"},
	    {"stall1-odds", "2M", "-O stall1-odds=2M: not within 0 to 1M"},
	    {"stall3", "2s", "-O stall3=2s: not within 0ns to 1s"},
	    {"data-credits", "16", "-O data-credits=16: not within 256 to"},
	    {"link", "", "-O link=: only PCI Express is simulated"},
	    {"link", "pci32/33", "-O link=pci32/33: only PCI Express"},
	    {"link", "gen8x8/mps256/mrrs512/rcb64", "the generation is 1 to 7"},
	};
	struct scene sc = scene(LAT_RD, 64);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		option(&sc, 0, rows[i].name, rows[i].value);
		assert_refused(sc, STATUS_TROUBLE, rows[i].text);
	}
}

static void
unknown_profiles_are_absent(void **state)
{
	struct scene sc = scene(LAT_RD, 64);

	(void)state;
	sc.which = "default";
	simulate(sc);
	sc.which = "nfp6000";
	assert_refused(sc, STATUS_ABSENT,
	               "sim:nfp6000: no such profile; pcb-sim(7) lists them");
}

static void
assert_identity(const struct rig *rig, enum identity column, const char *text)
{
	assert_string_equal(rig->session.series->id[column], text);
}

static void
series_say_what_they_are(void **state)
{
	static struct rig rig;
	struct scene sc = scene(LAT_RD, 64);

	(void)state;
	assert_true(rig_open(&rig, &sc) && rig_prepare(&rig, &sc.point));
	assert_non_null(strstr(preamble_get(&rig.preamble, "sim"),
	                       " rc=300ns line=1ns llc=15M ways=20 "));
	sc.point = (struct point){128, 4, 4096, SEQUENTIAL, HOST_WARM, 1};
	assert_true(rig_prepare(&rig, &sc.point));
	assert_identity(&rig, ID_KIND, "simulated");
	assert_identity(&rig, ID_DEVICE, "sim:default");
	assert_identity(&rig, ID_LINK, "gen3x8/mps256/mrrs512/rcb64");
	assert_identity(&rig, ID_INTERFACE, "engine");
	assert_identity(&rig, ID_SIZE, "128");
	assert_identity(&rig, ID_OFFSET, "4");
	assert_identity(&rig, ID_WINDOW, "4096");
	assert_identity(&rig, ID_PATTERN, "sequential");
	assert_identity(&rig, ID_CACHE, "host-warm");
	assert_identity(&rig, ID_NODE, "1");
	assert_identity(&rig, ID_IOMMU, "off");
	assert_identity(&rig, ID_PAGE, "4096");
	assert_null(rig.session.series->id[ID_HOST]);
	rig_close(&rig);
}

/* Chunks of one run, and runs, are different samples. */
static void
the_generator_goes_on(void **state)
{
	static struct rig rig;
	struct scene sc = scene(LAT_RD, 64);
	uint64_t first[100];

	(void)state;
	assert_true(rig_open(&rig, &sc) && rig_prepare(&rig, &sc.point));
	sim_backend.run(&rig.session, ARRAY_LEN(first));
	memcpy(first, rig.raw, sizeof first);
	sim_backend.run(&rig.session, ARRAY_LEN(first));
	assert_memory_not_equal(first, rig.raw, sizeof first);
	assert_memory_equal(simulate(sc) + ARRAY_LEN(first), rig.raw,
	                    sizeof first);
	rig_close(&rig);
}

static void
the_device_is_always_found(void **state)
{
	struct findings found = {0};

	(void)state;
	sim_backend.probe(&(struct request){0}, &found);
	assert_int_equal(found.n, 1);
	assert_string_equal(found.item->device, "sim:default");
	assert_int_equal(found.item->benches, sim_backend.benches);
	assert_true(found.item->automatic);
	for (enum bench_id bench = LAT_RD; bench <= BW_RDWR; bench++)
		assert_true(found.item->benches & BENCH_BIT(bench));
	assert_false(found.item->benches & BENCH_BIT(LAT_CFG));
	findings_free(&found);
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

static void
a_cold_pass_touches_each_unit_once(void **state)
{
	(void)state;
	for (size_t units = 1; units < 1000; units += 37) {
		struct point point = {
		    .size = 64, .window = 64 * units, .cache = COLD};

		assert_true(visits_all(&point, units));
		point.pattern = SEQUENTIAL;
		assert_true(visits_all(&point, units));
	}
}

static void
caches_keep_the_latest(void **state)
{
	struct sim_cache cache;

	(void)state;
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
	sim_cache_flush(&cache);
	for (uint64_t block = 0; block < 16; block++)
		assert_null(sim_cache_find(&cache, block));
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
	    cmocka_unit_test(samples_depend_on_the_seed),
	    cmocka_unit_test(samples_are_those_of_every_platform),
	    cmocka_unit_test(latencies_add_up),
	    cmocka_unit_test(a_device_takes_its_time),
	    cmocka_unit_test(a_command_has_an_overhead_of_its_own),
	    cmocka_unit_test(one_in_flight_is_one_after_the_other),
	    cmocka_unit_test(writes_wait_for_credits),
	    cmocka_unit_test(latencies_have_a_tail),
	    cmocka_unit_test(the_mean_of_the_jitter_is_as_told),
	    cmocka_unit_test(memory_is_refreshed),
	    cmocka_unit_test(stalls_are_as_rare_as_told),
	    cmocka_unit_test(bandwidth_grows_up_to_the_link),
	    cmocka_unit_test(an_engine_has_a_rate),
	    cmocka_unit_test(odd_reads_take_longer),
	    cmocka_unit_test(short_requests_may_be_answered_in_pieces),
	    cmocka_unit_test(caches_and_nodes_cost_what_is_said),
	    cmocka_unit_test(large_windows_miss_in_proportion),
	    cmocka_unit_test(writes_fill_the_ways_of_ddio),
	    cmocka_unit_test(pages_need_entries_of_the_iotlb),
	    cmocka_unit_test(walks_limit_bandwidth),
	    cmocka_unit_test(crossing_a_page_costs_a_header),
	    cmocka_unit_test(windows_hold_a_unit),
	    cmocka_unit_test(halt_leaves_what_is_whole),
	    cmocka_unit_test(bad_options_are_refused_by_name),
	    cmocka_unit_test(unknown_profiles_are_absent),
	    cmocka_unit_test(series_say_what_they_are),
	    cmocka_unit_test(the_generator_goes_on),
	    cmocka_unit_test(the_device_is_always_found),
	    cmocka_unit_test(a_cold_pass_touches_each_unit_once),
	    cmocka_unit_test(caches_keep_the_latest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
