/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A PCI function, its address, and the tree of all functions. */
#ifndef PCB_COMMON_PCI_FUNCTION_H
#define PCB_COMMON_PCI_FUNCTION_H

#include "common/pci/registers.h"

#include <stddef.h>

/* Size of "0000:03:00.0" with NUL; domains may have up to 8 digits. */
#define BDF_MAX 20

/*
 * Parses a BDF as lspci prints it ("03:00.0" or "0000:03:00.0") and stores the
 * full form; false if the text is none.
 */
bool parse_bdf(const char *text, char bdf[BDF_MAX]);

struct bdf_numbers {
	unsigned domain, bus, device, function;
};

/* The numbers of a full BDF. Bus, device and function form the requester ID. */
struct bdf_numbers bdf_split(const char bdf[BDF_MAX]);

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
	char *title; /* its first line in a listing; or NULL */
	int node;    /* -1 if the firmware names none */
};

struct pci_tree {
	struct pci_function *function; /* by domain, bus, device, function */
	size_t n;
	char *sysfs; /* directory it was read from; NULL: a dump */
};

#endif
