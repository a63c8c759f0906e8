/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What checks share: ports above, device classes, commands. */
#include "common/doctor/checks.h"

#include "common/link/pcie.h"

#include <string.h>

#define NVIDIA 0x10de /* vendor ID */

const struct pci_function *
doctor_port_above(const struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *up = pci_find(d->tree, f->parent);

	return up && (up->pcie.port == PORT_ROOT ||
	              up->pcie.port == PORT_DOWNSTREAM)
	           ? up
	           : NULL;
}

const struct pci_function *
doctor_root_port(const struct doctor *d, const struct pci_function *f)
{
	while (f && f->pcie.port != PORT_ROOT)
		f = pci_find(d->tree, f->parent);
	return f;
}

bool
doctor_is_gpu(const struct pci_function *f)
{
	return f->class_code >> 24 == 0x03 || f->class_code >> 24 == 0x12;
}

bool
doctor_is_nic(const struct pci_function *f)
{
	return f->class_code >> 24 == 0x02;
}

bool
doctor_is_nvme(const struct pci_function *f)
{
	return f->class_code >> 16 == 0x0108;
}

/* At least gen 3 x8 or gen 4 x4. */
bool
doctor_is_fast(const struct pci_function *f)
{
	return (doctor_is_gpu(f) || doctor_is_nic(f) || doctor_is_nvme(f)) &&
	       f->link.bus == BUS_PCIE && link_raw_gbit_s(&f->link) > 60;
}

const char *
doctor_short_bdf(const struct pci_function *f)
{
	return strncmp(f->bdf, "0000:", 5) ? f->bdf : f->bdf + 5;
}

void
doctor_prove(struct doctor_finding *row, const struct pci_function *f)
{
	const char *bdf = doctor_short_bdf(f);

	if (doctor_is_gpu(f))
		doctor_say(&row->prove,
		           "pcb-collect bw_rd -d %s:%s -s 512 | pcb-stats",
		           f->vendor_id == NVIDIA ? "gpu" : "vulkan", bdf);
	else if (doctor_is_nvme(f))
		doctor_say(
		    &row->prove,
		    "pcb-collect bw_wr -d nvme:%s -O unbind=yes -s 64K | "
		    "pcb-stats",
		    bdf);
	else
		doctor_say(&row->prove, "pcb-collect lat_cfg -d %s | pcb-stats",
		           bdf);
}
