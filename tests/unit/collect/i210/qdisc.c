/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queueing disciplines that the backend i210 sets and restores, and its other
 * calls, with a fake tc(8) and fake sockets.
 */
#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

#include "collect/i210/i210.h"

#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define INDEX 7 /* of the interface */

/* Sockets of the kernel. */
static struct {
	int index_error, socket_error, option_error, send_error;
	uint64_t launch; /* of the latest packet */
	/* Returned packets. */
	size_t control; /* bytes in the first one; later ones have none */
	uint8_t origin;
} kernel;

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
	errno = kernel.index_error;
	return kernel.index_error ? 0 : INDEX;
}

int
socket(int domain, int type, int protocol)
{
	errno = kernel.socket_error;
	return kernel.socket_error ? -1 : open("/dev/null", O_RDWR | O_CLOEXEC);
}

int
setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
	assert_int_equal(level, SOL_SOCKET);
	if (name == SO_PRIORITY)
		memcpy(&asked.priority, value, length);
	else if (name == SO_TXTIME)
		memcpy(&asked.txtime, value, length);
	errno = kernel.option_error;
	return kernel.option_error ? -1 : 0;
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

ssize_t
sendmsg(int fd, const struct msghdr *message, int flags)
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(message);

	assert_int_equal(message->msg_iovlen, 1);
	assert_non_null(c);
	assert_int_equal(c->cmsg_len, CMSG_LEN(sizeof kernel.launch));
	assert_int_equal(c->cmsg_level, SOL_SOCKET);
	assert_int_equal(c->cmsg_type, SCM_TXTIME);
	memcpy(&kernel.launch, CMSG_DATA(c), sizeof kernel.launch);
	errno = kernel.send_error;
	return kernel.send_error ? -1 : (ssize_t)message->msg_iov->iov_len;
}

ssize_t
recvmsg(int fd, struct msghdr *message, int flags)
{
	struct sock_extended_err error = {.ee_origin = kernel.origin};
	struct cmsghdr *c = message->msg_control;

	assert_int_equal(flags, MSG_ERRQUEUE | MSG_DONTWAIT);
	errno = EAGAIN;
	if (kernel.control == SIZE_MAX)
		return -1;
	message->msg_controllen = kernel.control;
	if (kernel.control) {
		*c = (struct cmsghdr){.cmsg_len = kernel.control,
		                      .cmsg_level = SOL_PACKET};
		if (kernel.control >= CMSG_LEN(sizeof error))
			memcpy(CMSG_DATA(c), &error, sizeof error);
	}
	kernel.control = SIZE_MAX;
	return 0;
}

/*
 * tc(8) of a machine: writes its arguments to `log`, shows the file `now`, and
 * fails to change something with the text of `fault`, if that exists.
 */
static const char fake_tc[] =
    "#!/bin/sh\n"
    "echo \"$*\" >>log\n"
    "case $2 in show) cat now; exit ;; esac\n"
    "! cat fault >&2 2>/dev/null || exit 2\n"
    "case \"$*\" in\n"
    "*' del '*) cp default now ;;\n"
    "*' root '*) echo 'qdisc x 100: root refcnt 2 ' >now ;;\n"
    "esac\n";

/* An interface with this many queues and these disciplines. */
static struct nic_port
make_port(unsigned queues, const char *shown)
{
	char command[200];

	snprintf(command, sizeof command,
	         "rm -rf log fault sys/class/net/eth1/queues; "
	         "cd sys/class/net/eth1 && mkdir -p queues/rx-0 "
	         "$(seq -f queues/tx-%%.0f 1 %u)",
	         queues);
	run_shell("mkdir -p sys/class/net/eth1");
	run_shell(command);
	write_text("now", shown);
	run_shell("cp now default");
	return (struct nic_port){
	    .ifname = "eth1", .index = INDEX, .control = -1, .offload = true};
}

static void
assert_log(const char *wanted)
{
	write_text("wanted", wanted);
	run_shell("diff -u wanted log >&2");
}

#define DEFAULT "qdisc mq 0: root \nqdisc fq_codel 0: parent :1 limit 9p \n"
#define SHOW    "qdisc show dev eth1\n"
#define UNDO    SHOW "qdisc del dev eth1 root handle 100:\n" SHOW

/* Our packets have the first queue, which obeys launch times. */
TEST(a_queue_is_ours)
{
	struct nic_port port =
	    make_port(4, DEFAULT "qdisc clsact ffff: parent ffff:fff1 \n");

	assert_int_equal(nic_take_queues(&port), 0);
	nic_give_queues_back(&port);
	assert_log(SHOW
	           "qdisc replace dev eth1 root handle 100: mqprio num_tc 3 "
	           "map 2 2 2 0 2 2 2 2 2 2 2 2 2 2 2 2 "
	           "queues 1@0 1@1 2@2 hw 0\n"
	           "qdisc replace dev eth1 parent 100:1 etf clockid CLOCK_TAI "
	           "delta 500000000 offload\n" UNDO);
	port = make_port(2, DEFAULT);
	port.offload = false;
	assert_int_equal(nic_take_queues(&port), 0);
	/* Without its guardian this process gives it back. */
	kill(port.guardian.process, SIGKILL);
	nic_give_queues_back(&port);
	assert_false(port.taken);
	assert_log(SHOW
	           "qdisc replace dev eth1 root handle 100: mqprio num_tc 2 "
	           "map 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 "
	           "queues 1@0 1@1 hw 0\n"
	           "qdisc replace dev eth1 parent 100:1 etf clockid CLOCK_TAI "
	           "delta 10000000\n" UNDO);
}

/* What others do while the queues are ours. */
static const char *meanwhile;

static void
take_and_give_back(const void *data)
{
	struct nic_port port =
	    make_port(1, "qdisc fq_codel 0: root refcnt 2 \n");

	assert_int_equal(nic_take_queues(&port), 0);
	run_shell(meanwhile);
	nic_give_queues_back(&port);
}

/* etf drops packets without a launch time, and has no second queue. */
TEST(what_others_lose_is_said)
{
	static const struct {
		const char *meanwhile, *warning;
	} cases[] = {
	    {"true", ""},
	    {"echo 'qdisc fq 0: root refcnt 2 ' >default",
	     "t: eth1: the queueing discipline was fq_codel and is fq now\n"},
	    {"echo 'Error: Too hot.' >fault",
	     "t: eth1: cannot restore its queueing discipline (fq_codel): "
	     "Error: Too hot.\n"},
	    {"echo 'Cannot find device \"eth1\"' >fault", ""},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = xasprintf("t: eth1: it has one transmit queue: "
		                       "packets of other programs are dropped "
		                       "until the end (ethtool -l eth1)\n%s",
		                       cases[i].warning);

		meanwhile = cases[i].meanwhile;
		assert_child(take_and_give_back, NULL, 0, "", text);
		free(text);
	}
	run_shell("grep -q 'replace dev eth1 root handle 100: etf' log");
}

TEST(replacements_of_others_are_left)
{
	struct nic_port port = make_port(4, DEFAULT);

	assert_int_equal(nic_take_queues(&port), 0);
	run_shell("echo 'qdisc htb 2: root refcnt 2 ' >now; rm log");
	nic_give_queues_back(&port);
	assert_log(SHOW);
}

TEST(configured_ones_are_left)
{
	static const struct {
		const char *shown, *kind;
	} cases[] = {
	    {"qdisc pfifo 7: root refcnt 2 limit 7p\n", "pfifo"},
	    {"qdisc mqprio 100: root refcnt 2 tc 3\n    queues:(0:0)\n",
	     "mqprio"},
	    {"qdisc mq 0: root \nqdisc fq 8001: parent :1 limit 9p \n", "fq"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct nic_port port = make_port(4, cases[i].shown);

		assert_int_equal(nic_take_queues(&port), EBUSY);
		assert_string_equal(port.qdisc, cases[i].kind);
		assert_false(port.taken);
		nic_give_queues_back(&port);
		assert_log(SHOW);
	}
}

TEST(faults_of_tc_are_told_apart)
{
	static const struct {
		const char *fault;
		int error;
	} cases[] = {
	    {"Error: Specified qdisc kind is unknown.", ENOENT},
	    {"RTNETLINK answers: No such file or directory", ENOENT},
	    {"RTNETLINK answers: Operation not supported", EOPNOTSUPP},
	    {"Error: Specified device failed to setup ETF hardware offload.",
	     EOPNOTSUPP},
	    {"RTNETLINK answers: Operation not permitted", EPERM},
	    {"Error: Too hot.", EPROTO},
	};
	const char *path = getenv("PATH");
	struct nic_port port;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		port = make_port(4, DEFAULT);
		write_text("fault", cases[i].fault);
		assert_int_equal(nic_take_queues(&port), cases[i].error);
		assert_string_equal(port.why, cases[i].fault);
		nic_give_queues_back(&port);
	}
	port = make_port(4, DEFAULT);
	path = xstrdup(path);
	setenv("PATH", "/nowhere", 1);
	assert_int_equal(nic_take_queues(&port), EPROTO);
	assert_string_equal(port.why, "needs tc (iproute2) in PATH");
	setenv("PATH", path, 1);
	free((char *)path);
	/* Otherwise a missing file would drop all packets but ours. */
	port = make_port(1, DEFAULT);
	run_shell("rmdir sys/class/net/eth1/queues/tx-*");
	assert_int_equal(nic_take_queues(&port), ENODEV);
	nic_give_queues_back(&port);
	assert_log(SHOW SHOW);
}

TEST(packets_go_there_at_their_time)
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
TEST(what_is_gone_is_not_listed)
{
	struct nics nics = linux_nics.list();

	assert_int_equal(nics.n, 0);
	assert_int_equal(nics.error, 0);
	free(nics.item);
}

TEST(sockets_may_be_refused)
{
	struct nic_port port = {
	    .ifname = "eth1", .control = -1, .clock = -1, .socket = -1};

	kernel.option_error = EPERM;
	assert_int_equal(linux_nics.open_socket(&port), EPERM);
	kernel.send_error = ENOBUFS;
	assert_int_equal(linux_nics.send(&port, UINT64_MAX - 1), ENOBUFS);
	assert_true(kernel.launch == UINT64_MAX - 1);
	linux_nics.detach(&port);
	assert_int_equal(port.socket, -1);
	kernel.socket_error = EACCES;
	assert_int_equal(linux_nics.open_socket(&port), EACCES);
	assert_int_equal(linux_nics.attach(&port), EACCES);
	kernel.index_error = ENODEV;
	assert_int_equal(linux_nics.attach(&port), ENODEV);
	kernel.socket_error = kernel.index_error = 0;
	assert_int_equal(linux_nics.attach(&port), ENOTTY);
	linux_nics.detach(&port);
}

TEST(only_launches_that_were_missed_count)
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
		kernel.control = cases[i].control;
		kernel.origin = cases[i].origin;
		assert_int_equal(linux_nics.missed(&port), cases[i].missed);
	}
}

static int
begin(void **state)
{
	char *path;

	root_set(".");
	if (enter_scratch(state))
		return 1;
	write_text("tc", fake_tc);
	run_shell("chmod +x tc");
	path = xasprintf(".:%s", getenv("PATH"));
	setenv("PATH", path, 1);
	free(path);
	return 0;
}

const struct fixtures fixtures = {begin, leave_scratch};
