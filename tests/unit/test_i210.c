/*
 * The backend i210 on a kernel and a NIC that are played here: a register
 * that holds the longest delay until it is read, and packets that leave when
 * the clock says so.
 */
#include "support.h"

#include "collect/i210.h"
#include "collect/package_idle.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define SAMPLES_MAX 256

/* What goes wrong, and with which packet; 0 is nothing. */
static struct fake {
	struct nic nic;
	uint64_t now, launch;
	uint32_t delay, held;
	unsigned sent, missed_from, missed_to, zero_from, zero_to;
	unsigned thief; /* somebody reads after this many packets */
	unsigned down_at, unplugged_at, gone_at, signal_at, ones_at;
	uint64_t settled;   /* when the carrier is back after a reset */
	uint64_t set_again; /* when its clock is */
	int64_t offset;
	int attach_error, read_error, clock_error, take_error;
	int socket_error, send_error;
	bool refuses; /* what is missed, when it is sent */
	bool is_missed, taken, attached, has_socket;
	unsigned resets;
} fake;

static volatile sig_atomic_t halt;
static uint64_t raw[2 * SAMPLES_MAX];
static struct preamble preamble, ending;
static struct setting settings[2];
static struct request request;
static struct session session;

static int
fake_find(const char *ifname, struct nic *nic)
{
	if (strcmp(ifname, fake.nic.ifname) != 0 ||
	    (fake.gone_at && fake.sent >= fake.gone_at))
		return ENODEV;
	*nic = fake.nic;
	if (fake.down_at && fake.sent >= fake.down_at)
		nic->up = false;
	if (fake.unplugged_at && fake.sent >= fake.unplugged_at)
		nic->carrier = false;
	if (fake.now < fake.settled)
		nic->carrier = false;
	return 0;
}

static struct nics
fake_list(void)
{
	struct nics list = {.n = 2};

	list.item = xcalloc(2, sizeof *list.item);
	list.item[0] = (struct nic){.ifname = "lo", .up = true};
	list.item[1] = fake.nic;
	return list;
}

static int
fake_attach(struct nic_port *port)
{
	(void)port;
	fake.attached = true;
	return fake.attach_error;
}

static void
fake_detach(struct nic_port *port)
{
	(void)port;
	fake.attached = fake.has_socket = false;
}

static int
fake_read_delay(struct nic_port *port, uint32_t *units)
{
	(void)port;
	*units = fake.held;
	if (fake.ones_at && fake.sent >= fake.ones_at)
		*units = UINT32_MAX;
	fake.held = 0;
	return fake.read_error;
}

static int
fake_clock_offset(struct nic_port *port, int64_t *ns)
{
	(void)port;
	*ns = fake.now < fake.set_again ? -37000000000 : fake.offset;
	return fake.clock_error;
}

static void
reset_nic(void)
{
	fake.resets++;
	fake.held = 99;
	fake.settled = fake.settled ? fake.now + fake.settled : 0;
	fake.set_again = fake.set_again ? fake.now + fake.set_again : 0;
}

static int
fake_take_queues(struct nic_port *port)
{
	memcpy(port->before.kind, "htb", 4);
	if (fake.take_error)
		return fake.take_error;
	assert_true(port->offload);
	port->taken = fake.taken = true;
	reset_nic();
	return 0;
}

static void
fake_give_queues_back(struct nic_port *port)
{
	port->taken = fake.taken = false;
}

static int
fake_open_socket(struct nic_port *port)
{
	(void)port;
	fake.has_socket = true;
	return fake.socket_error;
}

static bool
within(unsigned n, unsigned from, unsigned to)
{
	return n >= from && n <= to;
}

static int
fake_send(struct nic_port *port, uint64_t launch)
{
	(void)port;
	assert_true(fake.taken && fake.has_socket);
	assert_int_equal(fake.held, 0);
	/* The one before has left. */
	assert_int_equal(fake.launch, 0);
	fake.sent++;
	/* That of the descriptor, which is fetched at once. */
	fake.held = within(fake.sent, fake.zero_from, fake.zero_to) ? 0 : 50;
	fake.launch = launch;
	fake.is_missed = within(fake.sent, fake.missed_from, fake.missed_to);
	if (fake.down_at && fake.sent >= fake.down_at)
		return ENETDOWN;
	if (fake.is_missed && fake.refuses) {
		fake.launch = 0;
		return ENOBUFS;
	}
	return fake.send_error;
}

static bool
fake_missed(struct nic_port *port)
{
	bool is_missed = fake.is_missed;

	(void)port;
	fake.is_missed = false;
	return is_missed;
}

static uint64_t
fake_now(void)
{
	return fake.now;
}

static int
fake_sleep_until(uint64_t time)
{
	if (fake.signal_at && fake.sent == fake.signal_at && fake.launch) {
		halt = 1;
		return EINTR;
	}
	if (time > fake.now)
		fake.now = time;
	if (fake.launch && fake.now > fake.launch && !fake.is_missed &&
	    !within(fake.sent, fake.zero_from, fake.zero_to))
		fake.held = fake.delay + fake.sent;
	if (fake.thief && fake.sent > fake.thief)
		fake.held = 0;
	fake.launch = 0;
	return 0;
}

static const struct nic_system fake_nics = {
    .list = fake_list,
    .find = fake_find,
    .attach = fake_attach,
    .read_delay = fake_read_delay,
    .clock_offset = fake_clock_offset,
    .take_queues = fake_take_queues,
    .give_queues_back = fake_give_queues_back,
    .open_socket = fake_open_socket,
    .send = fake_send,
    .missed = fake_missed,
    .detach = fake_detach,
    .now = fake_now,
    .sleep_until = fake_sleep_until,
};

/* An I210 in good order, before each test. */
static int
begin(void **state)
{
	(void)state;
	fake = (struct fake){.now = 1000000000000, .delay = 1000};
	fake.nic = (struct nic){.ifname = "eth1",
	                        .driver = "igb",
	                        .bdf = "ffff:03:00.0",
	                        .vendor = 0x8086,
	                        .device = 0x1533,
	                        .up = true,
	                        .carrier = true};
	request = (struct request){.bench = &benches[RTD],
	                           .which = "eth1",
	                           .setting = settings,
	                           .runs = 1,
	                           .seed = 1,
	                           .cpu = -1};
	session = (struct session){
	    .request = &request, .preamble = &preamble, .halt = &halt};
	halt = 0;
	return 0;
}

static int
end(void **state)
{
	(void)state;
	i210_close(&session);
	assert_false(fake.taken || fake.attached || fake.has_socket);
	series_make(&session, 0);
	preamble_free(&preamble);
	preamble_free(&ending);
	preamble = ending = (struct preamble){0};
	free(session.failure.text);
	return 0;
}

static void
set(const char *name, const char *value)
{
	settings[request.nsettings++] =
	    (struct setting){.name = (char *)name, .value = value};
}

/* Opens and takes samples; how many there are is in session.series[0].n. */
static bool
run(uint64_t want)
{
	static const struct point point = {0};

	assert_true(i210_open(&session, &fake_nics));
	assert_true(i210_prepare(&session, &point));
	session.series[0].raw = raw;
	return i210_run(&session, want);
}

static void
assert_failure(int status, const char *part)
{
	assert_non_null(session.failure.text);
	if (!strstr(session.failure.text, part))
		fail_msg("'%s' is not in '%s'", part, session.failure.text);
	assert_int_equal(session.failure.status, status);
}

static void
assert_end(const char *key, const char *value)
{
	i210_end(&session, &ending);
	assert_string_equal(preamble_get(&ending, key), value);
}

static void
samples_are_what_the_register_held(void **state)
{
	uint64_t sum = 0;

	(void)state;
	assert_true(run(200));
	assert_int_equal(session.series[0].n, 200);
	for (size_t i = 0; i < 200; i++) {
		assert_in_range(raw[2 * i], 5000000000, 50000000000);
		assert_int_equal(raw[2 * i] % 1000, 0);
		assert_int_equal(raw[2 * i + 1], (1001 + i) * 16000);
		sum += raw[2 * i] / 200;
	}
	/* The mean of 200 is within 4 of its standard deviations, 0.92 ms. */
	assert_in_range(sum, 23800000000, 31200000000);
	assert_string_equal(session.series[0].id[ID_DEVICE], "eth1");
	assert_string_equal(session.series[0].id[ID_CACHE], "host-warm");
	assert_string_equal(session.series[0].id[ID_KIND], "measured");
	assert_end("missed_launches", "0");
	assert_end("zero_delays", "0");
	assert_int_equal(fake.resets, 1);
}

/* On a function that the machine has: what is on the way to it is told. */
static void
the_way_to_it_is_described(void **state)
{
	struct pci_tree *tree = pci_tree_read("/sys/bus/pci");

	(void)state;
	if (!tree || !tree->n) {
		pci_tree_free(tree);
		skip();
	}
	memcpy(fake.nic.bdf, tree->function[0].bdf, sizeof fake.nic.bdf);
	pci_tree_free(tree);
	assert_true(run(1));
	assert_string_equal(session.series[0].id[ID_DEVICE], "eth1");
	assert_null(preamble_get(&preamble, "kernel_access"));
}

static void
options_are_obeyed(void **state)
{
	(void)state;
	set("distance", "7ms");
	set("trash-cache", "yes");
	assert_true(run(2));
	assert_int_equal(raw[0], 7000000000);
	assert_int_equal(raw[2], 7000000000);
	assert_string_equal(session.series[0].id[ID_CACHE], "thrashed");
}

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
	    {"trash-cache", "maybe", "-O trash-cache=maybe: yes or no"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		begin(state);
		set(cases[i].name, cases[i].value);
		assert_false(i210_open(&session, &fake_nics));
		assert_failure(STATUS_TROUBLE, cases[i].why);
		end(state);
	}
	begin(state);
}

static void
missed_launches_are_repeated(void **state)
{
	(void)state;
	fake.missed_from = 3;
	fake.missed_to = 18;
	assert_true(run(4));
	assert_int_equal(session.series[0].n, 4);
	assert_int_equal(raw[2 * 2 + 1], 1019 * 16000);
	assert_end("missed_launches", "16");
}

static void
refused_launches_are_repeated(void **state)
{
	(void)state;
	fake.refuses = true;
	fake.missed_from = 2;
	fake.missed_to = 5;
	assert_true(run(3));
	assert_int_equal(session.series[0].n, 3);
	assert_int_equal(raw[2 * 1 + 1], 1006 * 16000);
	assert_end("missed_launches", "4");
}

static void
too_many_missed_launches_end_it(void **state)
{
	(void)state;
	fake.missed_from = 3;
	fake.missed_to = 19;
	assert_false(run(4));
	assert_int_equal(session.series[0].n, 2);
	assert_failure(STATUS_TROUBLE, "17 launches in a row were missed");
}

static void
zeroes_are_dropped(void **state)
{
	(void)state;
	fake.zero_from = 2;
	fake.zero_to = 64;
	assert_true(run(3));
	assert_int_equal(session.series[0].n, 3);
	assert_int_equal(raw[3], 1065 * 16000);
	assert_end("zero_delays", "63");
}

static void
too_many_zeroes_end_it(void **state)
{
	(void)state;
	fake.zero_from = 2;
	fake.zero_to = 65;
	assert_false(run(3));
	assert_int_equal(session.series[0].n, 1);
	assert_failure(STATUS_TROUBLE, "measured no delay 64 times in a row");
	assert_end("zero_delays", "64");
}

static void
somebody_else_clears_the_register(void **state)
{
	(void)state;
	fake.thief = 5;
	assert_false(run(10));
	assert_int_equal(session.series[0].n, 5);
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
		begin(state);
		*cases[i].at = 4;
		fake.zero_from = 4;
		fake.zero_to = UINT32_MAX;
		assert_false(run(10));
		assert_int_equal(session.series[0].n, 3);
		assert_failure(STATUS_TROUBLE, cases[i].why);
		end(state);
	}
	begin(state);
}

static void
a_packet_is_refused(void **state)
{
	(void)state;
	fake.send_error = ENOBUFS;
	assert_false(run(1));
	assert_failure(STATUS_TROUBLE,
	               "eth1: sending: No buffer space available");
}

static void
a_signal_ends_it_between_samples(void **state)
{
	(void)state;
	fake.signal_at = 6;
	assert_true(run(10));
	assert_int_equal(session.series[0].n, 5);
	/* What was under way is not taken for the next: it leaves first. */
	halt = 0;
	fake.signal_at = 0;
	session.series[0].n = 0;
	assert_true(i210_run(&session, 1));
	assert_int_equal(session.series[0].n, 1);
	assert_int_equal(raw[1], 1007 * 16000);
}

static void
the_clock_runs_away(void **state)
{
	(void)state;
	assert_true(run(3));
	session.series[0].n = 0;
	fake.offset = 50000;
	assert_true(i210_run(&session, 1));
	fake.offset = -50001;
	session.series[0].n = 0;
	assert_false(i210_run(&session, 1));
	assert_failure(STATUS_TROUBLE, "its clock is not synchronised: -50001 "
	                               "ns from CLOCK_TAI, 50000 may be");
	assert_int_equal(session.series[0].n, 0);
}

static void
a_reset_is_waited_for(void **state)
{
	(void)state;
	fake.settled = 3000000000;
	fake.set_again = 20000000000;
	/* They begin when the NIC is reset. */
	fake.now = 100000000000;
	assert_true(run(1));
	assert_true(fake.now >= 120000000000);
}

static void
a_reset_does_not_end(void **state)
{
	(void)state;
	fake.settled = 31000000000;
	fake.now = 100000000000;
	assert_false(i210_open(&session, &fake_nics));
	assert_failure(STATUS_TROUBLE, "no carrier after");
	assert_true(fake.taken);
}

/* Nothing has been changed where it can be known before. */
static void
what_is_missing_is_said(void **state)
{
	static const struct {
		int *error, value;
		const char *why;
	} cases[] = {
	    {&fake.read_error, EPERM,
	     "reading its registers needs "
	     "CAP_NET_ADMIN"},
	    {&fake.read_error, ENOMSG, "Linux 5.3 or later"},
	    {&fake.read_error, EOPNOTSUPP, "Operation not supported"},
	    {&fake.attach_error, ENODEV, "it has no clock"},
	    {&fake.attach_error, EACCES, "needs the rights of root"},
	    {&fake.clock_error, EIO, "its clock cannot be read"},
	    {&fake.take_error, EBUSY,
	     "(htb) could not be put back: tc qdisc "
	     "del dev eth1 root"},
	    {&fake.take_error, ENOENT, "modules sch_mqprio, sch_etf"},
	    {&fake.take_error, EOPNOTSUPP, "refuses launch times"},
	    {&fake.take_error, EPERM, "needs CAP_NET_ADMIN"},
	    {&fake.socket_error, EPERM, "needs CAP_NET_RAW"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		begin(state);
		*cases[i].error = cases[i].value;
		assert_false(i210_open(&session, &fake_nics));
		assert_failure(STATUS_ABSENT, cases[i].why);
		assert_int_equal(fake.resets,
		                 cases[i].error == &fake.socket_error);
		end(state);
	}
	begin(state);
}

static void
the_clock_is_not_set(void **state)
{
	(void)state;
	fake.offset = 37000000000;
	assert_false(i210_open(&session, &fake_nics));
	assert_failure(STATUS_ABSENT, "37000000000 ns from CLOCK_TAI");
	assert_failure(STATUS_ABSENT, "phc2sys");
	assert_int_equal(fake.resets, 0);
}

static void
a_short_distance_wants_a_better_clock(void **state)
{
	(void)state;
	set("distance", "200us:1ms");
	fake.offset = 2001;
	assert_false(i210_open(&session, &fake_nics));
	assert_failure(STATUS_ABSENT, "2000 may be");
}

static void
another_nic_is_refused(void **state)
{
	static const struct {
		struct nic nic;
		const char *why;
	} cases[] = {
	    {{.driver = "veth"}, "no PCI device"},
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
		begin(state);
		fake.nic = cases[i].nic;
		memcpy(fake.nic.ifname, "eth1", 5);
		assert_false(i210_open(&session, &fake_nics));
		assert_failure(STATUS_ABSENT, cases[i].why);
		assert_false(fake.attached);
		end(state);
	}
	begin(state);
}

static void
interfaces_are_named(void **state)
{
	(void)state;
	request.which = "eth7";
	fake.nic.device = 0x1539;
	assert_false(i210_open(&session, &fake_nics));
	assert_failure(STATUS_ABSENT,
	               "eth7: no such interface; there is: lo (no PCI device), "
	               "eth1 (an I211, on which igb refuses launch times)");
	i210_close(&session);
	request.which = NULL;
	assert_false(i210_open(&session, &fake_nics));
	assert_failure(STATUS_TROUBLE, "-d i210:IFNAME; there is: lo (");
}

static void
a_list_says_what_can_be_used(void **state)
{
	struct findings list = {0};

	(void)state;
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

/* The clock of CPU 0, which the kernel counts everywhere, in its place. */
static void
residencies_are_counted(void **state)
{
	static const struct {
		const char *name, *text;
	} files[] = {
	    {"type", "1\n"},
	    {"cpumask", "0,24\n"},
	    {"events/c6-residency", "event=0x00\n"},
	    {"events/c7-residency", "umask=0x00\n"},
	    {"events/c8-residency", "event=\n"},
	    {"events/c6-residency.unit", "ms\n"},
	};
	struct package_idle idle = {0};
	struct perf_event_attr attr = {.size = sizeof attr,
	                               .type = PERF_TYPE_SOFTWARE};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);

	(void)state;
	if (fd < 0)
		skip();
	close(fd);
	assert_int_equal(mkdir("events", 0700), 0);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		write_file(
		    files[i].name,
		    (struct bytes){files[i].text, strlen(files[i].text)});
	package_idle_open(&idle, ".");
	package_idle_describe(&idle, &ending);
	assert_int_equal(idle.n, 1);
	assert_non_null(preamble_get(&ending, "package_c6_pct"));
	assert_true(strtod(preamble_get(&ending, "package_c6_pct"), NULL) > 0);
	package_idle_close(&idle);
	package_idle_open(&idle, "./nowhere");
	assert_int_equal(idle.n, 0);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		assert_int_equal(remove(files[i].name), 0);
	assert_int_equal(rmdir("events"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    TEST(samples_are_what_the_register_held),
	    TEST(the_way_to_it_is_described),
	    TEST(options_are_obeyed),
	    TEST(options_are_checked),
	    TEST(missed_launches_are_repeated),
	    TEST(refused_launches_are_repeated),
	    TEST(too_many_missed_launches_end_it),
	    TEST(zeroes_are_dropped),
	    TEST(too_many_zeroes_end_it),
	    TEST(somebody_else_clears_the_register),
	    TEST(the_interface_changes),
	    TEST(a_packet_is_refused),
	    TEST(a_signal_ends_it_between_samples),
	    TEST(the_clock_runs_away),
	    TEST(a_reset_is_waited_for),
	    TEST(a_reset_does_not_end),
	    TEST(what_is_missing_is_said),
	    TEST(the_clock_is_not_set),
	    TEST(a_short_distance_wants_a_better_clock),
	    TEST(another_nic_is_refused),
	    TEST(interfaces_are_named),
	    TEST(residencies_are_counted),
	    TEST(a_list_says_what_can_be_used),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
