/* Config space and BARs of a function that the user has given to VFIO. */
#include "collect/method.h"
#include "collect/vfio.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool
suits(const struct pci_tree *tree, const struct reader *r)
{
	(void)tree;
	return strstr(r->function->driver, "vfio") != NULL;
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
	struct vfio_region_info region;
	uint32_t index = r->place.bar == CONFIG_SPACE
	                     ? (uint32_t)VFIO_PCI_CONFIG_REGION_INDEX
	                     : (uint32_t)r->place.bar;
	char text[PLACE_TEXT_MAX];

	place_format(&r->place, text);
	if (!vfio_region(r->fd, index, &region))
		return fail(s, STATUS_ABSENT, "%s: register %s: %s",
		            r->function->bdf, text, strerror(errno));
	if (region.size < sizeof(uint32_t) ||
	    region.size - sizeof(uint32_t) < r->place.offset)
		return fail(s, STATUS_ABSENT,
		            "%s has no register %s: there are %ju bytes",
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
	if (!check(s, tree, r))
		return false;
	r->fd = vfio_open(s, tree, r->function, &r->iommu);
	return r->fd >= 0 && open_region(s, r);
}

static void
leave_iommu(struct reader *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
	vfio_leave(r->iommu);
	r->iommu = NULL;
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
    .close = leave_iommu,
};
