/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens functions and the container or iommufd for their addresses. */
#include "collect/vfio/vfio.h"

#include "collect/pci/mmio_map.h"
#include "collect/vfio/vfio_internal.h"
#include "common/base/debug.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <pci/header.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Each can be opened only once, and several of our functions may share it. */
static struct vfio_iommu *opened;

static void
close_iommu(struct vfio_iommu *iommu)
{
	struct vfio_iommu **at = &opened;

	while (*at != iommu)
		at = &(*at)->next;
	*at = iommu->next;
	if (iommu->dev_fd >= 0)
		close(iommu->dev_fd);
	if (iommu->map_fd >= 0)
		close(iommu->map_fd);
	free(iommu->group);
	free(iommu->device);
	free(iommu);
}

/* The name of its device file (free it); NULL: only the group has one. */
static char *
device_of(const struct pci_tree *tree, const struct pci_function *f)
{
	char *path = xasprintf("%s/devices/%s/vfio-dev", tree->sysfs, f->bdf);
	DIR *directory = opendir(path);
	struct dirent *entry;
	char *device = NULL;

	while (directory && !device && (entry = readdir(directory)))
		if (*entry->d_name != '.')
			device = xstrdup(entry->d_name);
	if (directory)
		closedir(directory);
	free(path);
	return device;
}

static bool
serves(const struct vfio_iommu *iommu, const char *group, const char *device)
{
	if (iommu->ops->by_group)
		return !strcmp(iommu->group, group);
	return device && !strcmp(iommu->device, device);
}

/* Uses iommufd if available, else the group. Takes both names. */
static struct vfio_iommu *
open_iommu(struct session *s, const struct pci_function *f, char *group,
           char *device)
{
	struct vfio_iommu *iommu = xmalloc(sizeof *iommu);
	const struct vfio_iommu *other = opened;

	*iommu = (struct vfio_iommu){.next = opened,
	                             .group = group,
	                             .device = device,
	                             .dev_fd = -1,
	                             .map_fd = -1};
	while (other && other->ops != &vfio_iommufd_ops)
		other = other->next;
	iommu->ops = vfio_iommufd_open(iommu, other) ? &vfio_iommufd_ops
	                                             : &vfio_type1_ops;
	debug(DEBUG_VFIO, "%s: by %s", f->bdf, iommu->ops->name);
	opened = iommu;
	if (iommu->ops->begin(s, f, iommu))
		return iommu;
	close_iommu(iommu);
	return NULL;
}

/* The open one, or a new one; NULL after fail(). Takes `group`. */
static struct vfio_iommu *
get_iommu(struct session *s, const struct pci_tree *tree,
          const struct pci_function *f, char *group)
{
	char *device = device_of(tree, f);
	struct vfio_iommu *iommu = opened;

	while (iommu && !serves(iommu, group, device))
		iommu = iommu->next;
	if (!iommu)
		return open_iommu(s, f, group, device);
	free(group);
	free(device);
	return iommu;
}

/* Adds a word for each function. */
static void
describe(struct preamble *pre, const struct pci_function *f,
         const struct vfio_iommu *iommu)
{
	const char *before = preamble_get(pre, "vfio");
	char *word = xasprintf("%s=%s", f->bdf, iommu->ops->name);

	if (!before)
		preamble_set(pre, "vfio", "%s", word);
	else if (!strstr(before, word))
		preamble_set(pre, "vfio", "%s %s", before, word);
	free(word);
}

char *
vfio_group(const struct pci_tree *tree, const struct pci_function *f)
{
	char *group =
	    read_link_name("%s/devices/%s/iommu_group", tree->sysfs, f->bdf);
	char *name = read_first_line("%s/devices/%s/iommu_group/name",
	                             tree->sysfs, f->bdf);

	if (name && !strcmp(name, "vfio-noiommu")) {
		free(group);
		group = NULL;
	}
	free(name);
	return group;
}

char *
vfio_sriov_obstacle(const struct pci_tree *tree, const struct pci_function *f)
{
	char *n =
	    read_first_line("%s/devices/%s/sriov_numvfs", tree->sysfs, f->bdf);
	char *why = NULL;

	if (n && strcmp(n, "0") != 0)
		why = xasprintf("its %s virtual functions would be lost: "
		                "'echo 0 > %s/devices/%s/sriov_numvfs'",
		                n, tree->sysfs, f->bdf);
	free(n);
	return why;
}

/* False after fail(). */
static bool
can_be_reset(struct session *s, const struct pci_tree *tree,
             const struct pci_function *f)
{
	char *why = vfio_sriov_obstacle(tree, f);

	if (why)
		fail(s, STATUS_ABSENT, "%s: %s", f->bdf, why);
	free(why);
	return !why;
}

int
vfio_open(struct session *s, const struct pci_tree *tree,
          const struct pci_function *f, struct vfio_iommu **iommu)
{
	char *group;
	int fd;

	if (!can_be_reset(s, tree, f))
		return -1;
	group = vfio_group(tree, f);
	if (!group) {
		fail(s, STATUS_ABSENT,
		     "%s: behind no IOMMU: VFIO needs one (boot with "
		     "intel_iommu=on, or amd_iommu=on)",
		     f->bdf);
		return -1;
	}
	*iommu = get_iommu(s, tree, f, group);
	if (!*iommu)
		return -1;
	(*iommu)->users++;
	fd = (*iommu)->ops->function(*iommu, f);
	if (fd < 0)
		vfio_failed(s, f, *iommu, "function");
	else
		describe(s->preamble, f, *iommu);
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
	char *name, *can;
	int error;

	debug(DEBUG_VFIO, "map %ju bytes at 0x%jx", (uintmax_t)size,
	      (uintmax_t)iova);
	if (iommu->ops->map(iommu, at, size, iova))
		return true;
	error = errno;
	name = vfio_name(iommu);
	can = error == EINVAL && iommu->ops->ranges ? iommu->ops->ranges(iommu)
	                                            : NULL;
	fail(s, STATUS_ABSENT, "VFIO %s: mapping %ju bytes at 0x%jx: %s%s%s",
	     name, (uintmax_t)size, (uintmax_t)iova, strerror(error),
	     error == ENOMEM ? " (they must be locked in memory: see "
	                       "'ulimit -l')"
	     : can           ? "; the IOMMU takes "
	                     : "",
	     can ? can : "");
	free(name);
	free(can);
	return false;
}

void
vfio_unmap(const struct vfio_iommu *iommu, uint64_t size, uint64_t iova)
{
	iommu->ops->unmap(iommu, size, iova);
}

/* An open function ----------------------------------------------------------
 */

bool
vfio_region(int fd, uint32_t index, struct vfio_region_info *region)
{
	*region =
	    (struct vfio_region_info){.argsz = sizeof *region, .index = index};
	return !vfio_ioctl(fd, VFIO_DEVICE_GET_REGION_INFO, region);
}

volatile void *
vfio_map_bar(struct session *s, const struct pci_function *f, int fd,
             uint32_t bar, size_t *size)
{
	struct vfio_region_info region;
	volatile void *at = NULL;

	errno = ENXIO;
	if (vfio_region(fd, bar, &region) && region.size)
		at = mmio_map(fd, (off_t)region.offset, region.size, true);
	if (at)
		*size = region.size;
	else
		fail(s, STATUS_ABSENT, "%s: BAR%u: VFIO does not map it: %s",
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
