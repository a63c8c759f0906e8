/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples of the I210, and faults between them. */
#include "rig/cmocka.h"
#include "rig/i210.h"

#include "collect/i210/i210.h"

#include <errno.h>
#include <string.h>

static void
samples_are_what_the_register_held(void **state)
{
	uint64_t sum = 0;

	assert_true(rig_run(200));
	assert_int_equal(rig.session.series[0].n, 200);
	for (size_t i = 0; i < 200; i++) {
		assert_in_range(rig.raw[2 * i], 5000000000, 50000000000);
		assert_int_equal(rig.raw[2 * i] % 1000, 0);
		assert_int_equal(rig.raw[2 * i + 1], (1001 + i) * 16000);
		sum += rig.raw[2 * i] / 200;
	}
	/* The mean of 200 is within 4 of its standard deviations, 0.92 ms. */
	assert_in_range(sum, 23800000000, 31200000000);
	assert_string_equal(rig.session.series[0].id[ID_DEVICE], "eth1");
	assert_string_equal(rig.session.series[0].id[ID_CACHE], "host-warm");
	assert_string_equal(rig.session.series[0].id[ID_KIND], "measured");
	assert_string_equal(preamble_get(&rig.preamble, "clock_tick_ns"), "16");
	assert_end("missed_launches", "0");
	assert_end("zero_delays", "0");
	assert_int_equal(fake.resets, 1);
}

/* On a function of this machine: the path to it is recorded. */
static void
the_way_to_it_is_described(void **state)
{
	struct pci_tree *tree = pci_tree_read("/sys/bus/pci");

	if (!tree || !tree->n) {
		pci_tree_free(tree);
		skip();
	}
	memcpy(fake.nic.bdf, tree->function[0].bdf, sizeof fake.nic.bdf);
	pci_tree_free(tree);
	assert_true(rig_run(1));
	assert_string_equal(rig.session.series[0].id[ID_DEVICE], "eth1");
	assert_null(preamble_get(&rig.preamble, "kernel_access"));
}

static void
options_are_obeyed(void **state)
{
	rig_set("distance", "7ms");
	rig_set("trash-cache", "yes");
	assert_true(rig_run(2));
	assert_int_equal(rig.raw[0], 7000000000);
	assert_int_equal(rig.raw[2], 7000000000);
	assert_string_equal(rig.session.series[0].id[ID_CACHE], "thrashed");
}

/* Both ends, in whole nanoseconds; fractions round up. */
static void
distances_are_those_asked_for(void **state)
{
	unsigned most = 0;

	rig_set("distance", "20us:20000500ps");
	assert_true(rig_run(60));
	for (size_t i = 0; i < 60; i++) {
		assert_in_range(rig.raw[2 * i], 20000000, 20001000);
		most += rig.raw[2 * i] == 20001000;
	}
	assert_in_range(most, 1, 59);
}

static void
the_longest_distance(void **state)
{
	rig_set("distance", "100ms");
	assert_true(rig_run(1));
	assert_int_equal(rig.raw[0], 100000000000);
}

/* A hundredth of the distance would be below the accuracy of clocks. */
static void
clocks_may_be_a_microsecond_off(void **state)
{
	rig_set("distance", "20us");
	fake.offset = -1000;
	assert_true(rig_run(1));
}

static void
distances_are_of_the_seed(void **state)
{
	uint64_t first[3] = {0};

	for (size_t i = 0; i < ARRAY_LEN(first); i++) {
		rig.request.seed = i < 2 ? 7 : 8;
		assert_true(rig_run(1));
		first[i] = rig.raw[0];
		i210_close(&rig.session);
		series_make(&rig.session, 0);
	}
	assert_true(first[0] == first[1] && first[1] != first[2]);
}

static void
missed_launches_are_repeated(void **state)
{
	fake.missed_from = 3;
	fake.missed_to = 18;
	assert_true(rig_run(4));
	assert_int_equal(rig.session.series[0].n, 4);
	assert_int_equal(rig.raw[2 * 2 + 1], 1019 * 16000);
	assert_end("missed_launches", "16");
}

static void
refused_launches_are_repeated(void **state)
{
	fake.refuses = true;
	fake.missed_from = 2;
	fake.missed_to = 5;
	assert_true(rig_run(3));
	assert_int_equal(rig.session.series[0].n, 3);
	assert_int_equal(rig.raw[2 * 1 + 1], 1006 * 16000);
	assert_end("missed_launches", "4");
}

static void
too_many_missed_launches_end_it(void **state)
{
	fake.missed_from = 3;
	fake.missed_to = 19;
	assert_false(rig_run(4));
	assert_int_equal(rig.session.series[0].n, 2);
	assert_failure(STATUS_TROUBLE, "17 launches in a row were missed");
}

static void
zeroes_are_dropped(void **state)
{
	fake.zero_from = 2;
	fake.zero_to = 64;
	assert_true(rig_run(3));
	assert_int_equal(rig.session.series[0].n, 3);
	assert_int_equal(rig.raw[3], 1065 * 16000);
	assert_end("zero_delays", "63");
}

/* Only consecutive ones count. */
static void
many_zeroes_between_samples(void **state)
{
	fake.zero_from = 2;
	fake.zero_to = 41;
	assert_true(rig_run(2));
	fake.zero_from = 43;
	fake.zero_to = 82;
	assert_true(i210_run(&rig.session, 3));
	assert_end("zero_delays", "80");
}

static void
too_many_zeroes_end_it(void **state)
{
	fake.zero_from = 2;
	fake.zero_to = 65;
	assert_false(rig_run(3));
	assert_int_equal(rig.session.series[0].n, 1);
	assert_failure(STATUS_TROUBLE, "measured no delay 64 times in a row");
	assert_end("zero_delays", "64");
}

static void
somebody_else_clears_the_register(void **state)
{
	fake.thief = 5;
	assert_false(rig_run(10));
	assert_int_equal(rig.session.series[0].n, 5);
	assert_failure(STATUS_TROUBLE, "another program reads its registers");
}

static void
the_interface_changes(void **state)
{
	static const struct {
		unsigned *at;
		const char *why;
	} cases[] = {
	    {&fake.down_at, "eth1 went down"},
	    {&fake.unplugged_at, "eth1 lost its carrier"},
	    {&fake.gone_at, "eth1 is gone"},
	    {&fake.ones_at, "registers read all ones"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		rig_begin(state);
		*cases[i].at = 4;
		fake.zero_from = 4;
		fake.zero_to = UINT32_MAX;
		assert_false(rig_run(10));
		assert_int_equal(rig.session.series[0].n, 3);
		assert_failure(STATUS_TROUBLE, cases[i].why);
		rig_end(state);
	}
}

static void
a_packet_is_refused(void **state)
{
	fake.send_error = ENOBUFS;
	assert_false(rig_run(1));
	assert_failure(STATUS_TROUBLE,
	               "eth1: sending: No buffer space available");
}

static void
a_signal_ends_it_between_samples(void **state)
{
	fake.signal_at = 6;
	assert_true(rig_run(10));
	assert_int_equal(rig.session.series[0].n, 5);
	/* A packet in flight must not count as the next: it leaves first. */
	rig.interrupted = 0;
	fake.signal_at = 0;
	rig.session.series[0].n = 0;
	assert_true(i210_run(&rig.session, 1));
	assert_int_equal(rig.session.series[0].n, 1);
	assert_int_equal(rig.raw[1], 1007 * 16000);
}

/* A signal that does not end it: waits for the packet in flight. */
static void
interrupted_samples_are_taken_again(void **state)
{
	fake.interrupted = 3;
	assert_true(rig_run(10));
	assert_int_equal(fake.interrupted, 0);
	assert_int_equal(rig.session.series[0].n, 10);
	assert_int_equal(fake.sent, 11);
	/* The first packet's delay is not among them. */
	assert_int_equal(rig.raw[1], 1002 * 16000);
}

/* Even if the interface cannot be examined any more. */
static void
registers_cannot_be_read(void **state)
{
	assert_true(rig_run(1));
	fake.read_error = EIO;
	fake.find_error = EMFILE;
	rig.session.series[0].n = 0;
	assert_false(i210_run(&rig.session, 1));
	assert_failure(STATUS_TROUBLE,
	               "eth1: reading its registers: Input/output error");
	assert_int_equal(rig.session.series[0].n, 0);
}

static void
the_clock_runs_away(void **state)
{
	assert_true(rig_run(3));
	rig.session.series[0].n = 0;
	fake.offset = 50000;
	assert_true(i210_run(&rig.session, 1));
	fake.offset = -50001;
	rig.session.series[0].n = 0;
	assert_false(i210_run(&rig.session, 1));
	assert_failure(STATUS_TROUBLE, "its clock is not synchronised: -50001 "
	                               "ns from CLOCK_TAI, 50000 may be");
	assert_int_equal(rig.session.series[0].n, 0);
}

/* Such a packet was read too early, or not yet. */
static void
the_clock_moves_while_a_packet_waits(void **state)
{
	static const struct {
		int64_t by;
		const char *why;
	} cases[] = {
	    {700000, NULL},
	    {-700000, NULL},
	    {700001, "700001 ns from CLOCK_TAI, 700000 may be"},
	    {-700001, "-700001 ns from CLOCK_TAI, 700000 may be"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		rig_begin(state);
		rig_set("distance", "7ms");
		fake.moved_at = 4;
		fake.by = cases[i].by;
		assert_int_equal(rig_run(6), !cases[i].why);
		assert_int_equal(rig.session.series[0].n, cases[i].why ? 3 : 6);
		if (cases[i].why)
			assert_failure(STATUS_TROUBLE, cases[i].why);
		rig_end(state);
	}
}

/* Back by an hour, whatever happens to the packet: nothing waits for that. */
static void
our_clock_is_set_back(void **state)
{
	for (unsigned i = 0; i < 3; i++) {
		rig_begin(state);
		fake.moved_at = 4;
		fake.by = fake.back = 3600000000000;
		fake.now += fake.back;
		fake.missed_from = fake.missed_to = i == 1 ? 4 : 0;
		fake.zero_from = fake.zero_to = i == 2 ? 4 : 0;
		assert_false(rig_run(6));
		assert_int_equal(rig.session.series[0].n, 3);
		assert_failure(STATUS_TROUBLE, "its clock is not synchronised");
		assert_true(fake.now < 1060000000000);
		rig_end(state);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    RIG_TEST(samples_are_what_the_register_held),
	    RIG_TEST(the_way_to_it_is_described),
	    RIG_TEST(options_are_obeyed),
	    RIG_TEST(missed_launches_are_repeated),
	    RIG_TEST(refused_launches_are_repeated),
	    RIG_TEST(too_many_missed_launches_end_it),
	    RIG_TEST(zeroes_are_dropped),
	    RIG_TEST(many_zeroes_between_samples),
	    RIG_TEST(distances_are_those_asked_for),
	    RIG_TEST(the_longest_distance),
	    RIG_TEST(clocks_may_be_a_microsecond_off),
	    RIG_TEST(distances_are_of_the_seed),
	    RIG_TEST(too_many_zeroes_end_it),
	    RIG_TEST(somebody_else_clears_the_register),
	    cmocka_unit_test(the_interface_changes),
	    RIG_TEST(a_packet_is_refused),
	    RIG_TEST(a_signal_ends_it_between_samples),
	    RIG_TEST(interrupted_samples_are_taken_again),
	    RIG_TEST(registers_cannot_be_read),
	    RIG_TEST(the_clock_runs_away),
	    cmocka_unit_test(our_clock_is_set_back),
	    cmocka_unit_test(the_clock_moves_while_a_packet_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
