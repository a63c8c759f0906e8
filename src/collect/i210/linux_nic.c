/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Network interfaces of Linux, for the backend i210: reads a NIC's registers
 * and clock, as ethtool(8) and phc_ctl(8) do, and sends packets with launch
 * times, SO_TXTIME of socket(7).
 */
#include "collect/host/clock.h"
#include "collect/i210/i210.h"
#include "common/base/debug.h"
#include "common/sys/sysfs.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/errqueue.h>
#include <linux/ethtool.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS 1000000000

/* Index of RR2DCDELAY in igb's dump, since Linux 5.3. */
#define DELAY_WORD 739

/* Readings of the clock; the kernel allows at most 25. */
#define READINGS 5

/* For local experiments, IEEE 802. */
#define PROTOCOL 0x88b5

/* Bytes of the smallest frame, without its check sequence. */
#define FRAME_SIZE 60

/* "Nearest bridge", which no bridge forwards, IEEE 802.1Q 8.6.3. */
static const unsigned char nobody[ETH_ALEN] = {0x01, 0x80, 0xc2,
                                               0x00, 0x00, 0x0e};

/* Interfaces -------------------------------------------------------------- */

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

/* Also by an alternative name, which sysfs lacks: reads the main one. */
static int
find(const char *ifname, struct nic *nic)
{
	const char *net = root_path("/sys/class/net");
	struct ifreq ifr = {0};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char address[NIC_DRIVER_MAX];
	int error = 0;
	short flags;

	*nic = (struct nic){0};
	take_name(ifr.ifr_name, sizeof ifr.ifr_name, xstrdup(ifname));
	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &ifr))
		error = errno;
	flags = ifr.ifr_flags;
	if (!error &&
	    (ioctl(fd, SIOCGIFINDEX, &ifr) || ioctl(fd, SIOCGIFNAME, &ifr)))
		error = errno;
	close_file(fd);
	if (error)
		return error;
	memcpy(nic->ifname, ifr.ifr_name, sizeof nic->ifname);
	nic->up = flags & IFF_UP;
	nic->carrier = flags & IFF_RUNNING;
	take_name(nic->driver, sizeof nic->driver,
	          read_link_name("%s/%s/device/driver", net, nic->ifname));
	take_name(address, sizeof address,
	          read_link_name("%s/%s/device", net, nic->ifname));
	if (parse_bdf(address, nic->bdf)) {
		nic->vendor = read_id(nic->ifname, "vendor");
		nic->device = read_id(nic->ifname, "device");
	}
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

/* Registers and clock ----------------------------------------------------- */

static int
ethtool(const struct nic_port *port, void *request)
{
	struct ifreq ifr = {0};

	memcpy(ifr.ifr_name, port->ifname, sizeof port->ifname);
	ifr.ifr_data = request;
	return ioctl(port->control, SIOCETHTOOL, &ifr);
}

/* From the driver's register dump, in 32-bit words. */
static int
read_delay(struct nic_port *port, uint32_t *units)
{
	struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO};
	struct ethtool_regs *regs;
	int error = 0;

	if (ethtool(port, &info))
		return errno;
	regs = xcalloc(1, sizeof *regs + info.regdump_len);
	regs->cmd = ETHTOOL_GREGS;
	regs->len = info.regdump_len;
	if (ethtool(port, regs))
		error = errno;
	else if (regs->len / sizeof *units <= DELAY_WORD)
		error = ENOMSG;
	else
		memcpy(units, regs->data + DELAY_WORD * sizeof *units,
		       sizeof *units);
	free(regs);
	return error;
}

static int64_t
nanoseconds(const struct ptp_clock_time *t)
{
	return t->sec * SECOND_NS + t->nsec;
}

/*
 * The kernel reads the system clock and the NIC's clock in turn. The reading
 * between the two closest ones of the system clock is the best.
 */
static int
clock_offset(struct nic_port *port, int64_t *ns)
{
	struct ptp_sys_offset offset = {.n_samples = READINGS};
	int64_t closest = INT64_MAX;
	struct timex tx = {0};

	if (ioctl(port->clock, PTP_SYS_OFFSET, &offset) || adjtimex(&tx) < 0)
		return errno;
	for (size_t i = 0; i < READINGS; i++) {
		int64_t before = nanoseconds(&offset.ts[2 * i]);
		int64_t nic = nanoseconds(&offset.ts[2 * i + 1]);
		int64_t after = nanoseconds(&offset.ts[2 * i + 2]);

		if (after - before >= closest)
			continue;
		closest = after - before;
		*ns = nic - (before + closest / 2);
	}
	*ns -= (int64_t)tx.tai * SECOND_NS;
	return 0;
}

/* Packets with launch times ----------------------------------------------- */

static int
open_socket(struct nic_port *port)
{
	const struct sock_txtime txtime = {.clockid = CLOCK_TAI,
	                                   .flags = SOF_TXTIME_REPORT_ERRORS};
	const int priority = I210_PRIORITY;

	/* Protocol 0: it receives nothing. */
	port->socket = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (port->socket < 0 ||
	    setsockopt(port->socket, SOL_SOCKET, SO_PRIORITY, &priority,
	               sizeof priority) ||
	    setsockopt(port->socket, SOL_SOCKET, SO_TXTIME, &txtime,
	               sizeof txtime))
		return errno;
	return 0;
}

static int
send_at(struct nic_port *port, uint64_t launch)
{
	unsigned char payload[FRAME_SIZE - ETH_HLEN] = {0};
	struct sockaddr_ll to = {.sll_family = AF_PACKET,
	                         .sll_protocol = htons(PROTOCOL),
	                         .sll_ifindex = port->index,
	                         .sll_halen = ETH_ALEN};
	struct iovec part = {.iov_base = payload, .iov_len = sizeof payload};
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof launch)] = {0};
	struct msghdr message = {.msg_name = &to,
	                         .msg_namelen = sizeof to,
	                         .msg_iov = &part,
	                         .msg_iovlen = 1,
	                         .msg_control = control,
	                         .msg_controllen = sizeof control};
	struct cmsghdr *c = CMSG_FIRSTHDR(&message);

	memcpy(to.sll_addr, nobody, sizeof nobody);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_TXTIME;
	c->cmsg_len = CMSG_LEN(sizeof launch);
	memcpy(CMSG_DATA(c), &launch, sizeof launch);
	return sendmsg(port->socket, &message, 0) < 0 ? errno : 0;
}

static bool
missed(struct nic_port *port)
{
	bool missed = false;

	for (;;) {
		unsigned char frame[FRAME_SIZE];
		_Alignas(struct cmsghdr) char control[256];
		struct iovec part = {.iov_base = frame,
		                     .iov_len = sizeof frame};
		struct msghdr message = {.msg_iov = &part,
		                         .msg_iovlen = 1,
		                         .msg_control = control,
		                         .msg_controllen = sizeof control};

		if (recvmsg(port->socket, &message,
		            MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
			return missed;
		for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c;
		     c = CMSG_NXTHDR(&message, c)) {
			struct sock_extended_err error;

			if (c->cmsg_len < CMSG_LEN(sizeof error))
				continue;
			memcpy(&error, CMSG_DATA(c), sizeof error);
			if (error.ee_origin == SO_EE_ORIGIN_TXTIME)
				missed = true;
		}
	}
}

/* The calls --------------------------------------------------------------- */

static int
attach(struct nic_port *port)
{
	struct ethtool_ts_info info = {.cmd = ETHTOOL_GET_TS_INFO};
	char path[PATH_MAX];

	port->index = (int)if_nametoindex(port->ifname);
	if (!port->index)
		return errno;
	port->control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (port->control < 0 || ethtool(port, &info))
		return errno;
	if (info.phc_index < 0)
		return ENODEV;
	snprintf(path, sizeof path, "%s%d", root_path("/dev/ptp"),
	         info.phc_index);
	port->clock = open(path, O_RDONLY | O_CLOEXEC);
	debug(DEBUG_DEVICE, "%s: clock %s: %s", port->ifname, path,
	      port->clock < 0 ? strerror(errno) : "opened");
	return port->clock < 0 ? errno : 0;
}

static void
detach(struct nic_port *port)
{
	close_file(port->socket);
	close_file(port->clock);
	close_file(port->control);
	port->socket = port->clock = port->control = -1;
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
    .read_delay = read_delay,
    .clock_offset = clock_offset,
    .take_queues = nic_take_queues,
    .give_queues_back = nic_give_queues_back,
    .open_socket = open_socket,
    .send = send_at,
    .missed = missed,
    .detach = detach,
    .now = tai_now,
    .sleep_until = sleep_until,
};
