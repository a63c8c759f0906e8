/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Access to a device's memory: through the kernel's files, or VFIO. */
#ifndef PCB_COLLECT_MMIO_ACCESS_H
#define PCB_COLLECT_MMIO_ACCESS_H

#include "collect/host/restore.h"
#include "collect/mmio/range.h"
#include "collect/pci/bar.h"
#include "collect/vfio/vfio.h"

/* Values of -O access and of the column `access`. */
enum mmio_way { WAY_RESOURCE, WAY_RESOURCE_WC, WAY_VFIO, NWAYS };
extern const char *const mmio_way_names[NWAYS];

/*
 * A function and how its memory is accessed. Zero-initialise, set tree and
 * function; release with mmio_access_close, after its mappings.
 */
struct mmio_access {
	const struct pci_tree *tree;
	const struct pci_function *function;
	enum mmio_way way;
	struct bar bars[BARS];
	struct changes changes; /* of the driver, with -O unbind=yes */
	struct vfio_iommu *iommu;
	int fd;    /* of VFIO; 0 or -1: none */
	int watch; /* of VFIO: readable when the kernel wants the device back */
	int lock;  /* on the BAR that is written; 0 or -1: none */
};

/*
 * Opens the function by the access method `way`. "auto" is VFIO if vfio-pci has
 * the function or may take it (`taking`), otherwise the kernel's file. False
 * after fail().
 */
bool mmio_access_open(struct session *s, struct mmio_access *a, const char *way,
                      bool taking);

/*
 * Map a range, which must lie in its BAR, read-only unless `writable`. They
 * return its first byte, or NULL after fail(); release with mmio_unmap.
 * Registers are always mapped uncached.
 */
volatile void *mmio_access_map(struct session *s, const struct mmio_access *a,
                               const struct mmio_range *range, bool writable);
volatile void *mmio_access_map_registers(struct session *s,
                                         const struct mmio_access *a,
                                         const struct mmio_range *range,
                                         bool writable);

/*
 * Prevents other runs from writing to a BAR meanwhile. False after fail() if
 * another run has it.
 */
bool mmio_access_lock(struct session *s, struct mmio_access *a, int bar);

/* False after fail() if the device is gone, or the kernel wants it back. */
bool mmio_access_check(struct session *s, const struct mmio_access *a);

void mmio_access_close(struct mmio_access *a);

#endif
