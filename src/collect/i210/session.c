/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The backend i210: from an interface to its samples. */
#include "collect/i210/i210.h"

#include "collect/host/cpu.h"
#include "collect/host/describe.h"
#include "collect/host/package_cstate.h"
#include "collect/i210/sampler.h"
#include "collect/pci/device.h"
#include "common/sys/cpulist.h"
#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

struct i210_state {
	const struct nic_system *system;
	struct nic nic;
	struct nic_port port;
	struct sampler sampler;
	struct package_idle idle;
	char link[LINK_TEXT_MAX];
};

/* "eth0 (why), lo (why)" for all interfaces; NULL: none. Free it. */
static char *
name_all(const struct nic_system *system)
{
	struct nics nics = system->list();
	char *text = NULL;

	for (size_t i = 0; i < nics.n; i++) {
		char *why = i210_why_not(&nics.item[i]);

		xappend(&text, ", ", "%s (%s)", nics.item[i].ifname,
		        why ? why : "a usable I210");
		free(why);
	}
	free(nics.item);
	return text;
}

static bool
fail_naming_all(struct session *s, const struct nic_system *system, int status,
                const char *what)
{
	char *all = name_all(system);

	fail(s, status, "%s; there is: %s", what, all ? all : "none");
	free(all);
	return false;
}

static bool
choose_nic(struct session *s, struct i210_state *state)
{
	const char *ifname = s->request->device;
	char *why;
	int error;

	if (!ifname)
		return fail_naming_all(
		    s, state->system, STATUS_TROUBLE,
		    "i210 needs an interface: -d i210:IFNAME");
	error = state->system->find(ifname, &state->nic);
	if (error == ENODEV) {
		char *what = xasprintf("%s: no such interface", ifname);

		fail_naming_all(s, state->system, STATUS_ABSENT, what);
		free(what);
		return false;
	}
	if (error)
		return fail(s, STATUS_ABSENT, "%s: %s", ifname,
		            strerror(error));
	why = i210_why_not(&state->nic);
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

static bool
check_registers(struct session *s, struct i210_state *state)
{
	uint32_t units;
	int error = state->system->read_delay(&state->port, &units);

	if (error == ENOMSG)
		return fail(s, STATUS_ABSENT,
		            "%s: igb's dump of its registers lacks "
		            "RR2DCDELAY: Linux 5.3 or later has it",
		            state->port.ifname);
	return !error ||
	       refused(s, "reading its registers", "CAP_NET_ADMIN", error);
}

static bool
attach(struct session *s, struct i210_state *state)
{
	int error = state->system->attach(&state->port);

	if (error == ENODEV)
		return fail(s, STATUS_ABSENT, "%s: it has no clock",
		            state->port.ifname);
	return !error ||
	       refused(s, "opening its clock", "the rights of root", error);
}

static bool
take_queues(struct session *s, struct i210_state *state)
{
	struct nic_port *port = &state->port;
	int error = state->system->take_queues(port);

	if (error == EBUSY)
		return fail(
		    s, STATUS_ABSENT,
		    "%s: cannot restore its queueing disciplines (%s): unless "
		    "another rtd has set them, tc qdisc del dev %s root",
		    port->ifname, port->saved_qdisc.kind, port->ifname);
	if (error == ENOENT)
		return fail(s, STATUS_ABSENT,
		            "%s: the kernel has no queueing disciplines mqprio "
		            "and etf (modules sch_mqprio, sch_etf)",
		            port->ifname);
	if (error == EOPNOTSUPP)
		return fail(s, STATUS_ABSENT, "%s: it refuses launch times",
		            port->ifname);
	return !error || refused(s, "setting its queueing discipline",
	                         "CAP_NET_ADMIN", error);
}

static void
look_again(const struct nic_system *system, uint64_t *slept)
{
	system->sleep_until(system->now() + LOOK_NS);
	*slept += LOOK_NS;
}

/* Whether the NIC is up after a reset, with its clock set again. */
static bool
is_settled(struct session *s, struct i210_state *state)
{
	struct nic nic;

	if (state->system->find(state->port.ifname, &nic) || !nic.carrier)
		return fail(s, STATUS_TROUBLE,
		            "%s: no carrier after its queueing discipline was "
		            "set",
		            state->port.ifname);
	return sampler_check_clock(s, &state->sampler, STATUS_ABSENT);
}

/* Counts the time slept, since the clock may be set meanwhile. */
static bool
settle(struct session *s, struct i210_state *state)
{
	uint64_t slept = 0;

	while (slept < BEGIN_NS || !is_settled(s, state)) {
		if (*s->interrupted)
			return true;
		if (slept > BEGIN_NS + SETTLE_NS)
			return false;
		look_again(state->system, &slept);
	}
	return true;
}

static bool
open_socket(struct session *s, struct i210_state *state)
{
	int error = state->system->open_socket(&state->port);

	return !error || refused(s, "sending with launch times",
	                         "CAP_NET_RAW and CAP_NET_ADMIN", error);
}

/* Records the NIC's link, and power management on the path to it. */
static void
describe_path(struct session *s, struct i210_state *state)
{
	struct pci_tree *tree = pci_tree_read(root_path("/sys/bus/pci"));
	const struct pci_function *f =
	    tree ? pci_find(tree, state->nic.bdf) : NULL;

	if (f) {
		link_format(&f->link, state->link);
		pci_describe_path(s->preamble, tree, f);
	}
	pci_tree_free(tree);
}

/* Watches the package that the NIC is attached to. */
static void
watch_package(struct i210_state *state)
{
	char *local =
	    read_first_line("%s/%s/local_cpulist",
	                    root_path("/sys/bus/pci/devices"), state->nic.bdf);
	struct cpulist list;
	int near = cpulist_parse(local, &list) ? (int)list.cpu[0] : -1;

	free(list.cpu);
	free(local);
	package_idle_open(&state->idle, PACKAGE_IDLE_PMU,
	                  package_idle_cpu(PACKAGE_IDLE_PMU, HOST_CPUS, near));
}

bool
i210_open(struct session *s, const struct nic_system *system)
{
	struct i210_state *state = xcalloc(1, sizeof *state);
	int cpu;

	s->state = state;
	state->system = system;
	state->port = (struct nic_port){
	    .control = -1, .clock = -1, .socket = -1, .offload = true};
	state->sampler.system = system;
	state->sampler.port = &state->port;
	state->sampler.random = s->request->seed;
	if (!sampler_set_options(s, &state->sampler) || !choose_nic(s, state))
		return false;
	memcpy(state->port.ifname, state->nic.ifname,
	       sizeof state->port.ifname);
	if (!attach(s, state) || !check_registers(s, state) ||
	    !sampler_check_clock(s, &state->sampler, STATUS_ABSENT))
		return false;
	host_describe(s->preamble);
	preamble_set(s->preamble, "clock_tick_ns", "%d", I210_UNIT_NS);
	package_idle_describe_limit(s->preamble);
	describe_path(s, state);
	if (s->request->cpu >= 0 && !host_pin(s, -1, &cpu))
		return false;
	if (!take_queues(s, state) || !settle(s, state) ||
	    !open_socket(s, state))
		return false;
	watch_package(state);
	return true;
}

bool
i210_prepare(struct session *s, const struct point *point)
{
	const struct i210_state *state = s->state;
	struct series *series;

	(void)point;
	series_make(s, 1);
	series = &s->series[0];
	series_identify(series,
	                is_sysfs(root_path("/sys")) ? "measured" : "virtual",
	                state->nic.ifname, state->link);
	series_set(series, ID_CACHE, "%s",
	           cache_names[state->sampler.thrash.at ? CACHE_THRASHED
	                                                : CACHE_HOST_WARM]);
	return true;
}

bool
i210_run(struct session *s, uint64_t want)
{
	struct i210_state *state = s->state;
	struct series *series = &s->series[0];

	/* The program that sets the clock may have ended meanwhile. */
	if (!sampler_check_clock(s, &state->sampler, STATUS_TROUBLE))
		return false;
	while (series->n < want && !*s->interrupted) {
		bool taken;

		if (!sampler_take(s, &state->sampler,
		                  series->raw + 2 * series->n, &taken))
			return false;
		series->n += taken;
	}
	return true;
}

void
i210_end(struct session *s, struct preamble *end)
{
	const struct i210_state *state = s->state;

	preamble_set(end, "missed_launches", "%ju",
	             (uintmax_t)state->sampler.missed);
	preamble_set(end, "zero_delays", "%ju",
	             (uintmax_t)state->sampler.zeroes);
	package_idle_describe(&state->idle, end);
}

/* Restoring resets the NIC: waits, so that later users find it working. */
static void
wait_for_carrier(const struct i210_state *state)
{
	const struct nic_system *system = state->system;
	uint64_t slept = 0;
	struct nic nic;

	while (!system->find(state->port.ifname, &nic) && nic.up &&
	       slept < BEGIN_NS + (nic.carrier ? 0 : SETTLE_NS / 3))
		look_again(system, &slept);
}

void
i210_close(struct session *s)
{
	struct i210_state *state = s->state;
	bool taken;

	if (!state)
		return;
	taken = state->port.taken;
	state->system->give_queues_back(&state->port);
	if (taken)
		wait_for_carrier(state);
	state->system->detach(&state->port);
	package_idle_close(&state->idle);
	thrash_free(&state->sampler.thrash);
	free(state);
	s->state = NULL;
}
