/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of devices: what may be overwritten, and how it is mapped, through the
 * kernel's files or VFIO.
 */
#ifndef PCB_COLLECT_MMIO_ACCESS_H
#define PCB_COLLECT_MMIO_ACCESS_H

#include "collect/host/restore.h"
#include "collect/pci/bar.h"
#include "collect/vfio/vfio.h"

/* A range of a device's memory; offset and size in bytes. */
struct mmio_range {
	int bar; /* 0 to 5 */
	uint64_t offset, size;
};

/*
 * Parses "BAR2+0x1000,4K": offset and size are multiples of 64. Returns NULL,
 * or why the text is refused (a constant), and leaves *range alone.
 */
const char *mmio_range_parse(const char *text, struct mmio_range *range);

/* Whether `inner` lies completely in `outer`. */
bool mmio_range_holds(const struct mmio_range *outer,
                      const struct mmio_range *inner);

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
 * Maps a range, which must lie in its BAR, read-only unless `writable`. Returns
 * its first byte, or NULL after fail(); release with mmio_unmap.
 */
volatile void *mmio_access_map(struct session *s, const struct mmio_access *a,
                               const struct mmio_range *range, bool writable);

/*
 * Prevents other runs from writing to a BAR meanwhile. False after fail() if
 * another run has it.
 */
bool mmio_access_lock(struct session *s, struct mmio_access *a, int bar);

/* False after fail() if the device is gone, or the kernel wants it back. */
bool mmio_access_check(struct session *s, const struct mmio_access *a);

void mmio_access_close(struct mmio_access *a);

/* Whether functions of this kind may have such memory. */
bool target_may_be(const struct pci_function *f);

/* Memory that the device's kind or registers identify. */
struct target {
	const char *what; /* "CMB"; NULL: none */
	struct mmio_range range;
};

/*
 * Finds the range to overwrite, on an open device. `wanted` is the range that
 * the user named; with size 0, uses the start of memory that it recognises.
 * False after fail().
 */
bool target_find(struct session *s, const struct mmio_access *a,
                 const struct mmio_range *wanted, struct target *target);

#endif
