/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the backend i210 reads the driver's registers and clocks. */
#include "collect/i210/i210.h"

#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/support.h"

#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/timex.h>
#include <unistd.h>

#define FIRST    1000 /* register of a dump; others count up */
#define READINGS 5    /* of the NIC's clock */
#define TAI      37   /* seconds ahead of UTC */
#define INDEX    7    /* of the interface */

#define SECOND_NS INT64_C(1000000000)

static struct {
	uint32_t words;           /* of registers */
	const int64_t *clock;     /* readings, nanoseconds */
	const char *name, *other; /* of an interface that is up */
	int number;               /* of its clock, in the file's name */
	bool has_clock;
} fake;

static int
tell_registers(void *request)
{
	struct ethtool_drvinfo *info = request;
	struct ethtool_regs *regs = request;

	if (info->cmd == ETHTOOL_GDRVINFO) {
		info->regdump_len = 4 * fake.words;
		return 0;
	}
	assert_int_equal(regs->cmd, ETHTOOL_GREGS);
	assert_int_equal(regs->len, 4 * fake.words);
	for (uint32_t i = 0; i < fake.words; i++)
		memcpy(regs->data + 4 * i, &(uint32_t){FIRST + i}, 4);
	return 0;
}

static int
tell_clock(struct ptp_sys_offset *offset)
{
	assert_int_equal(offset->n_samples, READINGS);
	for (size_t i = 0; i < 2 * READINGS + 1; i++)
		offset->ts[i] = (struct ptp_clock_time){
		    .sec = fake.clock[i] / SECOND_NS,
		    .nsec = (uint32_t)(fake.clock[i] % SECOND_NS)};
	return 0;
}

static int
tell_number(void *request)
{
	struct ethtool_ts_info *info = request;

	assert_int_equal(info->cmd, ETHTOOL_GET_TS_INFO);
	info->phc_index = fake.number;
	return 0;
}

/* Finds interfaces by any of their names, and by number. */
static int
tell_interface(struct ifreq *ifr, unsigned long request)
{
	bool is = request == SIOCGIFNAME
	              ? ifr->ifr_ifindex == INDEX
	              : !strcmp(ifr->ifr_name, fake.name) ||
	                    !strcmp(ifr->ifr_name, fake.other);

	errno = ENODEV;
	if (!is)
		return -1;
	if (request == SIOCGIFFLAGS)
		ifr->ifr_flags = IFF_UP;
	else if (request == SIOCGIFINDEX)
		ifr->ifr_ifindex = INDEX;
	else
		memcpy(ifr->ifr_name, fake.name, strlen(fake.name) + 1);
	return 0;
}

int
ioctl(int fd, unsigned long request, ...)
{
	va_list rest;
	void *data;

	va_start(rest, request);
	data = va_arg(rest, void *);
	va_end(rest);
	if (request == PTP_SYS_OFFSET && fake.clock)
		return tell_clock(data);
	if (request == SIOCETHTOOL && fake.has_clock)
		return tell_number(((struct ifreq *)data)->ifr_data);
	if (request == SIOCETHTOOL && fake.words)
		return tell_registers(((struct ifreq *)data)->ifr_data);
	if (fake.name && (request == SIOCGIFFLAGS || request == SIOCGIFINDEX ||
	                  request == SIOCGIFNAME))
		return tell_interface(data, request);
	errno = ENOTTY;
	return -1;
}

int
adjtimex(struct timex *tx)
{
	assert_int_equal(tx->modes, 0);
	tx->tai = TAI;
	return 0;
}

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST(the_delay_is_where_the_driver_has_it)
{
	struct nic_port port = {.ifname = "eth1"};
	uint32_t units = 0;

	assert_int_equal(linux_nics.read_delay(&port, &units), ENOTTY);
	fake.words = 739;
	assert_int_equal(linux_nics.read_delay(&port, &units), ENOMSG);
	fake.words = 740;
	assert_int_equal(linux_nics.read_delay(&port, &units), 0);
	assert_int_equal(units, FIRST + 739);
}

/* The system clock and the NIC's clock, which is TAI, are read alternately. */
TEST(the_offset_is_that_between_the_closest_readings)
{
	static const int64_t begin = 1700000000 * SECOND_NS - 2000;
	static const int64_t system[] = {0, 3000, 5000, 6000, 8000, 9000};
	static const int64_t offset[] = {70, -70, -50, 90, 110};
	int64_t clock[2 * READINGS + 1], ns = 0;
	struct nic_port port = {.clock = -1};

	assert_int_equal(linux_nics.clock_offset(&port, &ns), ENOTTY);
	for (size_t i = 0; i <= READINGS; i++)
		clock[2 * i] = begin + system[i];
	for (size_t i = 0; i < READINGS; i++)
		clock[2 * i + 1] = (clock[2 * i] + clock[2 * i + 2]) / 2 +
		                   TAI * SECOND_NS + offset[i];
	fake.clock = clock;
	assert_int_equal(linux_nics.clock_offset(&port, &ns), 0);
	assert_int_equal(ns, -50);
	fake.clock = NULL;
}

/* ip link property add dev none0 altname other0 */
TEST(an_interface_has_its_own_name)
{
	struct nic nic;

	assert_int_equal(linux_nics.find("other0", &nic), ENOTTY);
	fake.name = "none0";
	fake.other = "other0";
	assert_int_equal(linux_nics.find("none0", &nic), 0);
	assert_string_equal(nic.ifname, "none0");
	assert_int_equal(linux_nics.find("other0", &nic), 0);
	assert_string_equal(nic.ifname, "none0");
	assert_true(nic.up && !nic.carrier);
	assert_int_equal(linux_nics.find("other1", &nic), ENODEV);
	fake.name = NULL;
}

TEST(the_clock_has_a_number)
{
	static const struct {
		int number, error;
	} cases[] = {{0, 0}, {-1, ENODEV}, {11, ENOENT}, {12, 0}};

	memset(&fake, 0, sizeof fake);
	fake.has_clock = true;
	root_set(".");
	write_text("dev/ptp0", "");
	write_text("dev/ptp12", "");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct nic_port port = {
		    .ifname = "lo", .control = -1, .clock = -1, .socket = -1};

		fake.number = cases[i].number;
		assert_int_equal(linux_nics.attach(&port), cases[i].error);
		assert_int_equal(port.clock < 0, cases[i].error != 0);
		linux_nics.detach(&port);
	}
	memset(&fake, 0, sizeof fake);
}
