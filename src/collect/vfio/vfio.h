/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions bound to vfio-pci: their regions and addresses, through iommufd or
 * their group.
 */
#ifndef PCB_COLLECT_VFIO_VFIO_H
#define PCB_COLLECT_VFIO_VFIO_H

#include "collect/core/backend.h"
#include "common/pci/tree.h"

#include <linux/vfio.h>

/* The container or iommufd that translates the functions' addresses. */
struct vfio_iommu;

/*
 * The number of the function's IOMMU group (free it). NULL without an IOMMU,
 * also if VFIO has made up a group (enable_unsafe_noiommu_mode), which lets a
 * device reach any memory and maps none.
 */
char *vfio_group(const struct pci_tree *tree, const struct pci_function *f);

/*
 * Why a function must not be opened (free it), or NULL: its virtual functions
 * (SR-IOV), which others may use, disappear with its driver, or with the reset
 * when VFIO opens it.
 */
char *vfio_sriov_obstacle(const struct pci_tree *tree,
                          const struct pci_function *f);

/*
 * Opens a function of the tree, through iommufd if the kernel has its device
 * file and the user may open it and /dev/iommu, else through its group. Returns
 * a descriptor to close, or -1 after fail(). Records which under "vfio". Sets
 * *iommu as soon as there is one, even if the function then fails; call
 * vfio_put after closing the descriptor.
 */
int vfio_open(struct session *s, const struct pci_tree *tree,
              const struct pci_function *f, struct vfio_iommu **iommu);

/* Closes it when its last function is put. NULL does nothing. */
void vfio_put(struct vfio_iommu *iommu);

/* The place of config space or a BAR in the descriptor. False with errno. */
bool vfio_region(int fd, uint32_t index, struct vfio_region_info *region);

/*
 * Maps a whole BAR for reading and writing, and sets *size. NULL after fail();
 * release with mmio_unmap.
 */
volatile void *vfio_map_bar(struct session *s, const struct pci_function *f,
                            int fd, uint32_t bar, size_t *size);

/*
 * Lets the devices behind it read and write `size` bytes of memory at the
 * address `iova`, all in whole pages, which are pinned. False after fail().
 */
bool vfio_map(struct session *s, const struct vfio_iommu *iommu, void *at,
              uint64_t size, uint64_t iova);

/* Undoes vfio_map; ignores errors. */
void vfio_unmap(const struct vfio_iommu *iommu, uint64_t size, uint64_t iova);

/*
 * Enables bus mastering and disables INTx, which no driver would handle on a
 * shared line. False after fail().
 */
bool vfio_master(struct session *s, const struct pci_function *f, int fd);

/*
 * A descriptor that becomes readable when the kernel wants the function back
 * and waits for its close; non-blocking. -1 if not supported.
 */
int vfio_watch(int fd);

/* False after fail() if the descriptor of vfio_watch is readable. */
bool vfio_check(struct session *s, const struct pci_function *f, int watch);

#endif
