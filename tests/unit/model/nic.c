/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig/cmocka.h"
#include "rig/model.h"

#include "common/base/util.h"
#include "common/link/ethernet.h"
#include "common/link/model.h"
#include "model/packet_profile.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* The devices of Figure 1. */
enum { SIMPLE, KERNEL, DPDK, NAMES };

static void
read_nics(struct packet_profile nic[NAMES])
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
}

static void
free_nics(struct packet_profile nic[NAMES])
{
	for (size_t i = 0; i < NAMES; i++)
		packet_profile_free(&nic[i]);
}

static void
check_transmission(const char *table, const char *link)
{
	struct link_config config = link_config(link);
	struct packet_profile nic[NAMES];
	FILE *f = open_table(table);
	double wanted[NAMES];
	unsigned frame, rows = 0;

	read_nics(nic);
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
	free_nics(nic);
	fclose(f);
}

static void
published_transmission(void **state)
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

static void
required_raw_rates(void **state)
{
	struct link_config config = link_config("gen3x8/mps256/mrrs512/rcb64");
	FILE *f = open_table("required_raw_gen3x8.csv");
	struct packet_profile nic[NAMES];
	double eff, w[8];
	unsigned size, rows = 0;

	read_nics(nic);
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
	free_nics(nic);
	fclose(f);
}

/*
 * The table counts a tag as part of the frame. Its times are for frames without
 * padding, unlike its rates.
 */
static void
ethernet_rates(void **state)
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
static void
traffic_of_both_sides(void **state)
{
	struct link_config config = link_config("gen3x8/mps256/mrrs512/rcb64");
	struct packet_profile nic[NAMES];
	double share = 8.0 / (203 * 8);
	struct packets p;

	config.accounting = ACCOUNTING_TRAFFIC;
	read_nics(nic);
	p = expect_packets(&nic[SIMPLE], &config, DIRECTION_BOTH, 60);
	assert_near(p.tx_bytes, 300);
	assert_near(p.rx_bytes, 256);
	assert_near(p.per_ns, tlp_gbit_s(&config) / 8 /
	                          (300 + share * (256 - 104 + 2 * 104)));
	free_nics(nic);
}

/* Also in completions of the device; in nothing that the host sends. */
static void
ecrc_of_the_device_alone(void **state)
{
	static const char *const links[] = {
	    "gen3x8/mps256/mrrs512/rcb64", "gen3x8/mps256/mrrs512/rcb64/ecrc",
	    "gen3x8/mps256/mrrs512/rcb64/ecrc-up"};
	struct packet_profile nic[NAMES];
	struct packets p[3];

	read_nics(nic);
	for (size_t i = 0; i < 3; i++) {
		struct link_config config = link_config(links[i]);

		p[i] =
		    expect_packets(&nic[SIMPLE], &config, DIRECTION_BOTH, 60);
	}
	assert_true(p[1].rx_bytes > p[0].rx_bytes);
	assert_true(p[1].tx_bytes > p[0].tx_bytes);
	assert_near(p[2].rx_bytes, p[0].rx_bytes);
	assert_near(p[2].tx_bytes, p[1].tx_bytes);
	free_nics(nic);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(published_transmission),
	    cmocka_unit_test(required_raw_rates),
	    cmocka_unit_test(ethernet_rates),
	    cmocka_unit_test(traffic_of_both_sides),
	    cmocka_unit_test(ecrc_of_the_device_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
