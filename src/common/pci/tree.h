/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PCI functions of this machine, found and decoded through libpci. */
#ifndef PCB_COMMON_PCI_TREE_H
#define PCB_COMMON_PCI_TREE_H

#include "common/pci/pcie_cap.h"

#include <stddef.h>

/* "0000:03:00.0" and its NUL; domains may have up to 8 digits. */
#define BDF_MAX 20

/*
 * Reads a BDF as lspci prints it ("03:00.0" or "0000:03:00.0") and writes
 * the full form; false if the text is not one.
 */
bool parse_bdf(const char *text, char bdf[BDF_MAX]);

struct bdf_numbers {
	unsigned domain, bus, device, function;
};

/* The numbers of a full BDF; bus, device and function make its ID. */
struct bdf_numbers bdf_split(const char bdf[BDF_MAX]);

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

/*
 * Reads the tree under `sysfs` ("/sys/bus/pci", or a copy of it). NULL, with
 * errno, if there is no such directory; a machine without PCI has n = 0. An
 * ordinary user sees only the first 64 bytes of config space: links and ASPM
 * are then unknown. Free with pci_tree_free.
 */
struct pci_tree *pci_tree_read(const char *sysfs);

/*
 * Reads what `lspci -x`, -xxx or -xxxx printed into a file ("-" is stdin), or
 * -vv without bytes. What the file does not hold is unknown; nodes always are,
 * and drivers but for -vv, which also has no device ID, and of the class only
 * what has a name. Dies if
 * it cannot be read, is no such text or has a function twice; one without
 * functions has n = 0.
 */
struct pci_tree *pci_tree_read_dump(const char *file);

void pci_tree_free(struct pci_tree *tree);

/*
 * Vendor and device in words, or in numbers where the id database lacks them;
 * free the result. The first call reads the database, for up to 50 ms.
 */
char *pci_name(uint16_t vendor_id, uint16_t device_id);

/* The function with this full BDF, or NULL. */
const struct pci_function *pci_find(const struct pci_tree *tree,
                                    const char *bdf);

/* Whether one function of a tree is the other one, or lies below it. */
bool pci_is_below(const struct pci_tree *tree, const struct pci_function *f,
                  const struct pci_function *above);

#endif
