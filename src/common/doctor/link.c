/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links and their packets: what is set, against what both ends support. */
#include "common/doctor/doctor.h"

#include "common/machine/told.h"

#include <math.h>
#include <pci/pci.h>

/* Size of reads for which costs are computed. */
#define READ_BYTES 4096

/*
 * A gain that is worth a change, and so many Gbit/s of it; and beyond what the
 * assumed round trip makes of it.
 */
#define MUCH      1.07
#define MUCH_GBIT 1
#define GAIN      1.2

/* Functions of a card with up to four GPUs and a switch. */
#define CARD_MOST 24

static const struct pci_function *
root_port(const struct pci_function *f)
{
	while (f && f->pcie.port != PORT_ROOT)
		f = f->up;
	return f;
}

/* The bandwidth of a bench, see doctor_gbit_s, if the link were like this. */
static double
with_link(const struct pci_function *f, struct link link, const char *bench,
          uint64_t size, uint64_t inflight)
{
	struct pci_function changed = *f;

	changed.link = link;
	changed.awake_gen = link.gen;
	/* Link Capabilities may say x0. */
	return link_check(&link)
	           ? NAN
	           : doctor_gbit_s(&changed, bench, size, inflight);
}

/*
 * The GPU whose card carries this switch, given its upstream port; or NULL. No
 * port of such a switch has a slot, and only GPUs with their audio and USB
 * functions are below.
 */
static const struct pci_function *
card_of(const struct doctor *d, const struct pci_function *up)
{
	const struct pci_function *gpu = NULL, *f = up;
	unsigned n = 0;

	if (!up || up->pcie.port != PORT_UPSTREAM)
		return NULL;
	while ((f = pci_next_below(d->tree, up, f))) {
		unsigned base = f->class_code >> 24;

		if (++n > CARD_MOST)
			return NULL;
		if (pci_class_of(f) == CLASS_GPU)
			gpu = gpu ? gpu : f;
		else if (f->pcie.port == PORT_DOWNSTREAM
		             ? doctor_has_slot(f)
		             : base != 0x04 && base != 0x0c)
			return NULL;
	}
	/* /sys does not say which ports have slots. */
	return gpu && up->pcie.files && up->vendor_id != gpu->vendor_id ? NULL
	                                                                : gpu;
}

/* The two ends, and the best that both support. */
struct ends {
	const struct pci_function *up, *down;
	unsigned gen, lanes;
	bool watched; /* the port reports link changes by hardware */
	bool asleep;  /* the function is in D1 to D3 */
	bool idle;    /* the link may have the rate of its rest */
	const struct pci_function *gpu;  /* below; its driver may slow it */
	const struct pci_function *card; /* GPU whose card has `down` */
	/* Why both ends may be right, "board" or "tunnel"; or NULL. */
	const char *design;
};

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* False if an end is not readable or no link is trained. */
static bool
find_ends(const struct doctor *d, const struct pci_function *f,
          struct ends *ends)
{
	const struct pci_function *up = doctor_port_above(f);
	const struct pci_registers *r = up ? &up->registers : NULL;

	if (!up || !doctor_is_linked(f) || !r->seen[REG_LNKCAP] ||
	    !r->seen[REG_LNKSTA] || !f->registers.seen[REG_LNKCAP])
		return false;
	*ends = (struct ends){
	    .up = up,
	    .down = f,
	    .gen = least(pci_max_gen(f), pci_max_gen(up)),
	    .lanes = least(pci_max_lanes(f), pci_max_lanes(up)),
	    .watched = (r->value[REG_LNKCAP] & PCI_EXP_LNKCAP_LBNC) &&
	               (f->registers.seen[REG_LNKSTA] & PCI_EXP_LNKSTA_AUTBW) &&
	               (r->seen[REG_LNKSTA] & PCI_EXP_LNKSTA_AUTBW) &&
	               !(r->value[REG_LNKCTL] & PCI_EXP_LNKCTL_AUTBWIE),
	    .asleep = f->registers.value[REG_POWER] & PCI_PM_CTRL_STATE_MASK,
	    .gpu = f,
	    .card = card_of(d, f),
	};
	while (ends->gpu && pci_class_of(ends->gpu) != CLASS_GPU)
		ends->gpu = pci_next_below(d->tree, up, ends->gpu);
	ends->idle = ends->asleep || (!d->loaded && f->awake_gen > f->pcie.gen);
	if (doctor_is_tunnel(f))
		ends->design = "tunnel";
	else if (!doctor_may_have_slot(up) || doctor_is_chipset(f))
		ends->design = "board";
	return true;
}

bool
doctor_find_link(const struct doctor *d, const struct pci_function *f,
                 struct link *best, enum sure *slow)
{
	struct ends ends;

	if (doctor_is_inside(f) || !find_ends(d, f, &ends))
		return false;
	*best = f->link;
	best->gen = ends.gen;
	best->lanes = ends.lanes;
	*slow = ends.idle                            ? SURE_BY_DESIGN
	        : ends.gpu && f->pcie.gen < ends.gen ? SURE_LIKELY
	                                             : SURE_CERTAIN;
	return true;
}

bool
doctor_is_narrow(const struct pci_tree *tree, const struct pci_function *f)
{
	const struct doctor d = {.tree = tree};
	struct ends ends;

	return f->pcie.lanes < f->could_lanes && !doctor_is_inside(f) &&
	       find_ends(&d, f, &ends) && f->pcie.lanes < ends.lanes &&
	       !ends.design && !card_of(&d, ends.up->up);
}

/*
 * The fastest link that a function and the port above it support, with as many
 * lanes as a known board has there; its bus is BUS_UNKNOWN if no source shows
 * a link.
 */
static struct link
could_of(const struct pci_tree *tree, const struct pci_function *f)
{
	const struct doctor d = {.tree = tree};
	struct link link = pci_awake_link(f);
	struct ends ends = {.design = NULL};

	if (f->pcie.placed && f->could_gen && f->could_lanes) {
		link = (struct link){.bus = BUS_PCIE,
		                     .gen = f->could_gen,
		                     .lanes = f->could_lanes};
		link_assume(&link);
	}
	if (link.bus != BUS_PCIE || doctor_is_tunnel(f))
		return link;
	if (f->could_gen)
		link.gen = f->could_gen;
	link.flit |= link.gen > 5;
	if (f->could_lanes > link.lanes && !doctor_is_inside(f) &&
	    !(find_ends(&d, f, &ends) &&
	      (ends.design || card_of(&d, ends.up->up))))
		link.lanes = f->could_lanes;
	return link;
}

static void
take_slower(struct link *slowest, const struct link *link)
{
	if (link->bus == BUS_PCIE &&
	    (slowest->bus != BUS_PCIE ||
	     link_raw_gbit_s(link) < link_raw_gbit_s(slowest)))
		*slowest = *link;
}

struct doctor_links
doctor_find_links(const struct pci_tree *tree,
                  const struct pci_function *device)
{
	struct doctor_links all = {.sleeps = false};
	struct told told;
	const struct pci_function *f = device;
	long most;

	do {
		struct link could = could_of(tree, f);

		all.sleeps |= pci_link_sleeps(f);
		take_slower(&all.now, &f->link);
		take_slower(&all.could, &could);
	} while ((f = f->up));
	/* Only nvidia-smi or the log tells of it. */
	if (device->link.bus == BUS_PCIE || !machine_told(tree, device, &told))
		return all;
	all.now = all.could = told.link;
	if (told.now)
		all.now.gen = told.now;
	all.sleeps = told.now;
	most = facts_number(&tree->facts, device->bdf, FACT_PAIR_GEN, 0);
	if (most > all.could.gen)
		all.could.gen = (unsigned)most;
	most = facts_number(&tree->facts, device->bdf, FACT_MAX_LANES, 0);
	if (most > all.could.lanes)
		all.could.lanes = (unsigned)most;
	return all;
}

void
doctor_set_link_cost(struct doctor *d, struct doctor_finding *row,
                     const struct pci_function *f, struct link now,
                     unsigned gen, unsigned lanes)
{
	const struct pci_function *card = card_of(d, f);
	struct link could = now;

	could.gen = gen;
	could.lanes = lanes;
	doctor_set_cost(d, row, card ? card : f,
	                with_link(f, now, "bw_rd", 512, 0),
	                with_link(f, could, "bw_rd", 512, 0), "bw_rd",
	                "reads of 512 bytes");
}

/*
 * How sure it is that a link below its capabilities is at fault. Only the
 * endpoint of a slot can be certain: switches and GPUs are often wired narrower
 * than they can.
 */
static enum sure
how_sure(const struct doctor *d, const struct ends *ends, bool by_design)
{
	if (by_design)
		return SURE_BY_DESIGN;
	return ends->up->pcie.gen == ends->down->pcie.gen &&
	               ends->up->pcie.lanes == ends->down->pcie.lanes &&
	               !d->virtual_machine && !ends->gpu && !ends->design &&
	               !ends->up->pcie.files && !doctor_is_chipset(ends->up) &&
	               ends->down->pcie.port == PORT_ENDPOINT
	           ? SURE_CERTAIN
	           : SURE_LIKELY;
}

/*
 * Adds the card to the row. Returns `idle`: then the row has its fix, too, and
 * the caller adds nothing.
 */
static bool
say_ends(struct doctor_finding *row, const struct ends *ends, bool idle)
{
	if (ends->card)
		xappend(&row->what, " ", "(on the card of GPU %s)",
		        doctor_short_bdf(ends->card));
	if (!idle)
		return false;
	doctor_say(&row->fix, "none: it wakes under load");
	doctor_verify(row, ends->card ? ends->card : ends->down, "bw_rd");
	return true;
}

static void
check_width(struct doctor *d, const struct ends *ends)
{
	const struct pci_function *f = ends->down;
	bool fell = d->watched &&
	            d->watched[f - d->tree->function].lanes > f->pcie.lanes;
	bool wired = ends->design && !fell;
	enum sure sure = how_sure(d, ends, wired);
	struct link awake = pci_awake_link(f);
	uint32_t errors = f->registers.value[REG_LANEERR] |
	                  ends->up->registers.value[REG_LANEERR];
	struct doctor_finding *row;

	if (f->pcie.lanes >= ends->lanes)
		return;
	/* Rest lowers the rate of a link, hardly its lanes. */
	if (ends->idle && sure == SURE_CERTAIN)
		sure = SURE_LIKELY;
	row = doctor_add(d, "link_width", sure, ends->design, f,
	                 "the link to %s has trained x%u, both ends support "
	                 "x%u",
	                 ends->up->bdf, f->pcie.lanes, ends->lanes);
	say_ends(row, ends, false);
	for (unsigned i = 0; i < 32; i++) {
		if (errors >> i & 1)
			xappend(&row->what,
			        errors & ((1u << i) - 1)
			            ? " "
			            : "; lanes with errors: ",
			        "%u", i);
	}
	doctor_set_link_cost(d, row, f, awake, awake.gen, ends->lanes);
	if (ends->idle && !*row->verify)
		doctor_say(&row->verify,
		           "pcb-doctor --watch 1min %s -- COMMAND that moves "
		           "its data",
		           doctor_short_bdf(f));
	if (doctor_say_alike(d, row, f, ALIKE_LANES))
		return;
	if (wired) {
		doctor_say(&row->fix, "none: the board decides the lanes");
		return;
	}
	doctor_say(
	    &row->fix,
	    fell ? RESEAT
	         : "firmware setup: bifurcation of this slot; else " RESEAT
	           "; a slot wired x%u cannot do better",
	    f->pcie.lanes);
	row->risk = "the machine is down meanwhile";
}

/* How to set the port's target speed and train the link again. */
static void
say_target(struct doctor_finding *row, const struct pci_function *port,
           unsigned gen, bool limited)
{
	row->risk =
	    "the link is down for some milliseconds: stop traffic first";
	doctor_say(&row->fix,
	           "setpci -s %s CAP_EXP+30.w=%x:f CAP_EXP+10.w=20:20%s",
	           doctor_short_bdf(port), gen,
	           !limited ? "; if that does not help, " RESEAT
	           : doctor_may_have_slot(port)
	               ? " until the next boot; then firmware setup, if it "
	                 "has the link speed of this slot"
	               : " until the next boot");
}

/*
 * A rate below what both ends support: by the port's target speed, or by an
 * error; or, to the lowest one, by the driver of an idle GPU. Other hardware
 * may lower it, and the port reports that if it can.
 */
static void
check_speed(struct doctor *d, const struct ends *ends)
{
	const struct pci_function *f = ends->down;
	bool tunnel = ends->design && !strcmp(ends->design, "tunnel");
	unsigned target =
	    register_field(&ends->up->registers, REG_LNKCTL2, 0xf);
	bool limited = target && target < ends->gen;
	enum sure sure = how_sure(d, ends, ends->idle || tunnel);
	struct link is = {.gen = f->pcie.gen}, could = {.gen = ends->gen};
	struct doctor_finding *row;

	if (!f->pcie.gen || f->pcie.gen >= ends->gen)
		return;
	/* Somebody may have lowered the target for a reason. */
	if (sure == SURE_CERTAIN && (limited || !ends->watched))
		sure = SURE_LIKELY;
	row = doctor_add(
	    d, "link_speed", sure, ends->idle ? "idle" : "tunnel", f,
	    "the link to %s runs at %g GT/s, both ends support %g GT/s%s",
	    ends->up->bdf, link_gt_s(&is), link_gt_s(&could),
	    limited     ? ": the port's target speed is lower"
	    : d->loaded ? ", under load, too"
	                : "");
	if (say_ends(row, ends, ends->idle && !tunnel))
		return;
	if (tunnel) {
		doctor_say(&row->fix, "none: a tunnel is not a link");
		return;
	}
	doctor_set_link_cost(d, row, f, f->link, ends->gen, f->link.lanes);
	say_target(row, ends->up, ends->gen, limited);
}

/* The port supports less than the device: another slot may be better. */
static void
check_slot(struct doctor *d, const struct ends *ends)
{
	const struct pci_function *f = ends->down;
	unsigned gen = pci_max_gen(f), lanes = pci_max_lanes(f);
	struct doctor_finding *row;
	struct link awake = pci_awake_link(f);

	if ((f->pcie.port != PORT_ENDPOINT && !ends->card) || ends->design ||
	    awake.gen < ends->gen || awake.lanes < ends->lanes ||
	    (gen == awake.gen && lanes == awake.lanes) ||
	    /* The registers contradict each other. */
	    gen < awake.gen || lanes < awake.lanes)
		return;
	row = doctor_add(
	    d, "link_slot", SURE_BY_DESIGN, "slot", f,
	    "the device supports gen%ux%u, the port %s only gen%ux%u", gen,
	    lanes, ends->up->bdf, pci_max_gen(ends->up),
	    pci_max_lanes(ends->up));
	say_ends(row, ends, false);
	doctor_say(&row->fix,
	           "firmware setup: %s%sanother slot, if there is a better one",
	           gen > awake.gen ? "link speed of this slot; " : "",
	           lanes > awake.lanes ? "bifurcation of its lanes; " : "");
	doctor_set_link_cost(d, row, f, awake, gen, lanes);
	/* A link further up limits by as much. */
	if (row->could_gbit_s <= row->now_gbit_s)
		doctor_drop(d);
}

/* A link further up carries less than the function's own. */
static void
check_uplink(struct doctor *d, const struct pci_function *f)
{
	struct path path = {0};
	const struct pci_function *limit;
	struct doctor_finding *row;
	bool tunnel = doctor_is_tunnel(f);
	struct link own = pci_awake_link(f), above;
	double now;

	if (f->pcie.port != PORT_ENDPOINT || !doctor_moves_data(f) ||
	    path_find(&path, f))
		return;
	limit = pci_find(d->tree, path.hop[path.limit].bdf);
	/* The link of a GPU's own card has its own findings. */
	if (path.limit && !card_of(d, limit)) {
		above = path.hop[path.limit].link;
		row = doctor_add(
		    d, "link_uplink", SURE_BY_DESIGN,
		    tunnel ? "tunnel" : "uplink", f,
		    "its link is gen%ux%u, but that above %s is gen%ux%u%s",
		    own.gen, own.lanes, limit->bdf, above.gen, above.lanes,
		    tunnel ? ", as tunnels report whatever they carry" : "");
		now = doctor_bound(&path, f, "bw_rd", 512, 0);
		path.link.gen = own.gen;
		path.link.lanes = own.lanes;
		path.link.flit = own.flit;
		if (tunnel) {
			doctor_say(&row->fix, "none: USB4 or Thunderbolt is "
			                      "not a link, measure it");
			doctor_verify(row, f, "bw_rd");
		} else {
			doctor_say(&row->fix,
			           doctor_is_chipset(limit)
			               ? "use a slot of the CPU: %s is the "
			                 "chipset"
			               : "use a slot that is not behind %s",
			           limit->bdf);
			doctor_set_cost(d, row, f, now,
			                doctor_bound(&path, f, "bw_rd", 512, 0),
			                "bw_rd", "reads of 512 bytes");
		}
	}
	path_free(&path);
}

/* For a link whose other end is not in the dump. */
#define PASTE                                                                  \
	"paste all that 'sudo lspci -vvv' prints there, both ends of a link"

/* The rates, as bits, of links that lspci calls slower than their end. */
static unsigned
slowed(const struct pci_tree *tree)
{
	unsigned rates = 0;

	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_registers *r = &tree->function[i].registers;

		if (r->value[REG_LNKSTA] & LNKSTA_SLOWER)
			rates |= 1u << register_field(r, REG_LNKSTA,
			                              PCI_EXP_LNKSTA_SPEED);
	}
	return rates;
}

/*
 * A port that is not known to be one, because grep left no more: its target
 * speed is the rate of the link, it supports more, and another function of the
 * dump says that its link is slowed to that. The target of a device itself
 * limits nothing.
 */
static bool
check_target(struct doctor *d, const struct pci_function *f, unsigned gen)
{
	unsigned target = register_field(&f->registers, REG_LNKCTL2, 0xf);
	struct link is = {.gen = gen}, could = {.gen = pci_max_gen(f)};
	struct doctor_finding *row;

	if (f->pcie.port == PORT_ENDPOINT || f->pcie.port == PORT_UPSTREAM ||
	    target != gen || target >= could.gen)
		return false;
	if (!d->slowed)
		d->slowed = slowed(d->tree) | 1;
	if (!(d->slowed >> gen & 1))
		return false;
	row = doctor_add(d, "link_speed", SURE_LIKELY, NULL, f,
	                 "its link runs at %g GT/s, the target speed that is "
	                 "set (LnkCtl2), it supports %g GT/s, and a device "
	                 "says that its link is slower than it can",
	                 link_gt_s(&is), link_gt_s(&could));
	say_target(row, f, could.gen, true);
	return true;
}

/*
 * A function with LnkSta, such as grep leaves, whose link has no other end in
 * the dump: adds a finding if it says that the link is below its best, else
 * what to paste to d->found.missing. False if it shows no such link.
 */
static bool
check_half(struct doctor *d, const struct pci_function *f)
{
	const struct pci_registers *r = &f->registers;
	unsigned gen = register_field(r, REG_LNKSTA, PCI_EXP_LNKSTA_SPEED);
	unsigned lanes = register_field(r, REG_LNKSTA, PCI_EXP_LNKSTA_WIDTH);
	bool port =
	    f->pcie.port == PORT_ROOT || f->pcie.port == PORT_DOWNSTREAM;
	/* The text has left out what an end supports. */
	bool lacks = f->up && !(r->seen[REG_LNKCAP] &&
	                        f->up->registers.seen[REG_LNKCAP]);
	/* Lines of grep do not say that it is a port. */
	bool empty = f->pcie.port == PORT_UNSEEN && r->seen[REG_SLTSTA] &&
	             !(r->value[REG_SLTSTA] & PCI_EXP_SLTSTA_PRES);
	const struct pci_function *below =
	    f->first_bus ? pci_next_below(d->tree, f, f) : NULL;
	bool narrow = lanes < pci_max_lanes(f) ||
	              (r->value[REG_LNKSTA] & LNKSTA_NARROWER);
	bool slow =
	    gen < pci_max_gen(f) || (r->value[REG_LNKSTA] & LNKSTA_SLOWER);
	bool idles = !narrow && gen == 1 &&
	             (*f->bdf == '?' || pci_class_of(f) == CLASS_GPU);
	struct doctor_finding *row;

	if (d->tree->sysfs || d->virtual_machine || doctor_is_tunnel(f) ||
	    !lanes || f->pcie.port == PORT_INTEGRATED || empty)
		return false;
	/* A port with nothing in it; a bridge of which grep has left little. */
	if (port ? !(r->value[REG_LNKSTA] & PCI_EXP_LNKSTA_DL_ACT) ||
	               (f->first_bus ? below && !doctor_is_unseen(below)
	                             : d->tree->n > 1)
	    : f->pcie.port == PORT_UNSEEN
	        ? f->class_code >> 16 == 0x0604 && d->tree->n > 1
	        : f->up && f->up->pcie.port != PORT_UNSEEN &&
	              !f->up->pcie.placed && !lacks)
		return false;
	if (!slow && !narrow) {
		if (!d->found.missing)
			d->found.missing = xstrdup(PASTE);
		return true;
	}
	if (check_target(d, f, gen))
		return true;
	row = doctor_add(d, "link_unseen", SURE_BY_DESIGN, "unseen", f,
	                 "its link is gen%ux%u, it supports ", gen, lanes);
	if (pci_max_gen(f) && pci_max_lanes(f))
		xappend(&row->what, "", "gen%ux%u", pci_max_gen(f),
		        pci_max_lanes(f));
	else
		xappend(&row->what, "", "more");
	xappend(&row->what, "", "; %s not in the dump%s",
	        port    ? "the device below is"
	        : lacks ? "what an end supports (LnkCap) is"
	                : "the port above, or its line \'Bus:\', is",
	        idles ? " (an idle GPU looks like this)" : "");
	doctor_say(&row->fix, PASTE);
	if (narrow)
		doctor_say_alike(d, row, f, ALIKE_LANES);
	return true;
}

/* A link that is not judged, because one end of it cannot be read. */
static void
count_half(struct doctor *d, const struct pci_function *f)
{
	if (check_half(d, f)) {
		d->half++;
	} else if (doctor_is_linked(f) && !doctor_is_tunnel(f)) {
		d->half++;
		if (!d->found.missing)
			d->found.missing =
			    d->tree->sysfs
			        ? xasprintf("no port above %s can be read",
			                    f->bdf)
			        : xstrdup(PASTE);
	}
}

/* The largest MPS that every function from here to the root supports; or 0. */
static unsigned
path_mps(const struct pci_function *f)
{
	unsigned lowest = 5;

	for (; f; f = f->up) {
		if (!f->registers.seen[REG_DEVCAP])
			return 0;
		lowest = least(lowest, register_field(&f->registers, REG_DEVCAP,
		                                      PCI_EXP_DEVCAP_PAYLOAD));
		if (f->pcie.port == PORT_ROOT)
			return 128u << lowest;
	}
	return 0;
}

static void
check_mps(struct doctor *d, const struct pci_function *f)
{
	unsigned could = path_mps(f);
	struct path path = {0};
	struct doctor_finding *row;
	double now, then;

	if (could <= f->pcie.mps || path_find(&path, f))
		return;
	now = doctor_bound(&path, f, "bw_wr", 512, 0);
	path.link.mps = path.completion_mps = could;
	then = doctor_bound(&path, f, "bw_wr", 512, 0);
	path_free(&path);
	row = doctor_add(
	    d, "mps",
	    then > now * MUCH && then > now + MUCH_GBIT ? SURE_LIKELY
	                                                : SURE_BY_DESIGN,
	    "payload", f, "MPS is %u bytes, its whole path supports %u",
	    f->pcie.mps, could);
	doctor_set_cost(d, row, f, now, then, "bw_wr", "writes of 512 bytes");
	doctor_say(&row->fix, "boot with pci=pcie_bus_perf");
	row->risk = "it also sets MRRS to the MPS, and a device that is added "
	            "later may not accept packets of that size";
	doctor_say_alike(d, row, f, ALIKE_MPS);
}

/* A receiver drops packets that are larger than its MPS. */
static void
check_mismatch(struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *up = doctor_port_above(f);
	struct doctor_finding *row;
	unsigned code = 0; /* in Device Control: 128 << code bytes */

	if (!up || !up->pcie.mps || f->pcie.mps <= up->pcie.mps)
		return;
	row = doctor_add(
	    d, "mps_mismatch", d->virtual_machine ? SURE_LIKELY : SURE_CERTAIN,
	    NULL, f,
	    "its MPS is %u bytes, but the port %s accepts at most %u: larger "
	    "writes are malformed TLPs",
	    f->pcie.mps, up->bdf, up->pcie.mps);
	while (128u << code < up->pcie.mps)
		code++;
	doctor_say(&row->fix, "setpci -s %s CAP_EXP+8.w=%x:e0",
	           doctor_short_bdf(f), code << 5);
	row->risk = "none; a running driver may change it back";
	doctor_verify(row, f, "bw_rd");
}

/* Larger requests gain bandwidth. */
static void
check_mrrs(struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *root = root_port(f);
	struct link larger = pci_awake_link(f);
	double now = doctor_gbit_s(f, "bw_rd", READ_BYTES, f->pcie.tags), could;
	struct doctor_finding *row;

	larger.mrrs = 512;
	could = with_link(f, larger, "bw_rd", READ_BYTES, f->pcie.tags);
	if (!f->pcie.tags || !f->pcie.mrrs || f->pcie.mrrs >= larger.mrrs ||
	    !(could > now * GAIN))
		return;
	row = doctor_add(
	    d, "mrrs", SURE_LIKELY, NULL, f,
	    "MRRS is %u bytes: its %u tags allow %u outstanding bytes",
	    f->pcie.mrrs, f->pcie.tags, f->pcie.mrrs * f->pcie.tags);
	doctor_set_cost(d, row, f, now, could, "bw_rd",
	                "reads of 4096 bytes, if a round trip takes 1 us");
	if (root && root->pcie.mps > f->pcie.mps &&
	    f->pcie.mrrs == f->pcie.mps) {
		/* As pci=pcie_bus_perf sets them. */
		row->sure = SURE_BY_DESIGN;
		row->reason = "payload";
		doctor_say(&row->fix,
		           "none: a larger MRRS causes completions that the "
		           "device cannot accept");
		return;
	}
	doctor_say(&row->fix, "setpci -s %s CAP_EXP+8.w=2000:7000",
	           doctor_short_bdf(f));
	row->risk = "small if MPS is the same on the whole path";
}

void
doctor_check_link(struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *up = doctor_port_above(f);
	struct ends ends;

	/* Inside a GPU's card only the link of the card itself matters. */
	if (up && card_of(d, up->up)) {
		check_uplink(d, f);
	} else if (find_ends(d, f, &ends)) {
		d->judged++;
		d->no_mps |= !f->registers.seen[REG_DEVCTL];
		d->no_extended |= f->basic || f->pcie.port == PORT_UNSEEN;
		check_width(d, &ends);
		check_speed(d, &ends);
		check_slot(d, &ends);
		check_uplink(d, f);
	} else {
		count_half(d, f);
	}
	if (f->pcie.port != PORT_ENDPOINT || f->link.bus != BUS_PCIE)
		return;
	check_mismatch(d, f);
	if (!doctor_moves_data(f))
		return;
	check_mps(d, f);
	check_mrrs(d, f);
}
