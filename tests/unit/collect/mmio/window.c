/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data in a window, messages about memory that does not keep them, and the TLPs
 * of a transfer.
 */
#include "collect/mmio/mmio.h"
#include "rig/cmocka.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

#define BYTES 256

static _Alignas(64) unsigned char memory[BYTES];
static struct pci_function function = {.bdf = "0000:03:00.0"};
static struct mmio_access device = {.function = &function};

static struct window
open_window(enum bench_id bench, uint64_t size)
{
	const struct point point = {.size = size, .window = BYTES};
	struct window w = {.access = &device,
	                   .range = {2, 0x1000, BYTES},
	                   .timing = {.bench = bench, .device = memory}};
	struct session s = {0};

	assert_true(window_allocate(&s, &w));
	window_set(&w, stores[0], &point, store_width(stores[0], size, true));
	memset(memory, 0, sizeof memory);
	return w;
}

static void
single_transfers_start_at_lines(void **state)
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
static void
each_fill_differs(void **state)
{
	struct window w = open_window(LAT_MMIO_WR, 4);
	uint32_t before, after;

	for (size_t at = 0; at < BYTES; at += sizeof before) {
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

static void
what_was_not_kept_is_told(void **state)
{
	struct window w = open_window(LAT_MMIO_WR, 8);
	struct session s = {0};

	window_fill(&w);
	memcpy(memory, w.timing.host, BYTES);
	assert_true(window_verify(&s, &w, 4, STATUS_ABSENT));
	/* Bytes between transfers do not count. */
	memory[9] ^= 1;
	assert_true(window_verify(&s, &w, 4, STATUS_ABSENT));
	memory[128 + 7] ^= 1;
	assert_true(window_verify(&s, &w, 2, STATUS_ABSENT));
	assert_false(window_verify(&s, &w, 3, STATUS_TROUBLE));
	assert_int_equal(s.failure.status, STATUS_TROUBLE);
	assert_string_equal(s.failure.text,
	                    "0000:03:00.0: BAR2+0x1080 does not hold what was "
	                    "written: it is not memory, or something else "
	                    "writes there");
	free(s.failure.text);
	window_free(&w);
}

/* By hand. */
static void
packets_are_counted(void **state)
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(single_transfers_start_at_lines),
	    cmocka_unit_test(each_fill_differs),
	    cmocka_unit_test(what_was_not_kept_is_told),
	    cmocka_unit_test(packets_are_counted),
	};

	return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
