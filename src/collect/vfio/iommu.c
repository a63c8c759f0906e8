/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two interfaces of VFIO, by type 1 and iommufd; why they refuse. */
#include "collect/vfio/vfio_internal.h"

#include "common/base/debug.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/vfio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Messages ------------------------------------------------------------------
 */

/* The files that the user must own; free the text. */
static char *
owners(const struct vfio_iommu *iommu)
{
	return iommu->device
	           ? xasprintf(" (root, or whoever owns the group, or both "
	                       "/dev/iommu and /dev/vfio/devices/%s)",
	                       iommu->device)
	           : xstrdup(" (root, or whoever owns the group)");
}

static char *
help_with(const struct vfio_iommu *iommu, int error)
{
	if (error == EACCES || (error == ENOENT && iommu->device))
		return owners(iommu);
	if (error == EBUSY)
		return xstrdup(" (another program has it)");
	if (error == EPERM)
		return xasprintf(" (%sinterrupts are not safe from the devices "
		                 "of this machine: see allow_unsafe_interrupts "
		                 "of %s)",
		                 iommu->ops->eperm_hint, iommu->ops->module);
	if (error == EINVAL)
		return xstrdup(" (see dmesg: VFIO cannot use a device for "
		               "which the firmware reserves memory, RMRR)");
	return xstrdup("");
}

char *
vfio_name(const struct vfio_iommu *iommu)
{
	return iommu->ops->by_group ? xasprintf("group %s", iommu->group)
	                            : xasprintf("device %s", iommu->device);
}

bool
vfio_failed(struct session *s, const struct pci_function *f,
            const struct vfio_iommu *iommu, const char *what)
{
	int error = errno;
	char *help = help_with(iommu, error), *name = vfio_name(iommu);

	fail(s, STATUS_ABSENT, "%s: VFIO %s: %s: %s%s", f->bdf, name, what,
	     strerror(error), help);
	free(help);
	free(name);
	return false;
}

/* Groups: linux/Documentation/driver-api/vfio.rst ---------------------------
 */

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

/* Device files and iommufd --------------------------------------------------
 */

/*
 * By linux/Documentation/driver-api/vfio.rst and
 * userspace-api/iommufd.rst. The functions of a group must share an iommufd and
 * an address space, so all functions that pcb-collect opens do.
 */

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
