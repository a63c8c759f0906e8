/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The link above a function: rate and width, against what both ends support. */
#include "common/doctor/checks.h"
#include "common/doctor/cost.h"
#include "common/pci/path.h"

#include <pci/pci.h>
#include <string.h>

/* The two ends, and the best that both support. */
struct ends {
	const struct pci_function *up, *down;
	unsigned gen, lanes;
	/* Both ends report the same state. */
	bool agree;
	/* The port reports link changes by hardware. */
	bool watched;
	/* Hardware has changed the link autonomously. */
	bool by_choice;
	bool asleep;   /* the function is in D1 to D3 */
	bool may_idle; /* a GPU is below, whose driver may narrow it */
};

/* The highest rate by Link Capabilities and Link Capabilities 2. */
static unsigned
max_gen(const struct pci_function *f)
{
	unsigned gen =
	    register_field(&f->registers, REG_LNKCAP, PCI_EXP_LNKCAP_SPEED);
	unsigned speeds = register_field(&f->registers, REG_LNKCAP2, 0xfe);
	unsigned highest = 0;

	for (; speeds; speeds >>= 1)
		highest++;
	return highest && highest < gen ? highest : gen;
}

static unsigned
max_lanes(const struct pci_function *f)
{
	return register_field(&f->registers, REG_LNKCAP, PCI_EXP_LNKCAP_WIDTH);
}

static bool
has_gpu_below(const struct pci_tree *tree, const struct pci_function *port)
{
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];

		if (doctor_is_gpu(f) && pci_is_below(tree, f, port))
			return true;
	}
	return false;
}

static bool
status(const struct pci_function *f, unsigned bit)
{
	return f->registers.value[REG_LNKSTA] & bit;
}

/* False if an end is not readable or no link is trained. */
static bool
find_ends(const struct doctor *d, const struct pci_function *f,
          struct ends *ends)
{
	const struct pci_function *up = doctor_port_above(d, f);
	const struct pci_registers *r = up ? &up->registers : NULL;

	if (!up || f->link.bus != BUS_PCIE || !r->seen[REG_LNKCAP] ||
	    !r->seen[REG_LNKSTA] || !f->registers.seen[REG_LNKCAP])
		return false;
	*ends = (struct ends){
	    .up = up,
	    .down = f,
	    .gen = max_gen(f) < max_gen(up) ? max_gen(f) : max_gen(up),
	    .lanes =
	        max_lanes(f) < max_lanes(up) ? max_lanes(f) : max_lanes(up),
	    .agree =
	        up->pcie.gen == f->pcie.gen && up->pcie.lanes == f->pcie.lanes,
	    .watched = (r->value[REG_LNKCAP] & PCI_EXP_LNKCAP_LBNC) &&
	               !(r->value[REG_LNKCTL] & PCI_EXP_LNKCTL_AUTBWIE),
	    .by_choice = status(up, PCI_EXP_LNKSTA_AUTBW) ||
	                 status(f, PCI_EXP_LNKSTA_AUTBW),
	    .asleep = f->registers.value[REG_POWER] & PCI_PM_CTRL_STATE_MASK,
	    .may_idle = has_gpu_below(d->tree, up),
	};
	return true;
}

/* What the function would reach if its link had this rate and width. */
static double
at_rate(const struct doctor *d, const struct pci_function *f, unsigned gen,
        unsigned lanes)
{
	struct pci_tree *copy = doctor_copy(d->tree);
	struct pci_function *changed = doctor_copied(copy, f->bdf);
	double gbit_s;

	changed->link.gen = gen;
	changed->link.lanes = lanes;
	gbit_s = doctor_gbit_s(copy, changed, "bw_rd", 512, 0);
	doctor_copy_free(copy);
	return gbit_s;
}

static void
say_cost(const struct doctor *d, struct doctor_finding *row,
         const struct pci_function *f, unsigned gen, unsigned lanes)
{
	doctor_set_cost(row, doctor_gbit_s(d->tree, f, "bw_rd", 512, 0),
	                at_rate(d, f, gen, lanes), "reads of 512 bytes");
	doctor_prove(row, f);
}

/* How sure it is that a link below its capabilities is not just idle. */
static enum sure
how_sure(const struct doctor *d, const struct ends *ends, bool idle)
{
	if (idle)
		return SURE_BY_DESIGN;
	return ends->agree && !d->virtual_machine ? SURE_CERTAIN : SURE_LIKELY;
}

static void
say_retrain(struct doctor_finding *row, const struct ends *ends)
{
	doctor_say(&row->risk, "the link is down for some milliseconds: stop "
	                       "traffic first");
	doctor_say(&row->mend, "setpci -s %s CAP_EXP+10.w=20:20",
	           doctor_short_bdf(ends->up));
}

static void
say_idle(struct doctor_finding *row, const struct ends *ends)
{
	row->reason = "idle";
	doctor_say(&row->mend,
	           "none: it wakes under load (pcb-doctor --measure %s)",
	           doctor_short_bdf(ends->down));
}

static void
check_width(struct doctor *d, const struct ends *ends)
{
	const struct pci_function *f = ends->down;
	bool idle = ends->by_choice || ends->asleep;
	enum sure sure = how_sure(d, ends, idle);
	struct doctor_finding *row;

	if (f->link.lanes >= ends->lanes)
		return;
	/* Some GPU drivers narrow an idle link. */
	if (sure == SURE_CERTAIN && ends->may_idle && !ends->watched)
		sure = SURE_LIKELY;
	row = doctor_add(&d->found, "link_width", sure, f);
	doctor_say(&row->what,
	           "the link to %s has trained x%u, both ends support x%u",
	           ends->up->bdf, f->link.lanes, ends->lanes);
	say_cost(d, row, f, f->link.gen, ends->lanes);
	if (sure == SURE_BY_DESIGN) {
		say_idle(row, ends);
		return;
	}
	doctor_say(&row->mend,
	           "power off, reseat the card, its riser or cable, or use "
	           "another slot; a slot wired x%u cannot do better",
	           f->link.lanes);
	doctor_say(&row->risk, "the machine is down meanwhile");
}

/*
 * A rate below what both ends support: by the port's target speed, or by an
 * error. A GPU's driver lowers it when idle; other hardware may, and the port
 * reports that if it can.
 */
static void
check_speed(struct doctor *d, const struct ends *ends)
{
	const struct pci_function *f = ends->down;
	bool idle = ends->by_choice || ends->asleep || ends->may_idle;
	unsigned target =
	    register_field(&ends->up->registers, REG_LNKCTL2, 0xf);
	bool limited = target && target < ends->gen;
	enum sure sure = how_sure(d, ends, idle);
	struct link could = {.gen = ends->gen};
	struct doctor_finding *row;

	if (f->link.gen >= ends->gen)
		return;
	if (sure == SURE_CERTAIN && !limited && !ends->watched)
		sure = SURE_LIKELY;
	row = doctor_add(&d->found, "link_speed", sure, f);
	doctor_say(
	    &row->what,
	    "the link to %s runs at %g GT/s, both ends support %g GT/s%s",
	    ends->up->bdf, link_gt_s(&f->link), link_gt_s(&could),
	    limited ? ": the port's target speed is lower" : "");
	say_cost(d, row, f, ends->gen, f->link.lanes);
	if (sure == SURE_BY_DESIGN) {
		say_idle(row, ends);
		return;
	}
	say_retrain(row, ends);
	if (limited)
		doctor_say(&row->mend,
		           "setpci -s %s CAP_EXP+30.w=%x:f "
		           "CAP_EXP+10.w=20:20",
		           doctor_short_bdf(ends->up), ends->gen);
}

/* The port supports less than the device: another slot may be better. */
static void
check_slot(struct doctor *d, const struct ends *ends)
{
	const struct pci_function *f = ends->down;
	struct doctor_finding *row;

	if (f->pcie.port != PORT_ENDPOINT || f->link.gen < ends->gen ||
	    f->link.lanes < ends->lanes)
		return;
	if (max_gen(f) <= f->link.gen && max_lanes(f) <= f->link.lanes)
		return;
	/* The registers contradict each other. */
	if (max_gen(f) < f->link.gen || max_lanes(f) < f->link.lanes)
		return;
	row = doctor_add(&d->found, "link_slot", SURE_BY_DESIGN, f);
	row->reason = "slot";
	doctor_say(&row->what,
	           "the device supports gen%ux%u, the port %s only gen%ux%u",
	           max_gen(f), max_lanes(f), ends->up->bdf, max_gen(ends->up),
	           max_lanes(ends->up));
	doctor_say(&row->mend, "use another slot, if there is a wider one");
	say_cost(d, row, f, max_gen(f), max_lanes(f));
}

/* A link further up carries less than the function's own. */
static void
check_uplink(struct doctor *d, const struct pci_function *f)
{
	struct path path = {0};
	const struct hop *limit;
	struct pci_tree *copy;
	struct doctor_finding *row;

	if (f->pcie.port != PORT_ENDPOINT || path_find(&path, d->tree, f))
		return;
	limit = &path.hop[path.limit];
	if (path.limit) {
		row = doctor_add(&d->found, "link_uplink", SURE_BY_DESIGN, f);
		row->reason = "uplink";
		doctor_say(&row->what,
		           "its link is gen%ux%u, but that above %s is "
		           "gen%ux%u",
		           f->link.gen, f->link.lanes, limit->bdf,
		           limit->link.gen, limit->link.lanes);
		doctor_say(&row->mend, "use a slot that is not behind %s",
		           limit->bdf);
		copy = doctor_copy(d->tree);
		for (size_t i = 1; i < path.n; i++) {
			struct pci_function *hop =
			    doctor_copied(copy, path.hop[i].bdf);

			hop->link.gen = f->link.gen;
			hop->link.lanes = f->link.lanes;
		}
		doctor_set_cost(row, doctor_gbit_s(d->tree, f, "bw_rd", 512, 0),
		                doctor_gbit_s(copy, f, "bw_rd", 512, 0),
		                "reads of 512 bytes");
		doctor_prove(row, f);
		doctor_copy_free(copy);
	}
	path_free(&path);
}

/* Functions of a device share a link: only the first one gets the findings. */
static bool
is_first(const struct pci_tree *tree, const struct pci_function *f)
{
	size_t same = strlen(f->bdf) - 1;

	return f == tree->function || f[-1].link.bus != BUS_PCIE ||
	       strncmp(f[-1].bdf, f->bdf, same) != 0;
}

void
doctor_check_link(struct doctor *d, const struct pci_function *f)
{
	struct ends ends;

	if (!is_first(d->tree, f) || !find_ends(d, f, &ends))
		return;
	check_width(d, &ends);
	check_speed(d, &ends);
	check_slot(d, &ends);
	check_uplink(d, f);
}
