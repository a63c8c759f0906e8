/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queueing disciplines that the backend i210 sets and restores, in a fake
 * kernel with one interface and its root.
 */
#include "common/sys/root.h"
#include "rig/pci.h"
#include "rig/support.h"

#include "collect/i210/linux_nic.h"
#include "collect/i210/qdisc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/net_tstamp.h>
#include <linux/pkt_sched.h>
#include <net/if.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define INDEX 7
#define OURS  0x01000000u

/* A queueing discipline that was set or reported. */
struct qd {
	char kind[16];
	uint32_t handle, parent;
	size_t length;
	unsigned char options[1024];
};

/* Shared with the process that restores. */
static struct kernel {
	uint16_t asked;
	struct qd fallback; /* new root when the root is deleted */
	struct qd root;
	unsigned nset, ndeleted;
	struct qd set[4];
	bool forgetful; /* about options */
	int set_error;
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
	(void)fd;
	(void)request;
	errno = ENODEV;
	return -1;
}

int
socket(int domain, int type, int protocol)
{
	(void)domain;
	(void)type;
	(void)protocol;
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

int
setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
	(void)fd;
	assert_int_equal(level, SOL_SOCKET);
	if (name == SO_PRIORITY)
		memcpy(&asked.priority, value, length);
	else if (name == SO_TXTIME)
		memcpy(&asked.txtime, value, length);
	return 0;
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
	(void)left;
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
	(void)names;
}

static void
take_set(const struct nlmsghdr *message)
{
	struct qd *q = &kernel->set[kernel->nset++];
	const void *kind, *options;
	struct tcmsg tc;
	size_t n;

	*q = (struct qd){0};
	if (!tc_header(message, &tc) || tc.tcm_ifindex != INDEX)
		return;
	q->handle = tc.tcm_handle;
	q->parent = tc.tcm_parent;
	kind = tc_find(message, TCA_KIND, &n);
	if (kind && n <= sizeof q->kind)
		memcpy(q->kind, kind, n);
	options = tc_find(message, TCA_OPTIONS, &n);
	if (options && n <= sizeof q->options) {
		memcpy(q->options, options, n);
		q->length = n;
	}
	if (q->parent != TC_H_ROOT || kernel->set_error)
		return;
	kernel->root = *q;
	if (kernel->forgetful && q->handle != OURS)
		memset(kernel->root.options, 0, sizeof q->options);
}

ssize_t
send(int fd, const void *bytes, size_t n, int flags)
{
	const struct nlmsghdr *message = bytes;

	(void)fd;
	(void)flags;
	kernel->asked = message->nlmsg_type;
	if (kernel->asked == RTM_NEWQDISC) {
		take_set(message);
	} else if (kernel->asked == RTM_DELQDISC) {
		kernel->ndeleted++;
		kernel->root = kernel->fallback;
	}
	return (ssize_t)n;
}

static size_t
put(unsigned char *to, const void *bytes, size_t n)
{
	memcpy(to, bytes, n);
	return (n + 3) / 4 * 4;
}

static size_t
put_attribute(unsigned char *to, unsigned short type, const void *bytes,
              size_t n)
{
	struct rtattr head = {.rta_len = (unsigned short)(sizeof head + n),
	                      .rta_type = type};

	put(to, &head, sizeof head);
	return sizeof head + put(to + sizeof head, bytes, n);
}

ssize_t
recv(int fd, void *bytes, size_t most, int flags)
{
	int status = kernel->asked == RTM_NEWQDISC ? -kernel->set_error : 0;
	struct nlmsghdr header = {.nlmsg_len = sizeof header + sizeof status,
	                          .nlmsg_type = NLMSG_ERROR};
	struct nlmsghdr item = {.nlmsg_type = RTM_NEWQDISC};
	const struct qd *root = &kernel->root;
	const struct tcmsg tc = {.tcm_ifindex = INDEX,
	                         .tcm_handle = root->handle,
	                         .tcm_parent = TC_H_ROOT};
	unsigned char *to = bytes;
	size_t n = sizeof item;

	(void)fd;
	(void)flags;
	(void)most;
	if (kernel->asked == RTM_GETQDISC) {
		n += put(to + n, &tc, sizeof tc);
		n += put_attribute(to + n, TCA_KIND, root->kind,
		                   strlen(root->kind) + 1);
		n += put_attribute(to + n, TCA_OPTIONS, root->options,
		                   root->length);
		item.nlmsg_len = (uint32_t)n;
		to += put(to, &item, sizeof item) + n - sizeof item;
	}
	to += put(to, &header, sizeof header);
	to += put(to, &status, sizeof status);
	return to - (unsigned char *)bytes;
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
	*kernel = (struct kernel){
	    .fallback = {.kind = "fq_codel"},
	    .root = {.handle = handle, .parent = TC_H_ROOT, .length = length}};
	snprintf(kernel->root.kind, sizeof kernel->root.kind, "%s", kind);
	for (size_t i = 0; i < length; i++)
		kernel->root.options[i] = (unsigned char)(i + 1);
	return (struct nic_port){
	    .ifname = "eth1", .index = INDEX, .offload = true};
}

static void
assert_mqprio(const struct qd *q, unsigned queues)
{
	struct tc_mqprio_qopt o;
	unsigned classes = queues > 2 ? 3 : 2;

	assert_string_equal(q->kind, "mqprio");
	assert_int_equal(q->handle, OURS);
	assert_int_equal(q->parent, TC_H_ROOT);
	assert_int_equal(q->length, sizeof o);
	memcpy(&o, q->options, sizeof o);
	assert_int_equal(o.num_tc, classes);
	for (unsigned i = 0; i <= TC_QOPT_BITMASK; i++)
		assert_int_equal(o.prio_tc_map[i], i == 3 ? 0 : classes - 1);
	for (unsigned i = 0; i < classes; i++) {
		assert_int_equal(o.offset[i], i);
		assert_int_equal(o.count[i], i == 2 ? queues - 2 : 1);
	}
}

static void
assert_etf(const struct qd *q, uint32_t parent, bool offload)
{
	struct tc_etf_qopt o;
	struct rtattr head;

	assert_string_equal(q->kind, "etf");
	assert_int_equal(q->parent, parent);
	assert_int_equal(q->length, sizeof head + sizeof o);
	memcpy(&head, q->options, sizeof head);
	memcpy(&o, q->options + sizeof head, sizeof o);
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
	(void)state;
	for (unsigned queues = 2; queues <= 4; queues++) {
		struct nic_port port = make_port(queues, "fq_codel", 0, 4);

		port.offload = queues != 3;
		assert_int_equal(nic_take_queues(&port), 0);
		assert_int_equal(kernel->nset, 2);
		assert_mqprio(&kernel->set[0], queues);
		assert_etf(&kernel->set[1], OURS | 1, port.offload);
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

	(void)state;
	assert_int_equal(nic_take_queues(&port), 0);
	kill(port.guardian.process, SIGKILL);
	nic_give_queues_back(&port);
	assert_int_equal(kernel->ndeleted, 1);
}

static void
packets_go_there_at_their_time(void **state)
{
	struct nic_port port = {0};

	(void)state;
	assert_int_equal(nic_open_socket(&port), 0);
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

	(void)state;
	assert_int_equal(nics.n, 0);
	assert_int_equal(nics.error, 0);
	free(nics.item);
}

static void
with_all_its_options(void **state)
{
	(void)state;
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
			assert_int_equal(q->options[i], (unsigned char)(i + 1));
	}
}

static struct nic_port taken;

static void
give_back(const void *data)
{
	(void)data;
	nic_take_queues(&taken);
	if (!strcmp(taken.saved_qdisc.kind, "bfifo"))
		kernel->root = (struct qd){.kind = "htb", .handle = 0x20000};
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
	(void)state;
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
	assert_string_equal(kernel->root.kind, "htb");
	assert_int_equal(kernel->ndeleted, 0);
}

/* Whatever errno was before. */
static void
without_queues_there_is_no_device(void **state)
{
	struct nic_port port = make_port(1, "fq_codel", 0, 4);

	(void)state;
	run_shell("rmdir sys/class/net/eth1/queues/tx-*");
	errno = EINTR;
	assert_int_equal(nic_take_queues(&port), ENODEV);
	nic_give_queues_back(&port);
}

static int
begin(void **state)
{
	kernel = mmap(NULL, sizeof *kernel, PROT_READ | PROT_WRITE,
	              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(kernel, MAP_FAILED);
	root_set(".");
	return enter_scratch(state);
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
	};

	return cmocka_run_group_tests(tests, begin, leave_scratch);
}
