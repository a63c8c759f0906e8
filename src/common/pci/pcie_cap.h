/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decoded capabilities of a function: its link and its TLPs. */
#ifndef PCB_COMMON_PCI_PCIE_CAP_H
#define PCB_COMMON_PCI_PCIE_CAP_H

#include "common/link/pcie.h"
#include "common/pci/registers.h"

struct pci_dev;

/* The port type of a function, PCIe Base Specification 7.5.3.2. */
enum port {
	PORT_NONE,   /* no capability: conventional, or virtual */
	PORT_UNSEEN, /* config space is cut off before or in it */
	PORT_ENDPOINT,
	PORT_ROOT,
	PORT_UPSTREAM,
	PORT_DOWNSTREAM,
	PORT_TO_PCI,     /* bridge from PCI Express to a conventional bus */
	PORT_FROM_PCI,   /* bridge in the other direction */
	PORT_INTEGRATED, /* root complex integrated endpoint, no link */
};

enum tristate { TRISTATE_UNKNOWN, TRISTATE_NO, TRISTATE_YES };

/*
 * Current settings. 0 means unknown or meaningless: speed and lanes of a link
 * that is not trained, reserved codes.
 */
struct pcie_cap {
	enum port port;
	unsigned gen, lanes; /* of the link above; of a port, below */
	unsigned mps;        /* for TLPs that it sends, bytes */
	unsigned mrrs, rcb;  /* bytes */
	unsigned tags;       /* most outstanding reads */
	enum tristate ecrc;  /* on TLPs that it sends */
	enum tristate flit;
	const char *aspm; /* "off", "L0s", "L1", "L0s+L1"; "" unknown */
	/* Offset of Link Control in config space; 0 if aspm is "". */
	unsigned link_control;
};

/*
 * Decodes Device and Link Control and Status (PCIe Base Specification 7.5.3),
 * ECRC generation (7.8.4) and 14-bit tags (Device 3, 7.7.9; its bits from open
 * source decoders). Tags are those the requester may use: 32, 256 (extended),
 * 768 (10 bits), 15,360 (14 bits), times phantom functions. libpci must have
 * scanned the device; it may end the program.
 */
struct pcie_cap pcie_cap_decode(struct pci_dev *d);

/*
 * The same from registers already read, for a function that is not virtual.
 * Ignores 14-bit tags and phantom functions; ECRC is unknown if no AER
 * capability was seen.
 */
struct pcie_cap pcie_cap_of_registers(const struct pci_registers *r);

/* The link above the function; BUS_UNKNOWN if it has none. */
struct link pcie_cap_link(const struct pcie_cap *e);

#endif
