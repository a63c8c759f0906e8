/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bandwidth of transfers on a link. */
#include "rig/model.h"
#include "rig/cmocka.h"

#include "common/base/util.h"
#include "common/link/model.h"

#include <math.h>

/* Wire bytes by hand: 24 around a request's payload, 20 around a CplD's. */
static const struct {
	const char *bench;
	uint64_t size, offset, tx, rx;
	const char *limit;
} byte_rows[] = {
    {"bw_rd", 64, 0, 24, 84, "rx_bytes"},
    {"bw_wr", 64, 0, 88, 0, "tx_bytes"},
    {"bw_rdwr", 64, 0, 24 + 88, 84, "tx_bytes"},
    {"bw_rd", 1, 0, 24, 21, "tx_bytes"},
    /* 4 bytes: both directions carry 24. */
    {"bw_rd", 4, 0, 24, 24, "tx_bytes"},
    /* Across a page: two requests, two completions. */
    {"bw_rd", 64, 4064, 48, 104, "rx_bytes"},
    {"bw_wr", 64, 4064, 112, 0, "tx_bytes"},
    /* A cut at 512. */
    {"bw_rd", 508, 260, 24, 508 + 40, "rx_bytes"},
    {"bw_rd", 512, 256, 24, 512 + 40, "rx_bytes"},
    /* MPS and MRRS count DWs: 512 bytes at 257 touch 129. */
    {"bw_rd", 512, 257, 48, 512 + 60, "rx_bytes"},
    {"bw_rd", 511, 257, 24, 511 + 40, "rx_bytes"},
    {"bw_wr", 256, 1, 48 + 256, 0, "tx_bytes"},
    {"bw_wr", 255, 1, 24 + 255, 0, "tx_bytes"},
};

static void
the_fuller_direction_limits(void **state)
{
	struct link_config config = link_config("gen3x8/mps256/mrrs512/rcb64");

	for (size_t i = 0; i < ARRAY_LEN(byte_rows); i++) {
		struct transfer t = {byte_rows[i].size, byte_rows[i].offset, 0};
		struct expected e =
		    expect(&config, find_work(byte_rows[i].bench), &t);
		double most = fmax(e.tx_bytes, e.rx_bytes);

		assert_near(e.tx_bytes, (double)byte_rows[i].tx);
		assert_near(e.rx_bytes, (double)byte_rows[i].rx);
		assert_string_equal(e.limited_by, byte_rows[i].limit);
		assert_near(e.gbit_s * most,
		            57.884765626732364 * (double)byte_rows[i].size);
		assert_near(e.per_ns * 8 * (double)byte_rows[i].size, e.gbit_s);
	}
}

/* The paper's 69.5 million per second are for 32-bit addresses. */
static void
transactions_per_second_are_the_papers(void **state)
{
	struct link_config config =
	    link_config("gen3x8/mps256/mrrs512/rcb64/a32");

	assert_true(fabs(model_gbit_s(&config, "bw_rdwr", 64) / 8 / 64 * 1e3 -
	                 69.573) < 5e-4);
	config.link.addr32 = false;
	assert_true(fabs(model_gbit_s(&config, "bw_rdwr", 64) / 8 / 64 * 1e3 -
	                 64.604) < 5e-4);
}

static void
what_has_no_model_is_refused(void **state)
{
	static const char *const links[] = {
	    "pci32/33",
	    "pcix64/133",
	    "",
	    "gen6x8/mps256/mrrs512/rcb64",
	    "gen7x16/mps256/mrrs512/rcb64",
	    "gen6x12/mps256/mrrs512/rcb64/flit",
	    "gen5x32/mps256/mrrs512/rcb64/flit",
	};

	for (size_t i = 0; i < ARRAY_LEN(links); i++) {
		struct link_config config = link_config(links[i]);

		assert_non_null(why_no_model(&config.link));
	}
	assert_null(find_work("lat_rd"));
	assert_null(find_work(""));
}

static void
transfers_are_within_bounds(void **state)
{
	assert_non_null(model_check_size(0));
	assert_null(model_check_size(MODEL_BYTES_MAX));
	assert_non_null(model_check_size(MODEL_BYTES_MAX + 1));
	assert_null(model_check_offset(MODEL_BYTES_MAX));
	assert_non_null(model_check_offset(MODEL_BYTES_MAX + 1));
	assert_null(model_check_window(&(struct transfer){64, 0, 64}));
	assert_non_null(model_check_window(&(struct transfer){64, 1, 127}));
	assert_null(model_check_window(&(struct transfer){64, 1, 0}));
}

/* 8 KiB hold 18 units of 448 bytes; the one at 4032 is cut at the page. */
static void
a_window_is_the_average_over_its_units(void **state)
{
	static const struct {
		const char *bench;
		struct transfer transfer;
		double packets; /* with data */
	} rows[] = {
	    /* 256 + 160 each, and 64 + 256 + 96 for that one. */
	    {"bw_wr", {416, 0, 8192}, (17 * 2 + 3) / 18.},
	    /* Units of 512 are never cut; nor is a single transfer. */
	    {"bw_wr", {416, 41, 8192}, 2},
	    {"bw_wr", {416, 0, 0}, 2},
	    /* 1 GiB less a byte has one unit less and takes as little time. */
	    {"bw_rd", {64, 1, (1 << 30) - 1}, 1},
	    {"bw_rd", {64, 63, 128}, 1},
	};
	struct link_config config = link_config("gen3x8/mps256/mrrs512/rcb64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct expected e = expect(&config, find_work(rows[i].bench),
		                           &rows[i].transfer);
		double size = (double)rows[i].transfer.size;

		assert_near(e.mwr + e.cpld, rows[i].packets);
		if (e.mwr <= 0)
			continue;
		assert_near(e.tx_bytes, size + 24 * e.mwr);
		assert_near(e.gbit_s, 57.884765626732364 * size / e.tx_bytes);
	}
}

static void
every_unit_by_itself_gives_that_average(void **state)
{
	static const struct transfer rows[] = {
	    {100, 30, 20000}, {416, 0, 8192},   {4096, 1, 100000},
	    {1, 0, 64},       {5000, 63, 5120}, {64, 70, 300000}};
	struct link_config config = link_config("gen3x8/mps256/mrrs512/rcb64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct transfer *t = &rows[i];
		uint64_t unit = (t->offset + t->size + 63) / 64 * 64, n = 0;
		struct tlp_rules rules = link_config_rules(&config);
		struct tlp_sum sum = {0};
		struct expected e = expect(&config, find_work("bw_rd"), t);

		for (; (n + 1) * unit <= t->window; n++)
			tlp_add(&sum, &rules, TLP_MRD, n * unit + t->offset,
			        t->size);
		assert_near(e.mrd, (double)sum.mrd / (double)n);
		assert_near(e.cpld, (double)sum.cpld / (double)n);
		assert_near(e.rx_bytes, (double)sum.rx_bytes / (double)n);
	}
}

/*
 * N x S / RTT: 32 requests of 512 bytes in a microsecond, 16.4 GB/s; and min(PH
 * x payload, PD x 16 B) per loop.
 */
static const struct {
	/* Per microsecond; per loop of half a microsecond. */
	uint64_t inflight, ph, pd;
	const char *bench;
	uint64_t size;
	double gbit_s; /* 0: the link's */
	const char *by;
} bound_rows[] = {
    {32, 0, 0, "bw_rd", 512, 8 * 16.384, "inflight"},
    /* A transfer of four requests needs four at once. */
    {32, 0, 0, "bw_rd", 2048, 8 * 16.384, "inflight"},
    {32, 0, 0, "bw_rdwr", 64, 8 * 2.048, "inflight"},
    {256, 0, 0, "bw_rd", 512, 0, "rx_bytes"},
    /* Writes are no read requests, and reads are no writes. */
    {1, 0, 0, "bw_wr", 512, 0, "tx_bytes"},
    {0, 0, 400, "bw_rd", 64, 0, "rx_bytes"},
    {0, 32, 0, "bw_wr", 256, 8 * 32 * 256 / 500., "credits"},
    {0, 32, 0, "bw_wr", 64, 8 * 32 * 64 / 500., "credits"},
    {0, 32, 400, "bw_wr", 256, 8 * 400 * 16 / 500., "credits"},
    {0, 32, 400, "bw_wr", 64, 8 * 32 * 64 / 500., "credits"},
    {0, 32, 400, "bw_rdwr", 64, 8 * 32 * 64 / 500., "credits"},
    /* 65 bytes take five credits. */
    {0, 0, 400, "bw_wr", 65, 8 * 400 / 5 * 65 / 500., "credits"},
    {16, 32, 0, "bw_rdwr", 64, 8 * 16 * 64 / 1000., "inflight"},
    {128, 32, 0, "bw_rdwr", 64, 8 * 32 * 64 / 500., "credits"},
};

static void
the_smallest_bound_limits(void **state)
{
	struct link_config config = link_config("gen5x16/mps256/mrrs512/rcb64");

	for (size_t i = 0; i < ARRAY_LEN(bound_rows); i++) {
		struct transfer t = {.size = bound_rows[i].size};
		const struct work *work = find_work(bound_rows[i].bench);
		struct expected e;
		double free;

		config.bounds = (struct bounds){0};
		free = expect(&config, work, &t).gbit_s;
		config.bounds =
		    (struct bounds){bound_rows[i].inflight, 1000000,
		                    bound_rows[i].ph, bound_rows[i].pd, 500000};
		e = expect(&config, work, &t);
		assert_near(e.gbit_s, bound_rows[i].gbit_s > 0
		                          ? bound_rows[i].gbit_s
		                          : free);
		assert_string_equal(e.limited_by, bound_rows[i].by);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_fuller_direction_limits),
	    cmocka_unit_test(transactions_per_second_are_the_papers),
	    cmocka_unit_test(what_has_no_model_is_refused),
	    cmocka_unit_test(transfers_are_within_bounds),
	    cmocka_unit_test(a_window_is_the_average_over_its_units),
	    cmocka_unit_test(every_unit_by_itself_gives_that_average),
	    cmocka_unit_test(the_smallest_bound_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
