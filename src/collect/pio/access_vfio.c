/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads config space and BARs of a function that is bound to VFIO. */
#include "collect/pio/access_util.h"
#include "collect/vfio/vfio.h"

#include <errno.h>
#include <pci/header.h>
#include <string.h>
#include <unistd.h>

/* Start of extended config space; more capabilities than fit into it. */
#define EXTENDED         0x100
#define CAPABILITIES_MAX 1024

static bool
vfio_access_suits(const struct pci_tree *tree, const struct reader *r)
{
	(void)tree;
	return strstr(r->function->driver, "vfio") != NULL;
}

/* A word of config space; 0 if it cannot be read. */
static uint32_t
config_word(const struct reader *r, uint64_t at)
{
	off_t config = r->at - (off_t)r->addr.offset;
	uint32_t word;

	return pread(r->fd, &word, sizeof word, config + (off_t)at) ==
	               sizeof word
	           ? word
	           : 0;
}

/*
 * Registers that VFIO answers itself have no device latency: ALL_VIRT in
 * linux/drivers/vfio/pci/vfio_pci_config.c.
 */
static bool
is_copied_in_header(uint64_t at)
{
	return at < 0x08 || (at >= 0x10 && at < 0x28) || at == 0x30 ||
	       at == 0x3c;
}

/* The same for the word at an offset in a capability. */
static bool
is_copied_in(uint32_t capability, uint64_t at)
{
	bool long_address = capability >> 16 & PCI_MSI_FLAGS_64BIT;

	switch (capability & 0xff) {
	case PCI_CAP_ID_MSI:
		return at == PCI_MSI_ADDRESS_LO ||
		       (at == PCI_MSI_ADDRESS_HI && long_address);
	case PCI_CAP_ID_VPD:
		return at == PCI_VPD_DATA;
	default:
		return false;
	}
}

static bool
is_copied_in_extended(uint32_t capability, uint64_t at)
{
	uint32_t id = capability & 0xffff;

	return !at && (id == PCI_EXT_CAP_ID_AER || id == PCI_EXT_CAP_ID_PB);
}

static bool
is_copied_of_capability(const struct reader *r)
{
	uint64_t offset = r->addr.offset;
	bool extended = offset >= EXTENDED, copied = false;
	uint32_t at = EXTENDED;

	if (!extended)
		at = config_word(r, PCI_CAPABILITY_LIST) & 0xfc;
	for (unsigned n = 0; !copied && at && n < CAPABILITIES_MAX; n++) {
		uint32_t word = config_word(r, at);

		copied = extended ? is_copied_in_extended(word, offset - at)
		                  : is_copied_in(word, offset - at);
		at = extended ? word >> 20 & 0xffc : word >> 8 & 0xfc;
	}
	return copied;
}

static bool
refuse_copy(struct session *s, const struct reader *r)
{
	char text[REG_ADDR_TEXT_MAX];

	reg_addr_format(&r->addr, text);
	return fail(s, STATUS_TROUBLE,
	            "%s: register %s: VFIO answers from a copy, not the device",
	            r->function->bdf, text);
}

static bool
vfio_access_check(struct session *s, const struct pci_tree *tree,
                  const struct reader *r)
{
	if (!vfio_access_suits(tree, r))
		return fail(
		    s, STATUS_ABSENT,
		    "%s: bound to %s, not to vfio-pci: bind it yourself, as "
		    "with 'driverctl set-override %s vfio-pci'",
		    r->function->bdf,
		    *r->function->driver ? r->function->driver : "no driver",
		    r->function->bdf);
	return r->addr.bar != CONFIG_SPACE ||
	       !is_copied_in_header(r->addr.offset) || refuse_copy(s, r);
}

/* Finds the register in the device's file, and maps it if it is in a BAR. */
static bool
open_region(struct session *s, struct reader *r)
{
	struct vfio_region_info region;
	uint32_t index = r->addr.bar == CONFIG_SPACE
	                     ? (uint32_t)VFIO_PCI_CONFIG_REGION_INDEX
	                     : (uint32_t)r->addr.bar;
	char text[REG_ADDR_TEXT_MAX];

	reg_addr_format(&r->addr, text);
	if (!vfio_region(r->fd, index, &region))
		return fail(s, STATUS_ABSENT, "%s: register %s: %s",
		            r->function->bdf, text, strerror(errno));
	if (region.size < sizeof(uint32_t) ||
	    region.size - sizeof(uint32_t) < r->addr.offset)
		return fail(s, STATUS_ABSENT,
		            "%s has no register %s: there are %ju bytes",
		            r->function->bdf, text, (uintmax_t)region.size);
	r->at = (off_t)(region.offset + r->addr.offset);
	if (r->addr.bar == CONFIG_SPACE)
		return !is_copied_of_capability(r) || refuse_copy(s, r);
	if (access_map32(r, region.offset + r->addr.offset))
		return true;
	return fail(s, STATUS_ABSENT, "%s: register %s: VFIO does not map it%s",
	            r->function->bdf, text,
	            region.flags & VFIO_REGION_INFO_FLAG_MMAP
	                ? ""
	                : " (I/O ports, or less than a page)");
}

static bool
open_vfio(struct session *s, const struct pci_tree *tree, struct reader *r)
{
	if (!vfio_access_check(s, tree, r))
		return false;
	r->fd = vfio_open(s, tree, r->function, &r->iommu);
	return r->fd >= 0 && open_region(s, r);
}

static void
leave_iommu(struct reader *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
	vfio_put(r->iommu);
	r->iommu = NULL;
}

/* BARs are mapped, config space is read by pread(2). */
static bool
read_vfio(const struct reader *r, uint32_t *value)
{
	return r->word ? access_read32(r, value) : access_pread32(r, value);
}

const struct access_method vfio_method = {
    .name = "vfio",
    .help = "of a function that is bound to vfio-pci",
    .reads_config = true,
    .reads_bars = true,
    .wakes = true,
    .suits = vfio_access_suits,
    .open = open_vfio,
    .read = read_vfio,
    .close = leave_iommu,
};
