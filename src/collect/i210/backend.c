/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The DMA read delay of an Intel I210 while the CPU sleeps. */
#include "collect/host/clock.h"
#include "collect/host/cpu.h"
#include "collect/host/describe.h"
#include "collect/i210/i210.h"
#include "collect/pci/device.h"
#include "common/base/intmath.h"
#include "common/base/number.h"
#include "common/sys/sysfs.h"

#include <inttypes.h>
#include <time.h>

#define INTEL 0x8086
#define I211  0x1539

/* The NIC drops launch times that are half a second ahead. */
#define DISTANCE_MAX_NS UINT64_C(100000000)

/* Assumed size of the last-level cache if it is unknown. */
#define UNKNOWN_LLC (UINT64_C(64) << 20)

#define SECOND_NS UINT64_C(1000000000)

/* Longest time until the NIC is reset and its clock set again. */
#define SETTLE_NS (30 * SECOND_NS)

/*
 * igb delays the reset, and the kernel needs up to a second to notice the loss
 * of carrier.
 */
#define BEGIN_NS (2 * SECOND_NS)

/* How often it checks meanwhile. */
#define LOOK_NS (SECOND_NS / 10)

#define MISSED_MAX 16
#define ZEROES_MAX 64

struct i210 {
	struct nic nic;
	struct nic_port port;
	struct package_idle idle;
	char link[LINK_TEXT_MAX];
	uint64_t least, most; /* launch distance, ns */
	uint64_t random;
	uint64_t tx_done_ns;     /* end of an interrupted packet */
	struct thrash thrash;    /* used before each packet; or empty */
	uint64_t missed, zeroes; /* in total */
	unsigned zeroes_in_row;
};

const struct nic_system *i210_system = &linux_nics;

static const struct backend_option options[] = {
    {"distance", "5ms:50ms",
     "time from handing over a packet to its launch: random in this range, up "
     "to 100ms"},
    {"trash-cache", "no",
     "yes: write twice the last-level cache before each packet"},
    {NULL, NULL, NULL},
};

/* Probing ----------------------------------------------------------------- */

/*
 * Why the NIC cannot be used (free it); NULL if it can. Whether its registers
 * are readable is unknown until they are read.
 */
static char *
why_not(const struct nic *nic)
{
	/* Copper, fibre, SerDes, SGMII; copper and SerDes without flash. */
	static const unsigned ids[] = {0x1533, 0x1536, 0x1537,
	                               0x1538, 0x157b, 0x157c};
	bool known = false;

	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		known = known || nic->device == ids[i];
	if (!*nic->bdf)
		return xstrdup("no Intel I210: virtual, or not on PCI");
	if (nic->vendor == INTEL && nic->device == I211)
		return xstrdup("an I211, on which igb refuses launch times");
	if (nic->vendor != INTEL || !known)
		return xasprintf("%04x:%04x is no Intel I210", nic->vendor,
		                 nic->device);
	if (strcmp(nic->driver, "igb") != 0)
		return xasprintf("an I210, but its driver is %s, not igb",
		                 nic->driver);
	if (!nic->up)
		return xasprintf("an I210, but down: ip link set %s up",
		                 nic->ifname);
	if (!nic->carrier)
		return xstrdup("an I210 without a carrier: plug in a cable");
	return NULL;
}

static void
probe(const struct request *request, struct findings *list)
{
	struct nics nics = i210_system->list();

	(void)request;
	for (size_t i = 0; i < nics.n; i++) {
		const struct nic *nic = &nics.item[i];
		struct finding *found;
		char *why;

		/* lo and bridges are no devices. */
		if (!*nic->driver)
			continue;
		found = findings_add(list, "i210");
		why = why_not(nic);
		text_set(&found->device, "%s", nic->ifname);
		text_set(&found->driver, "%s", nic->driver);
		text_set(&found->name, "network interface%s%s",
		         *nic->bdf ? " of " : "", nic->bdf);
		text_set(&found->why_not, "%s", why ? why : "");
		found->benches = why ? 0 : BENCH_BIT(RTD);
		free(why);
	}
	if (nics.error)
		text_set(&findings_add(list, "i210")->why_not,
		         "i210: network interfaces cannot be listed: %s",
		         strerror(nics.error));
	free(nics.item);
}

/* Options ----------------------------------------------------------------- */

/* Parses whole nanoseconds, rounded up. */
static const char *
parse_distance(const char *text, uint64_t *ns)
{
	uint64_t ps = 0;
	const char *why = parse_time(text, &ps);

	*ns = ps / 1000 + (ps % 1000 != 0);
	if (!why && (!*ns || *ns > DISTANCE_MAX_NS))
		return "not within 1ns to 100ms";
	return why;
}

static bool
set_distance(struct session *s)
{
	struct i210 *d = s->state;
	const char *text = option_value(s->request, options, "distance");
	char *least = xstrdup(text);
	char *most = strchr(least, ':');
	const char *why;

	if (most)
		*most++ = '\0';
	why = parse_distance(least, &d->least);
	if (!why)
		why = parse_distance(most ? most : least, &d->most);
	free(least);
	if (!why && d->most < d->least)
		why = "the second is the larger one";
	return !why || option_refuse(s, options, "distance", why);
}

/* Sampling ---------------------------------------------------------------- */

/* Result of one packet. */
enum outcome { MEASURED, MISSED, ZERO, STOPPED, FAILED };

/*
 * False after fail(), with this status, if the NIC's clock is farther from
 * CLOCK_TAI than a hundredth of the launch distance, at least a microsecond,
 * times a factor.
 */
static bool
check_clock(struct session *s, uint64_t distance, int64_t factor, int status)
{
	struct i210 *d = s->state;
	const char *ifname = d->port.ifname;
	int64_t limit = factor * (int64_t)max_u64(1000, distance / 100);
	int64_t offset = 0;
	int error = i210_system->clock_offset(&d->port, &offset);
	uint64_t real, tai;

	if (error)
		return fail(s, status, "%s: its clock cannot be read: %s",
		            ifname, strerror(error));
	if (offset >= -limit && offset <= limit)
		return true;
	/* phc2sys must add what the kernel has CLOCK_TAI ahead. */
	real = read_clock(CLOCK_REALTIME);
	tai = read_clock(CLOCK_TAI);
	return fail(s, status,
	            "%s: its clock is not synchronised: %" PRId64
	            " ns from CLOCK_TAI, %" PRId64
	            " may be: phc2sys -s CLOCK_REALTIME -c %s -S 1 -O %ld",
	            ifname, offset, limit, ifname,
	            (long)((tai - real) / UINT64_C(1000000000)));
}

/*
 * If its launch time moved, the packet was read too early, from an awake CPU,
 * or is not read yet.
 */
static bool
was_on_time(struct session *s, uint64_t distance)
{
	return check_clock(s, distance, 10, STATUS_TROUBLE);
}

/* A change of the interface explains all other errors. */
static bool
is_as_before(struct session *s)
{
	const char *ifname = ((const struct i210 *)s->state)->port.ifname;
	struct nic nic;
	int error = i210_system->find(ifname, &nic);

	if (error == ENODEV)
		return fail(s, STATUS_TROUBLE, "%s is gone", ifname);
	if (error)
		return true;
	if (!nic.up)
		return fail(s, STATUS_TROUBLE, "%s went down", ifname);
	if (!nic.carrier)
		return fail(s, STATUS_TROUBLE, "%s lost its carrier", ifname);
	return true;
}

static bool
fail_port(struct session *s, const char *what, int error)
{
	const struct i210 *d = s->state;

	return is_as_before(s) && fail(s, STATUS_TROUBLE, "%s: %s: %s",
	                               d->port.ifname, what, strerror(error));
}

static bool
read_delay(struct session *s, uint32_t *units)
{
	struct i210 *d = s->state;
	int error = i210_system->read_delay(&d->port, units);

	if (error)
		return fail_port(s, "reading its registers", error);
	if (*units == UINT32_MAX)
		return fail(s, STATUS_TROUBLE,
		            "%s: its registers read all ones: the device is "
		            "gone or does not answer",
		            d->port.ifname);
	return true;
}

static enum outcome
attempt(struct session *s, uint64_t distance, uint32_t *units)
{
	const struct nic_system *system = i210_system;
	struct i210 *d = s->state;
	uint64_t start;
	uint32_t old;
	int error;

	/* A packet left by an interruption must not count as this one. */
	if (d->tx_done_ns > system->now() && system->sleep_until(d->tx_done_ns))
		return STOPPED;
	cache_thrash(&d->thrash);
	if (!read_delay(s, &old))
		return FAILED;
	start = system->now();
	error = system->send(&d->port, start + distance);
	/* A packet that is late is refused, and comes back as well. */
	if (error == ENOBUFS && system->missed(&d->port))
		return MISSED;
	if (error) {
		fail_port(s, "sending", error);
		return FAILED;
	}
	/* Sleeps until the launch time and a tenth longer. */
	d->tx_done_ns = start + distance + distance / 10;
	if (system->sleep_until(d->tx_done_ns))
		return STOPPED;
	d->tx_done_ns = 0;
	if (system->missed(&d->port))
		return MISSED;
	if (!read_delay(s, units))
		return FAILED;
	return *units ? MEASURED : ZERO;
}

/* Repeats the same distance while launches are missed. */
static enum outcome
attempts(struct session *s, uint64_t distance, uint32_t *units)
{
	struct i210 *d = s->state;

	for (unsigned i = 0; i <= MISSED_MAX; i++) {
		enum outcome outcome = attempt(s, distance, units);

		if (outcome != MISSED)
			return outcome;
		d->missed++;
	}
	if (is_as_before(s))
		fail(s, STATUS_TROUBLE,
		     "%s: %d launches in a row were missed: the machine is too "
		     "busy, or the distance too short",
		     d->port.ifname, MISSED_MAX + 1);
	return FAILED;
}

/*
 * Takes a sample: launch distance and delay, in picoseconds. *taken is false if
 * the NIC has measured nothing or a signal arrived first. False after fail().
 */
static bool
take_sample(struct session *s, uint64_t raw[2], bool *taken)
{
	struct i210 *d = s->state;
	uint64_t distance =
	    d->least + random_below(&d->random, d->most - d->least + 1);
	uint32_t units = 0;

	*taken = false;
	switch (attempts(s, distance, &units)) {
	case MEASURED:
		if (!was_on_time(s, distance))
			return false;
		d->zeroes_in_row = 0;
		raw[0] = distance * 1000;
		raw[1] = (uint64_t)units * I210_UNIT_NS * 1000;
		*taken = true;
		return true;
	case ZERO:
		/*
		 * Nothing was read, or not yet, or somebody else has read and
		 * so cleared the register.
		 */
		d->zeroes++;
		d->zeroes_in_row++;
		if (!is_as_before(s) || !was_on_time(s, distance))
			return false;
		return d->zeroes_in_row < ZEROES_MAX ||
		       fail(s, STATUS_TROUBLE,
		            "%s: the NIC measured no delay %d times in a row: "
		            "its packets are not sent, or another program "
		            "reads its registers, which clears them (ethtool "
		            "-d)",
		            d->port.ifname, ZEROES_MAX);
	case STOPPED:
		return true;
	default:
		return false;
	}
}

/* Opening ----------------------------------------------------------------- */

/* Fails, and names all interfaces: "eth0 (why), lo (why)". */
static bool
fail_naming_all(struct session *s, int status, const char *what)
{
	struct nics nics = i210_system->list();
	char *all = NULL;

	for (size_t i = 0; i < nics.n; i++) {
		char *why = why_not(&nics.item[i]);

		xappend(&all, ", ", "%s (%s)", nics.item[i].ifname,
		        why ? why : "a usable I210");
		free(why);
	}
	fail(s, status, "%s; there is: %s", what, all ? all : "none");
	free(nics.item);
	free(all);
	return false;
}

static bool
choose_nic(struct session *s)
{
	struct i210 *d = s->state;
	const char *ifname = s->request->device;
	char *why;
	int error;

	if (!ifname)
		return fail_naming_all(
		    s, STATUS_TROUBLE,
		    "i210 needs an interface: -d i210:IFNAME");
	error = i210_system->find(ifname, &d->nic);
	if (error == ENODEV) {
		char *what = xasprintf("%s: no such interface", ifname);

		fail_naming_all(s, STATUS_ABSENT, what);
		free(what);
		return false;
	}
	if (error)
		return fail(s, STATUS_ABSENT, "%s: %s", ifname,
		            strerror(error));
	why = why_not(&d->nic);
	if (!why)
		return true;
	fail(s, STATUS_ABSENT, "%s: %s", ifname, why);
	free(why);
	return false;
}

/* Fails; the message names the missing capability. */
static bool
refused(struct session *s, const char *what, const char *right, int error)
{
	const char *ifname = s->request->device;

	if (error == EPERM || error == EACCES)
		return fail(s, STATUS_ABSENT,
		            "%s: %s needs %s: run as root, or give the "
		            "program that capability",
		            ifname, what, right);
	return fail(s, STATUS_ABSENT, "%s: %s: %s", ifname, what,
	            strerror(error));
}

/* Opens the NIC's clock and sees whether its registers can be read. */
static bool
attach(struct session *s)
{
	struct i210 *d = s->state;
	struct nic_port *port = &d->port;
	int error = i210_system->attach(port);
	uint32_t units;

	if (error == ENODEV)
		return fail(s, STATUS_ABSENT, "%s: it has no clock",
		            port->ifname);
	if (error)
		return refused(s, "opening its clock", "the rights of root",
		               error);
	error = i210_system->read_delay(port, &units);
	if (error == ENOMSG)
		return fail(s, STATUS_ABSENT,
		            "%s: igb's dump of its registers lacks "
		            "RR2DCDELAY: Linux 5.3 or later has it",
		            port->ifname);
	if (error)
		return refused(s, "reading its registers", "CAP_NET_ADMIN",
		               error);
	return check_clock(s, d->least, 1, STATUS_ABSENT);
}

static bool
take_queues(struct session *s)
{
	struct nic_port *port = &((struct i210 *)s->state)->port;
	int error = i210_system->take_queues(port);

	if (error == EBUSY)
		return fail(
		    s, STATUS_ABSENT,
		    "%s: cannot restore its queueing disciplines (%s): unless "
		    "another rtd has set them, tc qdisc del dev %s root",
		    port->ifname, port->qdisc, port->ifname);
	if (error == ENOENT)
		return fail(s, STATUS_ABSENT,
		            "%s: the kernel has no queueing disciplines mqprio "
		            "and etf (modules sch_mqprio, sch_etf)",
		            port->ifname);
	if (error == EOPNOTSUPP)
		return fail(s, STATUS_ABSENT, "%s: it refuses launch times",
		            port->ifname);
	if (error == EPROTO)
		return fail(s, STATUS_ABSENT,
		            "%s: setting its queueing discipline: %s",
		            port->ifname, port->why);
	return !error || refused(s, "setting its queueing discipline",
	                         "CAP_NET_ADMIN", error);
}

static void
look_again(uint64_t *slept)
{
	i210_system->sleep_until(i210_system->now() + LOOK_NS);
	*slept += LOOK_NS;
}

/* Whether the NIC is up after a reset, with its clock set again. */
static bool
is_settled(struct session *s)
{
	const struct i210 *d = s->state;
	struct nic nic;

	if (i210_system->find(d->port.ifname, &nic) || !nic.carrier)
		return fail(s, STATUS_TROUBLE,
		            "%s: no carrier after its queueing discipline was "
		            "set",
		            d->port.ifname);
	return check_clock(s, d->least, 1, STATUS_ABSENT);
}

/* Counts the time slept, since the clock may be set meanwhile. */
static bool
settle(struct session *s)
{
	uint64_t slept = 0;

	while (slept < BEGIN_NS || !is_settled(s)) {
		if (*s->interrupted)
			return true;
		if (slept > BEGIN_NS + SETTLE_NS)
			return false;
		look_again(&slept);
	}
	return true;
}

/* Records the NIC's link, and power management on the path to it. */
static void
describe_path(struct session *s)
{
	struct i210 *d = s->state;
	struct pci_tree *tree = pci_tree_read(root_path("/sys/bus/pci"));
	const struct pci_function *f = pci_find(tree, d->nic.bdf);

	if (f) {
		link_format(&f->link, d->link);
		pci_describe_paths(s->preamble, tree, &f, 1);
	}
	pci_tree_free(tree);
}

/* Watches the package that the NIC is attached to. */
static void
watch_package(struct i210 *d)
{
	char *local =
	    read_first_line("%s/%s/local_cpulist",
	                    root_path("/sys/bus/pci/devices"), d->nic.bdf);
	struct cpulist list;
	int near = cpulist_parse(local, &list) ? (int)list.cpu[0] : -1;

	free(list.cpu);
	free(local);
	package_idle_open(&d->idle, PACKAGE_IDLE_PMU,
	                  package_idle_cpu(PACKAGE_IDLE_PMU, HOST_CPUS, near));
}

static bool
i210_open(struct session *s)
{
	struct i210 *d = s->state;
	bool trash;
	uint64_t llc;
	int cpu, error;

	d->port = (struct nic_port){
	    .control = -1, .clock = -1, .socket = -1, .offload = true};
	d->random = s->request->seed;
	if (!set_distance(s) ||
	    !option_either(s, options, "trash-cache", "yes", "no", &trash))
		return false;
	llc = trash ? host_llc(HOST_CPUS) : 0;
	if ((trash && !thrash_make(s, &d->thrash, llc ? llc : UNKNOWN_LLC)) ||
	    !choose_nic(s))
		return false;
	memcpy(d->port.ifname, d->nic.ifname, sizeof d->port.ifname);
	if (!attach(s))
		return false;
	host_describe(s->preamble);
	preamble_set(s->preamble, "clock_tick_ns", "%d", I210_UNIT_NS);
	package_idle_describe_limit(s->preamble);
	describe_path(s);
	if (s->request->cpu >= 0 && !host_pin(s, -1, &cpu))
		return false;
	if (!take_queues(s) || !settle(s))
		return false;
	error = i210_system->open_socket(&d->port);
	if (error)
		return refused(s, "sending with launch times",
		               "CAP_NET_RAW and CAP_NET_ADMIN", error);
	watch_package(d);
	return true;
}

static bool
i210_prepare(struct session *s, const struct point *point)
{
	const struct i210 *d = s->state;
	struct series *series;

	(void)point;
	series_make(s, 1);
	series = &s->series[0];
	series_identify(series,
	                is_sysfs(root_path("/sys")) ? "measured" : "virtual",
	                d->nic.ifname, d->link);
	series_set(
	    series, ID_CACHE, "%s",
	    cache_names[d->thrash.at ? CACHE_THRASHED : CACHE_HOST_WARM]);
	return true;
}

static bool
i210_run(struct session *s, uint64_t want)
{
	const struct i210 *d = s->state;
	struct series *series = &s->series[0];

	/* The program that sets the clock may have ended meanwhile. */
	if (!check_clock(s, d->least, 1, STATUS_TROUBLE))
		return false;
	while (series->n < want && !*s->interrupted) {
		bool taken;

		if (!take_sample(s, series->raw + 2 * series->n, &taken))
			return false;
		series->n += taken;
	}
	return true;
}

static void
i210_end(struct session *s, struct preamble *end)
{
	const struct i210 *d = s->state;

	preamble_set(end, "missed_launches", "%ju", (uintmax_t)d->missed);
	preamble_set(end, "zero_delays", "%ju", (uintmax_t)d->zeroes);
	package_idle_describe(&d->idle, end);
}

/* Restoring resets the NIC: waits, so that later users find it working. */
static void
wait_for_carrier(const char *ifname)
{
	uint64_t slept = 0;
	struct nic nic;

	while (!i210_system->find(ifname, &nic) && nic.up &&
	       slept < BEGIN_NS + (nic.carrier ? 0 : SETTLE_NS / 3))
		look_again(&slept);
}

static void
i210_close(struct session *s)
{
	struct i210 *d = s->state;
	bool taken = d->port.taken;

	i210_system->give_queues_back(&d->port);
	if (taken)
		wait_for_carrier(d->port.ifname);
	i210_system->detach(&d->port);
	package_idle_close(&d->idle);
	thrash_free(&d->thrash);
}

const struct backend i210_backend = {
    .name = "i210",
    .help = "delay of an Intel I210's DMA reads while the CPU sleeps",
    .state_size = sizeof(struct i210),
    .benches = BENCH_BIT(RTD),
    .options = options,
    .probe = probe,
    .open = i210_open,
    .prepare = i210_prepare,
    .run = i210_run,
    .end = i210_end,
    .close = i210_close,
};
