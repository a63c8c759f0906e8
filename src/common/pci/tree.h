/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PCI functions of this machine or of a dump, read through libpci. */
#ifndef PCB_COMMON_PCI_TREE_H
#define PCB_COMMON_PCI_TREE_H

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

/*
 * Reads the tree below `sysfs` ("/sys/bus/pci", or a copy of it). NULL, with
 * errno, if there is no such directory; n is 0 on a machine without PCI. An
 * ordinary user can read only 64 bytes of config space: links and ASPM are
 * unknown then. Free with pci_tree_free.
 */
struct pci_tree *pci_tree_read(const char *sysfs);

/*
 * Reads the output of `lspci -x`, -xxx, -xxxx or, without bytes, -vv from a
 * file ("-" is stdin). What the file lacks is unknown: nodes always; drivers
 * except with -vv; with -vv, device IDs, and classes without a name. Dies if
 * the file cannot be read, is no such text or has a function twice. A file
 * without functions gives n = 0.
 */
struct pci_tree *pci_tree_read_dump(const char *file);

void pci_tree_free(struct pci_tree *tree);

/*
 * The names of vendor and device, or their numbers if the ID database lacks
 * them. Free it. The first call reads the database, up to 50 ms.
 */
char *pci_name(uint16_t vendor_id, uint16_t device_id);

/* The function with this full BDF, or NULL. */
const struct pci_function *pci_find(const struct pci_tree *tree,
                                    const char *bdf);

/* Whether f is `above`, or is below it. */
bool pci_is_below(const struct pci_tree *tree, const struct pci_function *f,
                  const struct pci_function *above);

/* Functions of a tree, in its order. */
struct pci_matches {
	const struct pci_function **item; /* free the array */
	size_t n;
};

/*
 * Finds the functions that a text names:
 *   a BDF                       03:00.0, 0000:03:00.0; 03:00 is function 0
 *   vendor and device ID        8086:1533, all functions with these IDs
 *   a device of the kernel      eth0, nvme0, /dev/nvme0n1, mlx5_0, card0: the
 *                               function above it in /sys/class
 * Kernel names work only for the tree of this machine, not for a dump. Returns
 * NULL, or why nothing matches (a constant); n is 0 then.
 */
const char *pci_match(const struct pci_tree *tree, const char *text,
                      struct pci_matches *found);

#endif
