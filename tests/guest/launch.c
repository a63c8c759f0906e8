/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests in the guest: runs the kernel calls of pcb-collect's backend i210
 * on interfaces that are no I210. There the kernel delays packets, not the NIC.
 *
 * usage: launch VERB IFNAME
 *
 *   send       sends five packets with a later launch time, five too late
 *   hold       sets queueing disciplines, says so and waits for SIGTERM
 *   register   prints the number of words of the driver's register dump
 *
 * Status: 0; 1: failed; 3: not supported by the kernel.
 */
#include "collect/i210/i210.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PACKETS  5
#define AHEAD_NS UINT64_C(50000000)
/* How early the kernel may send a packet. */
#define DELTA_NS UINT64_C(10000000)
#define PROTOCOL 0x88b5

static const struct nic_system *const nics = &linux_nics;

/* Ends the program on an error. */
static void
check(const char *what, int error)
{
	if (!error)
		return;
	warn("%s: %s", what, strerror(error));
	exit(error == ENOENT || error == EOPNOTSUPP ? STATUS_ABSENT
	                                            : STATUS_NO);
}

static void
show(const struct nic_port *port)
{
	char *command = xasprintf("tc qdisc show dev %s", port->ifname);

	fflush(stdout);
	check("tc", system(command) ? EPROTO : 0);
	free(command);
}

/* Opens a socket that sees packets when they leave the interface. */
static int
watch(const struct nic_port *port)
{
	struct sockaddr_ll at = {.sll_family = AF_PACKET,
	                         .sll_protocol = htons(ETH_P_ALL),
	                         .sll_ifindex = port->index};
	int fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_NONBLOCK, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at))
		check("a socket", errno);
	return fd;
}

/* The number of our packets seen since the last call. */
static unsigned
seen(int fd)
{
	struct sockaddr_ll from;
	socklen_t size = sizeof from;
	unsigned n = 0;
	char frame[64];

	while (recvfrom(fd, frame, sizeof frame, 0, (struct sockaddr *)&from,
	                &size) >= 0) {
		n += from.sll_protocol == htons(PROTOCOL);
		size = sizeof from;
	}
	return n;
}

/* Sends packets with launch times `ahead` of now; none may leave earlier. */
static void
send_some(struct nic_port *port, const char *name, int64_t ahead)
{
	unsigned left = 0, early = 0, missed = 0, sent;
	int fd = watch(port);
	int error;

	for (unsigned i = 0; i < PACKETS; i++) {
		uint64_t launch = nics->now() + (uint64_t)ahead;

		error = nics->send(port, launch);
		check("sending", error == ENOBUFS ? 0 : error);
		nics->sleep_until(launch - AHEAD_NS / 2);
		/* On a busy host the sleep may end after the launch. */
		sent = seen(fd);
		if (nics->now() < launch - DELTA_NS)
			early += sent;
		else
			left += sent;
		nics->sleep_until(nics->now() + 2 * AHEAD_NS);
		left += seen(fd);
		missed += nics->missed(port);
	}
	close(fd);
	printf("%s: early %u left %u missed %u\n", name, early, left, missed);
}

static void
send_all(struct nic_port *port)
{
	check("taking the queues", nics->take_queues(port));
	show(port);
	check("the socket", nics->open_socket(port));
	send_some(port, "later", (int64_t)AHEAD_NS);
	send_some(port, "too late", -(int64_t)AHEAD_NS);
}

static volatile sig_atomic_t signalled;

static void
note(int number)
{
	signalled = number;
}

/* Exits with pcb-collect's status after SIGTERM. */
static void
hold(struct nic_port *port)
{
	sigset_t term, before;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, &before);
	signal(SIGTERM, note);
	check("taking the queues", nics->take_queues(port));
	puts("held");
	fflush(stdout);
	while (!signalled)
		sigsuspend(&before);
}

/* Has registers, but fewer than an I210. */
static void
read_registers(struct nic_port *port)
{
	uint32_t units;
	int error;

	port->control = socket(AF_INET, SOCK_DGRAM, 0);
	error = nics->read_delay(port, &units);
	check("ETHTOOL_GREGS", error == ENOMSG ? 0 : error ? error : EIO);
}

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*run)(struct nic_port *port);
	} verbs[] = {
	    {"send", send_all}, {"hold", hold}, {"register", read_registers}};
	struct nic_port port = {.control = -1, .clock = -1, .socket = -1};

	set_program(argc, argv);
	for (size_t i = 0; argc == 3 && i < ARRAY_LEN(verbs); i++) {
		if (strcmp(argv[1], verbs[i].name) != 0)
			continue;
		snprintf(port.ifname, sizeof port.ifname, "%s", argv[2]);
		port.index = (int)if_nametoindex(port.ifname);
		verbs[i].run(&port);
		nics->give_queues_back(&port);
		nics->detach(&port);
		close_stdout();
		return signalled ? 128 + signalled : STATUS_OK;
	}
	die("usage: launch send|hold|register IFNAME");
}
