/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes the PCI Express capability and two extended ones. */
#include "common/pci/pcie_cap.h"

#include <pci/pci.h>

/* Missing in libpci's header. */
#define LNKSTA2_FLIT 0x0400
#define CAP_ID_DEV3  0x2f
#define DEV3_CTL     0x08
#define DEV3_TAGS_14 0x0004

/* Offset at which extended config space starts. */
#define EXTENDED 0x100

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

/* The words of the capability; those that its version lacks are 0. */
struct words {
	unsigned flags, capability, control, link_control, link_status;
	unsigned control2, link_status2;
};

static bool
read_words(struct pci_dev *d, unsigned at, struct words *w)
{
	*w = (struct words){0};
	if (!read_word(d, at + PCI_EXP_FLAGS, &w->flags) ||
	    !read_word(d, at + PCI_EXP_DEVCAP, &w->capability) ||
	    !read_word(d, at + PCI_EXP_DEVCTL, &w->control) ||
	    !read_word(d, at + PCI_EXP_LNKCTL, &w->link_control) ||
	    !read_word(d, at + PCI_EXP_LNKSTA, &w->link_status))
		return false;
	return (w->flags & PCI_EXP_FLAGS_VERS) < 2 ||
	       (read_word(d, at + PCI_EXP_DEVCTL2, &w->control2) &&
	        read_word(d, at + PCI_EXP_LNKSTA2, &w->link_status2));
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

/*
 * 14-bit tags need flit mode, and their enable bit is in extended config space:
 * if that is not readable, the tags are unknown.
 */
static unsigned
tags_of(struct pci_dev *d, const struct words *w)
{
	unsigned control3, tags = 32;
	bool seen = read_extended(d, CAP_ID_DEV3, DEV3_CTL, &control3);

	if (seen && (control3 & DEV3_TAGS_14))
		return 15360;
	if (!seen && (w->link_status2 & LNKSTA2_FLIT) && !saw_extended(d))
		return 0;
	if (w->control2 & PCI_EXP_DEVCTL2_10BIT_TAG_REQ)
		return 768;
	if (w->control & PCI_EXP_DEVCTL_EXT_TAG)
		tags = 256;
	if (w->control & PCI_EXP_DEVCTL_PHANTOM)
		tags <<= (w->capability & PCI_EXP_DEVCAP_PHANTOM) >> 3;
	return tags;
}

static struct pcie_cap
decode_words(const struct words *w, unsigned tags, enum tristate ecrc)
{
	static const char *const aspm[] = {"off", "L0s", "L1", "L0s+L1"};

	return (struct pcie_cap){
	    .port = port_of(w->flags),
	    .gen = w->link_status & PCI_EXP_LNKSTA_SPEED,
	    .lanes = (w->link_status & PCI_EXP_LNKSTA_WIDTH) >> 4,
	    .mps = bytes_of((w->control & PCI_EXP_DEVCTL_PAYLOAD) >> 5),
	    .mrrs = bytes_of((w->control & PCI_EXP_DEVCTL_READRQ) >> 12),
	    .rcb = (w->link_control & PCI_EXP_LNKCTL_RCB) ? 128 : 64,
	    .tags = tags,
	    .ecrc = ecrc,
	    .flit = tristate_of(w->link_status2 & LNKSTA2_FLIT),
	    .aspm = aspm[w->link_control & PCI_EXP_LNKCTL_ASPM],
	};
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

/*
 * A virtual function (SR-IOV), which reads all ones for its IDs. Its registers
 * have 0 for settings that the physical function decides, PCIe Base
 * Specification 9.3.4 and 9.3.5.
 */
static bool
is_virtual(struct pci_dev *d)
{
	return pci_read_long(d, PCI_VENDOR_ID) == 0xffffffff;
}

/* The link registers of integrated endpoints mean nothing. */
static void
clear_integrated(struct pcie_cap *e)
{
	if (e->port != PORT_INTEGRATED)
		return;
	e->gen = e->lanes = e->rcb = e->link_control = 0;
	e->aspm = "";
}

static unsigned
tags_of_control(const struct words *w)
{
	if (w->control2 & PCI_EXP_DEVCTL2_10BIT_TAG_REQ)
		return 768;
	return (w->control & PCI_EXP_DEVCTL_EXT_TAG) ? 256 : 32;
}

struct pcie_cap
pcie_cap_of_registers(const struct pci_registers *r)
{
	const struct words w = {
	    .flags = r->value[REG_FLAGS],
	    .capability = r->value[REG_DEVCAP],
	    .control = r->value[REG_DEVCTL],
	    .link_control = r->value[REG_LNKCTL],
	    .link_status = r->value[REG_LNKSTA],
	    .control2 = r->value[REG_DEVCTL2],
	    .link_status2 = r->value[REG_LNKSTA2],
	};
	enum tristate ecrc = TRISTATE_UNKNOWN;
	struct pcie_cap e;

	if (!r->seen[REG_FLAGS] || !r->seen[REG_DEVCTL])
		return (struct pcie_cap){.port = PORT_UNSEEN, .aspm = ""};
	if (r->seen[REG_AERCAP])
		ecrc =
		    tristate_of(r->value[REG_AERCAP] & PCI_ERR_CAP_ECRC_GENE);
	e = decode_words(&w, tags_of_control(&w), ecrc);
	clear_integrated(&e);
	return e;
}

struct pcie_cap
pcie_cap_decode(struct pci_dev *d)
{
	struct pcie_cap e = {.aspm = ""};
	struct pci_cap *cap;
	struct words words;

	pci_fill_info(d, PCI_FILL_CAPS | PCI_FILL_EXT_CAPS);
	cap = pci_find_cap(d, PCI_CAP_ID_EXP, PCI_CAP_NORMAL);
	if (!cap)
		e.port = port_without(d);
	else if (!read_words(d, cap->addr, &words) ||
	         port_of(words.flags) == PORT_UNSEEN)
		e.port = PORT_UNSEEN;
	else
		e = decode_words(&words, tags_of(d, &words), ecrc_of(d));
	if (is_virtual(d))
		e = (struct pcie_cap){.port = e.port, .aspm = ""};
	if (*e.aspm)
		e.link_control = cap->addr + PCI_EXP_LNKCTL;
	clear_integrated(&e);
	return e;
}

/* Whether a function of this kind has a PCI Express link above it. */
static bool
links_upwards(enum port port)
{
	return port == PORT_ENDPOINT || port == PORT_UPSTREAM ||
	       port == PORT_TO_PCI;
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

	return links_upwards(e->port) && !link_check(&link) ? link
	                                                    : (struct link){0};
}
