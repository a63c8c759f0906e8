/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The backend sim: options, series and samples. */
#include "rig/cmocka.h"
#include "rig/sim.h"

#include "collect/core/backend.h"
#include "common/sim/params.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
samples_depend_on_the_seed(void **state)
{
	static uint64_t first[COUNT];

	for (enum bench_id bench = LAT_RD; bench <= BW_RDWR; bench++) {
		struct scene sc = noisy(bench, 64);
		size_t size = sizeof first;

		if (benches[bench].totals)
			size = benches[bench].width * sizeof *first;
		memcpy(first, simulate(sc), size);
		assert_memory_equal(first, simulate(sc), size);
		sc.seed = 5;
		assert_memory_not_equal(first, simulate(sc), size);
	}
}

/* The samples of x86-64: every platform must give the same. */
static void
samples_are_those_of_every_platform(void **state)
{
	static const uint64_t ns[] = {568, 564, 560, 560, 560,
	                              556, 564, 556, 560, 560};
	static const uint64_t totals[] = {261356000, 263604000, 412476000};
	const uint64_t *raw = simulate(noisy(LAT_RD, 64));

	for (size_t i = 0; i < ARRAY_LEN(ns); i++)
		assert_int_equal(raw[i], 1000 * ns[i]);
	for (size_t i = 0; i < ARRAY_LEN(totals); i++) {
		raw = simulate(noisy(BW_RD + (enum bench_id)i, 64));
		assert_int_equal(raw[2], totals[i]);
	}
}

/* With the offset, rounded up to cache lines; NULL if accepted. */
static void
windows_hold_a_unit_and_buffers_a_window(void **state)
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
there_are_two_nodes(void **state)
{
	struct scene sc = noisy(LAT_RD, 64);

	sc.point.node = 1;
	simulate(sc);
	sc.point.node = 2;
	assert_refused(sc, STATUS_TROUBLE, "node 2: ");
}

static void
set_halt(int number)
{
	(void)number;
	rig_halt = 1;
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

static void
nothing_is_begun_after_a_halt(void **state)
{
	assert_no_samples(LAT_RD);
	assert_no_samples(BW_RDWR);
}

static void
a_total_is_of_what_was_done_by_the_halt(void **state)
{
	static struct rig rig;
	struct scene sc = noisy(BW_RDWR, 64);

	assert_true(rig_open(&rig, &sc) && rig_prepare(&rig, &sc.point));
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
		const char *options, *text;
	} rows[] = {
	    {"inflight=0", "-O inflight=0: not within 1 to 65536"},
	    {"inflight=65537", "-O inflight=65537: not within 1 to 65536"},
	    {"inflight=-1", "-O inflight=-1: not a count"},
	    {"rc=400", "-O rc=400: not a time with its unit, such as 100ns, "
	               "1.5us, 10s or 5min"},
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

static void
unknown_profiles_are_absent(void **state)
{
	struct scene sc = noisy(LAT_RD, 64);

	sc.which = "default";
	simulate(sc);
	sc.which = "other";
	assert_refused(sc, STATUS_ABSENT,
	               "sim:other: no such profile (-d sim:help lists them)");
}

static void
series_say_what_they_are(void **state)
{
	static const struct {
		enum identity column;
		const char *text;
	} rows[] = {
	    {ID_KIND, "simulated"},
	    {ID_DEVICE, "sim:default"},
	    {ID_LINK, "gen3x8/mps256/mrrs512/rcb64"},
	    {ID_INTERFACE, "engine"},
	    {ID_SIZE, "128"},
	    {ID_OFFSET, "4"},
	    {ID_WINDOW, "4096"},
	    {ID_PATTERN, "sequential"},
	    {ID_CACHE, "host-warm"},
	    {ID_NODE, "1"},
	    {ID_IOMMU, "off"},
	    {ID_PAGE, "4096"},
	};
	static struct rig rig;
	struct scene sc = noisy(LAT_RD, 64);

	assert_true(rig_open(&rig, &sc) && rig_prepare(&rig, &sc.point));
	sc.point = (struct point){
	    128, 4, 4096, PATTERN_SEQUENTIAL, CACHE_HOST_WARM, 1};
	assert_true(rig_prepare(&rig, &sc.point));
	assert_non_null(
	    strstr(preamble_get(&rig.preamble, "sim"),
	           " rc=300ns line=1ns merge=0ns llc=15M ways=20 "));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_string_equal(rig.session.series->id[rows[i].column],
		                    rows[i].text);
	assert_null(rig.session.series->id[ID_HOST]);
	rig_close(&rig);
}

/* Chunks of a run, and runs, have different samples. */
static void
the_generator_goes_on(void **state)
{
	static struct rig rig;
	struct scene sc = noisy(LAT_RD, 64);
	uint64_t first[100];

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
	    cmocka_unit_test(windows_hold_a_unit_and_buffers_a_window),
	    cmocka_unit_test(there_are_two_nodes),
	    cmocka_unit_test(nothing_is_begun_after_a_halt),
	    cmocka_unit_test(a_total_is_of_what_was_done_by_the_halt),
	    cmocka_unit_test(bad_options_are_refused_by_name),
	    cmocka_unit_test(unknown_profiles_are_absent),
	    cmocka_unit_test(series_say_what_they_are),
	    cmocka_unit_test(the_generator_goes_on),
	    cmocka_unit_test(the_device_is_always_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
