/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Power management, ACS, and whether a function is awake and enabled. */
#include "common/doctor/doctor.h"

#include <pci/pci.h>

#define L1 2u

/* A link that needs longer to wake, in us, is set up wrongly. */
#define LONG_WAKE 1000

/* L1 latency is at most 1 us << code; this one has no limit. */
#define UNLIMITED 7

/* PCIe Base Specification 5.4.1.2.2. */
unsigned
doctor_l1_us(const struct pci_function *f)
{
	unsigned longest = 0, switches = 0;
	const struct pci_function *up;

	for (; f && (up = doctor_port_above(f)); switches++) {
		unsigned a = register_field(&f->registers, REG_LNKCAP,
		                            PCI_EXP_LNKCAP_L1);
		unsigned b = register_field(&up->registers, REG_LNKCAP,
		                            PCI_EXP_LNKCAP_L1);
		unsigned us = (1u << (a > b ? a : b)) + switches;

		if ((doctor_aspm(f) & doctor_aspm(up) & L1) && us > longest)
			longest = us;
		/* From a switch's downstream port to its upstream port. */
		f = up->pcie.port == PORT_DOWNSTREAM ? up->up : NULL;
	}
	return longest;
}

static void
say_off(struct doctor_finding *row, const struct pci_function *f)
{
	doctor_say(&row->fix, "echo 0 >/sys/bus/pci/devices/%s/link/l1_aspm",
	           f->bdf);
	row->risk = "the machine uses more power; a reboot undoes this";
	doctor_say(&row->verify,
	           "pcb-collect lat_cfg -d %s --hold aspm | pcb-stats; and "
	           "without --hold aspm",
	           doctor_short_bdf(f));
}

static void
check_l1(struct doctor *d, const struct pci_function *f)
{
	unsigned tolerated =
	    register_field(&f->registers, REG_DEVCAP, PCI_EXP_DEVCAP_L1);
	/* Of one end, the latency of that end is the least. */
	bool half = !doctor_port_above(f) && (doctor_aspm(f) & L1);
	unsigned us = half ? 1u << register_field(&f->registers, REG_LNKCAP,
	                                          PCI_EXP_LNKCAP_L1)
	                   : doctor_l1_us(f);
	bool exceeds = !half && tolerated != UNLIMITED && us > 1u << tolerated;
	struct doctor_finding *row;

	if (!us ||
	    !(half || (f->registers.seen[REG_DEVCAP] & PCI_EXP_DEVCAP_L1)) ||
	    !(exceeds || pci_class_of(f) == CLASS_NIC))
		return;
	row = doctor_add(d, exceeds ? "aspm_latency" : "aspm",
	                 !exceeds ? SURE_BY_DESIGN
	                 : d->virtual_machine || f->up->pcie.port != PORT_ROOT
	                     ? SURE_LIKELY
	                     : SURE_CERTAIN,
	                 half ? "unseen" : "power", f,
	                 exceeds ? "ASPM L1 is on, its path needs up to %u us "
	                           "to wake, the device tolerates %u us"
	                 : half  ? "ASPM L1 is on at this end of its link; the "
	                           "port above is not in the dump"
	                         : "ASPM L1 is on, within what the device "
	                           "tolerates",
	                 us, 1u << tolerated);
	if (!half || (f->registers.seen[REG_LNKCAP] & PCI_EXP_LNKCAP_L1))
		doctor_say(&row->cost,
		           "up to %u us%s for the first packet after idle", us,
		           half ? ", or as the port needs," : "");
	say_off(row, f);
}

/* T_POWER_ON: a value and its scale of 2, 10 or 100 us (5.5.4). */
static unsigned
power_on_us(const struct pci_function *f)
{
	static const unsigned scale[] = {2, 10, 100, 0};

	return register_field(&f->registers, REG_L1SSCTL2, 0xf8) *
	       scale[register_field(&f->registers, REG_L1SSCTL2, 3)];
}

unsigned
doctor_l1_2_us(const struct pci_function *f)
{
	const struct pci_function *up = doctor_port_above(f);
	unsigned us;

	if (!up || !(doctor_aspm(f) & doctor_aspm(up) & L1) ||
	    !(f->registers.value[REG_L1SSCTL1] &
	      up->registers.value[REG_L1SSCTL1] &
	      PCI_L1PM_SUBSTAT_CTL1_ASPM_L12))
		return 0;
	us =
	    power_on_us(f) > power_on_us(up) ? power_on_us(f) : power_on_us(up);
	us += register_field(&up->registers, REG_L1SSCTL1, 0xff00);
	return us ? us : 1;
}

static void
check_l1_2(struct doctor *d, const struct pci_function *f)
{
	unsigned us = doctor_l1_2_us(f);
	struct doctor_finding *row;

	if (!us ||
	    !(pci_class_of(f) == CLASS_NIC || pci_class_of(f) == CLASS_NVME))
		return;
	/* It is meant to save power; of its errors, the errors say it. */
	row = doctor_add(
	    d, "aspm_l1_2", us >= LONG_WAKE ? SURE_LIKELY : SURE_BY_DESIGN,
	    "power", f,
	    "ASPM L1.2 is on: an idle link switches off, and buffers fill "
	    "while it wakes");
	doctor_say(&row->cost, "%u us for the first packet after idle", us);
	say_off(row, f);
	doctor_say(&row->fix, "echo 0 >/sys/bus/pci/devices/%s/link/l1_2_aspm",
	           f->bdf);
}

static void
check_ltr(struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *up = doctor_port_above(f);
	bool cannot;
	struct doctor_finding *row;

	/* A hypervisor handles LTR itself; its ends of a link may disagree. */
	if (!up || d->virtual_machine || up->pcie.gen != f->pcie.gen ||
	    up->pcie.lanes != f->pcie.lanes ||
	    !(up->registers.seen[REG_DEVCTL2] & PCI_EXP_DEVCTL2_LTR) ||
	    !(f->registers.value[REG_DEVCTL2] & PCI_EXP_DEVCTL2_LTR) ||
	    (up->registers.value[REG_DEVCTL2] & PCI_EXP_DEVCTL2_LTR))
		return;
	cannot = (up->registers.seen[REG_DEVCAP2] & PCI_EXP_DEVCAP2_LTR) &&
	         !(up->registers.value[REG_DEVCAP2] & PCI_EXP_DEVCAP2_LTR);
	row = doctor_add(
	    d, "ltr", cannot ? SURE_CERTAIN : SURE_LIKELY, NULL, f,
	    "it reports the latency that it tolerates (LTR), but the "
	    "port %s %s",
	    up->bdf,
	    cannot ? "does not support that: each report is an "
	             "unsupported request"
	           : "ignores it");
	doctor_say(&row->fix,
	           cannot ? "setpci -s %s CAP_EXP+28.w=0:400"
	                  : "setpci -s %s CAP_EXP+28.w=400:400",
	           doctor_short_bdf(cannot ? f : up));
	row->risk = cannot ? "none known"
	                   : "the device may sleep deeper and wake more slowly";
}

static bool
redirects(const struct pci_function *f)
{
	return f->pcie.port == PORT_DOWNSTREAM && doctor_redirects(f);
}

bool
doctor_redirects(const struct pci_function *port)
{
	return port->registers.value[REG_ACSCTL] &
	       (PCI_ACS_CTRL_REQ_RED | PCI_ACS_CTRL_CMPLT_RED);
}

/* What is below a port: a peer that talks to others, or a victim. */
struct below {
	const struct pci_function *peer;    /* a GPU, a NIC, an NVMe drive */
	const struct pci_function *timeout; /* its requests got no answer */
};

static struct below
look_below(const struct pci_tree *tree, const struct pci_function *port)
{
	const struct pci_function *f = port;
	struct below b = {0};

	while ((f = pci_next_below(tree, port, f))) {
		if (!b.peer && pci_class_of(f) && f->link.bus == BUS_PCIE)
			b.peer = f;
		if (!b.timeout &&
		    (f->registers.value[REG_UESTA] & PCI_ERR_UNC_COMP_TIME))
			b.timeout = f;
	}
	return b;
}

/* Drives seldom talk to each other; a GPU loses most. */
static bool
is_better(const struct pci_function *f, const struct pci_function *than)
{
	return !than ||
	       (pci_class_of(f) == CLASS_GPU &&
	        pci_class_of(than) != CLASS_GPU) ||
	       (pci_class_of(than) == CLASS_NVME &&
	        pci_class_of(f) != CLASS_NVME);
}

void
doctor_say_redirect(struct doctor_finding *row, const char *ports)
{
	doctor_say(&row->fix, "boot with 'pci=disable_acs_redir=%s'", ports);
	row->risk = "devices are no longer isolated from each other: do "
	            "not do this if virtual machines own them";
}

/* Below one switch: its redirecting ports, and what is below them. */
struct redirected {
	const struct pci_function *peer;           /* the fastest */
	const struct pci_function *timeout, *port; /* no answer; its port */
	unsigned peers;
	bool copies;
	char *ports, *names;
};

static struct redirected
find_redirected(const struct doctor *d, const struct pci_function *first)
{
	const struct pci_function *end = d->tree->function + d->tree->n;
	struct redirected r = {0};

	for (const struct pci_function *port = first;
	     port < end && port->up == first->up; port++) {
		struct below b = {0};

		if (!redirects(port))
			continue;
		b = look_below(d->tree, port);
		xappend(&r.ports, ";", "%s", port->bdf);
		if (!r.timeout && b.timeout) {
			r.timeout = b.timeout;
			r.port = port;
		}
		if (!b.peer)
			continue;
		xappend(&r.names, " ", "%s", doctor_short_bdf(b.peer));
		r.peers++;
		r.peer = is_better(b.peer, r.peer) ? b.peer : r.peer;
		r.copies |= doctor_is_fast(b.peer) &&
		            pci_class_of(b.peer) != CLASS_NVME;
	}
	return r;
}

/*
 * Only the first port of a switch has the finding. A request or answer that is
 * sent up and that the root complex does not forward is lost: Completion
 * Timeout.
 */
static void
check_acs(struct doctor *d, const struct pci_function *f)
{
	struct redirected r;
	struct doctor_finding *row = NULL;
	double own, shared;

	if (*f->bdf == '?' && doctor_redirects(f))
		d->redirecting++;
	if (!redirects(f))
		return;
	for (const struct pci_function *port = f;
	     port > d->tree->function && port[-1].up == f->up; port--) {
		if (redirects(port - 1))
			return;
	}
	r = find_redirected(d, f);
	if (r.peers > 1 && r.copies) {
		row = doctor_add(d, "acs", SURE_LIKELY, NULL, f,
		                 "ACS sends data between these devices below "
		                 "one switch through the root complex: %s",
		                 r.names);
		/* Redirected packets cross the link above twice. */
		own = doctor_gbit_s(r.peer, "bw_wr", 256, 0);
		shared = f->up ? doctor_gbit_s(f->up, "bw_wr", 256, 0) : own;
		shared /= r.peers;
		if (shared < own)
			doctor_set_cost(d, row, r.peer, shared, own, "bw_wr",
			                "writes of 256 bytes between peers, "
			                "all at once");
	} else if (r.timeout) {
		row = doctor_add(d, "acs", SURE_LIKELY, NULL, r.port,
		                 "ACS redirects at this switch, and requests "
		                 "of %s got no answer (CmpltTO)",
		                 r.timeout->bdf);
	}
	if (row)
		doctor_say_redirect(row, r.ports);
	free(r.names);
	free(r.ports);
}

static void
check_power(struct doctor *d, const struct pci_function *f)
{
	unsigned state =
	    register_field(&f->registers, REG_POWER, PCI_PM_CTRL_STATE_MASK);
	struct doctor_finding *row;

	if (!state || f->pcie.port != PORT_ENDPOINT)
		return;
	row = doctor_add(
	    d, "power", SURE_BY_DESIGN, "idle", f,
	    "it is suspended (D%u): its link differs when it is awake", state);
	doctor_say(&row->fix, "echo on >/sys/bus/pci/devices/%s/power/control",
	           f->bdf);
	row->risk = "the machine uses more power";
	doctor_say(&row->verify,
	           "pcb-collect lat_cfg -d %s --hold power | pcb-stats",
	           doctor_short_bdf(f));
}

void
doctor_say_dead(struct doctor *d, const struct pci_function *f,
                const char *check, enum sure sure)
{
	size_t state = D3COLD;
	bool sleeps = f->path && pci_is_asleep(f->path, &state);
	struct doctor_finding *row;

	if (!state)
		sure = SURE_CERTAIN;
	/* Firmware switches such a controller off while nothing is plugged in.
	 */
	sleeps |= !f->path && doctor_is_tunnel(f);
	/* A port in D3 forwards no request. */
	sleeps |= f->up &&
	          (f->up->registers.value[REG_POWER] & PCI_PM_CTRL_STATE_MASK);
	row = doctor_add(
	    d, check, sleeps ? SURE_BY_DESIGN : sure, "idle", f,
	    "its registers are all ones: off the bus, or asleep in D3cold");
	if (!sleeps)
		doctor_say(&row->fix, FIX_GONE);
}

/*
 * Whether it comes next behind the last one, or behind the other functions on
 * the bus of a bridge that leads to no bus.
 */
static bool
follows(const struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *last = d->dead;
	struct bdf_numbers above, is = bdf_split(f->bdf);

	if (!last || !last->busless)
		return last && last + 1 == f;
	above = bdf_split(last->bdf);
	while (last + 1 < f && bdf_split(last[1].bdf).bus == above.bus)
		last++;
	return last + 1 == f && is.domain == above.domain && is.bus > above.bus;
}

/*
 * A dead bridge leads to no bus: dead functions that follow it may be below it,
 * and share its row.
 */
static void
check_dead(struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *last = d->dead;

	if (last && follows(d, f)) {
		if (d->dead_below++ < LISTED)
			xappend(&d->found.row[d->dead_row].what,
			        d->dead_below > 1 ? " "
			        : last->busless
			            ? "; perhaps "
			            : "; so are, perhaps below it, ",
			        "%s", doctor_short_bdf(f));
		d->dead = f;
	} else if (!bdf_split(f->bdf).function) {
		doctor_say_dead(d, f, "all_ones", SURE_LIKELY);
		doctor_expect_dead(
		    d, f->class_code >> 16 == PCI_CLASS_BRIDGE_PCI ? f : NULL);
	}
}

bool
doctor_is_known(const struct doctor *d)
{
	return !d->unseen && !d->half && d->links + d->judged;
}

void
doctor_check_function(struct doctor *d, const struct pci_function *f)
{
	/* Functions of a device share a link: the first has its findings. */
	bool first = f == d->tree->function || !doctor_is_linked(f - 1) ||
	             !bdf_same_device(f[-1].bdf, f->bdf);
	bool gone = d->watched && d->watched[f - d->tree->function].gone;

	if (gone || doctor_is_dead(f)) {
		d->examined++;
		if (!gone)
			check_dead(d, f);
		d->judged +=
		    gone || (d->found.n && d->found.row[d->found.n - 1].sure !=
		                               SURE_BY_DESIGN);
		if (d->watched)
			doctor_check_errors(d, f, first);
		return;
	}
	if (doctor_check_facts(d, f, doctor_is_unseen(f))) {
		d->examined++;
		return;
	}
	if (doctor_is_unseen(f)) {
		d->unseen++;
		/* The kernel's counts need no capabilities. */
		if (d->watched)
			doctor_check_errors(d, f, first);
		return;
	}
	d->examined++;
	d->links += doctor_is_linked(f);
	doctor_check_setup(d, f);
	if (doctor_is_inside(f))
		return;
	if (first)
		doctor_check_link(d, f);
	doctor_check_errors(d, f, first);
	if (!first)
		return;
	if (f->pcie.port == PORT_ENDPOINT && f->link.bus == BUS_PCIE) {
		check_l1(d, f);
		check_l1_2(d, f);
		check_ltr(d, f);
	}
	check_acs(d, f);
	check_power(d, f);
	doctor_check_alike(d, f);
}

char *
doctor_summary(const struct pci_tree *tree, const bool *chosen,
               bool virtual_machine)
{
	struct doctor d = {.tree = tree, .virtual_machine = virtual_machine};
	char *all = NULL;

	for (size_t i = 0; i < tree->n; i++) {
		if (chosen[i])
			doctor_check_function(&d, &tree->function[i]);
	}
	doctor_end(&d);
	for (size_t i = 0; i < d.found.n; i++) {
		const struct doctor_finding *f = &d.found.row[i];

		if (f->sure == SURE_CERTAIN)
			xappend(&all, "; ", "%s %s: %s", f->check, f->device,
			        f->what);
	}
	doctor_findings_free(&d.found);
	free(d.teller);
	return all;
}
