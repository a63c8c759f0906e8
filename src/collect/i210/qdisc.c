/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queueing disciplines that obey launch times, set by tc(8): mqprio gives our
 * packets their own queue, and etf in it hands them to the NIC ahead of time.
 */
#include "collect/i210/i210.h"

#include "common/base/debug.h"
#include "common/sys/sysfs.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Unused on an interface whose root we take. */
#define OUR_HANDLE "100"

/* The start of each change of the root. */
#define SET_ROOT "qdisc replace dev %s root handle " OUR_HANDLE ": "

/* As of a shell. */
#define NOT_FOUND 127

/* What tc wrote last. */
static char output[32768];

/* What tc's message means; EPROTO if it is another. */
static int
meaning(void)
{
	static const struct {
		const char *part;
		int error;
	} known[] = {
	    {"not permitted", EPERM},
	    {"kind is unknown", ENOENT},
	    {"No such file", ENOENT},
	    {"not support", EOPNOTSUPP},
	    {"ETF hardware offload", EOPNOTSUPP},
	    {"Cannot find device", ENODEV},
	    {"No such device", ENODEV},
	};

	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (strstr(output, known[i].part))
			return known[i].error;
	}
	return EPROTO;
}

/*
 * Runs tc with the words of the text: 0 or a value of errno, then with the
 * reason in port->why. Dies if tc is killed or memory is out: the guardian then
 * tries again. The terminal's signals do not reach tc.
 */
static int PRINTF_LIKE(2, 3) run_tc(struct nic_port *port, const char *fmt, ...)
{
	char *argv[64] = {(char *)"tc"}, *words, *rest;
	int file = memfd_create("tc", MFD_CLOEXEC), status = 0;
	pid_t process;
	va_list ap;
	ssize_t n;

	va_start(ap, fmt);
	words = rest = xvasprintf(fmt, ap);
	va_end(ap);
	debug(DEBUG_DEVICE, "tc %s", words);
	for (size_t i = 1; rest && i + 1 < ARRAY_LEN(argv); i++)
		argv[i] = strsep(&rest, " ");
	/* If it is ignored, the status is lost. */
	signal(SIGCHLD, SIG_DFL);
	process = file < 0 ? -1 : fork();
	if (!process) {
		setsid();
		dup2(file, STDOUT_FILENO);
		dup2(file, STDERR_FILENO);
		execvp(*argv, argv);
		if (errno != ENOENT && errno != EACCES)
			abort();
		_exit(NOT_FOUND);
	}
	if (process < 0)
		die_sys("tc");
	free(words);
	while (waitpid(process, &status, 0) < 0 && errno == EINTR)
		;
	n = pread(file, output, sizeof output - 1, 0);
	output[n > 0 ? n : 0] = '\0';
	close(file);
	if (WIFSIGNALED(status))
		die("tc: %s", strsignal(WTERMSIG(status)));
	if (!status)
		return 0;
	if (WEXITSTATUS(status) == NOT_FOUND)
		strcpy(output, "needs tc (iproute2) in PATH");
	snprintf(port->why, sizeof port->why, "%.*s",
	         (int)strcspn(output, "\n"), output);
	debug(DEBUG_DEVICE, "%s: %s", port->ifname, port->why);
	return meaning();
}

/* The root, and one that somebody has configured ("" if there is none). */
struct qdiscs {
	char root[QDISC_MAX], configured[QDISC_MAX];
	bool ours; /* the root */
};

/* The kernel's defaults have the handle 0. */
static int
read_qdiscs(struct nic_port *port, struct qdiscs *found)
{
	char *rest = output, *line;
	int error = run_tc(port, "qdisc show dev %s", port->ifname);

	*found = (struct qdiscs){0};
	while (!error && (line = strsep(&rest, "\n"))) {
		char kind[QDISC_MAX], handle[16];

		if (sscanf(line, "qdisc %15s %15[0-9a-f]:", kind, handle) !=
		        2 ||
		    strstr(line, " parent ffff:fff1"))
			continue;
		if (strstr(line, " root ")) {
			memcpy(found->root, kind, sizeof kind);
			found->ours = !strcmp(handle, OUR_HANDLE);
		}
		if (strcmp(handle, "0") != 0)
			memcpy(found->configured, kind, sizeof kind);
	}
	return error;
}

/* If the root is not ours, we have not set it, or somebody has replaced it. */
static void
undo(void *data)
{
	struct nic_port *port = data;
	struct qdiscs found;
	int error = read_qdiscs(port, &found);

	if (!error && !found.ours)
		return;
	if (!error)
		error =
		    run_tc(port, "qdisc del dev %s root handle " OUR_HANDLE ":",
		           port->ifname);
	if (error && error != ENODEV) {
		warn("%s: cannot restore its queueing discipline (%s): %s",
		     port->ifname, port->qdisc, port->why);
		guardian_failed = true;
	}
	/* The default may have changed since the interface came up. */
	if (!error && !read_qdiscs(port, &found) &&
	    strcmp(found.root, port->qdisc) != 0)
		warn("%s: the queueing discipline was %s and is %s now",
		     port->ifname, port->qdisc, found.root);
}

static int
take(struct nic_port *port)
{
	/*
	 * When etf passes a packet on: at once for a NIC that waits, as packets
	 * are sent at most 100 ms ahead; just before its launch, for the
	 * kernel.
	 */
	const char *etf = port->offload
	                      ? "etf clockid CLOCK_TAI delta 500000000 offload"
	                      : "etf clockid CLOCK_TAI delta 10000000";
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
		return run_tc(port, SET_ROOT "%s", port->ifname, etf);
	}
	/*
	 * Three classes if there are enough queues: our packets, of priority
	 * 3, the other queue with launch times (unused), all other packets.
	 */
	if (queues > 2)
		error = run_tc(port,
		               SET_ROOT
		               "mqprio num_tc 3 map 2 2 2 0 2 2 2 2 2 2 2 2 "
		               "2 2 2 2 queues 1@0 1@1 %u@2 hw 0",
		               port->ifname, queues - 2);
	else
		error = run_tc(port,
		               SET_ROOT
		               "mqprio num_tc 2 map 1 1 1 0 1 1 1 1 1 1 1 1 "
		               "1 1 1 1 queues 1@0 1@1 hw 0",
		               port->ifname);
	return error ? error
	             : run_tc(port,
	                      "qdisc replace dev %s parent " OUR_HANDLE ":1 %s",
	                      port->ifname, etf);
}

int
nic_take_queues(struct nic_port *port)
{
	struct qdiscs found;
	int error = read_qdiscs(port, &found);

	if (error)
		return error;
	/* The kernel restores the default itself. */
	memcpy(port->qdisc, *found.configured ? found.configured : found.root,
	       sizeof port->qdisc);
	if (*found.configured)
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
