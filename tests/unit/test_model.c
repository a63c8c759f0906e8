#include "model/model.h"

#include "common/util.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void
assert_near(double got, double wanted)
{
	if (fabs(got - wanted) > 1e-9 * fabs(wanted))
		fail_msg("%.17g is not %.17g", got, wanted);
}

static struct link
link_of(const char *text)
{
	struct link link;

	assert_null(link_parse(text, &link));
	return link;
}

/* A table of the published model, behind its comments and its header. */
static FILE *
open_table(const char *name)
{
	const char *top = getenv("TOP");
	char *path =
	    xasprintf("%s/tests/data/pcie-model/%s", top ? top : ".", name);
	FILE *f = fopen(path, "r");
	char line[300];

	if (!f)
		fail_msg("%s: cannot be read", path);
	free(path);
	do
		assert_non_null(fgets(line, sizeof line, f));
	while (*line == '#');
	return f;
}

/*
 * Every generation, width and MPS of the published table. The specification's
 * two tables agree in every entry.
 */
static void
rates_and_limits(void **state)
{
	FILE *f = open_table("tlp_bw.csv");
	unsigned fc, ack, rows = 0;
	double raw, tlp;
	struct link link = {BUS_PCIE, .mrrs = 512, .rcb = 64};

	(void)state;
	while (fscanf(f, "gen%u,x%u,%u,%*f,%lf,%u,%u,%lf\n", &link.gen,
	              &link.lanes, &link.mps, &raw, &fc, &ack, &tlp) == 7) {
		assert_near(link_raw_gbit_s(&link), raw);
		assert_int_equal(link_ack_limit(&link), ack);
		assert_int_equal(link_ack_limit(&link), fc);
		assert_near(tlp_gbit_s(&link), tlp);
		rows++;
	}
	assert_true(feof(f));
	assert_int_equal(rows, 96);
	fclose(f);
}

/*
 * Limits beyond that table, by (MPS + 28) x factor / lanes + delay. In two of
 * them the published model has a typing error: 248 for the FC limit of gen 1
 * x32 at 2048, where its Ack limit is 148, and 237 for the Ack limit of gen 2
 * x32 at 4096, where its FC limit is 327.
 */
static void
limits_of_other_widths(void **state)
{
	static const struct {
		unsigned gen, lanes, mps, limit;
	} rows[] = {
	    {1, 2, 128, 128},   /* 156 x 1.4 / 2 = 109.2, + 19 */
	    {1, 12, 128, 58},   /* 156 x 3.0 / 12 = 39, + 19 */
	    {1, 12, 512, 109},  /* 540 x 2.0 / 12 = 90, + 19 */
	    {1, 32, 256, 45},   /* 284 x 3.0 / 32 = 26.6, + 19 */
	    {1, 32, 2048, 148}, /* 2076 x 2.0 / 32 = 129.75, + 19 */
	    {2, 32, 4096, 327}, /* 4124 x 2.0 / 32 = 257.75, + 70 */
	    {5, 16, 256, 168},  /* 284 x 3.0 / 16 = 53.25, + 115 */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct link link = {BUS_PCIE, rows[i].gen, rows[i].lanes,
		                    .mps = rows[i].mps};

		assert_int_equal(link_ack_limit(&link), rows[i].limit);
	}
}

/* The paper's 57.88, and others of the published model. */
static void
known_rates(void **state)
{
	static const struct {
		const char *link;
		double gbit_s;
	} rows[] = {
	    {"gen1x1/mps256/mrrs512/rcb64", 1.9179},
	    {"gen2x4/mps256/mrrs512/rcb64", 14.4436},
	    {"gen3x8/mps256/mrrs512/rcb64", 57.8848},
	    {"gen3x16/mps256/mrrs512/rcb64", 113.7001},
	    {"gen4x16/mps256/mrrs512/rcb64", 227.4001},
	    {"gen5x16/mps256/mrrs512/rcb64", 454.8002},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct link link = link_of(rows[i].link);

		assert_null(why_no_model(&link));
		assert_true(fabs(tlp_gbit_s(&link) - rows[i].gbit_s) < 5e-5);
	}
}

static double
gbit_s(const struct slot *slot, const char *bench, uint64_t size)
{
	return expect(slot, find_work(bench), size, 0).gbit_s;
}

static void
check_table(const char *name, const struct slot *slot)
{
	FILE *f = open_table(name);
	unsigned size, rows = 0;
	double write, read, both;

	while (fscanf(f, "%u,%lf,%lf,%lf\n", &size, &write, &read, &both) ==
	       4) {
		assert_near(gbit_s(slot, "bw_wr", size), write);
		assert_near(gbit_s(slot, "bw_rd", size), read);
		assert_near(gbit_s(slot, "bw_rdwr", size), both);
		rows++;
	}
	assert_true(feof(f));
	assert_int_equal(rows, 257);
	fclose(f);
}

static void
published_bandwidths(void **state)
{
	static const struct {
		const char *table, *link;
		enum completer completer;
	} rows[] = {
	    {"mem_gen1_x1_a32_e0_mps128_mrrs128_rcb64.csv",
	     "gen1x1/mps128/mrrs128/rcb64/a32", COMPLETER_COMBINE},
	    {"mem_gen3_x16_a64_e0_mps256_mrrs512_rcb64.csv",
	     "gen3x16/mps256/mrrs512/rcb64", COMPLETER_COMBINE},
	    {"mem_gen3_x8_a32_e0_mps256_mrrs512_rcb64.csv",
	     "gen3x8/mps256/mrrs512/rcb64/a32", COMPLETER_COMBINE},
	    {"mem_gen3_x8_a64_e0_mps128_mrrs512_rcb64.csv",
	     "gen3x8/mps128/mrrs512/rcb64", COMPLETER_COMBINE},
	    {"mem_gen3_x8_a64_e0_mps256_mrrs4096_rcb64.csv",
	     "gen3x8/mps256/mrrs4096/rcb64", COMPLETER_ALIGNED},
	    {"mem_gen3_x8_a64_e0_mps256_mrrs512_rcb64.csv",
	     "gen3x8/mps256/mrrs512/rcb64", COMPLETER_ALIGNED},
	    {"mem_gen3_x8_a64_e0_mps256_mrrs512_rcb64c.csv",
	     "gen3x8/mps256/mrrs512/rcb64", COMPLETER_RCB},
	    {"mem_gen3_x8_a64_e1_mps256_mrrs512_rcb64.csv",
	     "gen3x8/mps256/mrrs512/rcb64/ecrc", COMPLETER_COMBINE},
	    {"mem_gen4_x16_a64_e0_mps512_mrrs4096_rcb64.csv",
	     "gen4x16/mps512/mrrs4096/rcb64", COMPLETER_COMBINE},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct slot slot = {link_of(rows[i].link), rows[i].completer};

		check_table(rows[i].table, &slot);
	}
}

/* Wire bytes by hand: 24 around a request's, 20 around a CplD's payload. */
static void
bytes_and_what_limits(void **state)
{
	static const struct {
		const char *bench;
		uint64_t size, offset, tx, rx;
		const char *limit;
	} rows[] = {
	    {"bw_rd", 64, 0, 24, 84, "rx_bytes"},
	    {"bw_wr", 64, 0, 88, 0, "tx_bytes"},
	    {"bw_rdwr", 64, 0, 24 + 88, 84, "tx_bytes"},
	    {"bw_rd", 1, 0, 24, 21, "tx_bytes"},
	    /* 4 bytes: both directions carry 24. */
	    {"bw_rd", 4, 0, 24, 24, "tx_bytes"},
	    /* Across a page: two requests, two answers. */
	    {"bw_rd", 64, 4064, 48, 104, "rx_bytes"},
	    {"bw_wr", 64, 4064, 112, 0, "tx_bytes"},
	    /* A cut at 512, one at 768. */
	    {"bw_rd", 512, 257, 24, 512 + 60, "rx_bytes"},
	};
	struct slot slot = {.link = link_of("gen3x8/mps256/mrrs512/rcb64")};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct expected e = expect(&slot, find_work(rows[i].bench),
		                           rows[i].size, rows[i].offset);
		uint64_t most =
		    e.tx_bytes > e.rx_bytes ? e.tx_bytes : e.rx_bytes;

		assert_int_equal(e.tx_bytes, rows[i].tx);
		assert_int_equal(e.rx_bytes, rows[i].rx);
		assert_string_equal(e.limited_by, rows[i].limit);
		assert_near(e.gbit_s * (double)most,
		            57.884765626732364 * (double)rows[i].size);
	}
}

/* 69.5 million a second, as the paper has it, are those of 32 bits. */
static void
transactions_per_second(void **state)
{
	struct slot slot = {.link = link_of("gen3x8/mps256/mrrs512/rcb64/a32")};

	(void)state;
	assert_true(fabs(gbit_s(&slot, "bw_rdwr", 64) / 8 / 64 * 1e3 - 69.573) <
	            5e-4);
	slot.link.addr32 = false;
	assert_true(fabs(gbit_s(&slot, "bw_rdwr", 64) / 8 / 64 * 1e3 - 64.604) <
	            5e-4);
}

static void
what_has_no_model(void **state)
{
	static const char *const rows[] = {
	    "pci32/33",
	    "pcix64/133",
	    "",
	    "gen3x8/mps256/mrrs512/rcb64/flit",
	    "gen6x8/mps256/mrrs512/rcb64",
	    "gen7x16/mps256/mrrs512/rcb64/flit",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct link link = link_of(rows[i]);

		assert_non_null(why_no_model(&link));
	}
	assert_null(find_work("lat_rd"));
	assert_null(find_work(""));
	assert_non_null(check_size(0));
	assert_non_null(check_size(MODEL_BYTES_MAX + 1));
	assert_non_null(check_offset(MODEL_BYTES_MAX + 1));
	assert_null(check_size(MODEL_BYTES_MAX));
	assert_null(check_offset(MODEL_BYTES_MAX));
}

/* Never above raw; k x MPS is better than one byte more. */
static void
bounds(void **state)
{
	static const unsigned lanes[] = {1, 2, 4, 8, 12, 16, 32};
	struct slot slot = {.link = link_of("gen3x8/mps256/mrrs512/rcb64")};
	struct link *link = &slot.link;

	(void)state;
	for (link->gen = 1; link->gen <= 5; link->gen++) {
		double before = 0;

		for (size_t i = 0; i < ARRAY_LEN(lanes); i++) {
			link->lanes = lanes[i];
			assert_true(tlp_gbit_s(link) < link_raw_gbit_s(link));
			assert_true(tlp_gbit_s(link) > before);
			before = tlp_gbit_s(link);
			for (uint64_t size = 256; size <= 4096; size += 256)
				assert_true(gbit_s(&slot, "bw_wr", size) >
				            gbit_s(&slot, "bw_wr", size + 1));
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rates_and_limits),
	    cmocka_unit_test(limits_of_other_widths),
	    cmocka_unit_test(known_rates),
	    cmocka_unit_test(published_bandwidths),
	    cmocka_unit_test(bytes_and_what_limits),
	    cmocka_unit_test(transactions_per_second),
	    cmocka_unit_test(what_has_no_model),
	    cmocka_unit_test(bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
