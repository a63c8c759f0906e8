/* The simulated device, driven through its table as pcb-collect does. */
#include "collect/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT 20000

extern const struct backend sim_backend;

/* What to simulate; `exact`: no jitter, and a clock that shows it. */
struct scene {
	enum bench_id bench;
	const char *name, *value;
	bool exact;
	struct point point;
	uint64_t seed, count, buffer;
	const char *which;
};

/* An open device and what it says. */
struct rig {
	struct setting setting[3];
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
	if (sc->exact) {
		set_option(rig, "jitter", "0ns");
		set_option(rig, "tick", "1ps");
	}
	if (sc->name)
		set_option(rig, sc->name, sc->value);
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
		sc.seed = 2;
		assert_memory_not_equal(first, simulate(sc), size);
	}
}

/* Recomputed by a program of a few lines in Python, with big integers. */
static void
samples_are_those_of_every_platform(void **state)
{
	static const uint64_t ns[] = {592, 604, 592, 600, 592,
	                              596, 600, 620, 592, 588};
	static const uint64_t totals[] = {396784000, 354520000, 777708000};
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
 * 100 ns in the device and 400 + 70 in the root complex, then the bytes of a
 * request (of a write before it) and of all completions.
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
	    {"gen1x1/mps128/mrrs128/rcb64", LAT_RD, 1, 570000 + 45 * 4000},
	    {"gen1x1/mps128/mrrs128/rcb64", LAT_RD, 256, 570000 + 320 * 4000},
	    {"gen1x1/mps128/mrrs512/rcb64", LAT_RD, 257, 570000 + 341 * 4000},
	    {"gen1x1/mps512/mrrs128/rcb64", LAT_RD, 256, 570000 + 320 * 4000},
	    {"gen1x1/mps128/mrrs128/rcb64", LAT_WRRD, 64, 570000 + 196 * 4000},
	    {"gen1x1/mps128/mrrs128/rcb64", LAT_WRRD, 129, 570000 + 370 * 4000},
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
		sc.name = "link";
		sc.value = rows[i].link;
		sc.count = 1;
		assert_int_equal(*simulate(sc), rows[i].ps);
	}
}

static void
one_in_flight_is_one_after_the_other(void **state)
{
	struct scene sc = scene(BW_RD, 64);

	(void)state;
	sc.exact = true;
	sc.name = "inflight";
	sc.value = "1";
	assert_int_equal(simulate(sc)[2], COUNT * UINT64_C(584927));
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
	assert_in_range(median, 580000, 620000);
	assert_true(sorted[0] >= 583712 && sorted[0] < median);
	assert_true(mean(sc) > (double)median);
	assert_true(sorted[COUNT / 100 * 99] > median + 50000);
	assert_true(sorted[COUNT - 1] > median + 500000);
	free(sorted);
}

/* Of what the jitter adds: 20 ns, and 15/1024 of that in the tail. */
static void
the_mean_of_the_jitter_is_as_told(void **state)
{
	struct scene sc = scene(LAT_RD, 64);
	double added;

	(void)state;
	sc.name = "tick";
	sc.value = "1ps";
	added = mean(sc) - 583712;
	assert_true(added > 0.95 * 20293 && added < 1.05 * 20293);
}

/*
 * Payload on a busy gen3 x8 link, 57.885 Gbit/s without its own traffic
 * (138.206 ps a byte): all headers counted, 256 and 512 B limits.
 */
static double
link_limit(enum bench_id bench, double size)
{
	double payloads = size > 256 ? size / 256 : 1;
	double requests = size > 512 ? size / 512 : 1;
	double down = payloads * 20 + size;
	double up = requests * 24;

	if (bench == BW_WR)
		up = payloads * 24 + size;
	if (bench == BW_RDWR)
		up += payloads * 24 + size;
	return 57.88476564 * size / (up > down ? up : down);
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

			sc.name = "inflight";
			for (size_t i = 0; i < ARRAY_LEN(inflight); i++) {
				sc.value = inflight[i];
				now = gbit_s(sc);
				assert_true(now <= limit);
				assert_true(now > before || now > 0.98 * limit);
				before = now;
			}
			assert_true(now > 0.98 * limit);
		}
	}
}

static void
caches_and_nodes_cost_what_is_said(void **state)
{
	struct scene sc = scene(LAT_RD, 64);

	(void)state;
	sc.exact = true;
	sc.count = 1;
	sc.point.cache = THRASHED;
	assert_int_equal(*simulate(sc), 583712);
	sc.point.cache = HOST_WARM;
	assert_int_equal(*simulate(sc), 513712);
	sc.point.cache = DEVICE_WARM;
	assert_int_equal(*simulate(sc), 513712);
	sc.point.node = NODE_REMOTE;
	assert_int_equal(*simulate(sc), 613712);
	sc.point.node = 1;
	assert_int_equal(*simulate(sc), 613712);
	sc.point.node = 0;
	assert_int_equal(*simulate(sc), 513712);
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
	    {"llc", "63", "-O llc=63: not within 64 to 1024G"},
	    {"llc", "2048G", "-O llc=2048G: not within 64 to 1024G"},
	    {"llc", "15Q", "-O llc=15Q: unknown suffix"},
	    {"link", "", "-O link=: only PCI Express is simulated"},
	    {"link", "pci32/33", "-O link=pci32/33: only PCI Express"},
	    {"link", "gen8x8/mps256/mrrs512/rcb64", "the generation is 1 to 7"},
	};
	struct scene sc = scene(LAT_RD, 64);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		sc.name = rows[i].name;
		sc.value = rows[i].value;
		assert_refused(sc, STATUS_TROUBLE, rows[i].text);
	}
}

static void
the_only_profile_is_the_default(void **state)
{
	struct scene sc = scene(LAT_RD, 64);

	(void)state;
	sc.which = "default";
	simulate(sc);
	sc.which = "nfp6000";
	assert_refused(sc, STATUS_ABSENT,
	               "sim:nfp6000: no such profile; there is sim:default");
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
	assert_string_equal(
	    preamble_get(&rig.preamble, "sim"),
	    "rc=400ns miss=70ns remote=100ns jitter=20ns issue=100ns tick=4ns "
	    "llc=15M inflight=32 link=gen3x8/mps256/mrrs512/rcb64");
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(samples_depend_on_the_seed),
	    cmocka_unit_test(samples_are_those_of_every_platform),
	    cmocka_unit_test(latencies_add_up),
	    cmocka_unit_test(one_in_flight_is_one_after_the_other),
	    cmocka_unit_test(latencies_have_a_tail),
	    cmocka_unit_test(the_mean_of_the_jitter_is_as_told),
	    cmocka_unit_test(bandwidth_grows_up_to_the_link),
	    cmocka_unit_test(caches_and_nodes_cost_what_is_said),
	    cmocka_unit_test(large_windows_miss_in_proportion),
	    cmocka_unit_test(crossing_a_page_costs_a_header),
	    cmocka_unit_test(windows_hold_a_unit),
	    cmocka_unit_test(halt_leaves_what_is_whole),
	    cmocka_unit_test(bad_options_are_refused_by_name),
	    cmocka_unit_test(the_only_profile_is_the_default),
	    cmocka_unit_test(series_say_what_they_are),
	    cmocka_unit_test(the_generator_goes_on),
	    cmocka_unit_test(the_device_is_always_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
