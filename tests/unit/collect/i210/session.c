/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A measurement by an I210: what it needs, and each sample. */
#include "rig/cmocka.h"

#include "collect/i210/i210.h"
#include "rig/i210.h"

#include <time.h>

TEST(options_are_checked)
{
	static const struct {
		const char *name, *value, *why;
	} cases[] = {
	    {"distance", "5", "-O distance=5: "},
	    {"distance", "0ms", "not within 1ns to 100ms"},
	    {"distance", "5ms:101ms", "not within 1ns to 100ms"},
	    {"distance", "50ms:5ms", "the second is the larger one"},
	    {"distance", "5ms:", "-O distance=5ms:: "},
	    {"trash-cache", "maybe", "-O trash-cache=maybe: not yes or no"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		rig_begin(state);
		rig_set(cases[i].name, cases[i].value);
		assert_not_opened(STATUS_TROUBLE, cases[i].why);
		rig_end(state);
	}
}

RIG_TEST(a_reset_is_waited_for)
{
	fake.settled = 3000000000;
	fake.set_again = 20000000000;
	/* Samples start after the NIC's reset. */
	fake.now = 100000000000;
	assert_true(rig_run(1));
	assert_true(fake.now >= 120000000000);
}

/* Until then nothing shows that a reset is coming. */
RIG_TEST(a_reset_begins_late)
{
	fake.lag = 1500000000;
	fake.settled = 4000000000;
	fake.now = 100000000000;
	assert_true(rig_run(1));
	assert_true(fake.now >= 104000000000);
}

/* Also for the reset caused by restoring the queueing discipline. */
RIG_TEST(the_last_reset_is_waited_for)
{
	uint64_t now;

	assert_true(rig_run(1));
	now = fake.now;
	fake.lag = now + 1500000000;
	fake.settled = now + 4000000000;
	i210_backend.close(&rig.session);
	assert_true(fake.now >= fake.settled);
	assert_true(fake.now < fake.settled + 1000000000);
}

RIG_TEST(a_reset_does_not_end)
{
	fake.settled = 33000000000;
	fake.now = 100000000000;
	assert_not_opened(STATUS_TROUBLE, "no carrier after");
	assert_true(fake.taken);
}

RIG_TEST(a_signal_ends_the_wait)
{
	fake.settled = 3000000000;
	fake.now = 100000000000;
	rig.interrupted = 1;
	assert_true(i210_backend.open(&rig.session));
	assert_true(fake.now < 101000000000);
}

RIG_TEST(a_cpu_that_is_not_there_is_refused)
{
	rig.request.cpu = 5000;
	assert_not_opened(STATUS_TROUBLE, "--cpu 5000: no CPU");
	assert_int_equal(fake.resets, 0);
}

/* Nothing is changed if the fault is visible before. */
TEST(what_is_missing_is_said)
{
	static const struct {
		int *error, value;
		const char *why;
	} cases[] = {
	    {&fake.find_error, EMFILE, "eth1: Too many open files"},
	    {&fake.read_error, EPERM,
	     "reading its registers needs CAP_NET_ADMIN"},
	    {&fake.read_error, ENOMSG, "Linux 5.3 or later"},
	    {&fake.read_error, EOPNOTSUPP, "Operation not supported"},
	    {&fake.attach_error, ENODEV, "it has no clock"},
	    {&fake.attach_error, EACCES, "needs the rights of root"},
	    {&fake.clock_error, EIO, "its clock cannot be read"},
	    {&fake.take_error, EBUSY,
	     "cannot restore its queueing disciplines (htb): unless "
	     "another rtd has set them, tc qdisc del dev eth1 root"},
	    {&fake.take_error, ENOENT, "modules sch_mqprio, sch_etf"},
	    {&fake.take_error, EOPNOTSUPP, "refuses launch times"},
	    {&fake.take_error, EPERM, "needs CAP_NET_ADMIN"},
	    {&fake.take_error, EPROTO,
	     "setting its queueing discipline: needs tc (iproute2)"},
	    {&fake.socket_error, EPERM, "needs CAP_NET_RAW"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		rig_begin(state);
		*cases[i].error = cases[i].value;
		assert_not_opened(STATUS_ABSENT, cases[i].why);
		assert_int_equal(fake.resets,
		                 cases[i].error == &fake.socket_error);
		rig_end(state);
	}
}

RIG_TEST(the_clock_is_not_set)
{
	struct timespec real, tai;
	char command[64];

	assert_int_equal(clock_gettime(CLOCK_REALTIME, &real), 0);
	assert_int_equal(clock_gettime(CLOCK_TAI, &tai), 0);
	/* The second may change between the two. */
	if (tai.tv_nsec < real.tv_nsec)
		tai.tv_sec--;
	snprintf(command, sizeof command,
	         "phc2sys -s CLOCK_REALTIME -c eth1 -S 1 -O %ld",
	         (long)(tai.tv_sec - real.tv_sec));
	fake.offset = 37000000000;
	assert_not_opened(STATUS_ABSENT, "37000000000 ns from CLOCK_TAI");
	assert_failure(STATUS_ABSENT, command);
	assert_int_equal(fake.resets, 0);
}

RIG_TEST(a_short_distance_wants_a_better_clock)
{
	rig_set("distance", "200us:1ms");
	fake.offset = 2001;
	assert_not_opened(STATUS_ABSENT, "2000 may be");
}

TEST(another_nic_is_refused)
{
	static const struct {
		struct nic nic;
		const char *why;
	} cases[] = {
	    {{.driver = "veth"}, "virtual, or not on PCI"},
	    {{.bdf = "0000:01:00.0", .vendor = 0x8086, .device = 0x1539},
	     "an I211"},
	    {{.bdf = "0000:01:00.0", .vendor = 0x8086, .device = 0x1521},
	     "8086:1521 is no Intel I210"},
	    {{.bdf = "0000:01:00.0", .vendor = 0x15b3, .device = 0x1533},
	     "15b3:1533 is no Intel I210"},
	    {{.bdf = "0000:01:00.0",
	      .vendor = 0x8086,
	      .device = 0x157c,
	      .driver = "vfio-pci"},
	     "its driver is vfio-pci, not igb"},
	    {{.bdf = "0000:01:00.0",
	      .vendor = 0x8086,
	      .device = 0x1538,
	      .driver = "igb"},
	     "down: ip link set eth1 up"},
	    {{.bdf = "0000:01:00.0",
	      .vendor = 0x8086,
	      .device = 0x1536,
	      .driver = "igb",
	      .up = true},
	     "without a carrier"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		rig_begin(state);
		fake.nic = cases[i].nic;
		memcpy(fake.nic.ifname, "eth1", 5);
		assert_not_opened(STATUS_ABSENT, cases[i].why);
		assert_false(fake.attached);
		rig_end(state);
	}
}

RIG_TEST(a_list_says_what_can_be_used)
{
	struct findings list = {0};

	i210_backend.probe(NULL, &list);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.item[0].device, "eth1");
	assert_string_equal(list.item[0].driver, "igb");
	assert_string_equal(list.item[0].why_not, "");
	assert_int_equal(list.item[0].benches, BENCH_BIT(RTD));
	assert_false(list.item[0].automatic);
	findings_free(&list);
	fake.nic.up = false;
	i210_backend.probe(NULL, &list);
	assert_int_equal(list.item[0].benches, 0);
	assert_string_equal(list.item[0].why_not,
	                    "an I210, but down: ip link set eth1 up");
	findings_free(&list);
}

/* Samples ---------------------------------------------------------------- */

RIG_TEST(samples_are_what_the_register_held)
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

RIG_TEST(options_are_obeyed)
{
	rig_set("distance", "100ms");
	rig_set("trash-cache", "yes");
	assert_true(rig_run(2));
	assert_int_equal(rig.raw[0], 100000000000);
	assert_int_equal(rig.raw[2], 100000000000);
	assert_string_equal(rig.session.series[0].id[ID_CACHE], "thrashed");
}

/* Both ends, in whole nanoseconds; fractions round up. */
RIG_TEST(distances_are_those_asked_for)
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

/* A hundredth of the distance would be below the accuracy of clocks. */
RIG_TEST(clocks_may_be_a_microsecond_off)
{
	rig_set("distance", "20us");
	fake.offset = -1000;
	assert_true(rig_run(1));
}

RIG_TEST(distances_are_of_the_seed)
{
	uint64_t first[3] = {0};

	for (size_t i = 0; i < ARRAY_LEN(first); i++) {
		rig.request.seed = i < 2 ? 7 : 8;
		assert_true(rig_run(1));
		first[i] = rig.raw[0];
		i210_backend.close(&rig.session);
		series_make(&rig.session, 0);
	}
	assert_true(first[0] == first[1] && first[1] != first[2]);
}

/*
 * Launches that the NIC misses, or refuses, and delays of 0 are repeated, but
 * not for ever: from packet to packet.
 */
TEST(samples_without_a_delay_are_repeated)
{
	static const struct {
		bool refuses;
		unsigned missed_from, missed_to, zero_from, zero_to;
		uint64_t want;
		size_t n;
		unsigned last; /* packet of the last sample */
		const char *missed, *zeroes, *why;
	} cases[] = {
	    {false, 3, 18, 0, 0, 3, 3, 19, "16", "0", NULL},
	    {true, 2, 5, 0, 0, 2, 2, 6, "4", "0", NULL},
	    {false, 3, 19, 0, 0, 4, 2, 2, "17", "0",
	     "17 launches in a row were missed"},
	    {false, 0, 0, 2, 64, 2, 2, 65, "0", "63", NULL},
	    {false, 0, 0, 2, 65, 3, 1, 1, "0", "64",
	     "measured no delay 64 times in a row"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		rig_begin(state);
		fake.refuses = cases[i].refuses;
		fake.missed_from = cases[i].missed_from;
		fake.missed_to = cases[i].missed_to;
		fake.zero_from = cases[i].zero_from;
		fake.zero_to = cases[i].zero_to;
		assert_int_equal(rig_run(cases[i].want), !cases[i].why);
		assert_int_equal(rig.session.series[0].n, cases[i].n);
		assert_int_equal(rig.raw[2 * cases[i].n - 1],
		                 (1000 + cases[i].last) * 16000);
		assert_end("missed_launches", cases[i].missed);
		assert_end("zero_delays", cases[i].zeroes);
		if (cases[i].why)
			assert_failure(STATUS_TROUBLE, cases[i].why);
		rig_end(state);
	}
}

/* Only consecutive ones count. */
RIG_TEST(many_zeroes_between_samples)
{
	fake.zero_from = 2;
	fake.zero_to = 41;
	assert_true(rig_run(2));
	fake.zero_from = 43;
	fake.zero_to = 82;
	assert_true(i210_backend.run(&rig.session, 3));
	assert_end("zero_delays", "80");
}

RIG_TEST(somebody_else_clears_the_register)
{
	fake.thief = 5;
	assert_false(rig_run(10));
	assert_int_equal(rig.session.series[0].n, 5);
	assert_failure(STATUS_TROUBLE, "another program reads its registers");
}

TEST(the_interface_changes)
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

RIG_TEST(a_packet_is_refused)
{
	fake.send_error = ENOBUFS;
	assert_false(rig_run(1));
	assert_failure(STATUS_TROUBLE,
	               "eth1: sending: No buffer space available");
}

RIG_TEST(a_signal_ends_it_between_samples)
{
	fake.signal_at = 6;
	assert_true(rig_run(10));
	assert_int_equal(rig.session.series[0].n, 5);
	/* A packet in flight must not count as the next: it leaves first. */
	rig.interrupted = 0;
	fake.signal_at = 0;
	rig.session.series[0].n = 0;
	assert_true(i210_backend.run(&rig.session, 1));
	assert_int_equal(rig.session.series[0].n, 1);
	assert_int_equal(rig.raw[1], 1007 * 16000);
}

/* A signal that does not end it: waits for the packet in flight. */
RIG_TEST(interrupted_samples_are_taken_again)
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
RIG_TEST(registers_cannot_be_read)
{
	assert_true(rig_run(1));
	fake.read_error = EIO;
	fake.find_error = EMFILE;
	rig.session.series[0].n = 0;
	assert_false(i210_backend.run(&rig.session, 1));
	assert_failure(STATUS_TROUBLE,
	               "eth1: reading its registers: Input/output error");
	assert_int_equal(rig.session.series[0].n, 0);
}

RIG_TEST(the_clock_runs_away)
{
	assert_true(rig_run(3));
	rig.session.series[0].n = 0;
	fake.offset = 50000;
	assert_true(i210_backend.run(&rig.session, 1));
	fake.offset = -50001;
	rig.session.series[0].n = 0;
	assert_false(i210_backend.run(&rig.session, 1));
	assert_failure(STATUS_TROUBLE, "its clock is not synchronised: -50001 "
	                               "ns from CLOCK_TAI, 50000 may be");
	assert_int_equal(rig.session.series[0].n, 0);
}

/* Such a packet was read too early, or not yet. */
TEST(the_clock_moves_while_a_packet_waits)
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
TEST(our_clock_is_set_back)
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
