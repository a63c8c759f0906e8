/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two interfaces of VFIO: groups and containers (type 1), and iommufd.
 * Private to this room.
 */
#ifndef PCB_COLLECT_VFIO_VFIO_INTERNAL_H
#define PCB_COLLECT_VFIO_VFIO_INTERNAL_H

#include "collect/core/backend.h"
#include "common/base/debug.h"
#include "common/pci/tree.h"

#include <sys/ioctl.h>

/* ioctl(2), with its result in the trace. */
#define vfio_ioctl(fd, request, arg)                                           \
	debug_result(DEBUG_VFIO, "ioctl " #request, ioctl(fd, request, arg))

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

	/* The addresses that can be mapped: text to free, or NULL. Optional. */
	char *(*ranges)(const struct vfio_iommu *iommu);
};

extern const struct vfio_ops vfio_type1_ops, vfio_iommufd_ops;

/*
 * Opens the function's device file and an iommufd, that of `other` unless NULL.
 * False, with nothing open, if the kernel lacks these files or the user may not
 * open both.
 */
bool vfio_iommufd_open(struct vfio_iommu *iommu,
                       const struct vfio_iommu *other);

/* "group 3" or "device vfio3"; free it. */
char *vfio_name(const struct vfio_iommu *iommu);

/* Fails with errno, the action and the remedy; false. */
bool vfio_failed(struct session *s, const struct pci_function *f,
                 const struct vfio_iommu *iommu, const char *what);

#endif
