/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two interfaces of VFIO: groups and containers (type 1), and iommufd. For
 * this room only.
 */
#ifndef PCB_COLLECT_VFIO_VFIO_INTERNAL_H
#define PCB_COLLECT_VFIO_VFIO_INTERNAL_H

#include "collect/core/backend.h"
#include "common/base/debug.h"
#include "common/pci/tree.h"

#include <sys/ioctl.h>

/* As ioctl(2), with its result in the trace. */
#define vfio_ioctl(fd, request, arg)                                           \
	debug_result(DEBUG_VFIO, "ioctl " #request, ioctl(fd, request, arg))

/*
 * What is open, once for all that use it: a group and its container, or a
 * device and an iommufd, which all devices share. Files are -1 if not open.
 */
struct vfio_iommu {
	struct vfio_iommu *next;
	const struct vfio_ops *ops;
	char *group, *device; /* numbered "3", "vfio3"; device may be NULL */
	int dev_fd;           /* of the group, or of the device */
	int map_fd;           /* the container, or the iommufd */
	uint32_t ioas_id;     /* of the iommufd; IDs begin at 1 */
	unsigned users;
};

struct vfio_ops {
	const char *name;       /* in the preamble */
	bool by_group;          /* what is opened is a group, not a device */
	const char *module;     /* whose parameter allows unsafe interrupts */
	const char *eperm_hint; /* what else EPERM can mean, before that */

	/* Makes what is open usable. False after fail(). */
	bool (*begin)(struct session *s, const struct pci_function *f,
	              struct vfio_iommu *iommu);

	/* A descriptor of the function, to close, or -1 with errno. */
	int (*function)(const struct vfio_iommu *iommu,
	                const struct pci_function *f);

	/* False with errno. */
	bool (*map)(const struct vfio_iommu *iommu, void *at, uint64_t size,
	            uint64_t iova);
	void (*unmap)(const struct vfio_iommu *iommu, uint64_t size,
	              uint64_t iova);

	/* Which addresses can be mapped: text to free, or NULL. May be NULL. */
	char *(*ranges)(const struct vfio_iommu *iommu);
};

extern const struct vfio_ops vfio_type1_ops, vfio_iommufd_ops;

/*
 * Opens the function's device and an iommufd, that of `other` unless NULL.
 * Where the kernel has no such files, or the user may not open both: false,
 * and nothing is open.
 */
bool vfio_iommufd_open(struct vfio_iommu *iommu,
                       const struct vfio_iommu *other);

/* "group 3" or "device vfio3", to free. */
char *vfio_name(const struct vfio_iommu *iommu);

/* fail() with errno, what was tried and what could help; false. */
bool vfio_failed(struct session *s, const struct pci_function *f,
                 const struct vfio_iommu *iommu, const char *what);

#endif
