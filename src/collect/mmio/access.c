/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a function and maps its memory. */
#include "collect/mmio/access.h"

#include "collect/pci/mmio_map.h"
#include "collect/vfio/claim.h"
#include "common/base/debug.h"
#include "common/base/list.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

const char *const mmio_way_names[NWAYS] = {
    [WAY_RESOURCE] = "resource",
    [WAY_RESOURCE_WC] = "resource_wc",
    [WAY_VFIO] = "vfio",
};

static bool
choose_way(struct session *s, struct mmio_access *a, const char *text,
           bool taking)
{
	bool by_vfio = taking || strstr(a->function->driver, "vfio");
	size_t way = find_word(text, mmio_way_names, NWAYS);

	if (!strcmp(text, "auto"))
		way = by_vfio ? WAY_VFIO : WAY_RESOURCE;
	a->way = (enum mmio_way)way;
	if (way == NWAYS)
		return fail(s, STATUS_TROUBLE,
		            "-O access=%s: not auto, resource, resource_wc or "
		            "vfio",
		            text);
	if (by_vfio && way != WAY_VFIO)
		return fail(s, STATUS_ABSENT,
		            "%s: -O access=%s: VFIO has the device, and maps "
		            "its memory uncached only: -O access=vfio",
		            a->function->bdf, text);
	return true;
}

/* A driver may be using the memory. */
static bool
check_driver(struct session *s, const struct mmio_access *a)
{
	const char *driver = a->function->driver;

	return !*driver ||
	       fail(s, STATUS_ABSENT,
	            "%s: bound to %s, which may use its memory: -O unbind=yes "
	            "unbinds it during the measurement; or "
	            "'echo %s > %s/devices/%s/driver/unbind'",
	            a->function->bdf, driver, a->function->bdf, a->tree->sysfs,
	            a->function->bdf);
}

/* Memory of a suspended device does not answer; some machines stop then. */
static bool
check_awake(struct session *s, const struct mmio_access *a)
{
	char *control = read_first_line("%s/devices/%s/power/control",
	                                a->tree->sysfs, a->function->bdf);
	bool may_sleep = control && !strcmp(control, "auto");

	free(control);
	return !may_sleep ||
	       fail(s, STATUS_ABSENT,
	            "%s: it may fall asleep meanwhile, and its memory would "
	            "not answer: 'echo on > %s/devices/%s/power/control'",
	            a->function->bdf, a->tree->sysfs, a->function->bdf);
}

static bool
open_vfio(struct session *s, struct mmio_access *a, bool taking)
{
	if (!claim_device(s, a->tree, a->function, taking, &a->changes))
		return false;
	a->fd = vfio_open(s, a->tree, a->function, &a->iommu);
	if (a->fd < 0)
		return false;
	a->watch = vfio_watch(a->fd);
	return true;
}

bool
mmio_access_open(struct session *s, struct mmio_access *a, const char *way,
                 bool taking)
{
	a->fd = a->watch = a->lock = -1;
	bars_read(a->tree, a->function, a->bars);
	if (!choose_way(s, a, way, taking))
		return false;
	if (a->way == WAY_VFIO)
		return open_vfio(s, a, taking);
	return check_driver(s, a) && check_awake(s, a);
}

static bool
refused_wc(struct session *s, const struct mmio_access *a, int bar)
{
	if (errno != ENOENT)
		return bar_refused(s, a->tree, a->function, bar);
	return fail(s, STATUS_ABSENT,
	            "%s: BAR%d: there is no resource%d_wc: %s: -O "
	            "access=resource is uncached",
	            a->function->bdf, bar, bar,
	            a->bars[bar].prefetchable
	                ? "this kernel maps nothing write-combined (nopat?)"
	                : "it is not prefetchable");
}

static volatile void *
map_pages(int fd, uint64_t at, uint64_t size, bool writable)
{
	uint64_t within = at % (uint64_t)sysconf(_SC_PAGESIZE);
	volatile unsigned char *map =
	    mmio_map(fd, (off_t)(at - within), size + within, writable);

	return map ? map + within : NULL;
}

static volatile void *
map_resource(struct session *s, const struct mmio_access *a,
             const struct mmio_range *range, bool combined, bool writable)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t start = a->bars[range->bar].start % page;
	volatile void *map = NULL;
	int fd, error;

	if (!bar_check_memory(s, a->tree, a->function, range->bar))
		return NULL;
	fd = bar_open(a->tree, a->function, range->bar, combined ? "_wc" : "",
	              writable ? O_RDWR : O_RDONLY);
	if (fd >= 0)
		map =
		    map_pages(fd, start + range->offset, range->size, writable);
	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	if (!map && combined)
		refused_wc(s, a, range->bar);
	else if (!map)
		bar_refused(s, a->tree, a->function, range->bar);
	return map;
}

static volatile void *
map_vfio(struct session *s, const struct mmio_access *a,
         const struct mmio_range *range, bool writable)
{
	struct vfio_region_info region;
	volatile void *map = NULL;

	errno = ENXIO;
	if (vfio_region(a->fd, (uint32_t)range->bar, &region))
		map = map_pages(a->fd, region.offset + range->offset,
		                range->size, writable);
	if (!map)
		fail(s, STATUS_ABSENT, "%s: BAR%d: VFIO does not map it: %s",
		     a->function->bdf, range->bar, strerror(errno));
	return map;
}

static volatile void *
map_by(struct session *s, const struct mmio_access *a, enum mmio_way way,
       const struct mmio_range *range, bool writable)
{
	debug(DEBUG_ACCESS, "%s: BAR%d+0x%jx: map %ju bytes by %s%s",
	      a->function->bdf, range->bar, (uintmax_t)range->offset,
	      (uintmax_t)range->size, mmio_way_names[way],
	      writable ? ", to write" : "");
	return way == WAY_VFIO ? map_vfio(s, a, range, writable)
	                       : map_resource(s, a, range,
	                                      way == WAY_RESOURCE_WC, writable);
}

volatile void *
mmio_access_map(struct session *s, const struct mmio_access *a,
                const struct mmio_range *range, bool writable)
{
	return map_by(s, a, a->way, range, writable);
}

volatile void *
mmio_access_map_registers(struct session *s, const struct mmio_access *a,
                          const struct mmio_range *range, bool writable)
{
	return map_by(s, a, a->way == WAY_VFIO ? WAY_VFIO : WAY_RESOURCE, range,
	              writable);
}

/* VFIO gives a device to one process only. */
bool
mmio_access_lock(struct session *s, struct mmio_access *a, int bar)
{
	if (a->way == WAY_VFIO)
		return true;
	a->lock = bar_open(a->tree, a->function, bar, "", O_RDONLY);
	if (a->lock < 0)
		return bar_refused(s, a->tree, a->function, bar);
	return !flock(a->lock, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK ||
	       fail(s, STATUS_ABSENT,
	            "%s: BAR%d: another run writes to it: wait for its end",
	            a->function->bdf, bar);
}

/* Whether the device still has its IDs; those of a VF are always all ones. */
static bool
answers(const struct mmio_access *a)
{
	char *path =
	    xasprintf("%s/devices/%s/config", a->tree->sysfs, a->function->bdf);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint32_t id = UINT32_MAX;
	bool is = fd >= 0 && pread(fd, &id, sizeof id, 0) == sizeof id &&
	          id == a->function->id;

	if (fd >= 0)
		close(fd);
	free(path);
	return is;
}

bool
mmio_access_check(struct session *s, const struct mmio_access *a)
{
	if (a->watch >= 0 && !vfio_check(s, a->function, a->watch))
		return false;
	return (!mmio_lost() && answers(a)) ||
	       fail(s, STATUS_TROUBLE,
	            "%s: the device is gone, or does not answer any more",
	            a->function->bdf);
}

void
mmio_access_close(struct mmio_access *a)
{
	if (a->fd > 0)
		close(a->fd);
	if (a->watch > 0)
		close(a->watch);
	if (a->lock > 0)
		close(a->lock);
	vfio_put(a->iommu);
	changes_undo(&a->changes);
}
