/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network interfaces of Linux, for the backend i210. */
#include "collect/host/clock.h"
#include "collect/i210/ethtool.h"
#include "collect/i210/qdisc.h"
#include "collect/i210/txtime.h"
#include "common/base/list.h"
#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS 1000000000

/* Parses an ID such as "0x1533"; 0 if there is none. */
static unsigned
read_id(const char *ifname, const char *file)
{
	char *line = read_first_line("%s/%s/device/%s",
	                             root_path("/sys/class/net"), ifname, file);
	unsigned long id = line ? strtoul(line, NULL, 16) : 0;

	free(line);
	return id > 0xffff ? 0 : (unsigned)id;
}

/* Copies the name and frees it; "" for NULL and names that are too long. */
static void
take_name(char *to, size_t size, char *name)
{
	snprintf(to, size, "%s", name && strlen(name) < size ? name : "");
	free(name);
}

static void
describe(struct nic *nic)
{
	const char *net = root_path("/sys/class/net");
	const char *name = nic->ifname;
	char address[NIC_DRIVER_MAX];

	take_name(nic->driver, sizeof nic->driver,
	          read_link_name("%s/%s/device/driver", net, name));
	take_name(address, sizeof address,
	          read_link_name("%s/%s/device", net, name));
	if (!parse_bdf(address, nic->bdf))
		return;
	nic->vendor = read_id(name, "vendor");
	nic->device = read_id(name, "device");
}

/*
 * Reads the flags, and the interface's main name instead of an alternative one,
 * which sysfs lacks.
 */
static int
look_up(int fd, struct ifreq *ifr, short *flags)
{
	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, ifr))
		return errno;
	*flags = ifr->ifr_flags;
	if (ioctl(fd, SIOCGIFINDEX, ifr) || ioctl(fd, SIOCGIFNAME, ifr))
		return errno;
	return 0;
}

static int
find(const char *ifname, struct nic *nic)
{
	struct ifreq ifr = {0};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	short flags = 0;
	int error;

	*nic = (struct nic){0};
	take_name(ifr.ifr_name, sizeof ifr.ifr_name, xstrdup(ifname));
	error = look_up(fd, &ifr, &flags);
	if (fd >= 0)
		close(fd);
	if (error)
		return error;
	memcpy(nic->ifname, ifr.ifr_name, sizeof nic->ifname);
	nic->up = flags & IFF_UP;
	nic->carrier = flags & IFF_RUNNING;
	describe(nic);
	return 0;
}

static struct nics
list(void)
{
	struct if_nameindex *names = if_nameindex();
	struct nics nics = {.error = names ? 0 : errno};
	struct nic nic;

	for (size_t i = 0; names && names[i].if_name; i++) {
		int error = find(names[i].if_name, &nic);

		if (error && error != ENODEV)
			nics.error = error;
		if (error)
			continue;
		array_push(nics.item, nics.n, nic);
	}
	if (names)
		if_freenameindex(names);
	errno = nics.error;
	die_if_short("the network interfaces");
	return nics;
}

static int
attach(struct nic_port *port)
{
	port->index = (int)if_nametoindex(port->ifname);
	if (!port->index)
		return errno;
	port->control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (port->control < 0)
		return errno;
	return nic_open_clock(port);
}

static void
close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
detach(struct nic_port *port)
{
	close_one(&port->socket);
	close_one(&port->clock);
	close_one(&port->control);
}

static uint64_t
tai_now(void)
{
	return read_clock(CLOCK_TAI);
}

/* Sleeps by duration: a clock that is set back must not prolong it. */
static int
sleep_until(uint64_t when)
{
	uint64_t now = tai_now(), ns = when > now ? when - now : 0;
	struct timespec t = {.tv_sec = (time_t)(ns / SECOND_NS),
	                     .tv_nsec = (long)(ns % SECOND_NS)};

	return clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

const struct nic_system linux_nics = {
    .list = list,
    .find = find,
    .attach = attach,
    .read_delay = nic_read_delay,
    .clock_offset = nic_clock_offset,
    .take_queues = nic_take_queues,
    .give_queues_back = nic_give_queues_back,
    .open_socket = nic_open_socket,
    .send = nic_send,
    .missed = nic_missed,
    .detach = detach,
    .now = tai_now,
    .sleep_until = sleep_until,
};
