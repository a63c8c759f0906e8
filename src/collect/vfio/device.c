/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations on an open function, the same for groups and iommufd. */
#include "collect/vfio/vfio.h"

#include "collect/pci/mmio_map.h"
#include "collect/vfio/vfio_internal.h"
#include "common/base/debug.h"

#include <errno.h>
#include <pci/header.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

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
