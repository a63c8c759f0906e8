/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data in a window, messages about memory that does not keep them, and the TLPs
 * of a transfer.
 */
#include "collect/mmio/mmio.h"

#include "collect/pci/bar.h"
#include "rig/cmocka.h"
#include "rig/session.h"
#include "rig/support.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROOM 256

static _Alignas(64) unsigned char memory[ROOM];
static struct pci_function function = {.bdf = "0000:03:00.0"};
static struct mmio_access device = {.function = &function};

static struct window
open_window(enum bench_id bench, uint64_t size)
{
	const struct point point = {.size = size, .window = ROOM};
	struct window w = {.access = &device,
	                   .range = {2, 0x1000, ROOM},
	                   .timing = {.bench = bench, .device = memory}};
	struct session s = {0};

	assert_true(window_allocate(&s, &w));
	window_set(&w, stores[0], &point, store_width(stores[0], size, true));
	memset(memory, 0, sizeof memory);
	return w;
}

TEST(single_transfers_start_at_lines)
{
	struct window w = open_window(LAT_MMIO_WR, 4);

	assert_int_equal(w.timing.stride, 64);
	assert_int_equal(w.timing.units, 4);
	window_free(&w);
	w = open_window(BW_MMIO_WR, 4);
	assert_int_equal(w.timing.stride, 4);
	assert_int_equal(w.timing.units, 64);
	window_free(&w);
}

/* Also in 4 bytes of it, the size of a doorbell. */
TEST(each_fill_differs)
{
	struct window w = open_window(LAT_MMIO_WR, 4);
	uint32_t before, after;

	for (size_t at = 0; at < ROOM; at += sizeof before) {
		for (int i = 0; i < 100; i++) {
			window_fill(&w);
			memcpy(&before, w.timing.host + at, sizeof before);
			window_fill(&w);
			memcpy(&after, w.timing.host + at, sizeof after);
			assert_int_not_equal(before, after);
			assert_int_not_equal(after, UINT32_MAX);
		}
	}
	window_free(&w);
}

TEST(what_was_not_kept_is_told)
{
	struct window w = open_window(LAT_MMIO_WR, 8);
	struct session s = {0};

	window_fill(&w);
	memcpy(memory, w.timing.host, ROOM);
	assert_true(window_verify(&s, &w, 4, STATUS_ABSENT));
	/* Bytes between transfers do not count. */
	memory[9] ^= 1;
	assert_true(window_verify(&s, &w, 4, STATUS_ABSENT));
	memory[128 + 7] ^= 1;
	assert_true(window_verify(&s, &w, 2, STATUS_ABSENT));
	assert_false(window_verify(&s, &w, 3, STATUS_TROUBLE));
	assert_failed(&s, STATUS_TROUBLE,
	              "0000:03:00.0: BAR2+0x1080 does not hold what was "
	              "written: it is not memory, or something else "
	              "writes there");
	window_free(&w);
}

/* By hand. */
TEST(packets_are_counted)
{
	static const struct {
		struct mmio_transfer transfer;
		uint64_t least, most;
	} cases[] = {
	    /* A doorbell, and a cache line by eight stores. */
	    {{.size = 4, .width = 4}, 1, 1},
	    {{.size = 64, .width = 8}, 8, 8},
	    /* AVX and AVX-512, whole or split into 8 bytes. */
	    {{.size = 16, .width = 16}, 1, 2},
	    {{.size = 64, .width = 32}, 2, 8},
	    {{.size = 64, .width = 64}, 1, 8},
	    {{.size = 4096, .width = 64}, 64, 512},
	    /* Stores combined in a buffer. */
	    {{.size = 64, .width = 8, .combined = true}, 1, 8},
	    {{.size = 8, .width = 8, .combined = true}, 1, 1},
	    {{.size = 128, .width = 4, .combined = true}, 2, 32},
	    /* Direct stores are neither split nor combined. */
	    {{.size = 64, .width = 64, .direct = true}, 1, 1},
	    {{.size = 256, .width = 64, .combined = true, .direct = true},
	     4,
	     4},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct tlp_range tlps = mmio_tlps(&cases[i].transfer);

		assert_int_equal(tlps.least, cases[i].least);
		assert_int_equal(tlps.most, cases[i].most);
	}
}

/* Contents --------------------------------------------------------------- */

#define PAGE  4096
#define WORDS (PAGE / sizeof(uint64_t))

static struct {
	int fd;
	volatile uint64_t *at;
	struct contents contents;
	struct session session;
} bar;

static int
begin(void **state)
{
	memset(&bar, 0, sizeof bar);
	bar.fd = memfd_create("bar", MFD_CLOEXEC);
	assert_int_equal(ftruncate(bar.fd, PAGE), 0);
	bar.at = mmio_map(bar.fd, 0, PAGE, true);
	assert_non_null(bar.at);
	for (size_t i = 0; i < WORDS; i++)
		bar.at[i] = 3 * i + 1;
	bar.contents = (struct contents){
	    .bdf = "0000:03:00.0", .at = bar.at, .size = PAGE};
	return 0;
}

static int
end(void **state)
{
	mmio_unmap(bar.at);
	close(bar.fd);
	free(bar.session.failure.text);
	return 0;
}

static void
overwrite(void)
{
	for (size_t i = 0; i < WORDS; i++)
		bar.at[i] = 0;
}

static bool
is_back(void)
{
	for (size_t i = 0; i < WORDS; i++) {
		if (bar.at[i] != 3 * i + 1)
			return false;
	}
	return true;
}

TEST_IN(they_come_back, begin, end)
{
	assert_true(contents_keep(&bar.session, &bar.contents));
	assert_true(is_back());
	overwrite();
	contents_put_back(&bar.contents);
	assert_true(is_back());
	/* Twice, or without saved contents, does nothing. */
	contents_put_back(&bar.contents);
}

/* One page seen twice: the second word written is in both. */
static void
write_twice(const void *data)
{
	unsigned char *twice =
	    mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < 2; i++)
		mmap(twice + i * PAGE, PAGE, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_FIXED, bar.fd, 0);
	bar.contents.at = (volatile uint64_t *)(void *)twice;
	bar.contents.size = 2 * PAGE;
	if (!contents_keep(&bar.session, &bar.contents))
		return;
	kill(bar.contents.guardian.process, SIGKILL);
	bar.contents.before[1] ^= *(const uint64_t *)data;
	contents_put_back(&bar.contents);
}

TEST_IN(what_memory_does_not_keep_is_said, begin, end)
{
	for (uint64_t change = 0; change < 2; change++) {
		assert_child(write_twice, &change, 0, "",
		             change
		                 ? "t: 0000:03:00.0: cannot restore the "
		                   "contents of its memory: it does not keep "
		                   "what is written\n"
		                 : "");
	}
}

TEST_IN(without_a_guardian_too, begin, end)
{
	assert_true(contents_keep(&bar.session, &bar.contents));
	overwrite();
	kill(bar.contents.guardian.process, SIGKILL);
	contents_put_back(&bar.contents);
	assert_true(is_back());
}

/* A guardian that blocks signals must survive a page that is gone. */
TEST_IN(a_device_that_is_gone_is_left, begin, end)
{
	time_t begin_at = time(NULL);

	/* Installs the SIGBUS handler again: cmocka sets one for each test. */
	mmio_unmap(mmio_map(bar.fd, 0, PAGE, true));
	assert_true(contents_keep(&bar.session, &bar.contents));
	assert_int_equal(ftruncate(bar.fd, 0), 0);
	contents_put_back(&bar.contents);
	assert_true(time(NULL) - begin_at < 5);
}

/* Ranges ----------------------------------------------------------------- */

TEST(ranges_are_read)
{
	static const struct {
		const char *text;
		struct mmio_range range;
	} cases[] = {
	    {"BAR2+0x1000,4K", {2, 0x1000, 4096}},
	    {"bar0+0,64", {0, 0, 64}},
	    {"BAR5+128,1M", {5, 128, 1048576}},
	    {"BAR4+0xffffffffffffff80,64",
	     {4, UINT64_C(0xffffffffffffff80), 64}},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct mmio_range range;

		assert_null(mmio_range_parse(cases[i].text, &range));
		assert_int_equal(range.bar, cases[i].range.bar);
		assert_int_equal(range.offset, cases[i].range.offset);
		assert_int_equal(range.size, cases[i].range.size);
	}
}

TEST(others_are_refused)
{
	static const char *const cases[] = {
	    "", "BAR2", "BAR2+0", "BAR6+0,4K", "BAR+0,4K", "2+0,4K", "BAR2+,4K",
	    "BAR2+0,", "BAR2+0,0", "BAR2+4,4K", "BAR2+0,100", "BAR2+0,4K,4K",
	    "BAR2-0,4K", "BAR2+-64,4K", "BAR20,4K", "BAR2 +0,4K", "BAR2+0x,4K",
	    /* Beyond the end of the address space. */
	    "BAR2+0xffffffffffffffc0,128"};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct mmio_range range = {1, 2, 3};

		if (!mmio_range_parse(cases[i], &range))
			print_error("%s\n", cases[i]);
		assert_non_null(mmio_range_parse(cases[i], &range));
		assert_int_equal(range.bar, 1);
		assert_int_equal(range.size, 3);
	}
}

TEST(a_range_holds_another)
{
	const struct mmio_range outer = {2, 0x1000, 0x1000};
	static const struct {
		struct mmio_range inner;
		bool held;
	} cases[] = {
	    {{2, 0x1000, 0x1000}, true},         {{2, 0x1fc0, 0x40}, true},
	    {{2, 0x1fc0, 0x80}, false},          {{2, 0xfc0, 0x40}, false},
	    {{2, 0x1000, 0x1040}, false},        {{4, 0x1000, 0x40}, false},
	    {{2, UINT64_MAX - 63, 0x40}, false},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(mmio_range_holds(&outer, &cases[i].inner),
		                 cases[i].held);
}
