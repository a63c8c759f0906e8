/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A PCI function as it was found, and the tree of all. */
#ifndef PCB_COMMON_PCI_FUNCTION_H
#define PCB_COMMON_PCI_FUNCTION_H

#include "common/pci/bdf.h"
#include "common/pci/pcie_cap.h"

#include <stddef.h>

struct pci_function {
	char bdf[BDF_MAX];
	char parent[BDF_MAX];         /* the bridge above; "" on a root bus */
	unsigned first_bus, last_bus; /* below a bridge; 0 below none */
	struct pci_registers registers;
	struct pcie_cap pcie;
	struct link link;    /* to what is above it; BUS_UNKNOWN if not known */
	uint32_t id;         /* of device (high half) and vendor, at 0x00 */
	uint32_t class_code; /* with the revision in its last byte, at 0x08 */
	uint16_t vendor_id, device_id; /* the kernel's: those of a VF read ~0 */
	char *driver;                  /* bound to it; "" if none */
	int node;                      /* -1 if the firmware does not say */
};

struct pci_tree {
	struct pci_function *function; /* by domain, bus, device, function */
	size_t n;
	char *sysfs; /* the directory it was read from; NULL: a dump */
};

#endif
