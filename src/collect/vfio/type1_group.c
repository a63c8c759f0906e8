/* SPDX-License-Identifier: GPL-2.0-or-later */
/* VFIO type 1, by the steps of linux/Documentation/driver-api/vfio.rst. */
#include "collect/vfio/vfio_internal.h"

#include "common/base/debug.h"
#include "common/sys/root.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <stdlib.h>
#include <string.h>

#define CONTAINER "/dev/vfio/vfio"

static bool
type1_begin(struct session *s, const struct pci_function *f,
            struct vfio_iommu *iommu)
{
	struct vfio_group_status status = {.argsz = sizeof status};
	char *path = xasprintf("%s/%s", root_path("/dev/vfio"), iommu->group);

	iommu->map_fd = open(root_path(CONTAINER), O_RDWR | O_CLOEXEC);
	if (iommu->map_fd >= 0)
		iommu->dev_fd = open(path, O_RDWR | O_CLOEXEC);
	debug(DEBUG_VFIO, CONTAINER " and %s: %s", path,
	      iommu->map_fd < 0 || iommu->dev_fd < 0 ? strerror(errno)
	                                             : "opened");
	free(path);
	if (iommu->map_fd < 0)
		return vfio_failed(s, f, iommu, CONTAINER);
	if (iommu->dev_fd < 0)
		return vfio_failed(s, f, iommu, "open");
	if (vfio_ioctl(iommu->dev_fd, VFIO_GROUP_GET_STATUS, &status))
		return vfio_failed(s, f, iommu, "status");
	if (!(status.flags & VFIO_GROUP_FLAGS_VIABLE))
		return fail(s, STATUS_ABSENT,
		            "%s: VFIO group %s: all functions of the group "
		            "must be bound to vfio-pci or to nothing",
		            f->bdf, iommu->group);
	if (vfio_ioctl(iommu->dev_fd, VFIO_GROUP_SET_CONTAINER,
	               &iommu->map_fd) ||
	    vfio_ioctl(iommu->map_fd, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU))
		return vfio_failed(s, f, iommu, "container");
	return true;
}

static int
type1_open_function(const struct vfio_iommu *iommu,
                    const struct pci_function *f)
{
	return vfio_ioctl(iommu->dev_fd, VFIO_GROUP_GET_DEVICE_FD, f->bdf);
}

static bool
type1_map(const struct vfio_iommu *iommu, void *at, uint64_t size,
          uint64_t iova)
{
	struct vfio_iommu_type1_dma_map map = {.argsz = sizeof map,
	                                       .flags = VFIO_DMA_MAP_FLAG_READ |
	                                                VFIO_DMA_MAP_FLAG_WRITE,
	                                       .vaddr = (uintptr_t)at,
	                                       .iova = iova,
	                                       .size = size};

	return !vfio_ioctl(iommu->map_fd, VFIO_IOMMU_MAP_DMA, &map);
}

static void
type1_unmap(const struct vfio_iommu *iommu, uint64_t size, uint64_t iova)
{
	struct vfio_iommu_type1_dma_unmap unmap = {
	    .argsz = sizeof unmap, .iova = iova, .size = size};

	vfio_ioctl(iommu->map_fd, VFIO_IOMMU_UNMAP_DMA, &unmap);
}

const struct vfio_ops vfio_type1_ops = {
    .name = "group",
    .by_group = true,
    .module = "vfio_iommu_type1",
    .eperm_hint =
        "the firmware reserves memory for the device, see RMRR in dmesg, or ",
    .begin = type1_begin,
    .function = type1_open_function,
    .map = type1_map,
    .unmap = type1_unmap,
};
