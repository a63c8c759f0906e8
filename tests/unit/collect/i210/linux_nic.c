/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of the backend i210, on a fake kernel. */
#include "rig/support.h"

#include "collect/i210/linux_nic.h"
#include "collect/i210/qdisc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/pkt_sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define INDEX 7 /* of the interface */

/* A queueing discipline in the kernel's answer. */
struct told {
	const char *kind;
	uint32_t handle, parent;
	int index;
	size_t options; /* bytes */
};

static struct {
	int index_error, socket_error, option_error;
	int send_error, receive_error; /* EINTR only once; EOF is -1 */
	struct told told[4];
	uint32_t length; /* in the answer's header; 0: the real one */
	size_t cut;      /* bytes of the answer that arrive */
	int set_error;   /* for all requests that set something */
	uint16_t asked;  /* type of the request */
	unsigned nset;

	uint64_t launch; /* of the latest packet */

	/* Returned packets. */
	size_t control; /* bytes in the first one; later ones have none */
	uint8_t origin;
} fake;

unsigned
if_nametoindex(const char *name)
{
	(void)name;
	errno = fake.index_error;
	return fake.index_error ? 0 : INDEX;
}

int
socket(int domain, int type, int protocol)
{
	(void)domain;
	(void)type;
	(void)protocol;
	errno = fake.socket_error;
	return fake.socket_error ? -1 : open("/dev/null", O_RDWR | O_CLOEXEC);
}

int
setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
	(void)fd;
	(void)name;
	assert_true(level == SOL_SOCKET && value && length);
	errno = fake.option_error;
	return fake.option_error ? -1 : 0;
}

ssize_t
send(int fd, const void *bytes, size_t n, int flags)
{
	struct nlmsghdr header;

	(void)fd;
	(void)flags;
	memcpy(&header, bytes, sizeof header);
	assert_int_equal(header.nlmsg_len, n);
	fake.asked = header.nlmsg_type;
	fake.nset += header.nlmsg_type != RTM_GETQDISC;
	errno = fake.send_error;
	return fake.send_error ? -1 : (ssize_t)n;
}

static size_t
put(unsigned char *to, size_t at, const void *bytes, size_t n)
{
	if (n)
		memcpy(to + at, bytes, n);
	return at + (n + 3) / 4 * 4;
}

static size_t
put_attribute(unsigned char *to, size_t at, unsigned short type,
              const void *bytes, size_t n)
{
	struct rtattr head = {.rta_len = (unsigned short)(sizeof head + n),
	                      .rta_type = type};

	at = put(to, at, &head, sizeof head);
	return put(to, at, bytes, n);
}

static size_t
put_told(unsigned char *to, size_t begin, const struct told *told)
{
	static const unsigned char options[2048];
	struct tcmsg tc = {.tcm_ifindex = told->index ? told->index : INDEX,
	                   .tcm_handle = told->handle,
	                   .tcm_parent = told->parent};
	struct nlmsghdr header = {.nlmsg_type = RTM_NEWQDISC};
	size_t at = put(to, begin + sizeof header, &tc, sizeof tc);

	if (*told->kind)
		at = put_attribute(to, at, TCA_KIND, told->kind,
		                   strlen(told->kind) + 1);
	if (told->options)
		at = put_attribute(to, at, TCA_OPTIONS, options, told->options);
	header.nlmsg_len = (uint32_t)(at - begin);
	put(to, begin, &header, sizeof header);
	return at;
}

/* A list ends with 0; a change ends with that or its error. */
ssize_t
recv(int fd, void *bytes, size_t most, int flags)
{
	int status = fake.asked == RTM_GETQDISC ? 0 : -fake.set_error;
	struct nlmsghdr header = {.nlmsg_len = sizeof header + sizeof status,
	                          .nlmsg_type = NLMSG_ERROR};
	int error = fake.receive_error;
	size_t at = 0;

	(void)fd;
	(void)flags;
	assert_true(most >= 32768);
	if (error == EINTR)
		fake.receive_error = 0;
	errno = error;
	if (error)
		return error == -1 ? 0 : -1;
	for (size_t i = 0; fake.asked == RTM_GETQDISC && fake.told[i].kind; i++)
		at = put_told(bytes, at, &fake.told[i]);
	if (fake.length)
		header.nlmsg_len = fake.length;
	at = put(bytes, at, &header, sizeof header);
	at = put(bytes, at, &status, sizeof status);
	return (ssize_t)(fake.cut ? fake.cut : at);
}

ssize_t
sendmsg(int fd, const struct msghdr *message, int flags)
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(message);

	(void)fd;
	(void)flags;
	assert_int_equal(message->msg_iovlen, 1);
	assert_non_null(c);
	assert_int_equal(c->cmsg_len, CMSG_LEN(sizeof fake.launch));
	assert_int_equal(c->cmsg_level, SOL_SOCKET);
	assert_int_equal(c->cmsg_type, SCM_TXTIME);
	memcpy(&fake.launch, CMSG_DATA(c), sizeof fake.launch);
	errno = fake.send_error;
	return fake.send_error ? -1 : (ssize_t)message->msg_iov->iov_len;
}

ssize_t
recvmsg(int fd, struct msghdr *message, int flags)
{
	struct sock_extended_err error = {.ee_origin = fake.origin};
	struct cmsghdr *c = message->msg_control;

	(void)fd;
	assert_int_equal(flags, MSG_ERRQUEUE | MSG_DONTWAIT);
	errno = EAGAIN;
	if (fake.control == SIZE_MAX)
		return -1;
	message->msg_controllen = fake.control;
	if (fake.control) {
		*c = (struct cmsghdr){.cmsg_len = fake.control,
		                      .cmsg_level = SOL_PACKET};
		if (fake.control >= CMSG_LEN(sizeof error))
			memcpy(CMSG_DATA(c), &error, sizeof error);
	}
	fake.control = SIZE_MAX;
	return 0;
}

/* Any answer of the kernel gives an error or the requested item. */
static void
answers_of_netlink_are_checked(void **state)
{
	static const struct {
		int socket_error, send_error, receive_error, set_error;
		uint32_t length;
		size_t cut;
		int wanted;
	} cases[] = {
	    {0, 0, 0, 0, 0, 0, 0},
	    {0, 0, 0, EPERM, 0, 0, EPERM},
	    {0, 0, EINTR, ENOENT, 0, 0, ENOENT},
	    {EMFILE, 0, 0, 0, 0, 0, EMFILE},
	    {0, EACCES, 0, 0, 0, 0, EACCES},
	    {0, 0, ENOBUFS, 0, 0, 0, ENOBUFS},
	    {0, 0, -1, 0, 0, 0, EPROTO},
	    {0, 0, 0, 0, 16, 0, EPROTO}, /* without a status */
	    {0, 0, 0, 0, 15, 0, EPROTO},
	    {0, 0, 0, 0, 21, 0, EPROTO},
	    {0, 0, 0, 0, 0, 19, EPROTO},
	};
	const struct tcmsg tc = {.tcm_ifindex = INDEX};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct tc_request r;

		memset(&fake, 0, sizeof fake);
		fake.socket_error = cases[i].socket_error;
		fake.send_error = cases[i].send_error;
		fake.receive_error = cases[i].receive_error;
		fake.set_error = cases[i].set_error;
		fake.length = cases[i].length;
		fake.cut = cases[i].cut;
		tc_begin(&r, RTM_NEWQDISC, 0, &tc);
		assert_int_equal(tc_transact(&r), cases[i].wanted);
	}
}

/* The length of an attribute is invalid, or exceeds the message. */
static void
attributes_that_are_cut_are_not_there(void **state)
{
	static const unsigned short lengths[] = {0, 3, 9, UINT16_MAX};
	_Alignas(struct nlmsghdr) unsigned char bytes[128];
	struct nlmsghdr *message = (void *)bytes;
	struct told told = {.kind = "abc"};
	size_t at = sizeof *message + sizeof(struct tcmsg), n;
	struct tcmsg tc;

	(void)state;
	put_told(bytes, 0, &told);
	assert_string_equal(tc_find(message, TCA_KIND, &n), "abc");
	assert_int_equal(n, 4);
	assert_null(tc_find(message, TCA_OPTIONS, &n));
	assert_int_equal(n, 0);
	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		memcpy(bytes + at, &lengths[i], sizeof lengths[i]);
		assert_null(tc_find(message, TCA_KIND, &n));
		assert_int_equal(n, 0);
	}
	assert_true(tc_header(message, &tc));
	message->nlmsg_len = (uint32_t)at - 1;
	assert_false(tc_header(message, &tc));
}

/* Names those that cannot be restored, and touches nothing. */
static void
queues_are_taken_that_can_be_put_back(void **state)
{
	static const struct {
		struct told told[4];
		int set_error, wanted;
		const char *before;
	} cases[] = {
	    {{{"fq_codel", 0, TC_H_ROOT, 0, 0}}, 0, 0, "fq_codel"},
	    {{{"pfifo", 0x10000, TC_H_ROOT, 0, 4}}, 0, 0, "pfifo"},
	    {{{"fq", 0x10000, TC_H_ROOT, 0, 1025}}, ENOENT, ENOENT, "fq"},
	    {{{"htb", 0x10000, TC_H_ROOT, 0, 8}}, 0, EBUSY, "htb"},
	    {{{"mq", 0, TC_H_ROOT, 0, 0}, {"fq", 0x10000, 1, 0, 0}},
	     0,
	     EBUSY,
	     "fq"},
	    {{{"pfifo", 0x10000, TC_H_ROOT, 0, 0}, {"fq", 0x20000, 1, 0, 0}},
	     0,
	     EBUSY,
	     "pfifo"},
	    /* Other interfaces, ingress, and empty kinds. */
	    {{{"htb", 0x10000, TC_H_ROOT, 1, 0},
	      {"ingress", 0xffff0000, TC_H_INGRESS, 0, 0},
	      {"", 0x10000, TC_H_ROOT, 0, 0}},
	     0,
	     0,
	     ""},
	    {{{"a name that is too long", 0x10000, TC_H_ROOT, 0, 0}}, 0, 0, ""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct nic_port port = {.ifname = "lo", .index = INDEX};

		memset(&fake, 0, sizeof fake);
		memcpy(fake.told, cases[i].told, sizeof fake.told);
		fake.set_error = cases[i].set_error;
		assert_int_equal(nic_take_queues(&port), cases[i].wanted);
		assert_string_equal(port.saved_qdisc.kind, cases[i].before);
		assert_int_equal(port.taken, cases[i].wanted != EBUSY);
		assert_int_equal(fake.nset, cases[i].wanted != EBUSY);
		assert_int_equal(
		    port.saved_qdisc.length,
		    cases[i].told->options > 1024 ? 0 : cases[i].told->options);
		nic_give_queues_back(&port);
		assert_false(port.taken);
	}
}

static void
take_and_give_back(const void *data)
{
	struct nic_port port = {.ifname = "lo", .index = INDEX};

	(void)data;
	assert_int_equal(nic_take_queues(&port), 0);
	nic_give_queues_back(&port);
}

/* etf drops packets without a launch time, and has no second queue. */
static void
a_single_queue_is_warned_of(void **state)
{
	struct ended ended;

	(void)state;
	memset(&fake, 0, sizeof fake);
	fake.told[0] = (struct told){.kind = "fq_codel", .parent = TC_H_ROOT};
	ended =
	    in_child(take_and_give_back, NULL, (struct bytes){0}, FEED_FILE);
	assert_ended(
	    &ended, 0, "",
	    "t: lo: it has one transmit queue: packets of other programs "
	    "are dropped until the end (ethtool -l lo)\n");
	ended_free(&ended);
}

/* Otherwise a missing file would drop all packets but ours. */
static void
queues_that_cannot_be_counted_are_left(void **state)
{
	struct nic_port port = {.ifname = "none0", .index = INDEX};

	(void)state;
	memset(&fake, 0, sizeof fake);
	fake.told[0] = (struct told){.kind = "fq", .parent = TC_H_ROOT};
	assert_int_equal(nic_take_queues(&port), ENOENT);
	assert_int_equal(fake.nset, 0);
	nic_give_queues_back(&port);
}

static void
without_a_guardian_no_queue_is_taken(void **state)
{
	struct nic_port port = {.ifname = "eth1", .index = INDEX};
	struct rlimit before, none;

	(void)state;
	memset(&fake, 0, sizeof fake);
	fake.told[0] = (struct told){.kind = "fq", .parent = TC_H_ROOT};
	fake.length = 15;
	assert_int_equal(nic_take_queues(&port), EPROTO);
	fake.length = 0;
	/* Room for the socket, but not for the guardian's pipe. */
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = (rlim_t)open("/dev/null", O_RDONLY | O_CLOEXEC) + 1;
	assert_int_equal(close((int)none.rlim_cur - 1), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	assert_int_equal(nic_take_queues(&port), EMFILE);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_false(port.taken);
	assert_int_equal(fake.nset, 0);
}

static void
sockets_may_be_refused(void **state)
{
	struct nic_port port = {
	    .ifname = "eth1", .control = -1, .clock = -1, .socket = -1};
	const char *emulator = getenv("EMULATED");
	bool lacks = emulator && strstr(emulator, "qemu");

	(void)state;
	memset(&fake, 0, sizeof fake);
	fake.option_error = EPERM;
	assert_int_equal(nic_open_socket(&port), EPERM);
	fake.send_error = ENOBUFS;
	assert_int_equal(nic_send(&port, UINT64_MAX - 1), ENOBUFS);
	assert_true(fake.launch == UINT64_MAX - 1);
	linux_nics.detach(&port);
	assert_int_equal(port.socket, -1);
	fake.socket_error = EACCES;
	assert_int_equal(nic_open_socket(&port), EACCES);
	assert_int_equal(linux_nics.attach(&port), EACCES);
	fake.index_error = ENODEV;
	assert_int_equal(linux_nics.attach(&port), ENODEV);
	fake.socket_error = fake.index_error = 0;
	/* The open file is no NIC; QEMU's user mode lacks the call. */
	assert_int_equal(linux_nics.attach(&port), lacks ? ENOSYS : ENOTTY);
	linux_nics.detach(&port);
}

static void
only_launches_that_were_missed_count(void **state)
{
	static const struct {
		size_t control;
		uint8_t origin;
		bool missed;
	} cases[] = {
	    {SIZE_MAX, 0, false},
	    {0, 0, false},
	    {CMSG_LEN(4), 0, false},
	    {CMSG_LEN(sizeof(struct sock_extended_err)), SO_EE_ORIGIN_LOCAL,
	     false},
	    {CMSG_LEN(sizeof(struct sock_extended_err)), SO_EE_ORIGIN_TXTIME,
	     true},
	};
	struct nic_port port = {.socket = -1};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		fake.control = cases[i].control;
		fake.origin = cases[i].origin;
		assert_int_equal(nic_missed(&port), cases[i].missed);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(answers_of_netlink_are_checked),
	    cmocka_unit_test(attributes_that_are_cut_are_not_there),
	    cmocka_unit_test(queues_are_taken_that_can_be_put_back),
	    cmocka_unit_test(a_single_queue_is_warned_of),
	    cmocka_unit_test(queues_that_cannot_be_counted_are_left),
	    cmocka_unit_test(without_a_guardian_no_queue_is_taken),
	    cmocka_unit_test(sockets_may_be_refused),
	    cmocka_unit_test(only_launches_that_were_missed_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
