/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers that hold what a function supports and how it is set. */
#ifndef PCB_COMMON_PCI_REGISTERS_H
#define PCB_COMMON_PCI_REGISTERS_H

#include <stdbool.h>
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
	REG_DEVCAP2,
	REG_DEVCTL2,
	REG_LNKCAP2,
	REG_LNKCTL2,
	REG_LNKSTA2,
	REG_UESTA, /* AER, Uncorrectable Error Status */
	REG_CESTA, /* AER, Correctable Error Status */
	REG_AERCAP,
	REG_ACSCTL,
	REG_L1SSCTL1,
	REG_L1SSCTL2,
	REG_REBARCAP, /* of the first resizable BAR */
	REG_REBARCTL,
	NREGISTERS
};

/* Values as read from the hardware; 0 if not seen. */
struct pci_registers {
	uint32_t value[NREGISTERS];
	bool seen[NREGISTERS];
};

/*
 * Reads them through libpci, which must have scanned the device and its
 * capabilities. A register is not seen if config space lacks it or is cut off
 * before it, if it reads all ones, or if the function is virtual: a VF's
 * registers decide nothing. libpci may end the program.
 */
struct pci_registers registers_read(struct pci_dev *d);

/* Sets the bits of `mask` in a register, which then counts as seen. */
void registers_set(struct pci_registers *r, enum pci_register reg,
                   uint32_t mask, uint32_t bits);

/* The field that `mask` selects, moved down to bit 0. */
unsigned register_field(const struct pci_registers *r, enum pci_register reg,
                        uint32_t mask);

#endif
