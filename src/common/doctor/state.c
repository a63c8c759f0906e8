/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Power management, ACS, errors, and whether a function is awake and enabled.
 */
#include "common/doctor/doctor.h"

#include "common/sys/sysfs.h"

#include <inttypes.h>
#include <pci/pci.h>

#define L1 2u

/* A link that needs longer to wake, in us, is set up wrongly. */
#define LONG_WAKE 1000

/* L1 latency is at most 1 us << code; this one has no limit. */
#define UNLIMITED 7

static unsigned
enabled(const struct pci_function *f)
{
	return register_field(&f->registers, REG_LNKCTL, PCI_EXP_LNKCTL_ASPM);
}

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

		if ((enabled(f) & enabled(up) & L1) && us > longest)
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
	bool half = !doctor_port_above(f) && (enabled(f) & L1);
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

	if (!up || !(enabled(f) & enabled(up) & L1) ||
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

/* Fewer errors may be chance; highest bit error rate of a good link. */
#define FEW           100
#define BIT_ERROR_MAX 1e-12

/* By the kernel's counters; while watched; in registers; ends that have any. */
enum { COUNTED, NEW, KEPT, ENDS, TEXTS };

struct errors {
	uintmax_t corrected, others; /* others: not receiver errors */
	double grown[2];             /* of the link: without and with ASPM */
	bool link;         /* not only refused requests, or few of RxErr */
	bool timeout;      /* a request got no answer */
	unsigned seen;     /* kinds, of which each is a bit */
	const char *at;    /* the end of the link, in words */
	char *text[TEXTS]; /* description; NULL: no errors */
};

/* The index of an error; ERROR_KINDS for others. */
static size_t
find_kind(const char *name)
{
	size_t i = 0;

	while (i < ERROR_KINDS && strcmp(name, error_kinds[i].name) != 0)
		i++;
	return i;
}

static void
add_error(struct errors *e, size_t kind, uintmax_t n)
{
	e->seen |= 1u << kind;
	/* A request got no answer: of the device asked, IOMMU or ACS. */
	if (error_kinds[kind].reg != REG_UESTA ||
	    error_kinds[kind].bit != PCI_ERR_UNC_COMP_TIME)
		e->link |=
		    n >= FEW || error_kinds[kind].bit != PCI_ERR_COR_RCVR;
	else
		e->timeout = true;
	if (error_kinds[kind].reg == REG_CESTA)
		e->corrected += n;
	if (error_kinds[kind].bit != PCI_ERR_COR_RCVR)
		e->others += n;
}

/* The counts of one of the kernel's files. */
static void
read_counters(struct errors *e, const struct pci_function *f, const char *file)
{
	char *text = read_whole("%s/%s", f->path, file);
	char *rest = text, *name;
	uint64_t n;

	while (aer_next(&rest, &name, &n)) {
		size_t kind = n ? find_kind(name) : ERROR_KINDS;

		if (kind == ERROR_KINDS)
			continue;
		add_error(e, kind, n);
		xappend(&e->text[COUNTED], ", ", "%s %ju%s", name, (uintmax_t)n,
		        e->at);
	}
	free(text);
}

/* The counts of a text, whose functions have no files. */
static void
read_facts(struct errors *e, const struct doctor *d,
           const struct pci_function *f)
{
	const struct facts *facts = &d->tree->facts;
	const struct fact *fact = facts_find(facts, f->bdf, FACT_ERROR);

	for (; fact; fact = facts_next(facts, fact)) {
		const char *count = strrchr(fact->value, ' ');
		char *name =
		    xasprintf("%.*s", (int)(count - fact->value), fact->value);
		size_t kind = find_kind(name);

		if (kind < ERROR_KINDS) {
			add_error(e, kind, strtoumax(count, NULL, 10));
			xappend(&e->text[COUNTED], ", ", "%s%s", fact->value,
			        e->at);
		}
		free(name);
	}
}

/* What is new, even if its counts have gone with the device. */
static void
add_new(struct errors *e, const struct doctor_watched *w)
{
	for (size_t i = 0; *w->kind[i].name; i++) {
		const char *all = w->kind[i].name, *dot = strchr(all, '.');
		const char *name = dot ? dot + 1 : "";
		const double *n = w->kind[i].n;
		size_t kind = find_kind(name);

		/* Not NonFatalErr: a request was refused. */
		if (!strncmp(all, "cor.", 4) && kind < ERROR_KINDS) {
			e->grown[0] += n[0];
			e->grown[1] += n[1];
		}
		xappend(&e->text[NEW], ", ", "%s %.0f%s", all, n[0] + n[1],
		        e->at);
		e->others += strcmp(name, "RxErr") != 0;
		e->link |= !dot || kind < ERROR_KINDS || !strcmp(name, "SDES");
	}
}

/* More errors than the bit error rate of the specification explains. */
static bool
is_too_many(const struct pci_function *f, double errors, double seconds)
{
	struct link link = {
	    .bus = BUS_PCIE, .gen = f->pcie.gen, .lanes = f->pcie.lanes};

	return errors >= FEW && seconds > 0 && link.gen && link.gen <= 7 &&
	       link.lanes &&
	       errors > link_raw_gbit_s(&link) * 1e9 * seconds * BIT_ERROR_MAX;
}

/* `slot`: there is a card to reseat. */
static void
say_fix(struct doctor_finding *row, const struct errors *e, bool sleeps,
        bool slot)
{
	doctor_say(&row->fix,
	           !e->link && e->timeout
	               ? "see the device that did not answer, the IOMMU "
	                 "(journalctl -k -g DMAR or AMD-Vi) and ACS, not the "
	                 "link"
	           : !e->link ? "journalctl -k may name the requests; see the "
	                        "driver, not the link"
	           : sleeps   ? "boot with pcie_aspm=off; if they come back, %s"
	                      : "%s",
	           slot ? RESEAT
	                : "update the firmware of board and device: there is "
	                  "no card to reseat");
	row->risk = !e->link ? ""
	            : sleeps ? "the machine uses more power"
	                     : "the machine is down meanwhile";
}

static void
say_errors(struct doctor *d, const struct pci_function *f,
           const struct pci_function *up, const struct errors *e)
{
	double grown = e->grown[0] + e->grown[1], rate = grown / d->watched_s;
	bool sleeps =
	    grown > 0 ? e->grown[1] > 0 : enabled(f) || (up && enabled(up));
	bool before = is_too_many(f, (double)e->corrected, d->uptime_s);
	bool now = is_too_many(f, grown, d->watched_s);
	static const char many[] =
	    ": more than the specified bit error rate gives";
	bool tunnel = doctor_is_tunnel(f);
	/* Few may come from training, unless ASPM trains all the time. */
	enum sure sure =
	    before || now ? SURE_CERTAIN
	    : tunnel || (!e->others && e->corrected < FEW && !sleeps)
	        ? SURE_BY_DESIGN
	        : SURE_LIKELY;
	struct doctor_finding *row = doctor_add(
	    d, "errors", sure, tunnel ? "tunnel" : "training", f, "%s%s%s",
	    e->text[COUNTED] ? "errors since boot: " : "",
	    e->text[COUNTED] ? e->text[COUNTED] : "", before ? many : "");

	if (e->text[KEPT])
		xappend(&row->what, "; ", "errors in its registers: %s",
		        e->text[KEPT]);
	if (d->watched)
		xappend(&row->what, "; ", "while watched: %s",
		        e->text[NEW] ? e->text[NEW] : "none");
	if (grown > 0)
		xappend(&row->what, ", ",
		        "%.*f link errors a second, %.0f of %.0f with ASPM%s",
		        rate < 10 ? 4 : 0, rate, e->grown[1], grown,
		        now ? many : "");
	if (!e->text[COUNTED] && !e->text[NEW] && e->text[KEPT])
		doctor_say(&row->verify,
		           "the bits stay from any time since boot: setpci -s "
		           "%s ECAP_AER+10.l=ffffffff clears them; look again "
		           "under load",
		           doctor_short_bdf(f));
	else if (d->tree->sysfs)
		doctor_say(&row->verify, "grep -v ' 0$' %s; twice, under load",
		           e->text[ENDS]);
	if (sure == SURE_BY_DESIGN)
		return;
	doctor_say(&row->cost, e->corrected || grown > 0
	                           ? "each corrected error repeats packets"
	                           : "lost requests or data");
	say_fix(row, e, sleeps,
	        up ? doctor_may_have_slot(up) : f->pcie.port == PORT_ENDPOINT);
}

/* Adds the errors of one end of a link; `at` names the end, or is "". */
static void
add_errors(struct errors *e, const struct doctor *d,
           const struct pci_function *f, const char *at)
{
	const struct doctor_watched *w =
	    d->watched ? &d->watched[f - d->tree->function] : NULL;

	e->seen = 0;
	e->at = at;
	if (d->tree->sysfs) {
		read_counters(e, f, "aer_dev_correctable");
		read_counters(e, f, "aer_dev_nonfatal");
		read_counters(e, f, "aer_dev_fatal");
	} else {
		read_facts(e, d, f);
	}
	/*
	 * Errors in status registers: the kernel counts none if error reporting
	 * is off, and clears those it has counted.
	 */
	for (size_t i = 0; i < ERROR_KINDS; i++) {
		if ((e->seen & 1u << i) ||
		    !(f->registers.value[error_kinds[i].reg] &
		      error_kinds[i].bit))
			continue;
		add_error(e, i, 1);
		xappend(&e->text[KEPT], ", ", "%s%s", error_kinds[i].name, at);
	}
	if (w)
		add_new(e, w);
	if (e->seen || (w && *w->kind[0].name))
		xappend(&e->text[ENDS], " ",
		        "/sys/bus/pci/devices/%s/aer_dev_*", f->bdf);
}

/*
 * Of both ends of a link: the lower one has the finding, and its first function
 * the upper end's errors. Errors of the link itself may stand at each function.
 */
static void
check_errors(struct doctor *d, const struct pci_function *f, bool first)
{
	const struct pci_function *up = doctor_port_above(f);
	const struct pci_function *below =
	    f->first_bus ? pci_next_below(d->tree, f, f) : NULL;
	struct errors e = {0}, before = {0};
	char *where = up ? xasprintf(" (at %s)", doctor_short_bdf(up)) : NULL;
	bool same = !first;

	if (!below || below->link.bus != BUS_PCIE)
		add_errors(&e, d, f, "");
	if (up && f->link.bus == BUS_PCIE && first)
		add_errors(&e, d, up, where);
	if (!first)
		add_errors(&before, d, f - 1, "");
	same &= !(e.seen & ~before.seen);
	for (size_t i = COUNTED; i <= NEW; i++)
		same &= !e.text[i] ||
		        (before.text[i] && !strcmp(e.text[i], before.text[i]));
	e.link |= !e.text[NEW] && !e.timeout;
	if (e.text[ENDS] && !same)
		say_errors(d, f, up, &e);
	for (size_t i = 0; i < TEXTS; i++) {
		free(before.text[i]);
		free(e.text[i]);
	}
	free(where);
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
	size_t same = strlen(f->bdf) - 1;
	/* Functions of a device share a link: the first has its findings. */
	bool first = f == d->tree->function || !doctor_is_linked(f - 1) ||
	             strncmp(f[-1].bdf, f->bdf, same) != 0;
	bool gone = d->watched && d->watched[f - d->tree->function].gone;

	if (gone || doctor_is_dead(f)) {
		d->examined++;
		if (!gone)
			check_dead(d, f);
		d->judged +=
		    gone || (d->found.n && d->found.row[d->found.n - 1].sure !=
		                               SURE_BY_DESIGN);
		if (d->watched)
			check_errors(d, f, first);
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
			check_errors(d, f, first);
		return;
	}
	d->examined++;
	d->links += doctor_is_linked(f);
	doctor_check_setup(d, f);
	if (doctor_is_inside(f))
		return;
	if (first)
		doctor_check_link(d, f);
	check_errors(d, f, first);
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
	return all;
}
