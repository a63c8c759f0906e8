/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queueing disciplines that the backend i210 sets and restores, and its other
 * calls, in a fake kernel with one interface.
 */
#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

#include "collect/i210/i210.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <linux/pkt_sched.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define INDEX 7 /* of the interface */
#define OURS  0x01000000u

/* A queueing discipline that was set or is reported. */
struct qd {
	char kind[32];
	uint32_t handle, parent;
	int index;     /* of its interface; 0: ends a list */
	size_t length; /* of its options */
};

/* Shared with the process that restores. */
static struct kernel {
	struct qd told[4];           /* the first is the root */
	unsigned char options[2048]; /* of those told */
	struct qd fallback;          /* new root when the root is deleted */
	uint16_t asked;              /* type of the request */
	unsigned nset, ndeleted;
	struct qd set[4];
	unsigned char set_options[4][1024];
	bool forgetful; /* about options */
	int set_error;  /* for all requests that set something */

	int index_error, socket_error, option_error;
	int send_error, receive_error; /* EINTR only once; EOF is -1 */
	uint32_t length; /* in the answer's header; 0: the real one */
	size_t cut;      /* bytes of the answer that arrive */

	uint64_t launch; /* of the latest packet */
	/* Returned packets. */
	size_t control; /* bytes in the first one; later ones have none */
	uint8_t origin;
} * kernel;

/* Of sockets and times. */
static struct {
	int priority;
	struct sock_txtime txtime;
	clockid_t read, slept;
	int sleep_flags;
	struct timespec length;
} asked;

/* Replace those of the C library. */

int
ioctl(int fd, unsigned long request, ...)
{
	/* No clock; and interfaces that are gone. */
	errno = request == SIOCETHTOOL ? ENOTTY : ENODEV;
	return -1;
}

unsigned
if_nametoindex(const char *name)
{
	errno = kernel->index_error;
	return kernel->index_error ? 0 : INDEX;
}

int
socket(int domain, int type, int protocol)
{
	errno = kernel->socket_error;
	return kernel->socket_error ? -1
	                            : open("/dev/null", O_RDWR | O_CLOEXEC);
}

int
setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
	assert_int_equal(level, SOL_SOCKET);
	if (name == SO_PRIORITY)
		memcpy(&asked.priority, value, length);
	else if (name == SO_TXTIME)
		memcpy(&asked.txtime, value, length);
	errno = kernel->option_error;
	return kernel->option_error ? -1 : 0;
}

int
clock_gettime(clockid_t clock, struct timespec *time)
{
	asked.read = clock;
	*time = (struct timespec){.tv_sec = 3, .tv_nsec = 5};
	return 0;
}

int
clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                struct timespec *left)
{
	asked.slept = clock;
	asked.sleep_flags = flags;
	asked.length = *time;
	return 0;
}

struct if_nameindex *
if_nameindex(void)
{
	static struct if_nameindex names[] = {
	    {1, (char *)"no-such-0"}, {2, (char *)"no-such-1"}, {0, NULL}};

	return names;
}

void
if_freenameindex(struct if_nameindex *names)
{
}

static void
take_set(const struct nlmsghdr *message)
{
	struct qd *q = &kernel->set[kernel->nset];
	unsigned char *to = kernel->set_options[kernel->nset++];
	const void *kind, *options;
	struct tcmsg tc;
	size_t n;

	*q = (struct qd){.index = INDEX};
	if (!tc_header(message, &tc) || tc.tcm_ifindex != INDEX)
		return;
	q->handle = tc.tcm_handle;
	q->parent = tc.tcm_parent;
	kind = tc_find(message, TCA_KIND, &n);
	if (kind && n <= sizeof q->kind)
		memcpy(q->kind, kind, n);
	options = tc_find(message, TCA_OPTIONS, &n);
	if (options && n <= sizeof *kernel->set_options) {
		memcpy(to, options, n);
		q->length = n;
	}
	if (q->parent != TC_H_ROOT || kernel->set_error)
		return;
	kernel->told[0] = *q;
	memcpy(kernel->options, to, sizeof *kernel->set_options);
	if (kernel->forgetful && q->handle != OURS)
		memset(kernel->options, 0, sizeof kernel->options);
}

ssize_t
send(int fd, const void *bytes, size_t n, int flags)
{
	const struct nlmsghdr *message = bytes;

	assert_int_equal(message->nlmsg_len, n);
	kernel->asked = message->nlmsg_type;
	if (kernel->asked == RTM_NEWQDISC) {
		take_set(message);
	} else if (kernel->asked == RTM_DELQDISC) {
		kernel->ndeleted++;
		kernel->told[0] = kernel->fallback;
	}
	errno = kernel->send_error;
	return kernel->send_error ? -1 : (ssize_t)n;
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
put_told(unsigned char *to, size_t begin, const struct qd *told)
{
	struct tcmsg tc = {.tcm_ifindex = told->index,
	                   .tcm_handle = told->handle,
	                   .tcm_parent = told->parent};
	struct nlmsghdr header = {.nlmsg_type = RTM_NEWQDISC};
	size_t at = put(to, begin + sizeof header, &tc, sizeof tc);

	if (*told->kind)
		at = put_attribute(to, at, TCA_KIND, told->kind,
		                   strlen(told->kind) + 1);
	if (told->length)
		at = put_attribute(to, at, TCA_OPTIONS, kernel->options,
		                   told->length);
	header.nlmsg_len = (uint32_t)(at - begin);
	put(to, begin, &header, sizeof header);
	return at;
}

/* A list ends with 0; a change ends with that or its error. */
ssize_t
recv(int fd, void *bytes, size_t most, int flags)
{
	int status = kernel->asked == RTM_NEWQDISC ? -kernel->set_error : 0;
	struct nlmsghdr header = {.nlmsg_len = sizeof header + sizeof status,
	                          .nlmsg_type = NLMSG_ERROR};
	int error = kernel->receive_error;
	size_t at = 0;

	assert_true(most >= 32768);
	if (error == EINTR)
		kernel->receive_error = 0;
	errno = error;
	if (error)
		return error == -1 ? 0 : -1;
	for (size_t i = 0;
	     kernel->asked == RTM_GETQDISC && kernel->told[i].index; i++)
		at = put_told(bytes, at, &kernel->told[i]);
	if (kernel->length)
		header.nlmsg_len = kernel->length;
	at = put(bytes, at, &header, sizeof header);
	at = put(bytes, at, &status, sizeof status);
	return (ssize_t)(kernel->cut ? kernel->cut : at);
}

ssize_t
sendmsg(int fd, const struct msghdr *message, int flags)
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(message);

	assert_int_equal(message->msg_iovlen, 1);
	assert_non_null(c);
	assert_int_equal(c->cmsg_len, CMSG_LEN(sizeof kernel->launch));
	assert_int_equal(c->cmsg_level, SOL_SOCKET);
	assert_int_equal(c->cmsg_type, SCM_TXTIME);
	memcpy(&kernel->launch, CMSG_DATA(c), sizeof kernel->launch);
	errno = kernel->send_error;
	return kernel->send_error ? -1 : (ssize_t)message->msg_iov->iov_len;
}

ssize_t
recvmsg(int fd, struct msghdr *message, int flags)
{
	struct sock_extended_err error = {.ee_origin = kernel->origin};
	struct cmsghdr *c = message->msg_control;

	assert_int_equal(flags, MSG_ERRQUEUE | MSG_DONTWAIT);
	errno = EAGAIN;
	if (kernel->control == SIZE_MAX)
		return -1;
	message->msg_controllen = kernel->control;
	if (kernel->control) {
		*c = (struct cmsghdr){.cmsg_len = kernel->control,
		                      .cmsg_level = SOL_PACKET};
		if (kernel->control >= CMSG_LEN(sizeof error))
			memcpy(CMSG_DATA(c), &error, sizeof error);
	}
	kernel->control = SIZE_MAX;
	return 0;
}

/* An interface with this many queues and this root. */
static struct nic_port
make_port(unsigned queues, const char *kind, uint32_t handle, size_t length)
{
	char command[200];

	snprintf(command, sizeof command,
	         "dir=sys/class/net/eth1/queues && rm -rf $dir && "
	         "mkdir -p $dir/rx-0 $(seq -f $dir/tx-%%.0f 1 %u)",
	         queues);
	run_shell(command);
	*kernel =
	    (struct kernel){.fallback = {"fq_codel", 0, TC_H_ROOT, INDEX, 0},
	                    .told = {{"", handle, TC_H_ROOT, INDEX, length}}};
	snprintf(kernel->told[0].kind, sizeof kernel->told[0].kind, "%s", kind);
	for (size_t i = 0; i < length; i++)
		kernel->options[i] = (unsigned char)(i + 1);
	return (struct nic_port){
	    .ifname = "eth1", .index = INDEX, .offload = true};
}

static void
assert_mqprio(unsigned number, unsigned queues)
{
	const struct qd *q = &kernel->set[number];
	struct tc_mqprio_qopt o;
	unsigned classes = queues > 2 ? 3 : 2;

	assert_string_equal(q->kind, "mqprio");
	assert_int_equal(q->handle, OURS);
	assert_int_equal(q->parent, TC_H_ROOT);
	assert_int_equal(q->length, sizeof o);
	memcpy(&o, kernel->set_options[number], sizeof o);
	assert_int_equal(o.num_tc, classes);
	for (unsigned i = 0; i <= TC_QOPT_BITMASK; i++)
		assert_int_equal(o.prio_tc_map[i], i == 3 ? 0 : classes - 1);
	for (unsigned i = 0; i < classes; i++) {
		assert_int_equal(o.offset[i], i);
		assert_int_equal(o.count[i], i == 2 ? queues - 2 : 1);
	}
}

static void
assert_etf(unsigned number, uint32_t parent, bool offload)
{
	const struct qd *q = &kernel->set[number];
	struct tc_etf_qopt o;
	struct rtattr head;

	assert_string_equal(q->kind, "etf");
	assert_int_equal(q->parent, parent);
	assert_int_equal(q->length, sizeof head + sizeof o);
	memcpy(&head, kernel->set_options[number], sizeof head);
	memcpy(&o, kernel->set_options[number] + sizeof head, sizeof o);
	assert_int_equal(head.rta_type, TCA_ETF_PARMS);
	assert_int_equal(head.rta_len, q->length);
	assert_int_equal(o.delta, offload ? 500000000 : 10000000);
	assert_int_equal(o.clockid, CLOCK_TAI);
	assert_int_equal(o.flags, offload ? TC_ETF_OFFLOAD_ON : 0);
}

/* Our packets have the first queue, which obeys launch times. */
static void
a_queue_is_ours(void **state)
{
	for (unsigned queues = 2; queues <= 4; queues++) {
		struct nic_port port = make_port(queues, "fq_codel", 0, 4);

		port.offload = queues != 3;
		assert_int_equal(nic_take_queues(&port), 0);
		assert_int_equal(kernel->nset, 2);
		assert_mqprio(0, queues);
		assert_etf(1, OURS | 1, port.offload);
		nic_give_queues_back(&port);
		/* The default returns by itself. */
		assert_int_equal(kernel->ndeleted, 1);
		assert_int_equal(kernel->nset, 2);
	}
}

static void
without_its_guardian_we_give_it_back(void **state)
{
	struct nic_port port = make_port(4, "fq_codel", 0, 4);

	assert_int_equal(nic_take_queues(&port), 0);
	kill(port.guardian.process, SIGKILL);
	nic_give_queues_back(&port);
	assert_int_equal(kernel->ndeleted, 1);
}

static void
packets_go_there_at_their_time(void **state)
{
	struct nic_port port = {0};

	assert_int_equal(linux_nics.open_socket(&port), 0);
	close(port.socket);
	assert_int_equal(asked.priority, 3);
	assert_int_equal(asked.txtime.clockid, CLOCK_TAI);
	assert_int_equal(asked.txtime.flags, SOF_TXTIME_REPORT_ERRORS);
	assert_int_equal(linux_nics.now(), 3000000005);
	assert_int_equal(asked.read, CLOCK_TAI);
	assert_int_equal(linux_nics.sleep_until(7000000009), 0);
	/* A clock that is set meanwhile has no effect. */
	assert_int_equal(asked.slept, CLOCK_MONOTONIC);
	assert_int_equal(asked.sleep_flags, 0);
	assert_int_equal(asked.length.tv_sec, 4);
	assert_int_equal(asked.length.tv_nsec, 4);
	assert_int_equal(linux_nics.sleep_until(1), 0);
	assert_int_equal(asked.length.tv_sec, 0);
	assert_int_equal(asked.length.tv_nsec, 0);
}

/* Interfaces may disappear while they are listed. */
static void
what_is_gone_is_not_listed(void **state)
{
	struct nics nics = linux_nics.list();

	assert_int_equal(nics.n, 0);
	assert_int_equal(nics.error, 0);
	free(nics.item);
}

static void
with_all_its_options(void **state)
{
	for (size_t length = 0; length <= 1024; length += 512) {
		struct nic_port port = make_port(2, "fq", 0x80010000, length);
		const struct qd *q = &kernel->set[2];

		assert_int_equal(nic_take_queues(&port), 0);
		nic_give_queues_back(&port);
		assert_int_equal(kernel->ndeleted, 1);
		assert_int_equal(kernel->nset, 3);
		assert_string_equal(q->kind, "fq");
		assert_int_equal(q->handle, 0x80010000);
		assert_int_equal(q->parent, TC_H_ROOT);
		assert_int_equal(q->length, length);
		for (size_t i = 0; i < length; i++)
			assert_int_equal(kernel->set_options[2][i],
			                 (unsigned char)(i + 1));
	}
}

static struct nic_port taken;

static void
give_back(const void *data)
{
	nic_take_queues(&taken);
	if (!strcmp(taken.saved_qdisc.kind, "bfifo"))
		kernel->told[0] =
		    (struct qd){"htb", 0x20000, TC_H_ROOT, INDEX, 0};
	if (!strcmp(taken.saved_qdisc.kind, "pfifo"))
		kernel->set_error = EINVAL;
	nic_give_queues_back(&taken);
}

static void
assert_warns(const char *text)
{
	struct ended e =
	    in_child(give_back, NULL, (struct bytes)BYTES(""), FEED_FILE);

	assert_ended(&e, 0, "", text);
	ended_free(&e);
}

static void
what_could_not_be_put_back_is_said(void **state)
{
	taken = make_port(2, "fq", 0x10000, 8);
	assert_warns("");
	taken = make_port(2, "fq", 0x10000, 8);
	kernel->forgetful = true;
	assert_warns("t: eth1: the queueing discipline was fq and is fq now, "
	             "perhaps with other options\n");
	/* The default has changed since. */
	taken = make_port(2, "pfifo_fast", 0, 0);
	assert_warns("t: eth1: the queueing discipline was pfifo_fast and is "
	             "fq_codel now, perhaps with other options\n");
	taken = make_port(2, "fq_codel", 0, 8);
	assert_warns("");
	taken = make_port(2, "pfifo", 0x10000, 8);
	assert_warns("t: eth1: cannot restore its queueing discipline (pfifo): "
	             "Invalid argument\n");
	/* Somebody else's replacement is left alone. */
	taken = make_port(2, "bfifo", 0x10000, 8);
	assert_warns("");
	assert_string_equal(kernel->told[0].kind, "htb");
	assert_int_equal(kernel->ndeleted, 0);
}

/* Whatever errno was before. */
static void
without_queues_there_is_no_device(void **state)
{
	struct nic_port port = make_port(1, "fq_codel", 0, 4);

	run_shell("rmdir sys/class/net/eth1/queues/tx-*");
	errno = EINTR;
	assert_int_equal(nic_take_queues(&port), ENODEV);
	nic_give_queues_back(&port);
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

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct tc_request r;

		*kernel = (struct kernel){0};
		kernel->socket_error = cases[i].socket_error;
		kernel->send_error = cases[i].send_error;
		kernel->receive_error = cases[i].receive_error;
		kernel->set_error = cases[i].set_error;
		kernel->length = cases[i].length;
		kernel->cut = cases[i].cut;
		tc_begin(&r, RTM_NEWQDISC, 0, &tc);
		assert_int_equal(tc_transact(&r, NULL, NULL), cases[i].wanted);
	}
}

/* The length of an attribute is invalid, or exceeds the message. */
static void
attributes_that_are_cut_are_not_there(void **state)
{
	static const unsigned short lengths[] = {0, 3, 9, UINT16_MAX};
	_Alignas(struct nlmsghdr) unsigned char bytes[128];
	struct nlmsghdr *message = (void *)bytes;
	struct qd told = {.kind = "abc"};
	size_t at = sizeof *message + sizeof(struct tcmsg), n;
	struct tcmsg tc;

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
		struct qd told[4];
		int set_error, wanted;
		const char *before;
	} cases[] = {
	    {{{"fq_codel", 0, TC_H_ROOT, INDEX, 0}}, 0, 0, "fq_codel"},
	    {{{"pfifo", 0x10000, TC_H_ROOT, INDEX, 4}}, 0, 0, "pfifo"},
	    {{{"fq", 0x10000, TC_H_ROOT, INDEX, 1025}}, ENOENT, ENOENT, "fq"},
	    {{{"htb", 0x10000, TC_H_ROOT, INDEX, 8}}, 0, EBUSY, "htb"},
	    {{{"mq", 0, TC_H_ROOT, INDEX, 0}, {"fq", 0x10000, 1, INDEX, 0}},
	     0,
	     EBUSY,
	     "fq"},
	    {{{"pfifo", 0x10000, TC_H_ROOT, INDEX, 0},
	      {"fq", 0x20000, 1, INDEX, 0}},
	     0,
	     EBUSY,
	     "pfifo"},
	    /* Other interfaces, ingress, and empty kinds. */
	    {{{"htb", 0x10000, TC_H_ROOT, 1, 0},
	      {"ingress", 0xffff0000, TC_H_INGRESS, INDEX, 0},
	      {"", 0x10000, TC_H_ROOT, INDEX, 0}},
	     0,
	     0,
	     ""},
	    {{{"a name that is too long", 0x10000, TC_H_ROOT, INDEX, 0}},
	     0,
	     0,
	     ""},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct nic_port port = {.ifname = "one0", .index = INDEX};

		*kernel = (struct kernel){0};
		memcpy(kernel->told, cases[i].told, sizeof kernel->told);
		kernel->set_error = cases[i].set_error;
		assert_int_equal(nic_take_queues(&port), cases[i].wanted);
		assert_string_equal(port.saved_qdisc.kind, cases[i].before);
		assert_int_equal(port.taken, cases[i].wanted != EBUSY);
		assert_int_equal(kernel->nset, cases[i].wanted != EBUSY);
		assert_int_equal(
		    port.saved_qdisc.length,
		    cases[i].told->length > 1024 ? 0 : cases[i].told->length);
		nic_give_queues_back(&port);
		assert_false(port.taken);
	}
}

static void
take_and_give_back(const void *data)
{
	struct nic_port port = {.ifname = "one0", .index = INDEX};

	assert_int_equal(nic_take_queues(&port), 0);
	nic_give_queues_back(&port);
}

/* etf drops packets without a launch time, and has no second queue. */
static void
a_single_queue_is_warned_of(void **state)
{
	struct ended ended;

	*kernel = (struct kernel){0};
	kernel->told[0] = kernel->fallback =
	    (struct qd){"fq_codel", 0, TC_H_ROOT, INDEX, 0};
	ended =
	    in_child(take_and_give_back, NULL, (struct bytes){0}, FEED_FILE);
	assert_ended(
	    &ended, 0, "",
	    "t: one0: it has one transmit queue: packets of other programs "
	    "are dropped until the end (ethtool -l one0)\n");
	ended_free(&ended);
}

/* Otherwise a missing file would drop all packets but ours. */
static void
queues_that_cannot_be_counted_are_left(void **state)
{
	struct nic_port port = {.ifname = "none0", .index = INDEX};

	*kernel = (struct kernel){0};
	kernel->told[0] = (struct qd){"fq", 0, TC_H_ROOT, INDEX, 0};
	assert_int_equal(nic_take_queues(&port), ENODEV);
	assert_int_equal(kernel->nset, 0);
	nic_give_queues_back(&port);
}

static void
without_a_guardian_no_queue_is_taken(void **state)
{
	struct nic_port port = {.ifname = "eth1", .index = INDEX};
	struct rlimit before, none;

	*kernel = (struct kernel){0};
	kernel->told[0] = (struct qd){"fq", 0, TC_H_ROOT, INDEX, 0};
	kernel->length = 15;
	assert_int_equal(nic_take_queues(&port), EPROTO);
	kernel->length = 0;
	/* Room for the socket, but not for the guardian's pipe. */
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = (rlim_t)open("/dev/null", O_RDONLY | O_CLOEXEC) + 1;
	assert_int_equal(close((int)none.rlim_cur - 1), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	assert_int_equal(nic_take_queues(&port), EMFILE);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_false(port.taken);
	assert_int_equal(kernel->nset, 0);
}

static void
sockets_may_be_refused(void **state)
{
	struct nic_port port = {
	    .ifname = "eth1", .control = -1, .clock = -1, .socket = -1};

	*kernel = (struct kernel){0};
	kernel->option_error = EPERM;
	assert_int_equal(linux_nics.open_socket(&port), EPERM);
	kernel->send_error = ENOBUFS;
	assert_int_equal(linux_nics.send(&port, UINT64_MAX - 1), ENOBUFS);
	assert_true(kernel->launch == UINT64_MAX - 1);
	linux_nics.detach(&port);
	assert_int_equal(port.socket, -1);
	kernel->socket_error = EACCES;
	assert_int_equal(linux_nics.open_socket(&port), EACCES);
	assert_int_equal(linux_nics.attach(&port), EACCES);
	kernel->index_error = ENODEV;
	assert_int_equal(linux_nics.attach(&port), ENODEV);
	kernel->socket_error = kernel->index_error = 0;
	assert_int_equal(linux_nics.attach(&port), ENOTTY);
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

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		kernel->control = cases[i].control;
		kernel->origin = cases[i].origin;
		assert_int_equal(linux_nics.missed(&port), cases[i].missed);
	}
}

static int
begin(void **state)
{
	kernel = mmap(NULL, sizeof *kernel, PROT_READ | PROT_WRITE,
	              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(kernel, MAP_FAILED);
	root_set(".");
	if (enter_scratch(state))
		return 1;
	write_below("sys/class/net/one0/queues/tx-0/x",
	            (struct bytes)BYTES(""));
	return 0;
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_queue_is_ours),
	    cmocka_unit_test(without_queues_there_is_no_device),
	    cmocka_unit_test(without_its_guardian_we_give_it_back),
	    cmocka_unit_test(packets_go_there_at_their_time),
	    cmocka_unit_test(what_is_gone_is_not_listed),
	    cmocka_unit_test(with_all_its_options),
	    cmocka_unit_test(what_could_not_be_put_back_is_said),
	    cmocka_unit_test(answers_of_netlink_are_checked),
	    cmocka_unit_test(attributes_that_are_cut_are_not_there),
	    cmocka_unit_test(queues_are_taken_that_can_be_put_back),
	    cmocka_unit_test(a_single_queue_is_warned_of),
	    cmocka_unit_test(queues_that_cannot_be_counted_are_left),
	    cmocka_unit_test(without_a_guardian_no_queue_is_taken),
	    cmocka_unit_test(sockets_may_be_refused),
	    cmocka_unit_test(only_launches_that_were_missed_count),
	};

	return cmocka_run_group_tests(tests, begin, leave_scratch);
}
