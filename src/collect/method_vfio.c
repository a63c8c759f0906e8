/* Config space and BARs of a function that the user has given to VFIO. */
#include "collect/method.h"

#include "common/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define CONTAINER "/dev/vfio/vfio"

/* A group can be opened once, and may have several of our functions. */
struct group {
	char *number;
	int fd, container;
	unsigned users;
};

static struct group *groups;
static size_t ngroups;

static bool
suits(const struct pci_tree *tree, const struct reader *r)
{
	(void)tree;
	return strstr(r->function->driver, "vfio") != NULL;
}

static void
close_group(struct group *group)
{
	if (group->fd >= 0)
		close(group->fd);
	if (group->container >= 0)
		close(group->container);
	free(group->number);
	*group = groups[--ngroups];
	if (!ngroups) {
		free(groups);
		groups = NULL;
	}
}

static bool
group_failed(struct session *s, const struct reader *r, struct group *group,
             const char *what)
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
	fail(s, STATUS_ABSENT, "%s: VFIO group %s: %s: %s%s", r->function->bdf,
	     group->number, what, strerror(error), help);
	close_group(group);
	return false;
}

/* The steps that linux/Documentation/driver-api/vfio.rst gives. */
static bool
open_group(struct session *s, const struct reader *r, struct group *group)
{
	struct vfio_group_status status = {.argsz = sizeof status};
	char *path = xasprintf("/dev/vfio/%s", group->number);

	group->container = open(CONTAINER, O_RDWR | O_CLOEXEC);
	group->fd = open(path, O_RDWR | O_CLOEXEC);
	free(path);
	if (group->container < 0)
		return group_failed(s, r, group, CONTAINER);
	if (group->fd < 0)
		return group_failed(s, r, group, "open");
	if (ioctl(group->fd, VFIO_GROUP_GET_STATUS, &status))
		return group_failed(s, r, group, "status");
	if (!(status.flags & VFIO_GROUP_FLAGS_VIABLE)) {
		fail(s, STATUS_ABSENT,
		     "%s: VFIO group %s: all functions of the group must be "
		     "bound to vfio-pci or to nothing",
		     r->function->bdf, group->number);
		close_group(group);
		return false;
	}
	if (ioctl(group->fd, VFIO_GROUP_SET_CONTAINER, &group->container) ||
	    ioctl(group->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU))
		return group_failed(s, r, group, "container");
	return true;
}

/* The group of this number, opened; NULL after fail(). Takes `number`. */
static struct group *
get_group(struct session *s, const struct reader *r, char *number)
{
	struct group *group;

	for (size_t i = 0; i < ngroups; i++) {
		if (strcmp(groups[i].number, number) != 0)
			continue;
		free(number);
		return &groups[i];
	}
	groups = xreallocarray(groups, ngroups + 1, sizeof *groups);
	group = &groups[ngroups++];
	*group = (struct group){.number = number, .fd = -1, .container = -1};
	return open_group(s, r, group) ? group : NULL;
}

/* What VFIO answers itself would be no latency of a device. */
static bool
is_answered_by_vfio(const struct place *place)
{
	return place->bar == CONFIG_SPACE &&
	       (place->offset < 0x08 ||
	        (place->offset >= 0x10 && place->offset < 0x28) ||
	        place->offset == 0x30 || place->offset == 0x3c);
}

static bool
check(struct session *s, const struct pci_tree *tree, const struct reader *r)
{
	char text[PLACE_TEXT_MAX];

	if (!suits(tree, r))
		return fail(
		    s, STATUS_ABSENT,
		    "%s: bound to %s, not to vfio-pci: a device is never taken "
		    "from its driver; do it yourself, as with 'driverctl "
		    "set-override %s vfio-pci'",
		    r->function->bdf,
		    *r->function->driver ? r->function->driver : "no driver",
		    r->function->bdf);
	place_format(&r->place, text);
	if (is_answered_by_vfio(&r->place))
		return fail(s, STATUS_TROUBLE,
		            "%s: register %s: VFIO answers from a copy, not "
		            "the device",
		            r->function->bdf, text);
	return true;
}

/* Finds the register in the device's file, and maps it if it is of a BAR. */
static bool
open_region(struct session *s, struct reader *r)
{
	struct vfio_region_info region = {
	    .argsz = sizeof region,
	    .index = r->place.bar == CONFIG_SPACE
	                 ? (uint32_t)VFIO_PCI_CONFIG_REGION_INDEX
	                 : (uint32_t)r->place.bar};
	char text[PLACE_TEXT_MAX];

	place_format(&r->place, text);
	if (ioctl(r->fd, VFIO_DEVICE_GET_REGION_INFO, &region))
		return fail(s, STATUS_ABSENT, "%s: register %s: %s",
		            r->function->bdf, text, strerror(errno));
	if (region.size < sizeof(uint32_t) ||
	    region.size - sizeof(uint32_t) < r->place.offset)
		return fail(s, STATUS_ABSENT,
		            "%s: no register %s: that has %ju bytes",
		            r->function->bdf, text, (uintmax_t)region.size);
	r->at = (off_t)(region.offset + r->place.offset);
	if (r->place.bar == CONFIG_SPACE ||
	    map_word(r, region.offset + r->place.offset))
		return true;
	return fail(s, STATUS_ABSENT, "%s: register %s: VFIO does not map it%s",
	            r->function->bdf, text,
	            region.flags & VFIO_REGION_INFO_FLAG_MMAP
	                ? ""
	                : " (I/O ports, or less than a page)");
}

static bool
open_vfio(struct session *s, const struct pci_tree *tree, struct reader *r)
{
	struct group *group;
	char *number;

	if (!check(s, tree, r))
		return false;
	number = read_link_name("%s/devices/%s/iommu_group", tree->sysfs,
	                        r->function->bdf);
	if (!number)
		return fail(s, STATUS_ABSENT,
		            "%s: in no IOMMU group: VFIO needs an IOMMU (boot "
		            "with intel_iommu=on, or amd_iommu=on)",
		            r->function->bdf);
	group = get_group(s, r, number);
	if (!group)
		return false;
	r->group = group->number;
	group->users++;
	r->fd = ioctl(group->fd, VFIO_GROUP_GET_DEVICE_FD, r->function->bdf);
	if (r->fd < 0)
		return fail(s, STATUS_ABSENT, "%s: VFIO group %s: %s",
		            r->function->bdf, group->number, strerror(errno));
	return open_region(s, r);
}

/* The last function closes its group. */
static void
leave_group(struct reader *r)
{
	for (size_t i = 0; r->group && i < ngroups; i++) {
		if (groups[i].number == r->group && !--groups[i].users) {
			close_group(&groups[i]);
			break;
		}
	}
	r->group = NULL;
}

/* BARs are mapped, config space is a file. */
static bool
read_vfio(const struct reader *r, uint32_t *value)
{
	return r->word ? read_word(r, value) : read_file(r, value);
}

const struct method vfio_method = {
    .name = "vfio",
    .help = "of a function that is bound to vfio-pci",
    .reads_config = true,
    .reads_bars = true,
    .suits = suits,
    .open = open_vfio,
    .read = read_vfio,
    .close = leave_group,
};
