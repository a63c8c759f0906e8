/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a function is set up to work: command bits, buses, BARs, interrupts.
 */
#include "common/doctor/doctor.h"

#include <pci/pci.h>

#define ASLEEP(f) ((f)->registers.value[REG_POWER] & PCI_PM_CTRL_STATE_MASK)

/* Whether the function before it, of the same device, is off, too. */
static bool
shares_state(const struct doctor *d, const struct pci_function *f)
{
	return bdf_split(f->bdf).function && f > d->tree->function &&
	       bdf_same_device(f[-1].bdf, f->bdf) && *f[-1].driver &&
	       f[-1].registers.seen[REG_COMMAND] &&
	       !(f[-1].registers.value[REG_COMMAND] &
	         (PCI_COMMAND_MEMORY | PCI_COMMAND_IO));
}

/*
 * A driver is bound, but the function may not do its work. A virtual function
 * has no link and no such bits; some functions need no memory or no DMA.
 */
static void
check_command(struct doctor *d, const struct pci_function *f)
{
	uint32_t command = f->registers.value[REG_COMMAND];
	bool answers = command & (PCI_COMMAND_MEMORY | PCI_COMMAND_IO);
	struct doctor_finding *row;

	/* Drivers such as vfio-pci leave a device off until it is used. */
	if (!*f->driver || !strcmp(f->driver, "vfio-pci") ||
	    strstr(f->driver, "pciback") || !strcmp(f->driver, "pci-stub") ||
	    f->pcie.port != PORT_ENDPOINT || f->link.bus != BUS_PCIE ||
	    !f->registers.seen[REG_COMMAND] ||
	    (f->registers.value[REG_POWER] & PCI_PM_CTRL_STATE_MASK))
		return;
	if (answers &&
	    ((command & PCI_COMMAND_MASTER) || !doctor_moves_data(f)))
		return;
	/* Its functions fall off the bus together: one fact. */
	if (!answers && shares_state(d, f))
		return;
	row = doctor_add(d, "command", SURE_LIKELY, NULL, f,
	                 "driver %s is bound, but the function %s", f->driver,
	                 answers
	                     ? "may not start transfers (bus mastering is off)"
	                     : "does not answer (memory is off)");
	doctor_say(&row->fix,
	           answers ? "unbind and bind its driver" : FIX_GONE);
	row->risk = "the device is unavailable meanwhile";
}

/* Whether a function that works is below, and what it is. */
static const struct pci_function *
worker_below(const struct doctor *d, const struct pci_function *bridge)
{
	const struct pci_function *f = bridge;

	while ((f = pci_next_below(d->tree, bridge, f)) &&
	       !(*f->driver && f->pcie.port == PORT_ENDPOINT && !ASLEEP(f) &&
	         (f->registers.value[REG_COMMAND] & PCI_COMMAND_MASTER)))
		;
	return f;
}

/*
 * The kernel gives every bridge a bus, and lets those above a function that
 * transfers data pass it on. A reset takes both.
 */
static void
check_bridge(struct doctor *d, const struct pci_function *f)
{
	bool off = f->registers.seen[REG_COMMAND] &&
	           !(f->registers.value[REG_COMMAND] & PCI_COMMAND_MASTER);
	const struct pci_function *below =
	    off && f->first_bus && !ASLEEP(f) ? worker_below(d, f) : NULL;
	struct doctor_finding *row;

	if (!(f->busless || below) || f->pcie.port == PORT_NONE)
		return;
	row = doctor_add(d, "bridge", SURE_LIKELY, NULL, f,
	                 f->busless
	                     ? "this bridge leads to no bus: what is below "
	                       "cannot be reached%s"
	                     : "this bridge may not pass on transfers (bus "
	                       "mastering is off), but a driver uses %s below",
	                 below ? below->bdf : "");
	doctor_say(
	    &row->fix,
	    "journalctl -k may name the reset or error; reboot, or 'echo "
	    "1 >/sys/bus/pci/devices/%s/remove', then 'echo 1 "
	    ">/sys/bus/pci/rescan'",
	    f->bdf);
	row->risk = "devices below are unavailable meanwhile";
	if (f->busless)
		doctor_expect_dead(d, f);
}

/* Class 0000, to whose BARs the kernel gives no addresses. */
static bool
has_no_class(const struct pci_function *f)
{
	return f->id ? !(f->class_code >> 16)
	             : doctor_is_named(f, "Non-VGA unclassified device");
}

static void
check_addresses(struct doctor *d, const struct pci_function *f)
{
	char *list = NULL;
	/* What is no Linux numbers BARs in another way, and says no driver. */
	unsigned lost = f->lost_bars | (*f->driver ? f->moved_bars : 0);
	struct doctor_finding *row;

	if (!lost || f->pcie.port != PORT_ENDPOINT || ASLEEP(f) ||
	    f->link.bus != BUS_PCIE || doctor_is_named(f, "Virtual"))
		return;
	for (unsigned i = 0; i < 6; i++) {
		if (lost >> i & 1)
			xappend(&list, ", ", "%u", i);
	}
	row = doctor_add(d, "bar_address", SURE_LIKELY, NULL, f,
	                 "BAR %s has no address: the CPU cannot reach what is "
	                 "there",
	                 list);
	doctor_say(&row->fix,
	           has_no_class(f)
	               ? "a kernel with a class quirk for this device "
	                 "(DECLARE_PCI_FIXUP_CLASS_HEADER): it assigns no "
	                 "addresses to class 0000"
	               : "journalctl -k -g 'BAR' names what did not fit; boot "
	                 "with pci=realloc; on a PC, firmware setup: Above 4G "
	                 "Decoding on");
	if (!has_no_class(f))
		row->risk = "other devices get other addresses";
	free(list);
}

/*
 * These drivers ask for a message-signalled interrupt for each queue: without,
 * the device has one interrupt, shared with others, or the driver, nvidia's,
 * has not started it.
 */
static void
check_interrupts(struct doctor *d, const struct pci_function *f)
{
	static const char *const drivers[] = {
	    "nvidia", "nvme",     "igb",       "igc",       "ixgbe",   "i40e",
	    "ice",    "atlantic", "mlx4_core", "mlx5_core", "bnxt_en", "ena",
	    "nfp",    "sfc",      "cxgb4",     "qede"};
	size_t i = 0;
	const struct pci_registers *r = &f->registers;
	bool on = (r->value[REG_MSI] & PCI_MSI_FLAGS_ENABLE) |
	          (r->value[REG_MSIX] & PCI_MSIX_ENABLE);
	bool nvidia = !strcmp(f->driver, "nvidia");
	struct doctor_finding *row;

	while (i < ARRAY_LEN(drivers) && strcmp(f->driver, drivers[i]) != 0)
		i++;
	if (on || i == ARRAY_LEN(drivers) || f->pcie.port != PORT_ENDPOINT ||
	    !(r->seen[REG_MSI] | r->seen[REG_MSIX]) || ASLEEP(f) ||
	    !(r->value[REG_COMMAND] & PCI_COMMAND_MASTER) ||
	    /* It has none: its driver goes, or comes. */
	    (r->value[REG_COMMAND] & PCI_COMMAND_DISABLE_INTx) ||
	    f->link.bus != BUS_PCIE)
		return;
	row = doctor_add(d, "interrupts", SURE_LIKELY, NULL, f,
	                 "MSI and MSI-X are off under driver %s: %s", f->driver,
	                 nvidia ? "it has not started the GPU"
	                        : "it has one interrupt, perhaps shared");
	doctor_say(&row->fix,
	           nvidia ? "nvidia-smi, then look again: if they stay off, "
	                    "journalctl -k says why"
	                  : "boot without pci=nomsi; journalctl -k says why "
	                    "the driver got none");
}

/*
 * A slot that can tell (hot-plug) and holds a card without link; but the
 * presence of a card may be wired.
 */
static void
check_slot_link(struct doctor *d, const struct pci_function *f)
{
	const struct pci_registers *r = &f->registers;
	struct doctor_finding *row;

	if (!doctor_has_slot(f) || d->virtual_machine ||
	    !(r->value[REG_SLTCAP] & PCI_EXP_SLTCAP_HPC) ||
	    !(r->value[REG_SLTSTA] & PCI_EXP_SLTSTA_PRES) ||
	    (r->value[REG_SLTCTL] & PCI_EXP_SLTCTL_PWRC) ||
	    !(r->value[REG_LNKCAP] & PCI_EXP_LNKCAP_DLLA) ||
	    !(r->seen[REG_LNKSTA] & PCI_EXP_LNKSTA_DL_ACT) ||
	    (r->value[REG_LNKSTA] & PCI_EXP_LNKSTA_DL_ACT) ||
	    (r->value[REG_LNKCTL] & PCI_EXP_LNKCTL_DISABLE) || ASLEEP(f) ||
	    (f->first_bus && pci_next_below(d->tree, f, f)))
		return;
	row = doctor_add(d, "link_down", SURE_BY_DESIGN, "slots", f,
	                 "its slot reports a card, but there is no link");
	doctor_say(&row->fix, RESEAT);
	row->risk = "the machine is down meanwhile";
}

/* How much of a GPU's memory its BAR shows; that of an APU is the system's. */
static void
check_bar(struct doctor *d, const struct pci_function *f)
{
	const struct pci_registers *r = &f->registers;
	unsigned now = register_field(r, REG_REBARCTL, 0x3f00);
	unsigned largest = rebar_largest(r->value[REG_REBARCAP]);
	/* Lines that grep left do not say whose BAR it is. */
	bool gpu = pci_class_of(f) == CLASS_GPU || *f->bdf == '?' ||
	           (!f->class_code && f->title && !*f->title);
	struct doctor_finding *row;

	if (!gpu || !r->seen[REG_REBARCAP] || !r->seen[REG_REBARCTL] ||
	    now >= largest || doctor_is_inside(f))
		return;
	row = doctor_add(
	    d, "rebar", SURE_LIKELY, NULL, f,
	    "its BAR shows %u MiB of memory, it can be set to %u MiB",
	    1u << now, 1u << largest);
	doctor_say(&row->cost, "not in the model: the CPU copies through a "
	                       "window");
	doctor_say(&row->fix, "firmware setup: Resizable BAR on%s",
	           f->above_4g ? "" : ", which needs Above 4G Decoding");
	row->risk = "old operating systems may not boot";
	doctor_say_alike(d, row, f, ALIKE_BAR);
}

/* The kernel counts no errors that are masked; registers keep them. */
static void
count_masked(struct doctor *d, const struct pci_function *f)
{
	uint32_t link = PCI_ERR_COR_RCVR | PCI_ERR_COR_BAD_TLP |
	                PCI_ERR_COR_BAD_DLLP | PCI_ERR_COR_REP_ROLL |
	                PCI_ERR_COR_REP_TIMER;

	if (d->tree->sysfs && f->link.bus == BUS_PCIE &&
	    (f->registers.value[REG_CEMSK] & link) == link &&
	    d->masked++ < LISTED)
		xappend(&d->masked_names, " ", "%s", doctor_short_bdf(f));
}

void
doctor_end(struct doctor *d)
{
	struct doctor_finding *row;

	if (d->masked)
		doctor_add(d, "errors_masked", SURE_BY_DESIGN, "unseen", NULL,
		           "corrected errors of %zu functions are masked: the "
		           "kernel counts none, which proves nothing: %s%s",
		           d->masked, d->masked_names,
		           d->masked > LISTED ? " ..." : "");
	if (d->redirecting && !d->links && !d->judged) {
		row = doctor_add(d, "acs", SURE_BY_DESIGN, "unseen", NULL,
		                 "ACS of %zu ports redirects what peers "
		                 "exchange: whether GPUs or NICs are below is "
		                 "not in the dump",
		                 d->redirecting);
		doctor_say(&row->fix,
		           "paste all that 'sudo lspci -vvv' prints there");
	}
	free(d->masked_names);
	d->masked_names = NULL;
}

void
doctor_check_setup(struct doctor *d, const struct pci_function *f)
{
	check_command(d, f);
	check_bar(d, f);
	check_bridge(d, f);
	check_addresses(d, f);
	check_interrupts(d, f);
	check_slot_link(d, f);
	count_masked(d, f);
}
