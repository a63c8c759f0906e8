/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The backend sim: options, series and samples. */
#include "rig/cmocka.h"
#include "rig/sim.h"

#include "collect/core/backend.h"
#include "common/sim/params.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(windows_hold_a_unit_and_buffers_a_window),
	    cmocka_unit_test(nothing_is_begun_after_a_halt),
	    cmocka_unit_test(bad_options_are_refused_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
