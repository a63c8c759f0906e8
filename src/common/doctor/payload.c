/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maximum payload size (MPS) and the read completion boundary (RCB). */
#include "common/doctor/checks.h"
#include "common/doctor/cost.h"

#include <pci/pci.h>

/* The largest MPS that every function from here to the root supports; or 0. */
static unsigned
path_mps(const struct doctor *d, const struct pci_function *f)
{
	unsigned least = 0;

	for (; f; f = pci_find(d->tree, f->parent)) {
		unsigned code = register_field(&f->registers, REG_DEVCAP,
		                               PCI_EXP_DEVCAP_PAYLOAD);

		if (!f->registers.seen[REG_DEVCAP] || code > 5)
			return 0;
		if (!least || 128u << code < least)
			least = 128u << code;
		if (f->pcie.port == PORT_ROOT)
			return least;
	}
	return 0;
}

static double
with_mps(const struct doctor *d, const struct pci_function *f, unsigned mps)
{
	struct pci_tree *copy = doctor_copy(d->tree);
	double gbit_s;

	for (const struct pci_function *hop = f; hop;
	     hop = pci_find(d->tree, hop->parent)) {
		struct pci_function *changed = doctor_copied(copy, hop->bdf);

		changed->pcie.mps = changed->link.mps = mps;
	}
	gbit_s =
	    doctor_gbit_s(copy, doctor_copied(copy, f->bdf), "bw_wr", 512, 0);
	doctor_copy_free(copy);
	return gbit_s;
}

static void
check_mps(struct doctor *d, const struct pci_function *f)
{
	unsigned could = path_mps(d, f);
	struct doctor_finding *row;

	if (could <= f->pcie.mps)
		return;
	row = doctor_add(&d->found, "mps", SURE_LIKELY, f);
	doctor_say(&row->what, "MPS is %u bytes, its whole path supports %u",
	           f->pcie.mps, could);
	doctor_set_cost(row, doctor_gbit_s(d->tree, f, "bw_wr", 512, 0),
	                with_mps(d, f, could), "writes of 512 bytes");
	doctor_say(&row->mend, "boot with pci=pcie_bus_perf");
	doctor_say(
	    &row->risk,
	    "a device that is added later may not accept packets of that size");
	doctor_prove(row, f);
}

/* The code for 128 << code bytes in Device Control. */
static unsigned
payload_code(unsigned bytes)
{
	unsigned code = 0;

	while (128u << code < bytes)
		code++;
	return code;
}

/* A receiver drops packets that are larger than its MPS. */
static void
check_mismatch(struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *up = doctor_port_above(d, f);
	const struct pci_function *root = doctor_root_port(d, f);
	struct doctor_finding *row;

	if (up && up->pcie.mps && f->pcie.mps > up->pcie.mps) {
		row = doctor_add(&d->found, "mps_mismatch", SURE_CERTAIN, f);
		doctor_say(&row->what,
		           "its MPS is %u bytes, but the port %s accepts at "
		           "most %u: larger writes are malformed TLPs",
		           f->pcie.mps, up->bdf, up->pcie.mps);
		doctor_say(&row->mend, "setpci -s %s CAP_EXP+8.w=%x:e0",
		           doctor_short_bdf(f),
		           payload_code(up->pcie.mps) << 5);
		doctor_say(&row->risk,
		           "none; a running driver may change it back");
		doctor_prove(row, f);
		return;
	}
	if (!root || root->pcie.mps <= f->pcie.mps ||
	    f->pcie.mrrs <= f->pcie.mps)
		return;
	row = doctor_add(&d->found, "mps_completions", SURE_LIKELY, f);
	doctor_say(&row->what,
	           "the root port %s may send completions of %u bytes, the "
	           "device accepts %u and requests %u",
	           root->bdf, root->pcie.mps, f->pcie.mps, f->pcie.mrrs);
	doctor_say(&row->mend, "boot with pci=pcie_bus_safe");
	doctor_say(&row->risk, "MPS of other devices may become smaller");
	doctor_prove(row, f);
}

static void
check_rcb(struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *root = doctor_root_port(d, f);
	struct doctor_finding *row;

	if (!root || root->pcie.rcb != 64 || f->pcie.rcb != 128)
		return;
	row = doctor_add(&d->found, "rcb", SURE_LIKELY, f);
	doctor_say(&row->what,
	           "it expects completions split at 128 bytes, the root port "
	           "%s splits at 64",
	           root->bdf);
	doctor_say(&row->mend, "setpci -s %s CAP_EXP+10.w=0:8",
	           doctor_short_bdf(f));
	doctor_say(&row->risk, "none known");
	doctor_prove(row, f);
}

/* ECRC: 4 bytes more in each packet. */
static void
check_ecrc(struct doctor *d, const struct pci_function *f)
{
	struct doctor_finding *row;
	struct pci_tree *copy;

	if (f->pcie.ecrc != TRISTATE_YES || !doctor_is_fast(f))
		return;
	copy = doctor_copy(d->tree);
	doctor_copied(copy, f->bdf)->link.ecrc = false;
	row = doctor_add(&d->found, "ecrc", SURE_BY_DESIGN, f);
	row->reason = "integrity";
	doctor_say(&row->what,
	           "each packet that it sends has 4 more bytes, the ECRC");
	doctor_set_cost(
	    row, doctor_gbit_s(d->tree, f, "bw_wr", 512, 0),
	    doctor_gbit_s(copy, doctor_copied(copy, f->bdf), "bw_wr", 512, 0),
	    "writes of 512 bytes");
	doctor_say(&row->mend, "boot with pci=ecrc=off");
	doctor_say(&row->risk, "errors inside switches are no longer detected");
	doctor_prove(row, f);
	doctor_copy_free(copy);
}

void
doctor_check_payload(struct doctor *d, const struct pci_function *f)
{
	if (f->pcie.port != PORT_ENDPOINT || f->link.bus != BUS_PCIE)
		return;
	check_mps(d, f);
	check_mismatch(d, f);
	check_rcb(d, f);
	check_ecrc(d, f);
}
