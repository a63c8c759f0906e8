/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs for GPUs: compares their text with tests/data/ptx, which
 * tools/gpu-check disassembles; if NVIDIA's assembler is installed, it must
 * accept them for every processor. ptx_programs.c tests what they do.
 * PCB_GOLDEN=write writes the files anew.
 */
#include "collect/cuda/cuda.h"

#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/support.h"

#include <unistd.h>

static const struct {
	const char *name;
	struct gpu_transfer t;
} golden[] = {
    {"lat_rd-64", {.bench = LAT_RD, .size = 64, .bytes_per_lane = 4}},
    {"lat_rd-3", {.bench = LAT_RD, .size = 3, .bytes_per_lane = 1}},
    {"lat_rd-4-mmio",
     {.bench = LAT_RD, .size = 4, .bytes_per_lane = 4, .mmio = true}},
    {"lat_wrrd-1000-fence",
     {.bench = LAT_WRRD,
      .wrrd = WRRD_FENCE,
      .size = 1000,
      .bytes_per_lane = 8}},
    {"lat_wrrd-8-sector",
     {.bench = LAT_WRRD, .wrrd = WRRD_SECTOR, .size = 8, .bytes_per_lane = 4}},
    {"lat_wrrd-8-store",
     {.bench = LAT_WRRD, .wrrd = WRRD_STORE, .size = 8, .bytes_per_lane = 4}},
};

static void
check_golden(const char *name, char *text)
{
	const char *top = getenv("TOP");
	char *path =
	    xasprintf("%s/tests/data/ptx/%s.ptx", top ? top : ".", name);
	const char *mode = getenv("PCB_GOLDEN");
	char *wanted;

	if (mode && !strcmp(mode, "write"))
		write_text(path, text);
	wanted = read_whole("%s", path);
	assert_non_null(wanted);
	assert_string_equal(text, wanted);
	free(wanted);
	free(path);
	free(text);
}

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST(texts_are_those_in_the_files)
{
	for (size_t i = 0; i < ARRAY_LEN(golden); i++)
		check_golden(golden[i].name, ptx_transfer(&golden[i].t));
}

#define TRANSFER(...) ((struct gpu_transfer){.lanes = PTX_WARP, __VA_ARGS__})

static void
check_header(char *text, const char *version, const char *target)
{
	char *wanted = xasprintf(".version %s\n.target %s\n", version, target);

	assert_non_null(strstr(text, wanted));
	free(wanted);
	free(text);
}

/* PTX ISA, "Introduced in" and "Target ISA Notes" of their instructions. */
TEST(programs_run_on_the_oldest_gpu_that_can)
{
	check_header(ptx_transfer(&TRANSFER(.bench = BW_RDWR, .size = 64,
	                                    .bytes_per_lane = 4)),
	             "6.0", "sm_50");
	check_header(ptx_transfer(&TRANSFER(.size = 4, .bytes_per_lane = 4,
	                                    .mmio = true)),
	             "8.2", "sm_70");
	check_header(
	    ptx_transfer(&TRANSFER(.engine = ENGINE_BULK, .size = 256)), "8.0",
	    "sm_90");
	check_header(xstrdup(ptx_support), "6.0", "sm_50");
}

/* What a virtual GPU cannot check: these words, in this order. */
static void
check_words(char *text, const char *const word[])
{
	const char *at = text;

	for (; *word; word++) {
		at = strstr(at, *word);
		if (!at)
			fail_msg("no %s in its place:\n%s", *word, text);
	}
	free(text);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(writes_overlap_and_are_seen_by_the_host)
{
	check_words(ptx_transfer(&TRANSFER(.bench = BW_WR, .size = 64,
	                                   .engine = ENGINE_BULK)),
	            WORDS("wait_group 3;", "wait_group 0;", "membar.sys;",
	                  "ld.volatile"));
	check_words(xstrdup(ptx_support),
	            WORDS("pcb_fill", "membar.sys;", "ret;"));
}

/* A step of the timer is less than the rate's tolerance. */
TEST(clocks_are_compared_from_a_step_on)
{
	check_words(xstrdup(ptx_support),
	            WORDS("pcb_calibrate", "bra first;", "bra again;"));
}

static const char *
refused(struct gpu_transfer t, uint64_t offset)
{
	if (!t.bytes_per_lane)
		t.bytes_per_lane = gpu_lane(&t, 1, offset);
	return ptx_check(&t, offset);
}

TEST(what_cannot_be_is_refused)
{
	assert_non_null(refused(TRANSFER(.size = 0), 0));
	assert_non_null(refused(TRANSFER(.size = 64, .bytes_per_lane = 3), 0));
	assert_non_null(refused(TRANSFER(.size = 64, .bytes_per_lane = 32), 0));
	assert_non_null(refused(TRANSFER(.size = 66, .bytes_per_lane = 4), 0));
	assert_non_null(refused(TRANSFER(.size = 64, .bytes_per_lane = 4), 2));
	assert_null(refused(TRANSFER(.size = 8192), 0));
	assert_non_null(refused(TRANSFER(.size = 8196), 0));
	assert_null(refused(TRANSFER(.size = 2047), 0));
	assert_non_null(refused(TRANSFER(.size = 2049), 0));
	assert_null(refused(TRANSFER(.size = 64, .mmio = true), 0));
	assert_non_null(refused(
	    TRANSFER(.size = 64, .mmio = true, .bytes_per_lane = 8), 0));
	assert_null(refused(
	    TRANSFER(.bench = LAT_WRRD, .wrrd = WRRD_SECTOR, .size = 32), 64));
	assert_non_null(refused(
	    TRANSFER(.bench = LAT_WRRD, .wrrd = WRRD_SECTOR, .size = 32), 4));
	assert_null(refused(TRANSFER(.engine = ENGINE_BULK, .size = 32768), 0));
	assert_non_null(
	    refused(TRANSFER(.engine = ENGINE_BULK, .size = 40), 0));
	assert_non_null(
	    refused(TRANSFER(.engine = ENGINE_BULK, .size = 64), 8));
	assert_non_null(
	    refused(TRANSFER(.engine = ENGINE_BULK, .size = 32784), 0));
	assert_non_null(
	    refused(TRANSFER(.bench = LAT_WRRD, .engine = ENGINE_BULK,
	                     .wrrd = WRRD_FENCE, .size = 64),
	            0));
	assert_non_null(refused(
	    TRANSFER(.bench = LAT_RD, .engine = ENGINE_CE, .size = 64), 0));
	assert_null(refused(
	    TRANSFER(.bench = BW_WR, .engine = ENGINE_CE, .size = 63), 1));
}

TEST(lanes_are_as_wide_as_needed)
{
	static const struct {
		unsigned size, offset, lane;
	} wanted[] = {
	    {1, 0, 1},   {2, 0, 2},     {3, 0, 1},    {4, 0, 4},
	    {64, 0, 4},  {64, 2, 2},    {64, 1, 1},   {128, 0, 4},
	    {256, 0, 8}, {256, 4, 4},   {512, 0, 16}, {132, 0, 4},
	    {136, 0, 8}, {4096, 0, 16}, {4096, 8, 8}, {100, 0, 4},
	};

	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_int_equal(gpu_lane(&TRANSFER(.size = wanted[i].size), 1,
		                          wanted[i].offset),
		                 wanted[i].lane);
	assert_int_equal(gpu_lane(&TRANSFER(.size = 4096, .mmio = true), 1, 0),
	                 4);
}

/* The assembler ---------------------------------------------------------- */

static const char *
find_assembler(void)
{
	static const char *const places[] = {"ptxas",
	                                     "/usr/local/cuda/bin/ptxas"};

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		char *command =
		    xasprintf("%s --version >/dev/null 2>&1", places[i]);
		int status = system(command);

		free(command);
		if (!status)
			return places[i];
	}
	return NULL;
}

static bool
assembles(const char *assembler, const char *target, const char *options)
{
	char *command = xasprintf("%s %s -arch=%s -o out.cubin text.ptx >log "
	                          "2>&1",
	                          assembler, options, target);
	int status = system(command);

	free(command);
	return !status;
}

/* An assembler knows the processors of its time, which its help lists. */
static char *
help_of(const char *assembler)
{
	char *command = xasprintf("%s --help >log 2>&1", assembler);

	assert_int_equal(system(command), 0);
	free(command);
	return read_whole("log");
}

static bool
knows(const char *help, const char *target)
{
	size_t length = strlen(target);

	while ((help = strstr(help, target)) &&
	       !memchr("'\",", help[length], 3))
		help += length;
	return help;
}

/* Registers for the data of a lane; a bulk copy needs none. */
static unsigned
registers_for(const struct gpu_transfer *t)
{
	unsigned width = 32 * t->bytes_per_lane;

	if (t->engine == ENGINE_BULK || t->bench == BW_WR ||
	    t->wrrd == WRRD_STORE)
		return 0;
	return (t->size + width - 1) / width *
	       (t->bytes_per_lane > 4 ? t->bytes_per_lane / 4 : 1);
}

static unsigned
registers_used(const char *log)
{
	const char *used = strstr(log, "Used ");

	return used ? (unsigned)strtoul(used + 5, NULL, 10) : 0;
}

/*
 * More registers than fit would be spilled in the timed part; with fewer than
 * the data need, some loads would wait for others.
 */
static void
assemble(const char *assembler, const char *help, char *text, unsigned oldest,
         unsigned least)
{
	static const unsigned targets[] = {50, 60, 70, 75,  80,
	                                   86, 89, 90, 100, 120};

	write_text("text.ptx", text);
	for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
		char target[16];
		char *log;

		snprintf(target, sizeof target, "sm_%u", targets[i]);
		if (targets[i] < oldest || !knows(help, target))
			continue;
		if (!assembles(assembler, target, "-v"))
			fail_msg("%s: %s\n%s", target, read_whole("log"), text);
		log = read_whole("log");
		if (!strstr(log, "0 bytes spill stores") ||
		    registers_used(log) < least)
			fail_msg("%s: %s\n%s", target, log, text);
		free(log);
	}
	free(text);
}

TEST(each_text_is_assembled)
{
	static const struct gpu_transfer more[] = {
	    {.bench = LAT_RD, .size = 1, .bytes_per_lane = 1},
	    {.bench = LAT_WRRD, .size = 2048, .bytes_per_lane = 1},
	    {.bench = LAT_WRRD, .size = 62, .bytes_per_lane = 2},
	    {.bench = LAT_WRRD, .size = 8192, .bytes_per_lane = 4},
	    {.bench = LAT_RD, .size = 8192, .bytes_per_lane = 16},
	    {.bench = BW_RD, .size = 8192, .bytes_per_lane = 16},
	    {.bench = BW_RDWR, .size = 8192, .bytes_per_lane = 16},
	    {.bench = BW_WR, .size = 132, .bytes_per_lane = 4},
	    {.bench = LAT_RD, .size = 8192, .bytes_per_lane = 4, .mmio = true},
	    {.bench = LAT_RD, .size = 3, .bytes_per_lane = 1, .mmio = true},
	    {.bench = BW_RDWR, .size = 2048, .bytes_per_lane = 16},
	    {.bench = LAT_RD, .engine = ENGINE_BULK, .size = 16},
	    {.bench = LAT_WRRD, .engine = ENGINE_BULK, .size = 256},
	    {.bench = BW_RDWR, .engine = ENGINE_BULK, .size = 512},
	    {.bench = BW_RD, .engine = ENGINE_BULK, .size = 32768},
	    {.bench = BW_WR, .engine = ENGINE_BULK, .size = 4096},
	};
	const char *assembler = find_assembler();
	char *help;

	if (!assembler) {
		print_message("no ptxas here (of NVIDIA's CUDA toolkit)\n");
		skip();
	}
	help = help_of(assembler);
	for (size_t i = 0; i < ARRAY_LEN(golden) + ARRAY_LEN(more); i++) {
		const struct gpu_transfer *t =
		    i < ARRAY_LEN(golden) ? &golden[i].t
		                          : &more[i - ARRAY_LEN(golden)];

		assemble(assembler, help, ptx_transfer(t),
		         t->engine == ENGINE_BULK ? 90
		         : t->mmio                ? 70
		                                  : 50,
		         registers_for(t));
	}
	assemble(assembler, help, xstrdup(ptx_support), 50, 0);
	free(help);
}
