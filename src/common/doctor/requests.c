/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read requests of a device: size, number outstanding, ordering. */
#include "common/doctor/checks.h"
#include "common/doctor/cost.h"

#include <pci/pci.h>
#include <stdlib.h>

/* Size of reads for which costs are computed. */
#define READ_BYTES 4096

/* A smaller gain is ignored. */
#define GAIN 1.01

/* The bandwidth of the device with these requests. */
static double
with(const struct doctor *d, const struct pci_function *f, unsigned mrrs,
     unsigned tags)
{
	struct pci_tree *copy = doctor_copy(d->tree);
	struct pci_function *changed = doctor_copied(copy, f->bdf);
	double gbit_s;

	changed->link.mrrs = mrrs;
	gbit_s = doctor_gbit_s(copy, changed, "bw_rd", READ_BYTES, tags);
	doctor_copy_free(copy);
	return gbit_s;
}

/* Adds a finding if larger or more requests gain bandwidth; else NULL. */
static struct doctor_finding *
gain(struct doctor *d, const char *check, const struct pci_function *f,
     unsigned mrrs, unsigned tags)
{
	double now = with(d, f, f->pcie.mrrs, f->pcie.tags);
	double could = with(d, f, mrrs, tags);
	struct doctor_finding *row;
	char *what;

	if (!(could > now * GAIN))
		return NULL;
	what = xasprintf("reads of %u bytes, if a round trip takes 1 us",
	                 READ_BYTES);
	row = doctor_add(&d->found, check, SURE_LIKELY, f);
	doctor_set_cost(row, now, could, what);
	doctor_prove(row, f);
	free(what);
	return row;
}

/* MRRS equals MPS below a root port with more: pci=pcie_bus_perf. */
static bool
keeps_payload_small(const struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *root = doctor_root_port(d, f);

	return root && root->pcie.mps > f->pcie.mps &&
	       f->pcie.mrrs == f->pcie.mps;
}

static void
check_mrrs(struct doctor *d, const struct pci_function *f)
{
	struct doctor_finding *row = NULL;

	if (f->pcie.mrrs < 512)
		row = gain(d, "mrrs", f, 512, f->pcie.tags);
	if (!row)
		return;
	doctor_say(&row->what,
	           "MRRS is %u bytes: its %u tags allow %u outstanding bytes",
	           f->pcie.mrrs, f->pcie.tags, f->pcie.mrrs * f->pcie.tags);
	doctor_say(&row->mend, "setpci -s %s CAP_EXP+8.w=2000:7000",
	           doctor_short_bdf(f));
	doctor_say(&row->risk, "small if MPS is the same on the whole path");
	if (!keeps_payload_small(d, f))
		return;
	row->sure = SURE_BY_DESIGN;
	row->reason = "payload";
	doctor_say(&row->mend, "none: a larger MRRS causes completions that "
	                       "the device cannot accept");
	doctor_say(&row->risk, "%s", "");
}

static void
check_tags(struct doctor *d, const struct pci_function *f)
{
	const struct pci_registers *r = &f->registers;
	const struct pci_function *root = doctor_root_port(d, f);
	struct doctor_finding *row = NULL;

	if (f->pcie.tags == 32 &&
	    (r->value[REG_DEVCAP] & PCI_EXP_DEVCAP_EXT_TAG))
		row = gain(d, "tags", f, f->pcie.mrrs, 256);
	if (row)
		doctor_say(&row->mend, "setpci -s %s CAP_EXP+8.w=100:100",
		           doctor_short_bdf(f));
	else if (f->pcie.tags == 256 && root &&
	         (r->value[REG_DEVCAP2] & PCI_EXP_DEVCAP2_10BIT_TAG_REQ) &&
	         (root->registers.value[REG_DEVCAP2] &
	          PCI_EXP_DEVCAP2_10BIT_TAG_COMP)) {
		row = gain(d, "tags", f, f->pcie.mrrs, 768);
		if (row)
			doctor_say(&row->mend,
			           "setpci -s %s CAP_EXP+28.w=1000:1000",
			           doctor_short_bdf(f));
	}
	if (!row)
		return;
	doctor_say(&row->what,
	           "%u outstanding reads are allowed, the device supports more",
	           f->pcie.tags);
	doctor_say(&row->risk, "stop its driver first; a completer without "
	                       "these tags loses reads");
}

/* The cost is in the root complex, which the model does not know. */
static void
check_order(struct doctor *d, const struct pci_function *f)
{
	struct doctor_finding *row;

	if (!doctor_is_fast(f) ||
	    (f->registers.value[REG_DEVCTL] & PCI_EXP_DEVCTL_RELAXED))
		return;
	row = doctor_add(&d->found, "relaxed_ordering", SURE_LIKELY, f);
	doctor_say(&row->what, "relaxed ordering is disabled");
	doctor_say(
	    &row->cost,
	    "not in the model: it depends on the root complex and the driver");
	doctor_say(&row->mend, "setpci -s %s CAP_EXP+8.w=10:10",
	           doctor_short_bdf(f));
	doctor_say(&row->risk, "Linux disables it below root ports that "
	                       "violate it: check dmesg first");
	doctor_prove(row, f);
}

void
doctor_check_requests(struct doctor *d, const struct pci_function *f)
{
	if (f->pcie.port != PORT_ENDPOINT || f->link.bus != BUS_PCIE ||
	    !f->pcie.mrrs || !f->pcie.tags)
		return;
	check_mrrs(d, f);
	check_tags(d, f);
	check_order(d, f);
}
