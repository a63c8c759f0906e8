/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bandwidth of transfers on a link, and of NICs. */
#include "rig/model.h"

#include "common/link/ethernet.h"
#include "common/link/model.h"
#include "model/packet_profile.h"
#include "rig/cmocka.h"

#include <limits.h>
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

TEST(the_fuller_direction_limits)
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
TEST(transactions_per_second_are_the_papers)
{
	struct link_config config =
	    link_config("gen3x8/mps256/mrrs512/rcb64/a32");

	assert_true(fabs(model_gbit_s(&config, "bw_rdwr", 64) / 8 / 64 * 1e3 -
	                 69.573) < 5e-4);
	config.link.addr32 = false;
	assert_true(fabs(model_gbit_s(&config, "bw_rdwr", 64) / 8 / 64 * 1e3 -
	                 64.604) < 5e-4);
}

TEST(what_has_no_model_is_refused)
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

TEST(transfers_are_within_bounds)
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
TEST(a_window_is_the_average_over_its_units)
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

TEST(every_unit_by_itself_gives_that_average)
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

TEST(the_smallest_bound_limits)
{
	struct link_config config = link_config("gen5x16/mps256/mrrs512/rcb64");

	for (size_t i = 0; i < ARRAY_LEN(bound_rows); i++) {
		struct transfer t = {.size = bound_rows[i].size};
		const struct work *work = find_work(bound_rows[i].bench);
		struct expected e;
		double free;

		config.bounds = (struct bounds){0};
		free = expect(&config, work, &t).gbit_s;
		config.bounds = (struct bounds){
		    .inflight = bound_rows[i].inflight,
		    .rtt_ps = 1000000,
		    .ph = bound_rows[i].ph,
		    .pd = bound_rows[i].pd,
		    .loop_ps = 500000,
		};
		e = expect(&config, work, &t);
		assert_near(e.gbit_s, bound_rows[i].gbit_s > 0
		                          ? bound_rows[i].gbit_s
		                          : free);
		assert_string_equal(e.limited_by, bound_rows[i].by);
	}
}

/* NICs ------------------------------------------------------------------- */

/* The devices of Figure 1. */
enum { SIMPLE, KERNEL, DPDK, NAMES };

static struct packet_profile nic[NAMES];

static int
read_nics(void **state)
{
	static const char *const name[] = {"simple.csv", "niantic-kernel.csv",
	                                   "niantic-dpdk.csv"};

	for (size_t i = 0; i < NAMES; i++) {
		char *path = in_tree("share/pcb-tools/nic", name[i]);

		nic[i] = (struct packet_profile){0};
		packet_profile_read(&nic[i], path);
		assert_int_equal(nic[i].payload, PAYLOAD_FRAME);
		assert_int_equal(packet_profile_direction(&nic[i]),
		                 DIRECTION_BOTH);
		free(path);
	}
	assert_int_equal(nic[SIMPLE].batch, 1);
	assert_int_equal(nic[KERNEL].batch, 160);
	assert_int_equal(nic[DPDK].batch, 160);
	return 0;
}

static int
free_nics(void **state)
{
	for (size_t i = 0; i < NAMES; i++)
		packet_profile_free(&nic[i]);
	return 0;
}

static void
check_transmission(const char *table, const char *link)
{
	struct link_config config = link_config(link);
	FILE *f = open_table(table);
	double wanted[NAMES];
	unsigned frame, rows = 0;

	while (fscanf(f, "%u,%lf,%lf,%lf\n", &frame, &wanted[SIMPLE],
	              &wanted[KERNEL], &wanted[DPDK]) == 4) {
		for (size_t i = 0; i < NAMES; i++)
			assert_near(expect_packets(&nic[i], &config,
			                           DIRECTION_TX,
			                           frame - ETHERNET_CRC)
			                .gbit_s,
			            wanted[i]);
		rows++;
	}
	assert_true(feof(f));
	assert_int_equal(rows, 246);
	fclose(f);
}

TEST_IN(published_transmission, read_nics, free_nics)
{
	check_transmission("nic_tx_gen3_x8_a64_e0_mps256_mrrs512_rcb64.csv",
	                   "gen3x8/mps256/mrrs512/rcb64");
	check_transmission("nic_tx_gen4_x16_a64_e0_mps512_mrrs4096_rcb64.csv",
	                   "gen4x16/mps512/mrrs4096/rcb64");
}

/* Gbit/s on the wire for `gbit_s` of data. */
static double
needed(double gbit_s, double bytes, unsigned size)
{
	return gbit_s * bytes / size;
}

static struct packets
packets_of(const struct packet_profile *i, enum direction direction,
           unsigned size)
{
	struct link_config config = link_config("gen3x8/mps256/mrrs512/rcb64");

	return expect_packets(i, &config, direction, size);
}

TEST_IN(required_raw_rates, read_nics, free_nics)
{
	struct link_config config = link_config("gen3x8/mps256/mrrs512/rcb64");
	FILE *f = open_table("required_raw_gen3x8.csv");
	double eff, w[8];
	unsigned size, rows = 0;

	while (fscanf(f, "%lf,%u,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf\n", &eff,
	              &size, &w[0], &w[1], &w[2], &w[3], &w[4], &w[5], &w[6],
	              &w[7]) == 10) {
		struct transfer t = {.size = size};
		struct expected wr = expect(&config, find_work("bw_wr"), &t);
		struct expected rw = expect(&config, find_work("bw_rdwr"), &t);
		struct packets kernel =
		    packets_of(&nic[KERNEL], DIRECTION_BOTH, size);
		struct packets sent =
		    packets_of(&nic[KERNEL], DIRECTION_TX, size);
		struct packets got =
		    packets_of(&nic[KERNEL], DIRECTION_RX, size);
		struct packets simple =
		    packets_of(&nic[SIMPLE], DIRECTION_BOTH, size);

		assert_near(needed(eff, wr.tx_bytes, size), w[0]);
		assert_near(needed(eff, rw.rx_bytes, size), w[1]);
		assert_near(needed(eff, rw.tx_bytes, size), w[2]);
		assert_near(needed(eff, kernel.rx_bytes, size), w[3]);
		assert_near(needed(eff, sent.rx_bytes, size), w[4]);
		assert_near(needed(eff, sent.tx_bytes, size), w[5]);
		assert_near(needed(eff, got.rx_bytes, size), w[6]);
		assert_near(needed(eff, simple.rx_bytes, size), w[7]);
		rows++;
	}
	assert_true(feof(f));
	assert_int_equal(rows, 14);
	fclose(f);
}

/*
 * The table counts a tag as part of the frame. Its times are for frames without
 * padding, unlike its rates.
 */
TEST(ethernet_rates)
{
	FILE *f = open_table("eth.csv");
	struct ethernet e = {.ifg = ETHERNET_IFG};
	unsigned rate, vlan, frame, rows = 0;
	double pps, gbit_s, wire_ns;

	while (fscanf(f, "%uGigE,%u,%u,%lf,%lf,%lf\n", &rate, &vlan, &frame,
	              &pps, &gbit_s, &wire_ns) == 6) {
		double per_ns;

		e.bit_s = rate * UINT64_C(1000000000);
		e.vlan = vlan;
		per_ns = ethernet_per_ns(&e, frame - (vlan ? 4 : 0));
		assert_near(1e9 * per_ns, pps);
		assert_near(8 * frame * per_ns, gbit_s);
		if (frame >= 64)
			assert_near(1 / per_ns, wire_ns);
		rows++;
	}
	assert_true(feof(f));
	assert_int_equal(rows, 84);
	fclose(f);
}

/*
 * Acks and credits go in the other direction, for either requester: of 300
 * bytes that the simple device sends, 48 are completions, and of 256 that it
 * receives, 104 are requests. One DLLP of 8 bytes per 203 x 8 bytes.
 */
TEST_IN(traffic_of_both_sides, read_nics, free_nics)
{
	struct link_config config = link_config("gen3x8/mps256/mrrs512/rcb64");
	double share = 8.0 / (203 * 8);
	struct packets p;

	config.accounting = ACCOUNTING_TRAFFIC;
	p = expect_packets(&nic[SIMPLE], &config, DIRECTION_BOTH, 60);
	assert_near(p.tx_bytes, 300);
	assert_near(p.rx_bytes, 256);
	assert_near(p.per_ns, tlp_gbit_s(&config) / 8 /
	                          (300 + share * (256 - 104 + 2 * 104)));
}

/* Also in completions of the device; in nothing that the host sends. */
TEST_IN(ecrc_of_the_device_alone, read_nics, free_nics)
{
	static const char *const links[] = {
	    "gen3x8/mps256/mrrs512/rcb64", "gen3x8/mps256/mrrs512/rcb64/ecrc",
	    "gen3x8/mps256/mrrs512/rcb64/ecrc-up"};
	struct packets p[3];

	for (size_t i = 0; i < 3; i++) {
		struct link_config config = link_config(links[i]);

		p[i] =
		    expect_packets(&nic[SIMPLE], &config, DIRECTION_BOTH, 60);
	}
	assert_true(p[1].rx_bytes > p[0].rx_bytes);
	assert_true(p[1].tx_bytes > p[0].tx_bytes);
	assert_near(p[2].rx_bytes, p[0].rx_bytes);
	assert_near(p[2].tx_bytes, p[1].tx_bytes);
}
