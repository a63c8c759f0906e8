/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets with launch times, SO_TXTIME of socket(7), and those returned. */
#include "collect/i210/txtime.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/errqueue.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* For local experiments, IEEE 802. */
#define PROTOCOL 0x88b5

/* Bytes of the smallest frame, without its check sequence. */
#define FRAME_SIZE 60

/* "Nearest bridge", which no bridge forwards, IEEE 802.1Q 8.6.3. */
static const unsigned char nobody[ETH_ALEN] = {0x01, 0x80, 0xc2,
                                               0x00, 0x00, 0x0e};

static bool
set_options(int fd)
{
	const struct sock_txtime txtime = {.clockid = CLOCK_TAI,
	                                   .flags = SOF_TXTIME_REPORT_ERRORS};
	const int priority = I210_PRIORITY;

	return !setsockopt(fd, SOL_SOCKET, SO_PRIORITY, &priority,
	                   sizeof priority) &&
	       !setsockopt(fd, SOL_SOCKET, SO_TXTIME, &txtime, sizeof txtime);
}

int
nic_open_socket(struct nic_port *port)
{
	/* Protocol 0: it receives nothing. */
	port->socket = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (port->socket < 0 || !set_options(port->socket))
		return errno;
	return 0;
}

/* Sets the control message with the launch time. */
static void
set_launch(struct msghdr *message, uint64_t launch)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(message);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_TXTIME;
	c->cmsg_len = CMSG_LEN(sizeof launch);
	memcpy(CMSG_DATA(c), &launch, sizeof launch);
}

int
nic_send(struct nic_port *port, uint64_t launch)
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

	memcpy(to.sll_addr, nobody, sizeof nobody);
	set_launch(&message, launch);
	return sendmsg(port->socket, &message, 0) < 0 ? errno : 0;
}

static bool
is_missed_launch(struct msghdr *message)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c;
	     c = CMSG_NXTHDR(message, c)) {
		struct sock_extended_err error;

		if (c->cmsg_len < CMSG_LEN(sizeof error))
			continue;
		memcpy(&error, CMSG_DATA(c), sizeof error);
		if (error.ee_origin == SO_EE_ORIGIN_TXTIME)
			return true;
	}
	return false;
}

bool
nic_missed(struct nic_port *port)
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
		missed = is_missed_launch(&message) || missed;
	}
}
