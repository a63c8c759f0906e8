/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a function is awake and enabled, and shows all of its memory. */
#include "common/doctor/checks.h"

#include <pci/pci.h>

static void
check_power(struct doctor *d, const struct pci_function *f)
{
	unsigned state =
	    register_field(&f->registers, REG_POWER, PCI_PM_CTRL_STATE_MASK);
	struct doctor_finding *row;

	if (!state || f->pcie.port != PORT_ENDPOINT)
		return;
	row = doctor_add(&d->found, "power", SURE_BY_DESIGN, f);
	row->reason = "idle";
	doctor_say(&row->what,
	           "it is suspended (D%u): its link differs when it is awake",
	           state);
	doctor_say(&row->mend, "echo on >/sys/bus/pci/devices/%s/power/control",
	           f->bdf);
	doctor_say(&row->risk, "the machine uses more power");
	doctor_say(&row->prove,
	           "pcb-collect lat_cfg -d %s --hold power | pcb-stats",
	           doctor_short_bdf(f));
}

/* A driver is bound, but the function may not do its work. */
static void
check_command(struct doctor *d, const struct pci_function *f)
{
	uint32_t command = f->registers.value[REG_COMMAND];
	struct doctor_finding *row;

	if (!*f->driver || f->pcie.port != PORT_ENDPOINT ||
	    !f->registers.seen[REG_COMMAND] ||
	    (f->registers.value[REG_POWER] & PCI_PM_CTRL_STATE_MASK))
		return;
	if ((command & PCI_COMMAND_MASTER) && (command & PCI_COMMAND_MEMORY))
		return;
	row = doctor_add(&d->found, "command", SURE_LIKELY, f);
	doctor_say(&row->what, "driver %s is bound, but the function %s",
	           f->driver,
	           (command & PCI_COMMAND_MEMORY)
	               ? "may not start transfers (bus mastering is off)"
	               : "does not answer (memory is off)");
	doctor_say(&row->mend, "unbind and bind its driver");
	doctor_say(&row->risk, "the device is unavailable meanwhile");
}

/* Log2 of the largest size, in MiB, that the BAR can have. */
static unsigned
largest_size(const struct pci_function *f)
{
	uint32_t sizes = f->registers.value[REG_REBARCAP] >> 4;
	unsigned log = 0;

	while (sizes >>= 1)
		log++;
	return log;
}

static void
check_bar(struct doctor *d, const struct pci_function *f)
{
	unsigned now = register_field(&f->registers, REG_REBARCTL, 0x3f00);
	struct doctor_finding *row;

	if (!doctor_is_gpu(f) || !f->registers.seen[REG_REBARCAP] ||
	    !f->registers.seen[REG_REBARCTL] || now >= largest_size(f))
		return;
	row = doctor_add(&d->found, "rebar", SURE_LIKELY, f);
	doctor_say(&row->what,
	           "its BAR shows %u MiB of memory, it can be set to %u MiB",
	           1u << now, 1u << largest_size(f));
	doctor_say(&row->cost, "not in the model: the CPU copies through a "
	                       "window");
	doctor_say(&row->mend,
	           "firmware setup: Above 4G Decoding and Resizable BAR on");
	doctor_say(&row->risk, "old operating systems may not boot");
}

void
doctor_check_state(struct doctor *d, const struct pci_function *f)
{
	check_power(d, f);
	check_command(d, f);
	check_bar(d, f);
}
