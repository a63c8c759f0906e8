/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers of PCI functions and the PCI Express capability. */
#include "common/pci/registers.h"

#include "common/base/util.h"

#include <pci/pci.h>

/* Missing in libpci's header. */
#define REBAR_CAP    4
#define REBAR_CTL    8
#define LNKSTA2_FLIT 0x0400
#define CAP_ID_DEV3  0x2f
#define DEV3_CTL     0x08
#define DEV3_TAGS_14 0x0004

/* Offset at which extended config space starts. */
#define EXTENDED 0x100

/* Capabilities, those in extended config space with this bit. */
#define EXTENDED_CAP 0x10000
#define EXP          PCI_CAP_ID_EXP
#define AER          (EXTENDED_CAP | PCI_EXT_CAP_ID_AER)
#define DPC          (EXTENDED_CAP | PCI_EXT_CAP_ID_DPC)
#define ACS          (EXTENDED_CAP | PCI_EXT_CAP_ID_ACS)
#define L1SS         (EXTENDED_CAP | PCI_EXT_CAP_ID_L1PM)
#define REBAR        (EXTENDED_CAP | PCI_EXT_CAP_ID_REBAR)
#define SECPCI       (EXTENDED_CAP | PCI_EXT_CAP_ID_SECPCI)

const struct register_place register_places[NREGISTERS] = {
    [REG_COMMAND] = {0, PCI_COMMAND, 2, "Control:"},
    [REG_POWER] = {PCI_CAP_ID_PM, PCI_PM_CTRL, 2, "Status:"},
    [REG_FLAGS] = {EXP, PCI_EXP_FLAGS, 2, "Capabilities:"},
    [REG_DEVCAP] = {EXP, PCI_EXP_DEVCAP, 4, "DevCap:"},
    [REG_DEVCTL] = {EXP, PCI_EXP_DEVCTL, 2, "DevCtl:"},
    [REG_LNKCAP] = {EXP, PCI_EXP_LNKCAP, 4, "LnkCap:"},
    [REG_LNKCTL] = {EXP, PCI_EXP_LNKCTL, 2, "LnkCtl:"},
    [REG_LNKSTA] = {EXP, PCI_EXP_LNKSTA, 2, "LnkSta:"},
    [REG_SLTCAP] = {EXP, PCI_EXP_SLTCAP, 4, "SltCap:"},
    [REG_SLTCTL] = {EXP, PCI_EXP_SLTCTL, 2, "SltCtl:"},
    [REG_SLTSTA] = {EXP, PCI_EXP_SLTSTA, 2, "SltSta:"},
    [REG_DEVCAP2] = {EXP, PCI_EXP_DEVCAP2, 4, "DevCap2:"},
    [REG_DEVCTL2] = {EXP, PCI_EXP_DEVCTL2, 2, "DevCtl2:"},
    [REG_LNKCAP2] = {EXP, PCI_EXP_LNKCAP2, 4, "LnkCap2:"},
    [REG_LNKCTL2] = {EXP, PCI_EXP_LNKCTL2, 2, "LnkCtl2:"},
    [REG_LNKSTA2] = {EXP, PCI_EXP_LNKSTA2, 2, NULL},
    [REG_UESTA] = {AER, PCI_ERR_UNCOR_STATUS, 4, "UESta:"},
    [REG_CESTA] = {AER, PCI_ERR_COR_STATUS, 4, "CESta:"},
    [REG_CEMSK] = {AER, PCI_ERR_COR_MASK, 4, "CEMsk:"},
    [REG_AERCAP] = {AER, PCI_ERR_CAP, 4, "AERCap:"},
    [REG_DPCSTA] = {DPC, PCI_DPC_STATUS, 2, NULL},
    [REG_DPCSRC] = {DPC, PCI_DPC_SOURCE, 2, NULL},
    [REG_ACSCTL] = {ACS, PCI_ACS_CTRL, 2, "ACSCtl:"},
    [REG_L1SSCTL1] = {L1SS, PCI_L1PM_SUBSTAT_CTL1, 4, "L1SubCtl1:"},
    [REG_L1SSCTL2] = {L1SS, PCI_L1PM_SUBSTAT_CTL2, 4, "L1SubCtl2:"},
    [REG_REBARCAP] = {REBAR, REBAR_CAP, 4, "current size:"},
    [REG_REBARCTL] = {REBAR, REBAR_CTL, 4, NULL},
    [REG_LANEERR] = {SECPCI, 8, 4, "LaneErrStat:"},
    [REG_MSI] = {PCI_CAP_ID_MSI, PCI_MSI_FLAGS, 2, NULL},
    [REG_MSIX] = {PCI_CAP_ID_MSIX, 2, 2, NULL},
};

/* Whether the PCI Express capability, by its version, has the register. */
static bool
is_in_version(const struct pci_registers *r, enum pci_register reg)
{
	return register_places[reg].cap != EXP ||
	       register_places[reg].at < PCI_EXP_DEVCAP2 ||
	       (r->value[REG_FLAGS] & PCI_EXP_FLAGS_VERS) >= 2;
}

const struct register_flag error_kinds[ERROR_KINDS] = {
    {REG_CESTA, "RxErr", PCI_ERR_COR_RCVR},
    {REG_CESTA, "BadTLP", PCI_ERR_COR_BAD_TLP},
    {REG_CESTA, "BadDLLP", PCI_ERR_COR_BAD_DLLP},
    {REG_CESTA, "Rollover", PCI_ERR_COR_REP_ROLL},
    {REG_CESTA, "Timeout", PCI_ERR_COR_REP_TIMER},
    {REG_UESTA, "DLP", PCI_ERR_UNC_DLP},
    {REG_UESTA, "TLP", PCI_ERR_UNC_POISON_TLP},
    {REG_UESTA, "FCP", PCI_ERR_UNC_FCP},
    {REG_UESTA, "CmpltTO", PCI_ERR_UNC_COMP_TIME},
    {REG_UESTA, "RxOF", PCI_ERR_UNC_RX_OVER},
    {REG_UESTA, "MalfTLP", PCI_ERR_UNC_MALF_TLP},
    {REG_UESTA, "ECRC", PCI_ERR_UNC_ECRC},
};

void
registers_set(struct pci_registers *r, enum pci_register reg, uint32_t mask,
              uint32_t bits)
{
	r->value[reg] = (r->value[reg] & ~mask) | (bits & mask);
	r->seen[reg] |= mask;
}

unsigned
rebar_largest(uint32_t capability)
{
	unsigned largest = 0;

	/* A bit for each size that the BAR can have, from 1 MiB. */
	for (uint32_t sizes = capability >> 5; sizes; sizes >>= 1)
		largest++;
	return largest;
}

void
rebar_set(struct pci_registers *r, uint32_t capability, uint32_t control)
{
	unsigned largest = rebar_largest(capability);
	unsigned known = rebar_largest(r->value[REG_REBARCAP]);

	if (r->seen[REG_REBARCTL] &&
	    (largest < known ||
	     (largest == known &&
	      (control & 0x3f00) >= (r->value[REG_REBARCTL] & 0x3f00))))
		return;
	registers_set(r, REG_REBARCAP, 0xffffffff, capability);
	registers_set(r, REG_REBARCTL, 0x3f00, control);
}

unsigned
register_field(const struct pci_registers *r, enum pci_register reg,
               uint32_t mask)
{
	return (r->value[reg] & mask) / (mask & -mask);
}

static void
read_register(struct pci_dev *d, struct pci_registers *r, enum pci_register reg)
{
	unsigned id = register_places[reg].cap,
	         bytes = register_places[reg].bytes;
	struct pci_cap *cap =
	    id ? pci_find_cap(d, id & 0xffff,
	                      id & EXTENDED_CAP ? PCI_CAP_EXTENDED
	                                        : PCI_CAP_NORMAL)
	       : NULL;
	u8 byte[4];
	uint32_t value = 0, ones = bytes == 2 ? 0xffff : 0xffffffff;

	if ((id && !cap) || !is_in_version(r, reg) ||
	    !pci_read_block(
	        d, (int)((cap ? cap->addr : 0) + register_places[reg].at), byte,
	        (int)bytes))
		return;
	for (unsigned i = 0; i < bytes; i++)
		value |= (uint32_t)byte[i] << 8 * i;
	if (value != ones)
		registers_set(r, reg, ones, value);
}

/*
 * Reads a little-endian word. False if config space is truncated or has a hole,
 * which reads as all ones; no valid register here is all ones.
 */
static bool
read_word(struct pci_dev *d, unsigned at, unsigned *value)
{
	u8 byte[2];

	if (!pci_read_block(d, (int)at, byte, sizeof byte))
		return false;
	*value = byte[0] | (unsigned)byte[1] << 8;
	return *value != 0xffff;
}

/* The same in an extended capability; also false if that is missing. */
static bool
read_extended(struct pci_dev *d, unsigned id, unsigned at, unsigned *value)
{
	struct pci_cap *cap = pci_find_cap(d, id, PCI_CAP_EXTENDED);

	return cap && read_word(d, cap->addr + at, value);
}

/* Whether the list of extended capabilities was readable to its end. */
static bool
saw_extended(struct pci_dev *d)
{
	unsigned low, high;

	if (!read_word(d, EXTENDED, &low))
		return false;
	for (struct pci_cap *cap = d->first_cap; cap; cap = cap->next) {
		if (cap->type != PCI_CAP_EXTENDED)
			continue;
		if (!read_word(d, cap->addr + 2, &high) ||
		    (high >> 4 && !read_word(d, high >> 4 & ~3u, &low)))
			return false;
	}
	return true;
}

static enum tristate
tristate_of(unsigned bit)
{
	return bit ? TRISTATE_YES : TRISTATE_NO;
}

static enum tristate
ecrc_of(struct pci_dev *d)
{
	unsigned control;

	if (read_extended(d, PCI_EXT_CAP_ID_AER, PCI_ERR_CAP, &control))
		return tristate_of(control & PCI_ERR_CAP_ECRC_GENE);
	if (pci_find_cap(d, PCI_EXT_CAP_ID_AER, PCI_CAP_EXTENDED))
		return TRISTATE_UNKNOWN;
	return saw_extended(d) ? TRISTATE_NO : TRISTATE_UNKNOWN;
}

static enum port
port_of(unsigned flags)
{
	static const enum port ports[16] = {
	    [PCI_EXP_TYPE_ENDPOINT] = PORT_ENDPOINT,
	    [PCI_EXP_TYPE_LEG_END] = PORT_ENDPOINT,
	    [PCI_EXP_TYPE_ROOT_PORT] = PORT_ROOT,
	    [PCI_EXP_TYPE_UPSTREAM] = PORT_UPSTREAM,
	    [PCI_EXP_TYPE_DOWNSTREAM] = PORT_DOWNSTREAM,
	    [PCI_EXP_TYPE_PCI_BRIDGE] = PORT_TO_PCI,
	    [PCI_EXP_TYPE_PCIE_BRIDGE] = PORT_FROM_PCI,
	    [PCI_EXP_TYPE_ROOT_INT_EP] = PORT_INTEGRATED,
	    [PCI_EXP_TYPE_ROOT_EC] = PORT_INTEGRATED,
	};
	enum port port = ports[(flags & PCI_EXP_FLAGS_TYPE) >> 4];

	return port ? port : PORT_UNSEEN; /* reserved code */
}

/* The size for a code of 128 << code bytes; 0 for a reserved code. */
static unsigned
bytes_of(unsigned code)
{
	return code > 5 ? 0 : 128u << code;
}

/* Tags by the two control registers that every version has. */
static unsigned
tags_of_control(const struct pci_registers *r)
{
	if (r->value[REG_DEVCTL2] & PCI_EXP_DEVCTL2_10BIT_TAG_REQ)
		return 768;
	return (r->value[REG_DEVCTL] & PCI_EXP_DEVCTL_EXT_TAG) ? 256 : 32;
}

/*
 * 14-bit tags need flit mode, and their enable bit is in extended config space:
 * if that is not readable, the tags are unknown.
 */
static unsigned
tags_of(struct pci_dev *d, const struct pci_registers *r)
{
	unsigned control3, tags = tags_of_control(r);
	bool seen = read_extended(d, CAP_ID_DEV3, DEV3_CTL, &control3);

	if (seen && (control3 & DEV3_TAGS_14))
		return 15360;
	if (!seen && (r->value[REG_LNKSTA2] & LNKSTA2_FLIT) && !saw_extended(d))
		return 0;
	if (tags < 768 && (r->value[REG_DEVCTL] & PCI_EXP_DEVCTL_PHANTOM))
		tags <<= register_field(r, REG_DEVCAP, PCI_EXP_DEVCAP_PHANTOM);
	return tags;
}

static struct pcie_cap
decode(const struct pci_registers *r, unsigned tags, enum tristate ecrc)
{
	static const char *const aspm[] = {"off", "L0s", "L1", "L0s+L1"};
	struct pcie_cap e = {
	    .port = port_of(r->value[REG_FLAGS]),
	    .gen = register_field(r, REG_LNKSTA, PCI_EXP_LNKSTA_SPEED),
	    .lanes = register_field(r, REG_LNKSTA, PCI_EXP_LNKSTA_WIDTH),
	    .mps =
	        bytes_of(register_field(r, REG_DEVCTL, PCI_EXP_DEVCTL_PAYLOAD)),
	    .mrrs =
	        bytes_of(register_field(r, REG_DEVCTL, PCI_EXP_DEVCTL_READRQ)),
	    .rcb = (r->value[REG_LNKCTL] & PCI_EXP_LNKCTL_RCB) ? 128 : 64,
	    .tags = tags,
	    .ecrc = ecrc,
	    .flit = tristate_of(r->value[REG_LNKSTA2] & LNKSTA2_FLIT),
	    .aspm = aspm[r->value[REG_LNKCTL] & PCI_EXP_LNKCTL_ASPM],
	};

	/* The link registers of integrated endpoints mean nothing. */
	if (e.port == PORT_INTEGRATED) {
		e.gen = e.lanes = e.rcb = 0;
		e.aspm = "";
	}
	return e;
}

struct pcie_cap
pcie_cap_of_registers(const struct pci_registers *r)
{
	struct pcie_cap e = {.port = PORT_UNSEEN, .aspm = ""};

	if (!r->seen[REG_FLAGS])
		return e;
	e = decode(r, tags_of_control(r), TRISTATE_UNKNOWN);
	if (r->seen[REG_AERCAP])
		e.ecrc =
		    tristate_of(r->value[REG_AERCAP] & PCI_ERR_CAP_ECRC_GENE);
	/* Lines that grep left out, or that are cut. */
	if (!(r->seen[REG_DEVCTL] & PCI_EXP_DEVCTL_PAYLOAD))
		e.mps = 0;
	if (!(r->seen[REG_DEVCTL] & PCI_EXP_DEVCTL_READRQ))
		e.mrrs = e.tags = 0;
	if (!r->seen[REG_LNKCTL])
		e.aspm = "";
	return e;
}

/* The reason for no capability: PORT_UNSEEN if the list was cut off. */
static enum port
port_without(struct pci_dev *d)
{
	unsigned status, last;

	if (!read_word(d, PCI_STATUS, &status))
		return PORT_UNSEEN;
	return (status & PCI_STATUS_CAP_LIST) &&
	               !read_word(d, EXTENDED - 2, &last)
	           ? PORT_UNSEEN
	           : PORT_NONE;
}

/* Whether all registers that the capability's version has are readable. */
static bool
is_whole(const struct pci_registers *r)
{
	static const enum pci_register needed[] = {
	    REG_FLAGS,  REG_DEVCAP,  REG_DEVCTL, REG_LNKCTL,
	    REG_LNKSTA, REG_DEVCTL2, REG_LNKSTA2};

	for (size_t i = 0; i < ARRAY_LEN(needed); i++) {
		if (!r->seen[needed[i]] && is_in_version(r, needed[i]))
			return false;
	}
	return port_of(r->value[REG_FLAGS]) != PORT_UNSEEN;
}

/* Each entry of Resizable BAR; the first one's control has their number. */
static void
read_rebar(struct pci_dev *d, struct pci_registers *r)
{
	struct pci_cap *cap =
	    pci_find_cap(d, PCI_EXT_CAP_ID_REBAR, PCI_CAP_EXTENDED);
	unsigned n = cap ? r->value[REG_REBARCTL] >> 5 & 7 : 0;

	for (unsigned i = 1; i < n; i++) {
		u8 entry[8];
		uint32_t word[2] = {0};

		if (!pci_read_block(d, (int)(cap->addr + REBAR_CAP + 8 * i),
		                    entry, sizeof entry))
			return;
		for (unsigned k = 0; k < sizeof entry; k++)
			word[k / 4] |= (uint32_t)entry[k] << 8 * (k % 4);
		if (word[0] != 0xffffffff)
			rebar_set(r, word[0], word[1]);
	}
}

struct pcie_cap
registers_read(struct pci_dev *d, struct pci_registers *r)
{
	struct pcie_cap e = {.port = PORT_UNSEEN, .aspm = ""};
	struct pci_cap *cap;

	pci_fill_info(d, PCI_FILL_CAPS | PCI_FILL_EXT_CAPS);
	cap = pci_find_cap(d, PCI_CAP_ID_EXP, PCI_CAP_NORMAL);
	*r = (struct pci_registers){0};
	for (unsigned reg = 0; reg < NREGISTERS; reg++)
		read_register(d, r, (enum pci_register)reg);
	read_rebar(d, r);
	if (!cap)
		e.port = port_without(d);
	else if (is_whole(r))
		e = decode(r, tags_of(d, r), ecrc_of(d));
	/*
	 * A virtual function (SR-IOV) reads all ones for its IDs. Its registers
	 * have 0 for settings that the physical function decides, PCIe Base
	 * Specification 9.3.4 and 9.3.5.
	 */
	if (pci_read_long(d, PCI_VENDOR_ID) == 0xffffffff) {
		e = (struct pcie_cap){.port = e.port, .aspm = ""};
		*r = (struct pci_registers){0};
	}
	if (*e.aspm)
		e.link_control = cap->addr + PCI_EXP_LNKCTL;
	return e;
}

struct link
pcie_cap_link(const struct pcie_cap *e)
{
	struct link link = {
	    .bus = BUS_PCIE,
	    .gen = e->gen,
	    .lanes = e->lanes,
	    .mps = e->mps,
	    .mrrs = e->mrrs,
	    .rcb = e->rcb,
	    .ecrc = e->ecrc == TRISTATE_YES,
	    .flit = e->flit == TRISTATE_YES,
	};

	bool upwards = e->port == PORT_ENDPOINT || e->port == PORT_UPSTREAM ||
	               e->port == PORT_TO_PCI;

	if (e->files)
		link_assume(&link);
	return upwards && !link_check(&link) ? link : (struct link){0};
}

enum pci_class
pci_class_of(const struct pci_function *f)
{
	unsigned class = f->class_code >> 16, base = class >> 8;

	return base == 0x03 || base == 0x12 ? CLASS_GPU
	       : base == 0x02               ? CLASS_NIC
	       : class == 0x0108            ? CLASS_NVME
	                                    : CLASS_OTHER;
}

unsigned
pci_max_gen(const struct pci_function *f)
{
	unsigned gen =
	    register_field(&f->registers, REG_LNKCAP, PCI_EXP_LNKCAP_SPEED);
	unsigned speeds = register_field(&f->registers, REG_LNKCAP2, 0xfe);
	unsigned highest = 0;

	for (; speeds; speeds >>= 1)
		highest++;
	return highest && highest < gen ? highest : gen;
}

unsigned
pci_max_lanes(const struct pci_function *f)
{
	return register_field(&f->registers, REG_LNKCAP, PCI_EXP_LNKCAP_WIDTH);
}

bool
pci_link_sleeps(const struct pci_function *f)
{
	return f->link.bus == BUS_PCIE && f->awake_gen > f->link.gen;
}

struct link
pci_awake_link(const struct pci_function *f)
{
	struct link link = f->link;

	if (pci_link_sleeps(f)) {
		link.gen = f->awake_gen;
		link.flit |= link.gen > 5;
	}
	return link;
}

/* Trees -------------------------------------------------------------------- */

static int
by_bdf(const void *a, const void *b)
{
	return bdf_order(((const struct pci_function *)a)->bdf,
	                 ((const struct pci_function *)b)->bdf);
}

const struct pci_function *
pci_find(const struct pci_tree *tree, const char *bdf)
{
	struct pci_function key = {0};

	if (!tree || !tree->n || strlen(bdf) >= sizeof key.bdf)
		return NULL;
	memcpy(key.bdf, bdf, strlen(bdf));
	return bsearch(&key, tree->function, tree->n, sizeof key, by_bdf);
}

bool
pci_is_below(const struct pci_function *f, const struct pci_function *above)
{
	while (f && f != above)
		f = f->up;
	return f;
}

const struct pci_function *
pci_next_below(const struct pci_tree *tree, const struct pci_function *bridge,
               const struct pci_function *after)
{
	const struct pci_function *end = tree->function + tree->n;
	unsigned domain = bdf_split(bridge->bdf).domain;

	while (++after < end) {
		struct bdf_numbers at = bdf_split(after->bdf);

		if (at.domain != domain || at.bus > bridge->last_bus)
			break;
		if (pci_is_below(after, bridge))
			return after;
	}
	return NULL;
}
