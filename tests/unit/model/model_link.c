/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rate that links leave for packets, and the published numbers. */
#include "rig/cmocka.h"
#include "rig/model.h"

#include "common/link/model.h"

#include <math.h>

/*
 * Every generation, width and MPS of the published table. The specification's
 * two tables agree in every entry.
 */
TEST(rates_and_limits_are_the_published_ones)
{
	FILE *f = open_table("tlp_bw.csv");
	unsigned fc, ack, rows = 0;
	double raw, tlp;
	struct link_config config = {.link = {BUS_PCIE, .mrrs = 512, .rcb = 64},
	                             .accounting = ACCOUNTING_PCIE_BENCH};
	struct link *link = &config.link;

	while (fscanf(f, "gen%u,x%u,%u,%*f,%lf,%u,%u,%lf\n", &link->gen,
	              &link->lanes, &link->mps, &raw, &fc, &ack, &tlp) == 7) {
		assert_near(link_raw_gbit_s(link), raw);
		assert_int_equal(link_ack_limit(link), ack);
		assert_int_equal(link_ack_limit(link), fc);
		assert_near(tlp_gbit_s(&config), tlp);
		rows++;
	}
	assert_true(feof(f));
	assert_int_equal(rows, 96);
	fclose(f);
}

/*
 * Limits beyond that table, by (MPS + 28) x factor / lanes + delay. The
 * published model has typing errors in two of them: 248 for the FC limit of gen
 * 1 x32 at 2048, where its Ack limit is 148, and 237 for the Ack limit of gen 2
 * x32 at 4096, where its FC limit is 327.
 */
TEST(wider_links_have_their_limits)
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

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct link link = {BUS_PCIE, rows[i].gen, rows[i].lanes,
		                    .mps = rows[i].mps};

		assert_int_equal(link_ack_limit(&link), rows[i].limit);
	}
}

static void
check_table(const char *name, const struct link_config *config)
{
	FILE *f = open_table(name);
	unsigned size, rows = 0;
	double write, read, both;

	while (fscanf(f, "%u,%lf,%lf,%lf\n", &size, &write, &read, &both) ==
	       4) {
		assert_near(model_gbit_s(config, "bw_wr", size), write);
		assert_near(model_gbit_s(config, "bw_rd", size), read);
		assert_near(model_gbit_s(config, "bw_rdwr", size), both);
		rows++;
	}
	assert_true(feof(f));
	assert_int_equal(rows, 257);
	fclose(f);
}

TEST(bandwidths_are_the_published_ones)
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

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct link_config config = link_config(rows[i].link);

		config.completer = rows[i].completer;
		check_table(rows[i].table, &config);
	}
}

/*
 * 64-bit writes on x16 before SKP, in GB/s to 3 digits: 236 of 256 bytes, and
 * 16 of header around the payload. TLP bytes alone are 118 and 236 GB/s.
 */
TEST(flits_carry_236_of_256_bytes)
{
	static const struct {
		uint64_t size;
		double gbyte_s;
	} rows[] = {{4, 23.6},    {64, 94.4},   {128, 104.9},
	            {256, 111.1}, {512, 114.4}, {4096, 117.5}};
	struct link_config config =
	    link_config("gen6x16/mps4096/mrrs512/rcb64/flit");

	config.skp = (struct fraction){0, 100};
	assert_null(why_no_model(&config.link));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		double gbyte_s =
		    model_gbit_s(&config, "bw_wr", rows[i].size) / 8;

		assert_true(fabs(gbyte_s - rows[i].gbyte_s) <= 0.05 + 1e-9);
	}
}

#define BENCH     ACCOUNTING_PCIE_BENCH
#define TRAFFIC   ACCOUNTING_TRAFFIC
#define GEN2      "gen2x8/mps256/mrrs512/rcb64"
#define GEN3      "gen3x8/mps256/mrrs512/rcb64"
#define GEN6      "gen6x16/mps4096/mrrs512/rcb64/flit"
#define GEN7      "gen7x16/mps4096/mrrs512/rcb64/flit"
#define GEN3_LEFT (64 * 128 / 130. * 374 / 375)
#define GEN3_FLIT (64 * 128 / 130. * 236 / 256)
#define DLLP_PART (8 / (203 * 8.))

/*
 * By hand. On gen 3 x8: an Ack and an UpdateFC of 8 bytes per 203 x 8 bytes of
 * requests, an Ack per as many of completions, SKP in one block of 375.
 */
static const struct {
	const char *link;
	enum accounting accounting;
	unsigned skp, of;  /* of 0: from the accounting */
	const char *bench; /* NULL: all TLPs */
	uint64_t size;
	double gbit_s;
} left_rows[] = {
    {GEN3, TRAFFIC, 0, 0, NULL, 0, GEN3_LEFT},
    {GEN3, TRAFFIC, 0, 0, "bw_wr", 64, GEN3_LEFT * 64 / 88},
    {GEN3, TRAFFIC, 0, 0, "bw_rd", 64,
     GEN3_LEFT * 64 / (84 + 24 * 2 * DLLP_PART)},
    {GEN3, TRAFFIC, 0, 0, "bw_rdwr", 64,
     GEN3_LEFT * 64 / (112 + 84 * DLLP_PART)},
    /* A byte is padded to a DW. */
    {GEN3, TRAFFIC, 0, 0, "bw_wr", 61, GEN3_LEFT * 61 / 88},
    /* 8b/10b has another SKP share, and an option a third one. */
    {GEN2, TRAFFIC, 0, 0, NULL, 0, 32 * (1 - 4 / 1538.)},
    {GEN2, TRAFFIC, 1, 100, NULL, 0, 32 * 0.99},
    /* Its limits for Ack and UpdateFC are 158 bytes. */
    {GEN2, BENCH, 1, 100, NULL, 0, 32 * (0.99 - 16 / 158.)},
    {GEN6, BENCH, 0, 100, NULL, 0, 118 * 8},
    {GEN7, BENCH, 0, 100, NULL, 0, 236 * 8},
    /* By mode: 8 lanes of generation 3 with flits. */
    {GEN3 "/flit", BENCH, 0, 100, NULL, 0, GEN3_FLIT},
    {GEN3 "/flit", BENCH, 0, 0, NULL, 0, GEN3_FLIT * 0.997},
    {GEN3 "/flit", TRAFFIC, 0, 0, NULL, 0, GEN3_FLIT * 0.997},
    /* 16 + 64; completions of 12 + 64, requests of 16. */
    {GEN3 "/flit", TRAFFIC, 0, 0, "bw_wr", 64, GEN3_FLIT * 0.997 * 64 / 80},
    {GEN3 "/flit", TRAFFIC, 0, 0, "bw_rd", 64, GEN3_FLIT * 0.997 * 64 / 76},
};

TEST(the_accounting_decides_what_is_left)
{

	for (size_t i = 0; i < ARRAY_LEN(left_rows); i++) {
		struct link_config config = link_config(left_rows[i].link);

		config.accounting = left_rows[i].accounting;
		config.skp =
		    (struct fraction){left_rows[i].skp, left_rows[i].of};
		assert_near(left_rows[i].bench
		                ? model_gbit_s(&config, left_rows[i].bench,
		                               left_rows[i].size)
		                : tlp_gbit_s(&config),
		            left_rows[i].gbit_s);
	}
}

/* Packets that may be longer are never slower. */
TEST(no_bound_falls_when_mps_grows)
{
	static const char *const benches[] = {"bw_rd", "bw_wr", "bw_rdwr"};
	static const unsigned lanes[] = {1, 2, 4, 8, 12, 16, 32};
	struct link_config config = link_config("gen1x1/mps128/mrrs512/rcb64");
	struct link *link = &config.link;

	config.accounting = ACCOUNTING_TRAFFIC;
	for (size_t i = 0; i < 5 * ARRAY_LEN(lanes); i++) {
		link->gen = (unsigned)(i % 5) + 1;
		link->lanes = lanes[i / 5];
		for (uint64_t size = 1; size <= 5000; size += 1 + size / 20) {
			const char *bench = benches[size % 3];
			double before = 0;

			for (link->mps = 128; link->mps <= 4096;
			     link->mps *= 2) {
				double now = model_gbit_s(&config, bench, size);

				assert_true(now >= before);
				before = now;
			}
		}
	}
}

/* On wide links `spec` subtracts too much. */
TEST(on_wide_links_traffic_leaves_more_than_spec)
{
	static const char *const benches[] = {"bw_rd", "bw_wr", "bw_rdwr"};
	struct link_config config = link_config("gen3x8/mps256/mrrs512/rcb64");
	struct link_config other = config;

	other.accounting = ACCOUNTING_TRAFFIC;
	for (unsigned gen = 1; gen <= 5; gen++) {
		for (unsigned lanes = 8; lanes <= 32; lanes *= 2) {
			config.link.gen = other.link.gen = gen;
			config.link.lanes = other.link.lanes = lanes;
			for (uint64_t size = 16; size <= 4096; size += 4) {
				const char *bench = benches[size / 4 % 3];

				assert_true(model_gbit_s(&other, bench, size) >=
				            model_gbit_s(&config, bench, size));
			}
		}
	}
}
