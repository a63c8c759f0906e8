/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether VFIO can have a function, which may be in use; functions bound to
 * vfio-pci: their regions and addresses, through iommufd or their group.
 */
#ifndef PCB_COLLECT_VFIO_VFIO_H
#define PCB_COLLECT_VFIO_VFIO_H

#include "collect/core/backend.h"
#include "collect/host/restore.h"
#include "common/base/debug.h"
#include "common/pci/tree.h"

#include <linux/vfio.h>
#include <sys/ioctl.h>

/* Claiming, claim.c ------------------------------------------------------- */

/* Disks that are open with O_EXCL. Zero-initialise. */
struct disk_claims {
	int *fd;
	size_t n;
};

/*
 * Why a function, by its path in sysfs, must keep its driver, and the remedy: a
 * process may have one of its devices open, a disk may be in use, or is not
 * NVMe. Free it; NULL if not; dies if memory or descriptors run out.
 * Until disks_release, which the caller calls in any case, nobody can mount the
 * disks or add them to another device.
 */
char *disks_in_use(const char *function, struct disk_claims *claims);

/* Closes the disks, after they are gone. */
void disks_release(struct disk_claims *claims);

/*
 * Why VFIO cannot use a function now, ": ", and the commands that would help
 * (free it), or NULL. With `taking`, the function's own driver is no obstacle.
 */
char *claim_obstacle(const struct pci_tree *tree, const struct pci_function *f,
                     bool taking);

/*
 * Reads -O unbind: whether a device may be unbound from its driver. False after
 * fail() unless it is yes or no.
 */
bool claim_option(struct session *s, const struct backend_option *options,
                  bool *allowed);

/*
 * Binds a function to vfio-pci until changes_undo; if `allowed` is false only
 * checks that it is bound. False after fail(), also if the function's disks are
 * in use.
 */
bool claim_device(struct session *s, const struct pci_tree *tree,
                  const struct pci_function *f, bool allowed,
                  struct changes *changes);

/* Functions, vfio.c ------------------------------------------------------- */

/* The container or iommufd that translates the functions' addresses. */
struct vfio_iommu;

/*
 * The number of the function's IOMMU group (free it). NULL without an IOMMU,
 * also if VFIO has made up a group (enable_unsafe_noiommu_mode), which lets a
 * device reach any memory and maps none.
 */
char *vfio_group(const struct pci_function *f);

/*
 * Why a function must not be opened (free it), or NULL: its virtual functions
 * (SR-IOV), which others may use, disappear with its driver, or with the reset
 * when VFIO opens it.
 */
char *vfio_sriov_obstacle(const struct pci_function *f);

/*
 * Opens a function of the tree, through iommufd if the kernel has its device
 * file and the user may open it and /dev/iommu, else through its group. Returns
 * a descriptor to close, or -1 after fail(). Records which under "vfio". Sets
 * *iommu as soon as there is one, even if the function then fails; call
 * vfio_put after closing the descriptor.
 */
int vfio_open(struct session *s, const struct pci_function *f,
              struct vfio_iommu **iommu);

/* Closes it when its last function is put. NULL does nothing. */
void vfio_put(struct vfio_iommu *iommu);

/* The place of config space or a BAR in the descriptor. False with errno. */
bool vfio_region(int fd, uint32_t index, struct vfio_region_info *region);

/*
 * Maps *size bytes of a BAR, read-only unless `writable`; if *size is 0, the
 * whole BAR, and sets it. NULL after fail(); release with mmio_unmap.
 */
volatile void *vfio_map_bar(struct session *s, const struct pci_function *f,
                            int fd, int bar, uint64_t offset, size_t *size,
                            bool writable);

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

/*
 * Open files, shared by all users: a group and its container, or a device and
 * an iommufd, which all devices share. -1 if not open.
 */
struct vfio_iommu {
	struct vfio_iommu *next;
	const struct vfio_ops *ops;
	char *group, *device; /* such as "3", "vfio3"; device may be NULL */
	int dev_fd;           /* group or device file */
	int map_fd;           /* container or iommufd */
	uint32_t ioas_id;     /* in the iommufd; IDs start at 1 */
	unsigned users;
};

struct vfio_ops {
	const char *name;       /* in the preamble */
	bool by_group;          /* it opens a group, not a device */
	const char *module;     /* its parameter allows unsafe interrupts */
	const char *eperm_hint; /* another meaning of EPERM, put first */

	/* Makes the open files usable. False after fail(). */
	bool (*begin)(struct session *s, const struct pci_function *f,
	              struct vfio_iommu *iommu);

	/* Returns a descriptor of the function to close, or -1 with errno. */
	int (*function)(const struct vfio_iommu *iommu,
	                const struct pci_function *f);

	/* False with errno. */
	bool (*map)(const struct vfio_iommu *iommu, void *at, uint64_t size,
	            uint64_t iova);
	void (*unmap)(const struct vfio_iommu *iommu, uint64_t size,
	              uint64_t iova);
};

extern const struct vfio_ops vfio_type1_ops, vfio_iommufd_ops;

/*
 * iommufd and VFIO device files in Linux 6.6, with the names of linux/iommufd.h
 * and linux/vfio.h: the headers of older systems lack them. User-space
 * interfaces of the kernel do not change. Their __reserved is `reserved` here.
 */

/* ioctls of a device file. */
#ifndef VFIO_DEVICE_BIND_IOMMUFD
#define VFIO_DEVICE_BIND_IOMMUFD _IO(VFIO_TYPE, VFIO_BASE + 18)

struct vfio_device_bind_iommufd {
	__u32 argsz;
	__u32 flags;
	__s32 iommufd;
	__u32 out_devid;
};

#define VFIO_DEVICE_ATTACH_IOMMUFD_PT _IO(VFIO_TYPE, VFIO_BASE + 19)

struct vfio_device_attach_iommufd_pt {
	__u32 argsz;
	__u32 flags;
	__u32 pt_id;
};
#endif

/* ioctls of /dev/iommu. */
#define IOMMU_IOAS_ALLOC _IO(';', 0x81)
#define IOMMU_IOAS_MAP   _IO(';', 0x85)
#define IOMMU_IOAS_UNMAP _IO(';', 0x86)

#define IOMMU_IOAS_MAP_FIXED_IOVA 1
#define IOMMU_IOAS_MAP_WRITEABLE  2
#define IOMMU_IOAS_MAP_READABLE   4

struct iommu_ioas_alloc {
	__u32 size;
	__u32 flags;
	__u32 out_ioas_id;
};

struct iommu_ioas_map {
	__u32 size;
	__u32 flags;
	__u32 ioas_id;
	__u32 reserved;
	__aligned_u64 user_va;
	__aligned_u64 length;
	__aligned_u64 iova;
};

struct iommu_ioas_unmap {
	__u32 size;
	__u32 ioas_id;
	__aligned_u64 iova;
	__aligned_u64 length;
};

#endif
