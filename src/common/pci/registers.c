/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pci/registers.h"

#include "common/base/util.h"

#include <pci/pci.h>

/* Missing in libpci's header. */
#define REBAR_CAP 4
#define REBAR_CTL 8

/* Where each register is: capability (0: the header), offset and width. */
static const struct {
	unsigned cap, type, at, bytes;
	bool since_version_2; /* of the PCI Express capability only */
} places[NREGISTERS] = {
    [REG_COMMAND] = {0, 0, PCI_COMMAND, 2, false},
    [REG_POWER] = {PCI_CAP_ID_PM, PCI_CAP_NORMAL, PCI_PM_CTRL, 2, false},
    [REG_FLAGS] = {PCI_CAP_ID_EXP, PCI_CAP_NORMAL, PCI_EXP_FLAGS, 2, false},
    [REG_DEVCAP] = {PCI_CAP_ID_EXP, PCI_CAP_NORMAL, PCI_EXP_DEVCAP, 4, false},
    [REG_DEVCTL] = {PCI_CAP_ID_EXP, PCI_CAP_NORMAL, PCI_EXP_DEVCTL, 2, false},
    [REG_LNKCAP] = {PCI_CAP_ID_EXP, PCI_CAP_NORMAL, PCI_EXP_LNKCAP, 4, false},
    [REG_LNKCTL] = {PCI_CAP_ID_EXP, PCI_CAP_NORMAL, PCI_EXP_LNKCTL, 2, false},
    [REG_LNKSTA] = {PCI_CAP_ID_EXP, PCI_CAP_NORMAL, PCI_EXP_LNKSTA, 2, false},
    [REG_DEVCAP2] = {PCI_CAP_ID_EXP, PCI_CAP_NORMAL, PCI_EXP_DEVCAP2, 4, true},
    [REG_DEVCTL2] = {PCI_CAP_ID_EXP, PCI_CAP_NORMAL, PCI_EXP_DEVCTL2, 2, true},
    [REG_LNKCAP2] = {PCI_CAP_ID_EXP, PCI_CAP_NORMAL, PCI_EXP_LNKCAP2, 4, true},
    [REG_LNKCTL2] = {PCI_CAP_ID_EXP, PCI_CAP_NORMAL, PCI_EXP_LNKCTL2, 2, true},
    [REG_LNKSTA2] = {PCI_CAP_ID_EXP, PCI_CAP_NORMAL, PCI_EXP_LNKSTA2, 2, true},
    [REG_UESTA] = {PCI_EXT_CAP_ID_AER, PCI_CAP_EXTENDED, PCI_ERR_UNCOR_STATUS,
                   4, false},
    [REG_CESTA] = {PCI_EXT_CAP_ID_AER, PCI_CAP_EXTENDED, PCI_ERR_COR_STATUS, 4,
                   false},
    [REG_AERCAP] = {PCI_EXT_CAP_ID_AER, PCI_CAP_EXTENDED, PCI_ERR_CAP, 4,
                    false},
    [REG_ACSCTL] = {PCI_EXT_CAP_ID_ACS, PCI_CAP_EXTENDED, PCI_ACS_CTRL, 2,
                    false},
    [REG_L1SSCTL1] = {PCI_EXT_CAP_ID_L1PM, PCI_CAP_EXTENDED,
                      PCI_L1PM_SUBSTAT_CTL1, 4, false},
    [REG_L1SSCTL2] = {PCI_EXT_CAP_ID_L1PM, PCI_CAP_EXTENDED,
                      PCI_L1PM_SUBSTAT_CTL2, 4, false},
    [REG_REBARCAP] = {PCI_EXT_CAP_ID_REBAR, PCI_CAP_EXTENDED, REBAR_CAP, 4,
                      false},
    [REG_REBARCTL] = {PCI_EXT_CAP_ID_REBAR, PCI_CAP_EXTENDED, REBAR_CTL, 4,
                      false},
};

static void
read_register(struct pci_dev *d, struct pci_registers *r, enum pci_register reg)
{
	struct pci_cap *cap =
	    places[reg].cap ? pci_find_cap(d, places[reg].cap, places[reg].type)
	                    : NULL;
	unsigned bytes = places[reg].bytes;
	u8 byte[4];
	uint32_t value = 0, ones = bytes == 2 ? 0xffff : 0xffffffff;

	if (places[reg].cap && !cap)
		return;
	if (places[reg].since_version_2 &&
	    (r->value[REG_FLAGS] & PCI_EXP_FLAGS_VERS) < 2)
		return;
	if (!pci_read_block(d, (int)((cap ? cap->addr : 0) + places[reg].at),
	                    byte, (int)bytes))
		return;
	for (unsigned i = 0; i < bytes; i++)
		value |= (uint32_t)byte[i] << 8 * i;
	if (value != ones)
		registers_set(r, reg, ones, value);
}

struct pci_registers
registers_read(struct pci_dev *d)
{
	struct pci_registers r = {0};

	if (pci_read_long(d, PCI_VENDOR_ID) == 0xffffffff)
		return r;
	for (unsigned reg = 0; reg < NREGISTERS; reg++)
		read_register(d, &r, (enum pci_register)reg);
	return r;
}

void
registers_set(struct pci_registers *r, enum pci_register reg, uint32_t mask,
              uint32_t bits)
{
	r->value[reg] = (r->value[reg] & ~mask) | (bits & mask);
	r->seen[reg] = true;
}

unsigned
register_field(const struct pci_registers *r, enum pci_register reg,
               uint32_t mask)
{
	return (r->value[reg] & mask) / (mask & -mask);
}
