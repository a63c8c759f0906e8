/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the capabilities of a function say about its link and its TLPs. */
#ifndef PCB_COMMON_PCI_PCIE_CAP_H
#define PCB_COMMON_PCI_PCIE_CAP_H

#include "common/link/pcie.h"
#include "common/pci/registers.h"

struct pci_dev;

/* What a function is to PCI Express, PCIe Base Specification 7.5.3.2. */
enum port {
	PORT_NONE,   /* without the capability: conventional, or virtual */
	PORT_UNSEEN, /* config space ends before it, or within */
	PORT_ENDPOINT,
	PORT_ROOT,
	PORT_UPSTREAM,
	PORT_DOWNSTREAM,
	PORT_TO_PCI,     /* the bridge from a link to a conventional bus */
	PORT_FROM_PCI,   /* the other way round */
	PORT_INTEGRATED, /* in the root complex, without a link */
};

enum tristate { TRISTATE_UNKNOWN, TRISTATE_NO, TRISTATE_YES };

/*
 * The registers as they are set. Unknown is 0, as is what makes no sense: no
 * speed or lanes where no link is trained, reserved codes.
 */
struct pcie_cap {
	enum port port;
	unsigned gen, lanes; /* of the link above it, of a port below it */
	unsigned mps;        /* of the TLPs that it sends, bytes */
	unsigned mrrs, rcb;  /* bytes */
	unsigned tags;       /* reads that may be in flight at most */
	enum tristate ecrc;  /* added to the TLPs that it sends */
	enum tristate flit;
	const char *aspm; /* "off", "L0s", "L1", "L0s+L1"; "" unknown */
	/* Where Link Control is in config space; 0 where aspm is "". */
	unsigned link_control;
};

/*
 * Decodes Device and Link Control and Status (PCIe Base Specification 7.5.3),
 * ECRC generation (7.8.4) and 14-bit tags (Device 3, 7.7.9; its bits from the
 * open sources that decode it). The tags are those the requester may use: 32,
 * 256 (extended), 768 (10 bits), 15,360 (14 bits), times phantom functions.
 * libpci must have scanned the device; it may end the program.
 */
struct pcie_cap pcie_cap_decode(struct pci_dev *d);

/*
 * The same of registers that were read elsewhere, of a function that is none
 * of a virtual kind. 14-bit tags and phantom functions are not looked for;
 * where no AER capability was seen, ECRC is unknown.
 */
struct pcie_cap pcie_cap_of_registers(const struct pci_registers *r);

/* The link above such a function; BUS_UNKNOWN if it has none. */
struct link pcie_cap_link(const struct pcie_cap *e);

#endif
