/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the programs for GPUs on a virtual one: which bytes they touch, how
 * often and in which order, and the time they report.
 */
#include "collect/cuda/cuda.h"

#include "rig/cmocka.h"
#include "rig/gpu.h"

#define UNITS   6
#define WORKERS 3
#define LEAD    2
#define EACH    5

static struct vgpu gpu;
static struct gpu_args args;

/* A new virtual GPU and world. */
static void
prepare(unsigned entries, uint32_t n, unsigned unit, unsigned offset)
{
	gpu = virtual_gpu();
	args = arguments(n, unit, offset);
	begin_world(entries);
}

/* Each byte of host memory must be touched as in `loads` and `stores`. */
static void
check_bytes(const struct gpu_transfer *t, const unsigned *loads,
            const unsigned *stores)
{
	for (size_t i = 0; i < HOST; i++) {
		if (world.loads[i] == loads[i] && world.stores[i] == stores[i])
			continue;
		fail_msg("%s, %u bytes, engine %d, lane %u, wrrd %d: byte %zu "
		         "has %u loads and %u stores, not %u and %u",
		         benches[t->bench].name, t->size, (int)t->engine,
		         t->bytes_per_lane, (int)t->wrrd, i, world.loads[i],
		         world.stores[i], loads[i], stores[i]);
	}
}

static void
count(unsigned *bytes, size_t from, size_t size)
{
	for (size_t i = from; i < from + size; i++)
		bytes[i]++;
}

/* Two clock readings, and some instructions per row, whatever they cost. */
#define AROUND (33 + 3 * PTX_REGISTERS + 8)

static void
check_time(const struct gpu_transfer *t, const struct span *span,
           uint32_t cycles)
{
	bool write = t->bench == LAT_WRRD;
	bool waits = write && (t->engine == ENGINE_BULK ||
	                       t->wrrd == WRRD_FENCE || t->wrrd == WRRD_STORE);
	uint64_t end = span->loaded;

	if (waits && span->stored > end)
		end = span->stored;
	end -= span->begin;
	if (cycles < end || cycles > end + AROUND)
		fail_msg("%s, %u bytes, engine %d, lane %u, wrrd %d: %u cycles "
		         "for %ju",
		         benches[t->bench].name, t->size, (int)t->engine,
		         t->bytes_per_lane, (int)t->wrrd, cycles,
		         (uintmax_t)end);
	if (waits)
		assert_true(span->first_load >= span->stored);
	else if (write)
		assert_true(span->first_load > span->begin);
}

/* Latency: one warp or thread touches each unit once. */
static void
check_latency(const struct gpu_transfer *t, unsigned unit, unsigned offset)
{
	static unsigned loads[HOST], stores[HOST];
	bool bulk = t->engine == ENGINE_BULK;
	struct vgpu_grid grid = {1, bulk ? 1 : 32, bulk ? t->size : 0};
	const uint32_t *cycles = world_journal();
	unsigned beside = t->bench == LAT_WRRD && t->wrrd == WRRD_SECTOR;

	prepare(1, UNITS, unit, offset);
	memset(loads, 0, sizeof loads);
	memset(stores, 0, sizeof stores);
	for (uint32_t i = 0; i < UNITS; i++) {
		size_t at =
		    (size_t)(world_order()[i] = (i * 5 + 2) % UNITS) * unit;

		at += offset;
		if (t->bench == LAT_RD || t->wrrd != WRRD_STORE)
			count(loads, at + 32 * (size_t)beside, t->size);
		if (t->bench == LAT_WRRD)
			count(stores, at, t->size);
	}
	run_text(&gpu, ptx_transfer(t), PTX_ENTRY, grid, &args);
	check_bytes(t, loads, stores);
	for (size_t i = 0; i < UNITS; i++)
		check_time(t, &world.span[i], cycles[i]);
	assert_int_equal(cycles[UNITS], 0);
	assert_int_equal(world.transfers, UNITS);
}

/* Bandwidth: the transfers of each worker, counted independently. */
static void
check_spans(const struct gpu_transfer *t)
{
	const struct gpu_span *spans = world_journal();
	size_t all = LEAD + EACH + LEAD;

	for (size_t w = 0; w < WORKERS; w++) {
		const struct span *span = &world.span[w * all];

		/* From the end of the one before to the start of the next. */
		for (size_t k = 0; LEAD + k < all; k++) {
			const struct span *next = &span[LEAD + k];

			assert_in_range((spans[w].mark[k] - 1000000) * 3 / 2 +
			                    2,
			                t->bench == BW_RD ? next[-1].loaded
			                                  : next[-1].begin,
			                next->begin + 2);
		}
	}
	assert_int_equal(spans[WORKERS].mark[0], 0);
}

static void
check_bandwidth(const struct gpu_transfer *t, unsigned unit, unsigned offset)
{
	static unsigned loads[HOST], stores[HOST];
	bool bulk = t->engine == ENGINE_BULK;
	unsigned entries = t->bench == BW_RDWR ? 2 : 1;
	uint32_t n = 10 * entries;
	struct vgpu_grid grid = {bulk ? WORKERS : 2, bulk ? 1 : 64,
	                         bulk ? t->size : 0};

	prepare(entries, n, unit, offset);
	memset(loads, 0, sizeof loads);
	memset(stores, 0, sizeof stores);
	args.workers = WORKERS;
	args.warmup_iters = LEAD;
	args.timed_iters = EACH;
	for (uint32_t i = 0; i < n; i++)
		world_order()[i] = (i * 7 + 1) % UNITS;
	for (uint32_t w = 0; w < WORKERS; w++) {
		size_t at = 0;

		for (uint32_t k = 0; k < LEAD + EACH + LEAD; k++) {
			uint32_t entry = (w + k * WORKERS) * entries % n;

			at = (size_t)world_order()[entry] * unit + offset;
			if (t->bench != BW_WR)
				count(loads, at, t->size);
			if (t->bench == BW_RDWR)
				at = (size_t)world_order()[entry + 1] * unit +
				     offset;
			if (t->bench != BW_RD)
				count(stores, at, t->size);
		}
		/* A read after the last write. */
		if (t->bench != BW_RD)
			count(loads, at, bulk ? 4 : t->size);
	}
	run_text(&gpu, ptx_transfer(t), PTX_ENTRY, grid, &args);
	check_bytes(t, loads, stores);
	check_spans(t);
}

static void
check_transfer(const struct gpu_transfer *t, unsigned offset)
{
	unsigned unit = (offset + t->size + 63) / 64 * 64;

	if (ptx_check(t, offset))
		return;
	if (benches[t->bench].totals)
		check_bandwidth(t, unit, offset);
	else
		check_latency(t, unit, offset);
}

static const unsigned sizes[] = {
    1,   2,   3,   4,   8,   12,  16,   20,   31,   32,   40,   64,  96,
    100, 128, 160, 256, 260, 512, 1000, 1024, 1040, 2048, 4096, 8192};

static void
each_width(struct gpu_transfer t)
{
	for (t.bytes_per_lane = 1; t.bytes_per_lane <= 16;
	     t.bytes_per_lane *= 2) {
		check_transfer(&t, 0);
		check_transfer(&t, t.bytes_per_lane);
	}
}

TEST(loads_and_stores_touch_what_they_should)
{
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct gpu_transfer t = {.size = sizes[i]};

		for (t.bench = LAT_RD; t.bench <= BW_RDWR; t.bench++) {
			t.wrrd = WRRD_PLAIN;
			t.mmio = true;
			each_width(t);
			t.mmio = false;
			for (; t.wrrd < NWRRD; t.wrrd++) {
				if (t.wrrd && t.bench != LAT_WRRD)
					break;
				each_width(t);
			}
		}
	}
}

TEST(bulk_copies_touch_what_they_should)
{
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct gpu_transfer t = {.engine = ENGINE_BULK,
		                         .size = sizes[i]};

		for (t.bench = LAT_RD; t.bench <= BW_RDWR; t.bench++) {
			check_transfer(&t, 0);
			check_transfer(&t, 48);
		}
	}
}

/* The index that means no unit. */
TEST(a_launch_ends_at_the_number_that_is_no_unit)
{
	static const struct gpu_transfer t = {
	    .bench = LAT_RD, .size = 64, .bytes_per_lane = 4};
	const uint32_t *cycles = world_journal();

	prepare(1, UNITS, 64, 0);
	world_order()[3] = MAGIC;
	run_text(&gpu, ptx_transfer(&t), PTX_ENTRY,
	         (struct vgpu_grid){1, 32, 0}, &args);
	assert_int_equal(world.transfers, 4);
	assert_true(cycles[2]);
	assert_int_equal(cycles[3], 0);
}

TEST(cycles_end_at_32_bits)
{
	static const struct gpu_transfer t = {
	    .bench = LAT_RD, .size = 64, .bytes_per_lane = 4};
	const uint32_t *cycles = world_journal();

	prepare(1, 1, 64, 0);
	world.fixed = UINT64_C(1) << 32;
	run_text(&gpu, ptx_transfer(&t), PTX_ENTRY,
	         (struct vgpu_grid){1, 32, 0}, &args);
	assert_int_equal(cycles[0], UINT32_MAX);
}

/* Only data equal to the secret number are stored there. */
TEST(the_sink_stays_as_it_is)
{
	static const struct gpu_transfer t = {
	    .bench = LAT_RD, .size = 8, .bytes_per_lane = 4};
	const uint32_t *sink = world_sink();

	for (unsigned same = 0; same < 2; same++) {
		prepare(1, 1, 64, 0);
		memcpy(&args.pattern, world.host + 4, 4);
		args.pattern += !same;
		run_text(&gpu, ptx_transfer(&t), PTX_ENTRY,
		         (struct vgpu_grid){1, 32, 0}, &args);
		assert_int_equal(*sink, same ? args.pattern : 0);
	}
}

/* Programs around them ---------------------------------------------------- */

static void
run_support(struct vgpu *gpu, const char *entry, struct vgpu_grid grid,
            const struct gpu_args *args)
{
	run_text(gpu, xstrdup(ptx_support), entry, grid, args);
}

TEST(an_empty_timing_is_one_clock)
{
	const uint32_t *cycles = world_journal();

	prepare(1, 100, 0, 0);
	run_support(&gpu, "pcb_overhead", (struct vgpu_grid){1, 1, 0}, &args);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(cycles[i], 33);
	assert_int_equal(cycles[100], 0);
}

TEST(the_two_clocks_are_compared)
{
	/* Steps shorter than a clock reading are missed. */
	static const struct {
		unsigned mhz, step;
	} cases[] = {{1000, 1024}, {1500, 700}, {2000, 1000}};
	const struct gpu_ticks *ticks = world_journal();

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		double rate, mhz = cases[i].mhz;

		prepare(1, 0, 0, 0);
		args.duration = 2000000;
		gpu.mhz = cases[i].mhz;
		gpu.step = cases[i].step;
		run_support(&gpu, "pcb_calibrate", (struct vgpu_grid){1, 1, 0},
		            &args);
		rate = (double)(ticks->cycles1 - ticks->cycles0) /
		       (double)(ticks->ns1 - ticks->ns0);
		assert_in_range(ticks->ns1 - ticks->ns0, 2000000, 2002048);
		assert_float_equal(rate, mhz / 1000, 0.001 * mhz / 1000);
		assert_int_equal(ticks->step, cases[i].step);
		assert_int_equal(ticks->sm, 3);
	}
}

/* It gives up after 2^32 cycles, with both times equal. */
TEST(a_timer_that_stands_still_is_left)
{
	const struct gpu_ticks *ticks = world_journal();

	prepare(1, 0, 0, 0);
	gpu.step = 0;
	gpu.mhz = 1000 * VGPU_MHZ;
	args.duration = 2000000;
	run_support(&gpu, "pcb_calibrate", (struct vgpu_grid){1, 1, 0}, &args);
	assert_int_equal(ticks->ns0, ticks->ns1);
}

TEST(words_are_written_and_added_up)
{
	static unsigned loads[HOST], stores[HOST];
	static const struct gpu_transfer any = {.bench = BW_WR};
	const uint32_t *word = (const void *)(world.host + 64);
	const uint32_t *sum = world_journal();
	uint32_t wanted = 0;

	prepare(1, 1000, 0, 64);
	count(stores, 64, 4000);
	run_support(&gpu, "pcb_fill", (struct vgpu_grid){3, 96, 0}, &args);
	check_bytes(&any, loads, stores);
	for (uint32_t i = 0; i < 1000; i++) {
		assert_int_equal(word[i], MAGIC + i);
		wanted += word[i];
	}
	count(loads, 64, 4000);
	run_support(&gpu, "pcb_sum", (struct vgpu_grid){1, 32, 0}, &args);
	check_bytes(&any, loads, stores);
	assert_int_equal(*sum, wanted);
}

TEST(load_goes_on_for_a_time)
{
	prepare(1, 0, 0, 0);
	world.fixed = 1500;
	args.duration = 100000;
	run_support(&gpu, "pcb_load", (struct vgpu_grid){1, 32, 0}, &args);
	/* A microsecond each, plus the timer's. */
	assert_in_range(world.loads[0], 32 * 48, 32 * 55);
	memcpy(&args.pattern, world.host, 4);
	begin_world(1);
	run_support(&gpu, "pcb_load", (struct vgpu_grid){1, 32, 0}, &args);
	assert_int_equal(world.loads[0], 32);
}
