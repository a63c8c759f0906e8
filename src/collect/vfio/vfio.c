/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two interfaces of VFIO, by type 1 and iommufd; functions by them. */
#include "collect/vfio/vfio.h"

#include "collect/pci/bar.h"
#include "common/base/debug.h"
#include "common/sys/sysfs.h"

#include <fcntl.h>
#include <pci/header.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Messages ----------------------------------------------------------------- */

/* The remedy; free the text. */
static char *
help_with(const struct vfio_iommu *iommu, int error)
{
	if (iommu->device && (error == EACCES || error == ENOENT))
		return xasprintf(" (root, or whoever owns the group, or both "
		                 "/dev/iommu and /dev/vfio/devices/%s)",
		                 iommu->device);
	if (error == EACCES)
		return xstrdup(" (root, or whoever owns the group)");
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

/* ioctl(2), with its result in the trace. */
#define vfio_ioctl(fd, request, arg)                                           \
	debug_result(DEBUG_VFIO, "ioctl " #request, ioctl(fd, request, arg))

/* "group 3" or "device vfio3"; free it. */
static char *
vfio_name(const struct vfio_iommu *iommu)
{
	return iommu->ops->by_group ? xasprintf("group %s", iommu->group)
	                            : xasprintf("device %s", iommu->device);
}

/* Fails with errno, the action and the remedy; false. */
static bool
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

/* Groups: linux/Documentation/driver-api/vfio.rst -------------------------- */

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

/* Device files and iommufd ------------------------------------------------- */

/*
 * By linux/Documentation/driver-api/vfio.rst and
 * userspace-api/iommufd.rst. The functions of a group must share an iommufd and
 * an address space, so all functions that pcb-collect opens do.
 */

/*
 * Opens the function's device file and an iommufd, that of `other` unless NULL.
 * False, with nothing open, if the kernel lacks these files or the user may not
 * open both.
 */
static bool
iommufd_open(struct vfio_iommu *iommu, const struct vfio_iommu *other)
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

static bool
iommufd_begin(struct session *s, const struct pci_function *f,
              struct vfio_iommu *iommu)
{
	struct iommu_ioas_alloc alloc = {.size = sizeof alloc};
	struct vfio_device_attach_iommufd_pt attach = {.argsz = sizeof attach};
	struct vfio_device_bind_iommufd bind = {.argsz = sizeof bind,
	                                        .iommufd = iommu->map_fd};

	if (vfio_ioctl(iommu->dev_fd, VFIO_DEVICE_BIND_IOMMUFD, &bind)) {
		/* EINVAL: another program has bound it to an iommufd. */
		if (errno == EINVAL)
			errno = EBUSY;
		return vfio_failed(s, f, iommu, "bind");
	}
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

const struct vfio_ops vfio_iommufd_ops = {
    .name = "iommufd",
    .module = "iommufd",
    .eperm_hint = "a driver or another program has a function of its group, "
                  "or ",
    .begin = iommufd_begin,
    .function = iommufd_open_function,
    .map = iommufd_map,
    .unmap = iommufd_unmap,
};

/* Functions and their address spaces ------------------------------------- */

/* Each can be opened only once, and several of our functions may share it. */
static struct vfio_iommu *opened;

static void
close_iommu(struct vfio_iommu *iommu)
{
	struct vfio_iommu **at = &opened;

	while (*at != iommu)
		at = &(*at)->next;
	*at = iommu->next;
	close_file(iommu->dev_fd);
	close_file(iommu->map_fd);
	free(iommu->group);
	free(iommu->device);
	free(iommu);
}

/* The name of its device file (free it); NULL: only the group has one. */
static char *
device_of(const struct pci_function *f)
{
	glob_t found = {0};
	char *device = NULL;

	find_files(&found, "%s/vfio-dev/*", f->path);
	if (found.gl_pathc)
		device = xstrdup(basename(*found.gl_pathv));
	globfree(&found);
	return device;
}

/*
 * The open one, or a new one: iommufd if available, else the group. NULL after
 * fail(). Takes `group`.
 */
static struct vfio_iommu *
get_iommu(struct session *s, const struct pci_function *f, char *group)
{
	const struct vfio_iommu *other = NULL; /* has an iommufd */
	char *device = device_of(f);
	struct vfio_iommu *iommu;

	for (iommu = opened; iommu; iommu = iommu->next) {
		bool by_group = iommu->ops->by_group;

		if (by_group ? !strcmp(iommu->group, group)
		             : device && !strcmp(iommu->device, device)) {
			free(group);
			free(device);
			return iommu;
		}
		if (iommu->ops == &vfio_iommufd_ops)
			other = iommu;
	}
	iommu = xmalloc(sizeof *iommu);
	*iommu = (struct vfio_iommu){.next = opened,
	                             .group = group,
	                             .device = device,
	                             .dev_fd = -1,
	                             .map_fd = -1};
	iommu->ops =
	    iommufd_open(iommu, other) ? &vfio_iommufd_ops : &vfio_type1_ops;
	debug(DEBUG_VFIO, "%s: by %s", f->bdf, iommu->ops->name);
	opened = iommu;
	if (iommu->ops->begin(s, f, iommu))
		return iommu;
	close_iommu(iommu);
	return NULL;
}

char *
vfio_group(const struct pci_function *f)
{
	char *group = read_link_name("%s/iommu_group", f->path);
	char *name = read_first_line("%s/iommu_group/name", f->path);

	if (name && !strcmp(name, "vfio-noiommu")) {
		free(group);
		group = NULL;
	}
	free(name);
	return group;
}

char *
vfio_sriov_obstacle(const struct pci_function *f)
{
	char *n = read_first_line("%s/sriov_numvfs", f->path);
	char *why = NULL;

	if (n && strcmp(n, "0") != 0)
		why = xasprintf("its %s virtual functions would be lost: "
		                "'echo 0 > %s/sriov_numvfs'",
		                n, f->path);
	free(n);
	return why;
}

int
vfio_open(struct session *s, const struct pci_function *f,
          struct vfio_iommu **iommu)
{
	char *why = vfio_sriov_obstacle(f), *group, *word;
	const char *before;
	int fd;

	if (why) {
		fail(s, STATUS_ABSENT, "%s: %s", f->bdf, why);
		free(why);
		return -1;
	}
	group = vfio_group(f);
	if (!group) {
		fail(s, STATUS_ABSENT,
		     "%s: behind no IOMMU: VFIO needs one (boot with "
		     "intel_iommu=on, or amd_iommu=on)",
		     f->bdf);
		return -1;
	}
	*iommu = get_iommu(s, f, group);
	if (!*iommu)
		return -1;
	(*iommu)->users++;
	fd = (*iommu)->ops->function(*iommu, f);
	if (fd < 0) {
		vfio_failed(s, f, *iommu, "function");
		return fd;
	}
	/* A word for each function. */
	before = preamble_get(s->preamble, "vfio");
	word = xasprintf("%s=%s", f->bdf, (*iommu)->ops->name);
	if (!before || !strstr(before, word))
		preamble_set(s->preamble, "vfio", "%s%s%s",
		             before ? before : "", before ? " " : "", word);
	free(word);
	return fd;
}

void
vfio_put(struct vfio_iommu *iommu)
{
	if (iommu && !--iommu->users)
		close_iommu(iommu);
}

bool
vfio_map(struct session *s, const struct vfio_iommu *iommu, void *at,
         uint64_t size, uint64_t iova)
{
	char *name;
	int error;

	debug(DEBUG_VFIO, "map %ju bytes at 0x%jx", (uintmax_t)size,
	      (uintmax_t)iova);
	if (iommu->ops->map(iommu, at, size, iova))
		return true;
	error = errno;
	name = vfio_name(iommu);
	fail(s, STATUS_ABSENT, "VFIO %s: mapping %ju bytes at 0x%jx: %s%s",
	     name, (uintmax_t)size, (uintmax_t)iova, strerror(error),
	     error == ENOMEM ? " (they must be locked in memory: see "
	                       "'ulimit -l')"
	                     : "");
	free(name);
	return false;
}

void
vfio_unmap(const struct vfio_iommu *iommu, uint64_t size, uint64_t iova)
{
	iommu->ops->unmap(iommu, size, iova);
}

/* An open function --------------------------------------------------------- */

bool
vfio_region(int fd, uint32_t index, struct vfio_region_info *region)
{
	*region =
	    (struct vfio_region_info){.argsz = sizeof *region, .index = index};
	return !vfio_ioctl(fd, VFIO_DEVICE_GET_REGION_INFO, region);
}

volatile void *
vfio_map_bar(struct session *s, const struct pci_function *f, int fd, int bar,
             uint64_t offset, size_t *size, bool writable)
{
	struct vfio_region_info region;
	volatile void *at = NULL;

	errno = ENXIO;
	if (vfio_region(fd, (uint32_t)bar, &region) && region.size) {
		if (!*size)
			*size = region.size;
		at = mmio_map(fd, (off_t)(region.offset + offset), *size,
		              writable);
	}
	if (!at)
		fail(s, STATUS_ABSENT, "%s: BAR%d: VFIO does not map it: %s",
		     f->bdf, bar, strerror(errno));
	return at;
}

/* Closing the descriptor clears the function's own bit. */
bool
vfio_master(struct session *s, const struct pci_function *f, int fd)
{
	struct vfio_region_info region;
	uint16_t command = 0;
	off_t at;

	if (!vfio_region(fd, VFIO_PCI_CONFIG_REGION_INDEX, &region))
		return fail(s, STATUS_ABSENT, "%s: config space: %s", f->bdf,
		            strerror(errno));
	at = (off_t)region.offset + PCI_COMMAND;
	if (pread(fd, &command, sizeof command, at) == sizeof command) {
		command |= PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER |
		           PCI_COMMAND_DISABLE_INTx;
		debug(DEBUG_VFIO, "%s: command register: write 0x%04x", f->bdf,
		      command);
		if (pwrite(fd, &command, sizeof command, at) == sizeof command)
			return true;
	}
	return fail(s, STATUS_TROUBLE, "%s: command register: %s", f->bdf,
	            strerror(errno));
}

int
vfio_watch(int fd)
{
	int32_t event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	struct vfio_irq_set *set = xcalloc(1, sizeof *set + sizeof event);
	bool ok;

	set->argsz = sizeof *set + sizeof event;
	set->flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER;
	set->index = VFIO_PCI_REQ_IRQ_INDEX;
	set->count = 1;
	memcpy(set->data, &event, sizeof event);
	ok = event >= 0 && !vfio_ioctl(fd, VFIO_DEVICE_SET_IRQS, set);
	free(set);
	if (ok || event < 0)
		return event;
	close(event);
	return -1;
}

bool
vfio_check(struct session *s, const struct pci_function *f, int watch)
{
	uint64_t requests;

	return read(watch, &requests, sizeof requests) < 0 ||
	       fail(s, STATUS_TROUBLE,
	            "%s: the kernel takes the device away: it was removed, or "
	            "unbound",
	            f->bdf);
}
