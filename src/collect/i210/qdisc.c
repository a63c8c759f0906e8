/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queueing disciplines that obey launch times: mqprio gives our packets their
 * own queue, and etf in it hands them to the NIC ahead of time.
 */
#include "collect/i210/i210.h"

#include "common/base/debug.h"
#include "common/sys/sysfs.h"

#include <linux/pkt_sched.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* "100:", unused on an interface whose root we take. */
#define OUR_HANDLE 0x01000000u

/*
 * How long before its launch etf passes a packet on: at once for a NIC that
 * waits, as packets are sent at most 100 ms ahead; just before, for the kernel.
 */
#define AHEAD_NS        500000000
#define AHEAD_KERNEL_NS 10000000

/*
 * Classless ones whose reported options can be set again. fq_codel reports its
 * times a microsecond short.
 */
static const char *const restorable[] = {"pfifo", "bfifo", "fq"};

/* Requests ---------------------------------------------------------------- */

void
tc_begin(struct tc_request *r, uint16_t type, uint16_t flags,
         const struct tcmsg *tc)
{
	*r = (struct tc_request){
	    .header = {.nlmsg_len = offsetof(struct tc_request, attributes),
	               .nlmsg_type = type,
	               .nlmsg_flags = NLM_F_REQUEST | flags,
	               .nlmsg_seq = 1},
	    .tc = *tc};
}

/* Appends an attribute; all must fit the request. */
static void
tc_attribute(struct tc_request *r, uint16_t type, const void *data,
             size_t length)
{
	size_t at =
	    r->header.nlmsg_len - offsetof(struct tc_request, attributes);
	struct rtattr head = {.rta_len = (uint16_t)RTA_LENGTH(length),
	                      .rta_type = type};

	if (at + RTA_SPACE(length) > sizeof r->attributes)
		abort();
	memcpy(r->attributes + at, &head, sizeof head);
	memcpy(r->attributes + at + RTA_LENGTH(0), data, length);
	r->header.nlmsg_len += (uint32_t)RTA_SPACE(length);
}

/* Takes the answers until the one that ends them. */
int
tc_transact(struct tc_request *r,
            void (*each)(const struct nlmsghdr *message, void *data),
            void *data)
{
	/* The kernel sends lists in pieces of at most 32 KiB. */
	static _Alignas(struct nlmsghdr) unsigned char piece[65536];
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	int error = 0;
	bool over = false;

	r->header.nlmsg_flags |= each ? NLM_F_DUMP : NLM_F_ACK;
	if (fd < 0 || send(fd, r, r->header.nlmsg_len, 0) < 0)
		error = errno;
	while (!error && !over) {
		ssize_t got = recv(fd, piece, sizeof piece, 0);
		size_t n = got > 0 ? (size_t)got : 0;
		const struct nlmsghdr *m;

		if (!got || (got < 0 && errno != EINTR))
			error = got ? errno : EPROTO;
		for (size_t at = 0; !over && at + sizeof *m <= n;
		     at += NLMSG_ALIGN(m->nlmsg_len)) {
			bool whole;

			m = (const void *)(piece + at);
			whole =
			    m->nlmsg_len >= sizeof *m && m->nlmsg_len <= n - at;
			over = !whole || m->nlmsg_type == NLMSG_ERROR ||
			       m->nlmsg_type == NLMSG_DONE;
			if (!over && each)
				each(m, data);
			/* The end has 0, or a negative value of errno. */
			if (over)
				error = whole && m->nlmsg_len >=
				                     NLMSG_LENGTH(sizeof(int))
				            ? -*(const int *)(m + 1)
				            : EPROTO;
		}
	}
	close_file(fd);
	return error;
}

bool
tc_header(const struct nlmsghdr *message, struct tcmsg *tc)
{
	if (message->nlmsg_len < sizeof *message + sizeof *tc)
		return false;
	memcpy(tc, message + 1, sizeof *tc);
	return true;
}

const void *
tc_find(const struct nlmsghdr *message, uint16_t type, size_t *length)
{
	const unsigned char *bytes = (const unsigned char *)message;
	size_t at = sizeof *message + RTA_ALIGN(sizeof(struct tcmsg));
	struct rtattr head;

	*length = 0;
	while (at + sizeof head <= message->nlmsg_len) {
		memcpy(&head, bytes + at, sizeof head);
		if (head.rta_len < sizeof head ||
		    head.rta_len > message->nlmsg_len - at)
			return NULL;
		if ((head.rta_type & NLA_TYPE_MASK) == type) {
			*length = head.rta_len - sizeof head;
			return bytes + at + sizeof head;
		}
		at += RTA_ALIGN(head.rta_len);
	}
	return NULL;
}

/* Queueing disciplines --------------------------------------------------- */

/* Those of an interface. */
struct qdisc_state {
	int index;
	struct qdisc root;
	unsigned own; /* those that somebody has configured */
	struct qdisc other;
};

static void
take_qdisc(const struct nlmsghdr *message, void *data)
{
	struct qdisc_state *found = data;
	struct qdisc q = {0};
	struct tcmsg tc;
	size_t n;
	const void *kind = tc_find(message, TCA_KIND, &n);
	const void *options;

	if (message->nlmsg_type != RTM_NEWQDISC || !tc_header(message, &tc) ||
	    tc.tcm_ifindex != found->index || tc.tcm_parent == TC_H_INGRESS ||
	    !kind || n > sizeof q.kind)
		return;
	memcpy(q.kind, kind, n);
	q.kind[sizeof q.kind - 1] = '\0';
	q.handle = tc.tcm_handle;
	q.parent = tc.tcm_parent;
	options = tc_find(message, TCA_OPTIONS, &n);
	if (options && n <= sizeof q.options) {
		memcpy(q.options, options, n);
		q.length = n;
	}
	if (q.parent == TC_H_ROOT)
		found->root = q;
	else if (q.handle)
		found->other = q;
	found->own += q.handle != 0;
}

static int
read_qdiscs(const struct nic_port *port, struct qdisc_state *found)
{
	const struct tcmsg tc = {.tcm_ifindex = port->index};
	struct tc_request r;

	*found = (struct qdisc_state){.index = port->index};
	tc_begin(&r, RTM_GETQDISC, 0, &tc);
	return tc_transact(&r, take_qdisc, found);
}

/* Changes the root, with a trace; 0 or a value of errno. */
static int
change(struct tc_request *r, const struct nic_port *port, const char *what)
{
	int error = tc_transact(r, NULL, NULL);

	debug(DEBUG_I210, "%s: %s: %s", port->ifname, what,
	      error ? strerror(error) : "done");
	return error;
}

static void
begin_new(struct tc_request *r, const struct nic_port *port, uint32_t parent,
          uint32_t handle, const char *kind)
{
	const struct tcmsg tc = {.tcm_ifindex = port->index,
	                         .tcm_parent = parent,
	                         .tcm_handle = handle};

	tc_begin(r, RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE, &tc);
	tc_attribute(r, TCA_KIND, kind, strlen(kind) + 1);
}

/*
 * Three classes if there are enough queues: our packets, the other queue with
 * launch times (unused), all other packets.
 */
static int
set_mqprio(const struct nic_port *port, unsigned queues)
{
	struct tc_mqprio_qopt options = {.num_tc = queues > 2 ? 3 : 2};
	struct tc_request r;

	for (unsigned i = 0; i <= TC_QOPT_BITMASK; i++)
		options.prio_tc_map[i] = (uint8_t)(options.num_tc - 1);
	options.prio_tc_map[I210_PRIORITY] = 0;
	for (unsigned i = 0; i < options.num_tc; i++) {
		options.count[i] = 1;
		options.offset[i] = (uint16_t)i;
	}
	if (queues > 2)
		options.count[2] = (uint16_t)(queues - 2);
	begin_new(&r, port, TC_H_ROOT, OUR_HANDLE, "mqprio");
	tc_attribute(&r, TCA_OPTIONS, &options, sizeof options);
	return change(&r, port, "set mqprio");
}

static int
set_etf(const struct nic_port *port, uint32_t parent, uint32_t handle)
{
	const struct tc_etf_qopt options = {
	    .delta = port->offload ? AHEAD_NS : AHEAD_KERNEL_NS,
	    .clockid = CLOCK_TAI,
	    .flags = port->offload ? TC_ETF_OFFLOAD_ON : 0};
	const struct rtattr head = {.rta_len = sizeof head + sizeof options,
	                            .rta_type = TCA_ETF_PARMS};
	unsigned char nested[sizeof head + sizeof options];
	struct tc_request r;

	memcpy(nested, &head, sizeof head);
	memcpy(nested + sizeof head, &options, sizeof options);
	begin_new(&r, port, parent, handle, "etf");
	tc_attribute(&r, TCA_OPTIONS, nested, sizeof nested);
	return change(&r, port, "set etf");
}

/* If the root is not ours, we have not set it, or somebody has replaced it. */
static void
undo(void *data)
{
	const struct nic_port *port = data;
	const struct qdisc *q = &port->saved_qdisc;
	const struct tcmsg root = {.tcm_ifindex = port->index,
	                           .tcm_parent = TC_H_ROOT,
	                           .tcm_handle = OUR_HANDLE};
	struct qdisc_state found;
	struct tc_request r;
	int error = read_qdiscs(port, &found);

	if (!error && found.root.handle != OUR_HANDLE)
		return;
	if (!error) {
		tc_begin(&r, RTM_DELQDISC, 0, &root);
		error = change(&r, port, "delete the root");
	}
	if (!error && q->handle) {
		begin_new(&r, port, TC_H_ROOT, q->handle, q->kind);
		if (q->length)
			tc_attribute(&r, TCA_OPTIONS, q->options, q->length);
		error = change(&r, port, q->kind);
	}
	if (error && error != ENODEV) {
		warn("%s: cannot restore its queueing discipline (%s): %s",
		     port->ifname, q->kind, strerror(error));
		guardian_failed = true;
	}
	if (error || read_qdiscs(port, &found))
		return;
	/*
	 * The default may have changed since the interface came up, and
	 * reported options may be incomplete.
	 */
	if (strcmp(found.root.kind, q->kind) != 0 ||
	    (q->handle &&
	     (found.root.length != q->length ||
	      memcmp(found.root.options, q->options, q->length) != 0)))
		warn("%s: the queueing discipline was %s and is %s now, "
		     "perhaps with other options",
		     port->ifname, q->kind, found.root.kind);
}

static int
take(const struct nic_port *port)
{
	glob_t files = {0};
	unsigned queues;
	int error;

	find_files(&files, "%s/%s/queues/tx-*", root_path("/sys/class/net"),
	           port->ifname);
	queues = (unsigned)files.gl_pathc;
	globfree(&files);
	if (!queues)
		return ENODEV;
	if (queues < 2) {
		warn("%s: it has one transmit queue: packets of other programs "
		     "are dropped until the end (ethtool -l %s)",
		     port->ifname, port->ifname);
		return set_etf(port, TC_H_ROOT, OUR_HANDLE);
	}
	error = set_mqprio(port, queues);
	return error ? error : set_etf(port, OUR_HANDLE | 1, 0);
}

int
nic_take_queues(struct nic_port *port)
{
	struct qdisc_state found;
	int error = read_qdiscs(port, &found);
	bool known;

	if (error)
		return error;
	port->saved_qdisc =
	    found.root.handle || !found.own ? found.root : found.other;
	known = found.own == 1 && found.root.handle &&
	        find_word(found.root.kind, restorable, ARRAY_LEN(restorable)) <
	            ARRAY_LEN(restorable);
	/* The kernel restores the default itself. */
	if (found.own && !known)
		return EBUSY;
	if (!guardian_start(&port->guardian, undo, port))
		return errno;
	port->taken = true;
	return take(port);
}

void
nic_give_queues_back(struct nic_port *port)
{
	guardian_end(&port->guardian);
	port->taken = false;
}
