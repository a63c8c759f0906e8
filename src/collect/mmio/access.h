/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ways to the memory of a device: the kernel's files, or VFIO. */
#ifndef PCB_COLLECT_MMIO_ACCESS_H
#define PCB_COLLECT_MMIO_ACCESS_H

#include "collect/host/restore.h"
#include "collect/mmio/range.h"
#include "collect/pci/bar.h"
#include "collect/vfio/vfio.h"

/* Words of -O access and of the column `access`. */
enum mmio_way { WAY_RESOURCE, WAY_RESOURCE_WC, WAY_VFIO, NWAYS };
extern const char *const mmio_way_names[NWAYS];

/*
 * A function, as it is reached. Zero-initialise, set tree and function; release
 * with mmio_access_close after its mappings are gone.
 */
struct mmio_access {
	const struct pci_tree *tree;
	const struct pci_function *function;
	enum mmio_way way;
	struct bar bars[BARS];
	struct changes changes; /* its driver, with -O unbind=yes */
	struct vfio_iommu *iommu;
	int fd;    /* by VFIO; 0 or -1: none */
	int watch; /* by VFIO: readable when the kernel wants it back */
	int lock;  /* on a BAR that is written to; 0 or -1: none */
};

/*
 * Opens the function by the way of this name, or "auto": VFIO if it is bound to
 * that or to be taken (`taking`), else the kernel's file. False after fail().
 */
bool mmio_access_open(struct session *s, struct mmio_access *a, const char *way,
                      bool taking);

/*
 * Maps a range of a BAR, which must be within it, to be read only unless
 * `writable`. The first byte, to be released with mmio_unmap; NULL after
 * fail(). Registers are mapped uncached, whatever the way.
 */
volatile void *mmio_access_map(struct session *s, const struct mmio_access *a,
                               const struct mmio_range *range, bool writable);
volatile void *mmio_access_map_registers(struct session *s,
                                         const struct mmio_access *a,
                                         const struct mmio_range *range,
                                         bool writable);

/*
 * Keeps other runs from writing to a BAR at the same time. False after fail()
 * if one does.
 */
bool mmio_access_lock(struct session *s, struct mmio_access *a, int bar);

/* False after fail() if the device is gone, or the kernel wants it back. */
bool mmio_access_check(struct session *s, const struct mmio_access *a);

void mmio_access_close(struct mmio_access *a);

#endif
