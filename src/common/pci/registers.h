/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PCI functions, and what their registers say. */
#ifndef PCB_COMMON_PCI_REGISTERS_H
#define PCB_COMMON_PCI_REGISTERS_H

#include "common/base/bdf.h"
#include "common/facts/facts.h"
#include "common/link/pcie.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pci_dev;

/* Named as in the specification. */
enum pci_register {
	REG_COMMAND,
	REG_POWER, /* Power Management Control/Status */
	REG_FLAGS, /* PCI Express Capabilities */
	REG_DEVCAP,
	REG_DEVCTL,
	REG_LNKCAP,
	REG_LNKCTL,
	REG_LNKSTA,
	REG_SLTCAP,
	REG_SLTCTL,
	REG_SLTSTA,
	REG_DEVCAP2,
	REG_DEVCTL2,
	REG_LNKCAP2,
	REG_LNKCTL2,
	REG_LNKSTA2,
	REG_UESTA, /* AER, Uncorrectable Error Status */
	REG_CESTA, /* AER, Correctable Error Status */
	REG_CEMSK, /* AER, Correctable Error Mask */
	REG_AERCAP,
	REG_DPCSTA, /* Downstream Port Containment, DPC Status */
	REG_DPCSRC, /* DPC Error Source ID */
	REG_ACSCTL,
	REG_L1SSCTL1,
	REG_L1SSCTL2,
	REG_LANEERR,  /* Secondary PCI Express, Lane Error Status */
	REG_REBARCAP, /* of the resizable BAR that can be largest */
	REG_REBARCTL,
	REG_MSI, /* Message Control */
	REG_MSIX,
	NREGISTERS
};

/* Bits of a listing's LnkSta: "(downgraded)", below the function's LnkCap. */
#define LNKSTA_SLOWER   0x10000
#define LNKSTA_NARROWER 0x20000

/* Values as read from the hardware, and the bits that were seen; others 0. */
struct pci_registers {
	uint32_t value[NREGISTERS];
	uint32_t seen[NREGISTERS];
};

/* Where a register is, and its key in lspci's output; or NULL. */
struct register_place {
	unsigned cap, at, bytes; /* capability, 0: the header; offset; width */
	const char *word;
};
extern const struct register_place register_places[NREGISTERS];

/* A bit by its name in lspci's output and in the kernel's files. */
struct register_flag {
	enum pci_register reg;
	const char *name;
	uint32_t bit;
};

/* Errors that cause a retransmission, and errors that lose packets. */
#define ERROR_KINDS 12
extern const struct register_flag error_kinds[ERROR_KINDS];

/* Sets the bits of `mask` in a register, which then count as seen. */
void registers_set(struct pci_registers *r, enum pci_register reg,
                   uint32_t mask, uint32_t bits);

/* The largest size of a Resizable BAR Capability register: 1 MiB << it. */
unsigned rebar_largest(uint32_t capability);

/*
 * Sets both registers of a resizable BAR if it can be larger than the one that
 * is known, or as large and is smaller now.
 */
void rebar_set(struct pci_registers *r, uint32_t capability, uint32_t control);

/* The field that `mask` selects, moved down to bit 0. */
unsigned register_field(const struct pci_registers *r, enum pci_register reg,
                        uint32_t mask);

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
	bool files;  /* all but port, gen and lanes is unknown: from /sys */
	bool placed; /* all but the port is: from a topology */
	const char *aspm; /* "off", "L0s", "L1", "L0s+L1"; "" unknown */
	/* Offset of Link Control in config space; 0 if aspm is "". */
	unsigned link_control;
};

/*
 * Reads the registers of a device through libpci, which must have scanned it
 * and may end the program, and decodes Device and Link Control and Status (PCIe
 * Base Specification 7.5.3), ECRC generation (7.8.4) and 14-bit tags (Device 3,
 * 7.7.9; its bits from open source decoders). Tags are those the requester may
 * use: 32, 256 (extended), 768 (10 bits), 15,360 (14 bits), times phantom
 * functions. A register is not seen if config space lacks it or is cut off
 * before it, or if it reads all ones. Of a virtual function only the port is
 * known: its registers decide nothing.
 */
struct pcie_cap registers_read(struct pci_dev *d, struct pci_registers *r);

/*
 * Decodes registers already read, of a function that is not virtual. Ignores
 * 14-bit tags and phantom functions; ECRC is unknown if no AER capability was
 * seen; what is in a register that was not seen is 0 or "".
 */
struct pcie_cap pcie_cap_of_registers(const struct pci_registers *r);

/* The link above the function; BUS_UNKNOWN if it has none. */
struct link pcie_cap_link(const struct pcie_cap *e);

/* Functions ---------------------------------------------------------------- */

struct pci_function {
	char bdf[BDF_MAX];
	const struct pci_function *up; /* bridge above; NULL on a root bus */
	unsigned first_bus, last_bus;  /* below a bridge; else 0 */
	struct pci_registers registers;
	struct pcie_cap pcie;
	struct link link; /* to the port above; BUS_UNKNOWN if unknown */
	/* The most that both ends of the link support; 0: unknown. */
	unsigned could_gen, could_lanes;
	unsigned awake_gen;  /* of the link while data moves; 0: unknown */
	uint32_t id;         /* device (high half) and vendor, at 0x00 */
	uint32_t class_code; /* with the revision in its last byte, at 0x08 */
	uint16_t vendor_id, device_id; /* by the kernel: a VF's read ~0 */
	char *path;   /* its directory in sysfs; NULL in a dump */
	char *driver; /* the bound one, or "" */
	char *title;  /* its first line in a listing; or NULL */
	int node;     /* -1 if the firmware names none */
	bool basic;   /* bytes of its extended config space are not there */
	bool ones;    /* lspci says that its registers are ones */
	bool busless; /* a bridge that leads to no bus */
	/* As bits: BARs without address; the kernel has one, the BAR not. */
	unsigned lost_bars, moved_bars;
	/* A BAR has an address of more than 32 bits. */
	bool above_4g;
};

/* What a function is: graphics and accelerators are GPUs. */
enum pci_class { CLASS_OTHER, CLASS_GPU, CLASS_NVME, CLASS_NIC };
enum pci_class pci_class_of(const struct pci_function *f);

/* The most that the link of a function supports; 0: not seen. */
unsigned pci_max_gen(const struct pci_function *f);
unsigned pci_max_lanes(const struct pci_function *f);

/*
 * The link above a function while data moves. A sleeping link has another rate
 * then, but as many lanes. BUS_UNKNOWN if the link is unknown.
 */
struct link pci_awake_link(const struct pci_function *f);

/* Whether the link above a function sleeps. */
bool pci_link_sleeps(const struct pci_function *f);

struct pci_tree {
	struct pci_function *function; /* by domain, bus, device, function */
	struct facts facts; /* what other sources than registers say; sorted */
	size_t n;
	char *sysfs;   /* directory it was read from; NULL: a dump */
	size_t unread; /* functions that are there, or that a dump lacks */
	/* Of a dump in which no capability can be read, why; or NULL. */
	const char *lack;
	bool denied;   /* lspci could not read capabilities: without root */
	bool machines; /* a dump shows several: this is one of them */
	bool cut;      /* pcb-doctor --save wrote it, and its end is missing */
	bool open; /* the last line of a dump has no end: it may be cut off */
	char part[BDF_MAX]; /* the function within which a dump ends; or "" */
};

/* The function with this full BDF; NULL without it, or without a tree. */
const struct pci_function *pci_find(const struct pci_tree *tree,
                                    const char *bdf);

/* Whether f is `above`, or is below it. */
bool pci_is_below(const struct pci_function *f,
                  const struct pci_function *above);

/*
 * The next function below a bridge, in the order of the tree, behind `after`,
 * the bridge itself or another one below it; or NULL.
 */
const struct pci_function *pci_next_below(const struct pci_tree *tree,
                                          const struct pci_function *bridge,
                                          const struct pci_function *after);

#endif
