/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A PCI function as read, and the tree of all functions. */
#ifndef PCB_COMMON_PCI_FUNCTION_H
#define PCB_COMMON_PCI_FUNCTION_H

#include "common/pci/bdf.h"
#include "common/pci/pcie_cap.h"

#include <stddef.h>

struct pci_function {
	char bdf[BDF_MAX];
	char parent[BDF_MAX];         /* bridge above; "" on a root bus */
	unsigned first_bus, last_bus; /* below a bridge; else 0 */
	struct pci_registers registers;
	struct pcie_cap pcie;
	struct link link;    /* to the port above; BUS_UNKNOWN if unknown */
	uint32_t id;         /* device (high half) and vendor, at 0x00 */
	uint32_t class_code; /* with the revision in its last byte, at 0x08 */
	uint16_t vendor_id, device_id; /* by the kernel: a VF's read ~0 */
	char *driver;                  /* the bound one, or "" */
	int node;                      /* -1 if the firmware names none */
};

struct pci_tree {
	struct pci_function *function; /* by domain, bus, device, function */
	size_t n;
	char *sysfs; /* directory it was read from; NULL: a dump */
};

#endif
