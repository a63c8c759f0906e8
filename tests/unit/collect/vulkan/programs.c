/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs in SPIR-V: validated by spirv-val if installed, and run by the
 * first Vulkan device, lavapipe if there is no GPU.
 */
#include "collect/vulkan/gpu.h"
#include "rig/cmocka.h"
#include "rig/support.h"

#include <unistd.h>

#define UNIT   512 /* bytes */
#define UNITS  64
#define MAGIC  0x5eed5eedu
#define STORED 0x01 /* the byte that programs store */

static struct request request;
static struct session session = {.request = &request};
static struct vulkan_gpu vg;
static uint32_t entries[UNITS];

static void
ok(bool result)
{
	if (!result)
		fail_msg("%s", session.failure.text);
}

/* Without a device all tests below are skipped. */
static int
open_device(void **state)
{
	struct memory *host = &vg.gpu.memory.host;

	enter_scratch(state);
	session.state = &vg;
	vg.gpu.driver = &vulkan_gpu_driver;
	vg.gpu.entries = entries;
	if (!vulkan_device_open(&session, &vg.device, NULL, true)) {
		print_message("skipped: %s\n", session.failure.text);
		return 0;
	}
	vg.program = (struct program){vg.device.lanes, SPIRV_SUBGROUP};
	ok(memory_make(&session, host, (size_t)UNIT * UNITS, SMALL_PAGE, -1));
	ok(vg.gpu.driver->import(&session));
	ok(vulkan_prepare_programs(&session));
	return 0;
}

static int
close_device(void **state)
{
	struct vulkan_device *d = &vg.device;

	for (size_t i = 0; i < NPIPELINES; i++)
		vulkan_destroy(d, &vg.pipeline[i]);
	gpu_memory_free(&vg.gpu);
	vulkan_free(d, &vg.order);
	vulkan_free(d, &vg.results);
	vulkan_free(d, &vg.sink);
	vulkan_free(d, &vg.staging);
	vulkan_free(d, &vg.scratch);
	vulkan_device_close(d);
	free(session.failure.text);
	return leave_scratch(state);
}

static void
need_device(void)
{
	if (!vg.device.device)
		skip();
}

static void
run_transfer(const struct gpu_transfer *t, struct gpu_args *args)
{
	args->warmup_iters = 1;
	args->timed_iters = 2;
	ok(vg.gpu.driver->load(&session, GPU_TRANSFER, t));
	ok(gpu_transfer(&session, GPU_TRANSFER, args, args->workers));
}

/* Arguments for `n` units of the order, `offset` bytes into each. */
static struct gpu_args
arguments(uint32_t n, unsigned offset)
{
	struct gpu_args args = gpu_args(&vg.gpu);

	for (uint32_t i = 0; i < n; i++)
		entries[i] = (i * 5 + 3) % UNITS;
	args.buffer = vg.gpu.memory.address + offset;
	args.unit = UNIT;
	args.count = n;
	args.workers = 1;
	return args;
}

/* Whether a byte is in one of the first n units of the order. */
static bool
is_asked(size_t byte, uint32_t n, unsigned offset, unsigned size)
{
	size_t in = byte % UNIT;

	for (uint32_t i = 0; i < n; i++) {
		if (entries[i] == byte / UNIT)
			return in >= offset && in < offset + size;
	}
	return false;
}

/* Every transfer that the checks accept, with its offset. */
static void
each_transfer(enum bench_id bench,
              void (*check)(const struct gpu_transfer *, unsigned offset))
{
	static const unsigned sizes[] = {4, 8, 36, 64, 100, 256, 320};
	static const unsigned offsets[] = {0, 4, 16, 60};
	unsigned checked = 0;

	for (size_t i = 0; i < ARRAY_LEN(sizes) * ARRAY_LEN(offsets); i++) {
		struct gpu_transfer t = {.bench = bench, .size = sizes[i % 7]};
		unsigned offset = offsets[i / 7];

		for (unsigned lane = 4; lane <= 16; lane *= 2) {
			t.lanes = vg.program.lanes;
			t.bytes_per_lane = lane;
			if (program_check(&t, offset))
				continue;
			check(&t, offset);
			checked++;
		}
	}
	assert_true(checked > 40);
}

static void
check_writes(const struct gpu_transfer *t, unsigned offset)
{
	unsigned char *host = vg.gpu.memory.host.at;
	uint32_t n = t->bench == LAT_WRRD ? 7 : 4;
	struct gpu_args args = arguments(n, offset);

	memset(host, 0, (size_t)UNIT * UNITS);
	run_transfer(t, &args);
	for (size_t i = 0; i < (size_t)UNIT * UNITS; i++) {
		unsigned wanted = is_asked(i, n, offset, t->size) ? STORED : 0;

		if (host[i] != wanted)
			fail_msg("%u bytes at %u, lanes of %u: byte %zu is "
			         "0x%x, not 0x%x",
			         t->size, offset, t->bytes_per_lane, i, host[i],
			         wanted);
	}
}

const struct fixtures fixtures = {open_device, close_device};

TEST(bytes_asked_for_are_written)
{
	need_device();
	each_transfer(LAT_WRRD, check_writes);
	each_transfer(BW_WR, check_writes);
}

/* The word that the program stores if the data are MAGIC. */
static uint32_t
found(const struct gpu_transfer *t, struct gpu_args *args)
{
	uint32_t word = 0;

	args->dead_store = vg.results.address + 65536;
	ok(vg.gpu.driver->write(&session, AREA_RESULTS, &word, sizeof word));
	ok(gpu_run_program(
	    &session, GPU_FILL,
	    &(struct gpu_args){.buffer = args->dead_store, .count = 1}));
	run_transfer(t, args);
	ok(vg.gpu.driver->read(&session, &word, 65536, sizeof word));
	return word;
}

/*
 * The program stores its data if they are MAGIC. First one word of the last
 * requested unit is MAGIC; then everything that was not requested.
 */
static void
check_reads(const struct gpu_transfer *t, unsigned offset)
{
	uint32_t *host = (void *)vg.gpu.memory.host.at;
	struct gpu_args args = arguments(6, offset);
	size_t last = ((size_t)entries[5] * UNIT + offset) / 4;

	for (unsigned i = 0;
	     i<t->size / 4; i += t->size> 4 ? t->size / 4 - 1 : 1) {
		memset(host, 0, (size_t)UNIT * UNITS);
		host[last + i] = MAGIC;
		if (found(t, &args) != MAGIC)
			fail_msg("%u bytes at %u, lanes of %u: word %u is not "
			         "read",
			         t->size, offset, t->bytes_per_lane, i);
	}
	for (size_t i = 0; i < (size_t)UNIT * UNITS / 4; i++)
		host[i] = is_asked(4 * i, 6, offset, t->size) ? 0 : MAGIC;
	if (found(t, &args))
		fail_msg("%u bytes at %u, lanes of %u: something else is read",
		         t->size, offset, t->bytes_per_lane);
}

TEST(words_asked_for_are_read)
{
	need_device();
	each_transfer(LAT_RD, check_reads);
}

TEST(memory_is_filled_and_summed)
{
	struct gpu_args args = arguments(0, 0);
	const uint32_t *host = (void *)vg.gpu.memory.host.at;
	uint32_t sum = 0, wanted = 0;

	need_device();
	args.count = UNIT * UNITS / 4 - 5;
	args.pattern = 77;
	memset(vg.gpu.memory.host.at, 0xff, (size_t)UNIT * UNITS);
	ok(gpu_run_program(&session, GPU_FILL, &args));
	for (uint32_t i = 0; i < args.count; i++) {
		assert_int_equal(host[i], 77 + i);
		wanted += host[i];
	}
	assert_int_equal(host[args.count], UINT32_MAX);
	ok(vg.gpu.driver->write(&session, AREA_RESULTS, &sum, sizeof sum));
	ok(gpu_run_program(&session, GPU_SUM, &args));
	ok(vg.gpu.driver->read(&session, &sum, 0, sizeof sum));
	assert_int_equal(sum, wanted);
}

/* 20 copies of 100 bytes, 3 bytes into units of a window. */
static void
copy_units(enum bench_id bench)
{
	struct gpu *gpu = &vg.gpu;
	struct gpu_total total = {0};
	struct gpu_args fill = {.count = 50, .pattern = 0x01010101};

	gpu->unit = UNIT;
	gpu->point.offset = 3;
	gpu->transfer = (struct gpu_transfer){
	    .bench = bench, .engine = ENGINE_CE, .size = 100};
	ok(gpu->driver->load(&session, GPU_TRANSFER, &gpu->transfer));
	fill.buffer = vg.scratch.address;
	ok(gpu_run_program(&session, GPU_FILL, &fill));
	for (uint32_t i = 0; i < 20; i++)
		entries[i] = i;
	/* Too few to be timed, but they are copied. */
	gpu->driver->copy(&session, 20, &total);
	free(session.failure.text);
	session.failure.text = NULL;
}

/* The copy queue writes the second half of its memory. */
TEST(copies_write_what_was_asked_for)
{
	unsigned char *host = vg.gpu.memory.host.at;

	need_device();
	memset(host, 0xee, (size_t)UNIT * UNITS);
	copy_units(BW_WR);
	for (size_t i = 0; i < (size_t)UNIT * UNITS; i++) {
		size_t in = i % UNIT;
		bool asked = i / UNIT < 20 && in >= 3 && in < 103;
		uint32_t word = 0x01010101 + (uint32_t)(100 + in - 3) / 4;
		unsigned wanted = word >> (in - 3) % 4 * 8 & 0xff;

		assert_int_equal(host[i], asked ? wanted : 0xee);
	}
}

/* The sum of its data, from equal units. */
TEST(copies_read_what_was_asked_for)
{
	unsigned char *host = vg.gpu.memory.host.at;
	struct gpu_args args = arguments(0, 0);
	uint32_t sum = 0;

	need_device();
	for (size_t i = 0; i < (size_t)UNIT * UNITS; i++) {
		size_t in = i % UNIT;

		host[i] = i / UNIT < 20 && in >= 3 && in < 103 ? 1 : 0xee;
	}
	copy_units(BW_RD);
	args.buffer = vg.scratch.address;
	args.count = 25;
	ok(vg.gpu.driver->write(&session, AREA_RESULTS, &sum, sizeof sum));
	ok(gpu_run_program(&session, GPU_SUM, &args));
	ok(vg.gpu.driver->read(&session, &sum, 0, sizeof sum));
	assert_int_equal(sum, 25 * 0x01010101);
}

/* Clocks of programs run on from one program to the next, as do timestamps. */
TEST(clocks_run_forward)
{
	struct gpu_ticks last = {0};

	need_device();
	for (int i = 0; i < 5; i++) {
		struct gpu_ticks ticks;

		ok(vg.gpu.driver->read_ticks(&session, 2000000, &ticks));
		assert_true(ticks.cycles0 && ticks.cycles1);
		assert_true(ticks.ns1 > ticks.ns0);
		assert_true(ticks.ns1 > last.ns1);
		last = ticks;
	}
}

/* The marks of each worker are in order. */
TEST(spans_are_in_order)
{
	struct gpu_transfer t = {.bench = BW_RDWR,
	                         .size = 64,
	                         .lanes = vg.program.lanes,
	                         .bytes_per_lane = 4};
	struct gpu_args args = arguments(UNITS, 0);
	struct gpu_span span[3];

	need_device();
	args.workers = ARRAY_LEN(span);
	vg.program.scope = SPIRV_DEVICE;
	run_transfer(&t, &args);
	vg.program.scope = SPIRV_SUBGROUP;
	ok(vg.gpu.driver->read(&session, span, 0, sizeof span));
	vg.gpu.clock.ps = 1000;
	vg.gpu.driver->spans_to_ns(&vg.gpu, span, ARRAY_LEN(span));
	/* After 1, 2 and 3 of 4 transfers. */
	for (size_t i = 0; i < ARRAY_LEN(span); i++) {
		assert_true(span[i].mark[0] < span[i].mark[1]);
		assert_true(span[i].mark[1] < span[i].mark[2]);
	}
}

/* A clock whose lower half wraps within a launch, or just before it. */
TEST(wrapped_spans_stay_in_order)
{
	struct gpu gpu = {.clock = {.ps = 500}};
	struct gpu_span span[] = {
	    {{0xfffffff0, 0xfffffffa, 0x10, 0x20}},
	    {{0xffffffe0, 0xfffffffe, 0x1fffffff0, 0x100000030}},
	};

	vulkan_gpu_driver.spans_to_ns(&gpu, span, 2);
	assert_int_equal(span[0].mark[1] - span[0].mark[0], 5);
	assert_int_equal(span[0].mark[2] - span[0].mark[1], 11);
	assert_int_equal(span[0].mark[3] - span[0].mark[2], 8);
	assert_int_equal(span[0].mark[0] - span[1].mark[0], 8);
	assert_int_equal(span[1].mark[3] - span[0].mark[3], 8);
}

/* What tools/spirv-order prints of a module, without types and operands. */
static void
assert_order(struct module m, const char *wanted)
{
	const char *top = getenv("TOP");
	char command[600], step[16], order[400] = "";
	FILE *to = fopen("module.spv", "w"), *from;
	int n;

	assert_non_null(to);
	assert_int_equal(fwrite(m.word, 1, m.size, to), m.size);
	assert_int_equal(fclose(to), 0);
	n = snprintf(command, sizeof command,
	             "spirv-val --target-env vulkan1.2 module.spv && "
	             "%s/tools/spirv-order module.spv",
	             top ? top : ".");
	for (int i = 0; i < NCONSTANTS; i++) {
		bool yes = i >= CONSTANT_READS && i <= CONSTANT_BARRIER;

		n += yes ? sprintf(command + n, " %d:%s", i,
		                   m.constant[i] ? "true" : "false")
		         : sprintf(command + n, " %d:%u", i, m.constant[i]);
	}
	from = popen(command, "r"); /* NOLINT(cert-env33-c) */
	assert_non_null(from);
	while (fscanf(from, "%15s%*[^\n]", step) == 1)
		strcat(strcat(order, *order ? " " : ""), step);
	assert_int_equal(pclose(from), 0);
	assert_string_equal(order, wanted);
}

/*
 * Only what is timed is between the readings of the clock: there the loads, of
 * which the row of some lanes comes first, and the wait for them.
 */
TEST(only_transfers_are_timed)
{
	static const struct {
		struct gpu_transfer t;
		const char *order;
	} cases[] = {
	    {{.bench = LAT_RD, .size = 300, .bytes_per_lane = 4},
	     "loop branch load branch "
	     "clock branch load load load branch store clock branch store"},
	    {{.bench = LAT_RD, .size = 512, .bytes_per_lane = 8},
	     "loop branch load branch "
	     "clock load load branch store clock branch store"},
	    {{.bench = LAT_RD, .size = 8192, .bytes_per_lane = 16},
	     "loop branch load branch clock "
	     "load load load load load load load load "
	     "load load load load load load load load "
	     "branch store clock branch store"},
	    {{.bench = LAT_WRRD,
	      .wrrd = WRRD_FENCE,
	      .size = 256,
	      .bytes_per_lane = 4},
	     "loop branch load branch clock store store barrier "
	     "load load branch store clock branch store"},
	    {{.bench = LAT_WRRD,
	      .wrrd = WRRD_STORE,
	      .size = 64,
	      .bytes_per_lane = 4},
	     "loop branch load branch clock branch store barrier clock "
	     "branch store"},
	    {{.bench = BW_RDWR, .size = 128, .bytes_per_lane = 4},
	     "loop branch branch clock branch store branch "
	     "load load branch store load store barrier load branch store"},
	};
	struct program p = {32, SPIRV_DEVICE};

	/* NOLINTNEXTLINE(cert-env33-c) */
	if (system("command -v spirv-val spirv-opt >/dev/null"))
		skip();
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct gpu_transfer t = cases[i].t;

		t.lanes = p.lanes;
		p.scope = i % 2 ? SPIRV_DEVICE : SPIRV_SUBGROUP;
		assert_order(program_transfer(&p, &t), cases[i].order);
	}
	assert_order(program_chain(&p, PROGRAM_CHAIN),
	             "loop branch load branch store clock load load load load "
	             "load load load load branch store clock branch store "
	             "branch store");
	assert_order(program_support(&p, GPU_OVERHEAD),
	             "loop branch clock clock branch store");
}

/* 8 loads of 100 units each; the clock itself takes 10. */
TEST(chains_must_add_up)
{
	assert_true(program_chain_holds(10, 110, 810, 8));
	assert_true(program_chain_holds(10, 110, 1000, 8));
	assert_false(program_chain_holds(10, 110, 1100, 8));
	/* The second clock reading has not waited for the load. */
	assert_false(program_chain_holds(10, 30, 810, 8));
	assert_false(program_chain_holds(10, 10, 810, 8));
	/* The loads have not waited for each other. */
	assert_false(program_chain_holds(10, 110, 110, 8));
}

TEST(impossible_transfers_are_refused)
{
	static const struct {
		struct gpu_transfer t;
		uint64_t offset;
		const char *why;
	} cases[] = {
	    {{.bytes_per_lane = 4}, 0, "0 bytes"},
	    {{.size = 64, .bytes_per_lane = 2}, 0, "4, 8 or 16"},
	    {{.size = 63, .bytes_per_lane = 4}, 0, "multiples"},
	    {{.size = 64, .bytes_per_lane = 8}, 4, "multiples"},
	    {{.size = 8196, .bytes_per_lane = 4}, 0, "too large"},
	    {{.size = 64, .bytes_per_lane = 4, .wrrd = WRRD_SECTOR},
	     0,
	     "first 32"},
	    {{.size = 64, .engine = ENGINE_CE, .bench = LAT_RD}, 0, "only"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct gpu_transfer t = cases[i].t;
		const char *why;

		t.lanes = 32;
		why = program_check(&t, cases[i].offset);
		assert_non_null(why);
		assert_non_null(strstr(why, cases[i].why));
	}
	assert_null(program_check(&(struct gpu_transfer){.size = 8192,
	                                                 .lanes = 32,
	                                                 .bytes_per_lane = 16},
	                          0));
}

/* They would name files to load. */
TEST(the_superuser_has_no_variables)
{
	struct session s = {0};
	struct vulkan_device device = {0};

	need_device();
	if (geteuid())
		skip();
	setenv("VK_ICD_FILENAMES", "/nowhere", 1);
	setenv("VK_INSTANCE_LAYERS", "none", 1);
	assert_true(vulkan_device_open(&s, &device, NULL, false));
	assert_null(getenv("VK_ICD_FILENAMES"));
	assert_null(getenv("VK_INSTANCE_LAYERS"));
	vulkan_device_close(&device);
}
