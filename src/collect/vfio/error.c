/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains why VFIO refuses a function, and the remedy. */
#include "collect/vfio/vfio_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
