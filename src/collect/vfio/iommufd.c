/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * VFIO by device files and iommufd: linux/Documentation/driver-api/vfio.rst and
 * userspace-api/iommufd.rst. The functions of a group must share an iommufd and
 * an address space, so all functions that pcb-collect opens do.
 */
#include "collect/vfio/uapi_iommufd.h"
#include "collect/vfio/vfio_internal.h"
#include "common/base/debug.h"
#include "common/sys/root.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/vfio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RANGES_MAX 16

bool
vfio_iommufd_open(struct vfio_iommu *iommu, const struct vfio_iommu *other)
{
	char *path;

	if (!iommu->device) {
		debug(DEBUG_VFIO, "the kernel numbers no device: by group");
		return false;
	}
	iommu->map_fd = other
	                    ? fcntl(other->map_fd, F_DUPFD_CLOEXEC, 0)
	                    : open(root_path("/dev/iommu"), O_RDWR | O_CLOEXEC);
	if (iommu->map_fd < 0) {
		debug(DEBUG_VFIO, "/dev/iommu: not opened: %s",
		      strerror(errno));
		return false;
	}
	path =
	    xasprintf("%s/%s", root_path("/dev/vfio/devices"), iommu->device);
	iommu->dev_fd = open(path, O_RDWR | O_CLOEXEC);
	debug(DEBUG_VFIO, "%s: %s", path,
	      iommu->dev_fd < 0 ? strerror(errno) : "opened");
	free(path);
	if (iommu->dev_fd >= 0) {
		iommu->ioas_id = other ? other->ioas_id : 0;
		return true;
	}
	close(iommu->map_fd);
	iommu->map_fd = -1;
	return false;
}

/* EINVAL: another program has bound it to an iommufd. */
static bool
iommufd_bind_device(const struct vfio_iommu *iommu)
{
	struct vfio_device_bind_iommufd bind = {.argsz = sizeof bind,
	                                        .iommufd = iommu->map_fd};

	if (!vfio_ioctl(iommu->dev_fd, VFIO_DEVICE_BIND_IOMMUFD, &bind))
		return true;
	if (errno == EINVAL)
		errno = EBUSY;
	return false;
}

static bool
iommufd_begin(struct session *s, const struct pci_function *f,
              struct vfio_iommu *iommu)
{
	struct iommu_ioas_alloc alloc = {.size = sizeof alloc};
	struct vfio_device_attach_iommufd_pt attach = {.argsz = sizeof attach};

	if (!iommufd_bind_device(iommu))
		return vfio_failed(s, f, iommu, "bind");
	if (!iommu->ioas_id &&
	    vfio_ioctl(iommu->map_fd, IOMMU_IOAS_ALLOC, &alloc))
		return vfio_failed(s, f, iommu, "address space");
	if (!iommu->ioas_id)
		iommu->ioas_id = alloc.out_ioas_id;
	attach.pt_id = iommu->ioas_id;
	return !vfio_ioctl(iommu->dev_fd, VFIO_DEVICE_ATTACH_IOMMUFD_PT,
	                   &attach) ||
	       vfio_failed(s, f, iommu, "attach");
}

/* It can be bound only once, but the function may be opened again. */
static int
iommufd_open_function(const struct vfio_iommu *iommu,
                      const struct pci_function *f)
{
	(void)f;
	return fcntl(iommu->dev_fd, F_DUPFD_CLOEXEC, 0);
}

static bool
iommufd_map(const struct vfio_iommu *iommu, void *at, uint64_t size,
            uint64_t iova)
{
	struct iommu_ioas_map map = {.size = sizeof map,
	                             .flags = IOMMU_IOAS_MAP_FIXED_IOVA |
	                                      IOMMU_IOAS_MAP_WRITEABLE |
	                                      IOMMU_IOAS_MAP_READABLE,
	                             .ioas_id = iommu->ioas_id,
	                             .user_va = (uintptr_t)at,
	                             .length = size,
	                             .iova = iova};

	return !vfio_ioctl(iommu->map_fd, IOMMU_IOAS_MAP, &map);
}

static void
iommufd_unmap(const struct vfio_iommu *iommu, uint64_t size, uint64_t iova)
{
	struct iommu_ioas_unmap unmap = {.size = sizeof unmap,
	                                 .ioas_id = iommu->ioas_id,
	                                 .iova = iova,
	                                 .length = size};

	vfio_ioctl(iommu->map_fd, IOMMU_IOAS_UNMAP, &unmap);
}

static char *
iommufd_ranges(const struct vfio_iommu *iommu)
{
	struct iommu_iova_range range[RANGES_MAX];
	struct iommu_ioas_iova_ranges ranges = {.size = sizeof ranges,
	                                        .ioas_id = iommu->ioas_id,
	                                        .num_iovas = RANGES_MAX,
	                                        .allowed_iovas =
	                                            (uintptr_t)range};
	char *all = NULL;

	if (vfio_ioctl(iommu->map_fd, IOMMU_IOAS_IOVA_RANGES, &ranges))
		return NULL;
	for (uint32_t i = 0; i < ranges.num_iovas; i++) {
		char *more =
		    xasprintf("%s%s0x%" PRIx64 " to 0x%" PRIx64, all ? all : "",
		              all ? ", " : "", (uint64_t)range[i].start,
		              (uint64_t)range[i].last);

		free(all);
		all = more;
	}
	return all;
}

const struct vfio_ops vfio_iommufd_ops = {
    .name = "iommufd",
    .module = "iommufd",
    .eperm_hint = "a driver or another program has a function of its group, "
                  "or ",
    .begin = iommufd_begin,
    .function = iommufd_open_function,
    .map = iommufd_map,
    .unmap = iommufd_unmap,
    .ranges = iommufd_ranges,
};
