/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an I210 needs before anything is changed. */
#include "rig/cmocka.h"
#include "rig/i210.h"

#include "collect/i210/i210.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void
options_are_checked(void **state)
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

static void
a_reset_is_waited_for(void **state)
{
	fake.settled = 3000000000;
	fake.set_again = 20000000000;
	/* Samples start after the NIC's reset. */
	fake.now = 100000000000;
	assert_true(rig_run(1));
	assert_true(fake.now >= 120000000000);
}

/* Until then nothing shows that a reset is coming. */
static void
a_reset_begins_late(void **state)
{
	fake.lag = 1500000000;
	fake.settled = 4000000000;
	fake.now = 100000000000;
	assert_true(rig_run(1));
	assert_true(fake.now >= 104000000000);
}

/* Also for the reset caused by restoring the queueing discipline. */
static void
the_last_reset_is_waited_for(void **state)
{
	uint64_t now;

	assert_true(rig_run(1));
	now = fake.now;
	fake.lag = now + 1500000000;
	fake.settled = now + 4000000000;
	i210_close(&rig.session);
	assert_true(fake.now >= fake.settled);
	assert_true(fake.now < fake.settled + 1000000000);
}

static void
a_reset_does_not_end(void **state)
{
	fake.settled = 33000000000;
	fake.now = 100000000000;
	assert_not_opened(STATUS_TROUBLE, "no carrier after");
	assert_true(fake.taken);
}

static void
a_signal_ends_the_wait(void **state)
{
	fake.settled = 3000000000;
	fake.now = 100000000000;
	rig.interrupted = 1;
	assert_true(i210_open(&rig.session, &fake_nics));
	assert_true(fake.now < 101000000000);
}

static void
a_cpu_that_is_not_there_is_refused(void **state)
{
	rig.request.cpu = 5000;
	assert_not_opened(STATUS_TROUBLE, "--cpu 5000: no CPU");
	assert_int_equal(fake.resets, 0);
}

/* Nothing is changed if the fault is visible before. */
static void
what_is_missing_is_said(void **state)
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
	     "setting its queueing discipline: Protocol error"},
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

static void
the_clock_is_not_set(void **state)
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

static void
a_short_distance_wants_a_better_clock(void **state)
{
	rig_set("distance", "200us:1ms");
	fake.offset = 2001;
	assert_not_opened(STATUS_ABSENT, "2000 may be");
}

static void
another_nic_is_refused(void **state)
{
	static const struct {
		struct nic nic;
		const char *why;
	} cases[] = {
	    {{.driver = "veth"}, "it is not a PCI device itself"},
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

static void
interfaces_are_named(void **state)
{
	rig.request.device = "eth7";
	fake.nic.device = 0x1539;
	assert_not_opened(STATUS_ABSENT,
	                  "eth7: no such interface; there is: lo (no Intel "
	                  "I210: it is not a PCI device itself), "
	                  "eth1 (an I211, on which igb refuses launch times)");
	i210_close(&rig.session);
	rig.request.device = NULL;
	assert_not_opened(STATUS_TROUBLE, "-d i210:IFNAME; there is: lo (");
}

static void
a_list_says_what_can_be_used(void **state)
{
	struct findings list = {0};

	i210_probe(&fake_nics, &list);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.item[0].device, "eth1");
	assert_string_equal(list.item[0].driver, "igb");
	assert_string_equal(list.item[0].why_not, "");
	assert_int_equal(list.item[0].benches, BENCH_BIT(RTD));
	assert_false(list.item[0].automatic);
	findings_free(&list);
	fake.nic.up = false;
	i210_probe(&fake_nics, &list);
	assert_int_equal(list.item[0].benches, 0);
	assert_string_equal(list.item[0].why_not,
	                    "an I210, but down: ip link set eth1 up");
	findings_free(&list);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(options_are_checked),
	    RIG_TEST(a_reset_is_waited_for),
	    RIG_TEST(a_reset_begins_late),
	    RIG_TEST(the_last_reset_is_waited_for),
	    RIG_TEST(a_reset_does_not_end),
	    RIG_TEST(a_signal_ends_the_wait),
	    RIG_TEST(a_cpu_that_is_not_there_is_refused),
	    cmocka_unit_test(what_is_missing_is_said),
	    RIG_TEST(the_clock_is_not_set),
	    RIG_TEST(a_short_distance_wants_a_better_clock),
	    cmocka_unit_test(another_nic_is_refused),
	    RIG_TEST(interfaces_are_named),
	    RIG_TEST(a_list_says_what_can_be_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
