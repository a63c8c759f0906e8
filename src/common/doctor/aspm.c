/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Power management of links: exit latency, and the latency tolerated. */
#include "common/doctor/checks.h"

#include <pci/pci.h>

#define L1 2u

/* The code for no limit and for no bound. */
#define UNLIMITED 7

/* L1 latency is at most 1 us << code; a device may tolerate any (7). */
static unsigned
l1_us(unsigned code)
{
	return 1u << code;
}

static unsigned
enabled(const struct pci_function *f)
{
	return register_field(&f->registers, REG_LNKCTL, PCI_EXP_LNKCTL_ASPM);
}

static unsigned
exit_code(const struct pci_function *f)
{
	return register_field(&f->registers, REG_LNKCAP, PCI_EXP_LNKCAP_L1);
}

/*
 * The longest L1 exit latency, in us, of the links from the function to the
 * root that may enter L1, plus 1 us for each switch. PCIe Base Specification
 * 5.4.1.2.2. 0: none may.
 */
static unsigned
path_exit_us(const struct doctor *d, const struct pci_function *f)
{
	unsigned longest = 0, switches = 0;

	while (f) {
		const struct pci_function *up = doctor_port_above(d, f);
		unsigned code;

		if (!up)
			break;
		code =
		    exit_code(f) > exit_code(up) ? exit_code(f) : exit_code(up);
		if ((enabled(f) & enabled(up) & L1) &&
		    l1_us(code) + switches > longest)
			longest = l1_us(code) + switches;
		switches++;
		/* From a switch's downstream port to its upstream port. */
		f = up->pcie.port == PORT_DOWNSTREAM
		        ? pci_find(d->tree, up->parent)
		        : NULL;
	}
	return longest;
}

static void
say_off(struct doctor_finding *row, const struct pci_function *f)
{
	doctor_say(&row->mend, "echo 0 >/sys/bus/pci/devices/%s/link/l1_aspm",
	           f->bdf);
	doctor_say(&row->risk,
	           "the machine uses more power; a reboot undoes this");
	doctor_say(&row->prove,
	           "pcb-collect lat_cfg -d %s --hold aspm | pcb-stats; and "
	           "without --hold aspm",
	           doctor_short_bdf(f));
}

static void
check_l1(struct doctor *d, const struct pci_function *f)
{
	unsigned tolerated =
	    register_field(&f->registers, REG_DEVCAP, PCI_EXP_DEVCAP_L1);
	unsigned us = path_exit_us(d, f);
	bool exceeds = tolerated != UNLIMITED && us > l1_us(tolerated);
	struct doctor_finding *row;

	if (!us || !(exceeds || doctor_is_nic(f)))
		return;
	row = doctor_add(&d->found, exceeds ? "aspm_latency" : "aspm",
	                 !exceeds             ? SURE_BY_DESIGN
	                 : d->virtual_machine ? SURE_LIKELY
	                                      : SURE_CERTAIN,
	                 f);
	if (exceeds) {
		doctor_say(&row->what,
		           "ASPM L1 is on, its path needs up to %u us to wake, "
		           "the device tolerates %u us",
		           us, l1_us(tolerated));
	} else {
		row->reason = "power";
		doctor_say(&row->what,
		           "ASPM L1 is on, within what the device tolerates");
	}
	doctor_say(&row->cost, "up to %u us for the first packet after idle",
	           us);
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

static void
check_l1_2(struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *up = doctor_port_above(d, f);
	unsigned us, common;
	struct doctor_finding *row;

	if (!up || !(doctor_is_nic(f) || doctor_is_nvme(f)) ||
	    !(enabled(f) & enabled(up) & L1) ||
	    !(f->registers.value[REG_L1SSCTL1] &
	      up->registers.value[REG_L1SSCTL1] &
	      PCI_L1PM_SUBSTAT_CTL1_ASPM_L12))
		return;
	us =
	    power_on_us(f) > power_on_us(up) ? power_on_us(f) : power_on_us(up);
	common = register_field(&up->registers, REG_L1SSCTL1, 0xff00);
	row = doctor_add(&d->found, "aspm_l1_2", SURE_LIKELY, f);
	doctor_say(&row->what, "ASPM L1.2 is on: an idle link switches off, "
	                       "and buffers fill while it wakes");
	doctor_say(&row->cost, "%u us for the first packet after idle",
	           us + common);
	say_off(row, f);
	doctor_say(&row->mend, "echo 0 >/sys/bus/pci/devices/%s/link/l1_2_aspm",
	           f->bdf);
}

static void
check_ltr(struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *up = doctor_port_above(d, f);
	struct doctor_finding *row;

	if (!up || !up->registers.seen[REG_DEVCTL2] ||
	    !(f->registers.value[REG_DEVCTL2] & PCI_EXP_DEVCTL2_LTR) ||
	    (up->registers.value[REG_DEVCTL2] & PCI_EXP_DEVCTL2_LTR))
		return;
	row = doctor_add(&d->found, "ltr", SURE_LIKELY, f);
	doctor_say(&row->what,
	           "it reports the latency that it tolerates (LTR), but the "
	           "port %s ignores it",
	           up->bdf);
	doctor_say(&row->mend, "setpci -s %s CAP_EXP+28.w=400:400",
	           doctor_short_bdf(up));
	doctor_say(&row->risk,
	           "the device may sleep deeper and wake more slowly");
}

void
doctor_check_aspm(struct doctor *d, const struct pci_function *f)
{
	if (f->pcie.port != PORT_ENDPOINT || f->link.bus != BUS_PCIE)
		return;
	check_l1(d, f);
	check_l1_2(d, f);
	check_ltr(d, f);
}
