#include "collect/vfio.h"

#include "common/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <pci/header.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define CONTAINER "/dev/vfio/vfio"

/* A group can be opened once, and may have several of our functions. */
struct vfio_group {
	struct vfio_group *next;
	char *number;
	int fd, container;
	unsigned users;
};

static struct vfio_group *groups;

static void
close_group(struct vfio_group *group)
{
	struct vfio_group **at = &groups;

	while (*at != group)
		at = &(*at)->next;
	*at = group->next;
	if (group->fd >= 0)
		close(group->fd);
	if (group->container >= 0)
		close(group->container);
	free(group->number);
	free(group);
}

static bool
group_failed(struct session *s, const struct pci_function *f,
             const struct vfio_group *group, const char *what)
{
	int error = errno;
	const char *help = "";

	if (error == EACCES)
		help = " (root, or whoever owns the group)";
	else if (error == EBUSY)
		help = " (another program has it)";
	else if (error == EPERM)
		help = " (interrupts are not safe from the devices of this "
		       "machine: see allow_unsafe_interrupts of "
		       "vfio_iommu_type1)";
	return fail(s, STATUS_ABSENT, "%s: VFIO group %s: %s: %s%s", f->bdf,
	            group->number, what, strerror(error), help);
}

/* The steps that linux/Documentation/driver-api/vfio.rst gives. */
static bool
open_group(struct session *s, const struct pci_function *f,
           struct vfio_group *group)
{
	struct vfio_group_status status = {.argsz = sizeof status};
	char *path = xasprintf("/dev/vfio/%s", group->number);

	group->container = open(CONTAINER, O_RDWR | O_CLOEXEC);
	if (group->container >= 0)
		group->fd = open(path, O_RDWR | O_CLOEXEC);
	free(path);
	if (group->container < 0)
		return group_failed(s, f, group, CONTAINER);
	if (group->fd < 0)
		return group_failed(s, f, group, "open");
	if (ioctl(group->fd, VFIO_GROUP_GET_STATUS, &status))
		return group_failed(s, f, group, "status");
	if (!(status.flags & VFIO_GROUP_FLAGS_VIABLE))
		return fail(s, STATUS_ABSENT,
		            "%s: VFIO group %s: all functions of the group "
		            "must be bound to vfio-pci or to nothing",
		            f->bdf, group->number);
	if (ioctl(group->fd, VFIO_GROUP_SET_CONTAINER, &group->container) ||
	    ioctl(group->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU))
		return group_failed(s, f, group, "container");
	return true;
}

/* The group of this number, opened; NULL after fail(). Takes `number`. */
static struct vfio_group *
get_group(struct session *s, const struct pci_function *f, char *number)
{
	struct vfio_group *group = groups;

	while (group && strcmp(group->number, number) != 0)
		group = group->next;
	if (group) {
		free(number);
		return group;
	}
	group = xmalloc(sizeof *group);
	*group = (struct vfio_group){
	    .next = groups, .number = number, .fd = -1, .container = -1};
	groups = group;
	if (open_group(s, f, group))
		return group;
	close_group(group);
	return NULL;
}

int
vfio_open(struct session *s, const struct pci_tree *tree,
          const struct pci_function *f, struct vfio_group **group)
{
	char *number =
	    read_link_name("%s/devices/%s/iommu_group", tree->sysfs, f->bdf);
	int fd;

	if (!number) {
		fail(s, STATUS_ABSENT,
		     "%s: in no IOMMU group: VFIO needs an IOMMU (boot with "
		     "intel_iommu=on, or amd_iommu=on)",
		     f->bdf);
		return -1;
	}
	*group = get_group(s, f, number);
	if (!*group)
		return -1;
	(*group)->users++;
	fd = ioctl((*group)->fd, VFIO_GROUP_GET_DEVICE_FD, f->bdf);
	if (fd < 0)
		fail(s, STATUS_ABSENT, "%s: VFIO group %s: %s", f->bdf,
		     (*group)->number, strerror(errno));
	return fd;
}

void
vfio_leave(struct vfio_group *group)
{
	if (group && !--group->users)
		close_group(group);
}

bool
vfio_region(int fd, uint32_t index, struct vfio_region_info *region)
{
	*region =
	    (struct vfio_region_info){.argsz = sizeof *region, .index = index};
	return !ioctl(fd, VFIO_DEVICE_GET_REGION_INFO, region);
}

volatile void *
vfio_map_bar(struct session *s, const struct pci_function *f, int fd,
             uint32_t bar, size_t *size)
{
	struct vfio_region_info region;
	void *at = MAP_FAILED;

	if (vfio_region(fd, bar, &region) && region.size)
		at = mmap(NULL, region.size, PROT_READ | PROT_WRITE, MAP_SHARED,
		          fd, (off_t)region.offset);
	if (at != MAP_FAILED) {
		*size = region.size;
		return at;
	}
	fail(s, STATUS_ABSENT, "%s: BAR%u: VFIO does not map it: %s", f->bdf,
	     bar, strerror(errno));
	return NULL;
}

bool
vfio_map(struct session *s, struct vfio_group *group, void *at, uint64_t size,
         uint64_t iova)
{
	struct vfio_iommu_type1_dma_map map = {.argsz = sizeof map,
	                                       .flags = VFIO_DMA_MAP_FLAG_READ |
	                                                VFIO_DMA_MAP_FLAG_WRITE,
	                                       .vaddr = (uintptr_t)at,
	                                       .iova = iova,
	                                       .size = size};

	if (!ioctl(group->container, VFIO_IOMMU_MAP_DMA, &map))
		return true;
	return fail(s, STATUS_ABSENT, "VFIO group %s: mapping %ju bytes: %s%s",
	            group->number, (uintmax_t)size, strerror(errno),
	            errno == ENOMEM ? " (they must be locked in memory: see "
	                              "'ulimit -l')"
	                            : "");
}

void
vfio_unmap(struct vfio_group *group, uint64_t size, uint64_t iova)
{
	struct vfio_iommu_type1_dma_unmap unmap = {
	    .argsz = sizeof unmap, .iova = iova, .size = size};

	ioctl(group->container, VFIO_IOMMU_UNMAP_DMA, &unmap);
}

/* The function's own bit goes away when the descriptor is closed. */
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
		command |= PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
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
	ok = event >= 0 && !ioctl(fd, VFIO_DEVICE_SET_IRQS, set);
	free(set);
	if (ok || event < 0)
		return event;
	close(event);
	return -1;
}
