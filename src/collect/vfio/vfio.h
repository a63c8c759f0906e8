/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that are bound to vfio-pci: their regions and addresses, by
 * iommufd or by group.
 */
#ifndef PCB_COLLECT_VFIO_VFIO_H
#define PCB_COLLECT_VFIO_VFIO_H

#include "collect/core/backend.h"
#include "common/pci/tree.h"

#include <linux/vfio.h>

/* The container or iommufd that translates addresses of the functions. */
struct vfio_iommu;

/*
 * The number of the function's IOMMU group, to free. NULL: behind no IOMMU,
 * also where VFIO has made up a group for that (enable_unsafe_noiommu_mode),
 * which lets a device reach any memory and maps none for it.
 */
char *vfio_group(const struct pci_tree *tree, const struct pci_function *f);

/*
 * Why a function must not be opened, to free: its virtual functions (SR-IOV),
 * which others may have, go with its driver, or with the reset that VFIO does
 * when it is opened. NULL where there are none.
 */
char *vfio_sriov_obstacle(const struct pci_tree *tree,
                          const struct pci_function *f);

/*
 * Opens a function of the tree, by iommufd if the kernel has its file and the
 * user may open it and /dev/iommu, else by its group: a descriptor to close,
 * or -1 after fail(). The preamble says which under "vfio". *iommu is set once
 * there is one, also where the function then fails; vfio_put it after the
 * descriptor has been closed.
 */
int vfio_open(struct session *s, const struct pci_tree *tree,
              const struct pci_function *f, struct vfio_iommu **iommu);

/* The last function closes it. NULL does nothing. */
void vfio_put(struct vfio_iommu *iommu);

/* Where config space or a BAR is in the descriptor. False with errno. */
bool vfio_region(int fd, uint32_t index, struct vfio_region_info *region);

/*
 * Maps a whole BAR, to be read and written, and sets its size. NULL after
 * fail(); release with mmio_unmap.
 */
volatile void *vfio_map_bar(struct session *s, const struct pci_function *f,
                            int fd, uint32_t bar, size_t *size);

/*
 * Lets the devices behind it read and write `size` bytes of memory at the
 * address `iova`; all in whole pages, which are pinned. False after fail().
 */
bool vfio_map(struct session *s, const struct vfio_iommu *iommu, void *at,
              uint64_t size, uint64_t iova);

/* Takes that back; errors cannot be helped. */
void vfio_unmap(const struct vfio_iommu *iommu, uint64_t size, uint64_t iova);

/*
 * Enables bus mastering, but disables INTx: no driver would handle it on a line
 * that other devices share. False after fail().
 */
bool vfio_master(struct session *s, const struct pci_function *f, int fd);

/*
 * A descriptor that can be read when the kernel wants the function back, and
 * waits for us to close it; reads do not wait. -1 where there is none.
 */
int vfio_watch(int fd);

/* False after fail() if the descriptor of vfio_watch can be read. */
bool vfio_check(struct session *s, const struct pci_function *f, int watch);

#endif
