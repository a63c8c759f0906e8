/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges, access to them, and recognised memory. */
#include "collect/mmio/mmio.h"

#include "collect/host/store.h"
#include "collect/pci/bar.h"
#include "common/base/debug.h"
#include "common/base/intmath.h"
#include "common/base/number.h"
#include "common/sys/sysfs.h"

#include <fcntl.h>
#include <strings.h>
#include <sys/file.h>
#include <unistd.h>

#define NVME_CLASS UINT32_C(0x010802)

/* QEMU's memory shared with its host, docs/specs/ivshmem-spec. */
#define IVSHMEM_ID     UINT32_C(0x11101af4)
#define IVSHMEM_MEMORY 2

/* Without -O overwrite, a run uses at most this many bytes. */
#define ENOUGH UINT64_C(65536)

/* Registers of an NVMe controller, Base Specification 2.0, 3.1.3. */
#define NVME_REGISTERS 4096
#define NVME_CAP_HIGH  0x04
#define CAP_PMRS       (UINT32_C(1) << 24)
#define CAP_CMBS       (UINT32_C(1) << 25)
#define NVME_CMBLOC    0x38
#define NVME_CMBSZ     0x3c
#define NVME_CMBMSC    0x50
#define CMBMSC_CRE     UINT32_C(1)
#define NVME_PMRCAP    0xe00
#define NVME_PMRCTL    0xe04
#define PMRCTL_EN      UINT32_C(1)
#define NVME_PMRSTS    0xe08
#define PMRSTS_NRDY    (UINT32_C(1) << 8)

const char *const mmio_way_names[NWAYS] = {
    [WAY_RESOURCE] = "resource",
    [WAY_RESOURCE_WC] = "resource_wc",
    [WAY_VFIO] = "vfio",
};

/* Ranges ------------------------------------------------------------------ */

static const char form[] = "not a range, such as BAR2+0x1000,4K";

const char *
mmio_range_parse(const char *text, struct mmio_range *range)
{
	struct mmio_range r = {0};
	const char *why;
	char *numbers, *rest, *offset;

	if (strncasecmp(text, "BAR", 3) != 0 || text[3] < '0' ||
	    text[3] > '5' || text[4] != '+')
		return form;
	r.bar = text[3] - '0';
	numbers = rest = xstrdup(text + 5);
	offset = strsep(&rest, ",");
	why = rest ? parse_offset(offset, &r.offset) : form;
	if (!why)
		why = parse_size(rest, &r.size);
	free(numbers);
	if (!why &&
	    (r.offset % STORE_WIDEST || r.size % STORE_WIDEST || !r.size))
		why = "offset and size are multiples of 64";
	if (!why && r.offset > UINT64_MAX - r.size)
		why = "no device has so much memory";
	if (!why)
		*range = r;
	return why;
}

bool
mmio_range_holds(const struct mmio_range *outer, const struct mmio_range *inner)
{
	return inner->bar == outer->bar && inner->offset >= outer->offset &&
	       inner->size <= outer->size &&
	       inner->offset - outer->offset <= outer->size - inner->size;
}

/* Memory that may be overwritten, on a device that is not open yet --------- */

bool
target_may_be(const struct pci_function *f)
{
	return f->id == IVSHMEM_ID || f->class_code >> 8 == NVME_CLASS;
}

/* Refuses a named range outside of a BAR, or in one with registers. */
static bool
check_named(struct session *s, const struct mmio_access *a,
            const struct mmio_range *r)
{
	const struct bar *bar = &a->bars[r->bar];
	const struct mmio_range all = {.bar = r->bar, .size = bar->size};
	const char *bdf = a->function->bdf;

	if (!bar->size)
		return fail(s, STATUS_ABSENT, "%s has no BAR%d", bdf, r->bar);
	if (!bar->memory)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d has I/O ports, not memory", bdf, r->bar);
	if (!bar->prefetchable)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d is not prefetchable: it has registers, "
		            "where an access may have side effects",
		            bdf, r->bar);
	return mmio_range_holds(&all, r) ||
	       fail(s, STATUS_ABSENT, "%s: BAR%d has %ju bytes", bdf, r->bar,
	            (uintmax_t)all.size);
}

static bool
name_range(struct session *s, const struct pci_function *f)
{
	return fail(s, STATUS_ABSENT,
	            "%s: %s: name the range that may be overwritten, as in -O "
	            "overwrite=BAR2+0x1000,4K: its contents are restored",
	            f->bdf,
	            f->class_code >> 8 == NVME_CLASS
	                ? "the controller shows no memory (CMB or PMR)"
	                : "its memory is unknown");
}

/* Access ------------------------------------------------------------------ */

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

bool
mmio_access_open(struct session *s, struct mmio_access *a, const char *way,
                 bool taking, const struct mmio_range *wanted)
{
	const char *bdf = a->function->bdf, *driver = a->function->driver;
	static const char *const automatic[] = {"auto"};

	a->fd = a->watch = a->lock = -1;
	bars_read(a->function, a->bars);
	if (!choose_way(s, a, way, taking) ||
	    (!target_may_be(a->function) &&
	     !(wanted->size ? check_named(s, a, wanted)
	                    : name_range(s, a->function))))
		return false;
	if (a->way == WAY_VFIO) {
		if (!claim_device(s, a->tree, a->function, taking, &a->changes))
			return false;
		a->fd = vfio_open(s, a->function, &a->iommu);
		if (a->fd >= 0)
			a->watch = vfio_watch(a->fd);
		return a->fd >= 0;
	}
	if (*driver)
		return fail(s, STATUS_ABSENT,
		            "%s: bound to %s, which may use its memory: -O "
		            "unbind=yes unbinds it during the measurement; or "
		            "'echo %s > %s/driver/unbind'",
		            bdf, driver, bdf, a->function->path);
	/* A suspended device does not answer; some machines stop then. */
	return read_word(a->function->path, "power/control", automatic, 1) ||
	       fail(s, STATUS_ABSENT,
	            "%s: it may fall asleep meanwhile, and its memory would "
	            "not answer: 'echo on > %s/power/control'",
	            bdf, a->function->path);
}

static volatile void *
map_resource(struct session *s, const struct mmio_access *a,
             const struct mmio_range *range, bool combined, bool writable)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t start = a->bars[range->bar].start % page;
	volatile void *map = NULL;
	int fd;

	if (!bar_check_memory(s, a->function, range->bar))
		return NULL;
	fd = bar_open(a->function, range->bar, combined ? "_wc" : "",
	              writable ? O_RDWR : O_RDONLY);
	if (fd >= 0)
		map = mmio_map(fd, (off_t)(start + range->offset), range->size,
		               writable);
	close_file(fd);
	if (!map && combined && errno == ENOENT)
		fail(s, STATUS_ABSENT,
		     "%s: BAR%d: there is no resource%d_wc: %s: -O "
		     "access=resource is uncached",
		     a->function->bdf, range->bar, range->bar,
		     a->bars[range->bar].prefetchable
		         ? "this kernel maps nothing write-combined (nopat?)"
		         : "it is not prefetchable");
	else if (!map)
		bar_refused(s, a->function, range->bar);
	return map;
}

volatile void *
mmio_access_map(struct session *s, const struct mmio_access *a,
                enum mmio_way way, const struct mmio_range *range,
                bool writable)
{
	size_t size = range->size;

	debug(DEBUG_ACCESS, "%s: BAR%d+0x%jx: map %ju bytes by %s%s",
	      a->function->bdf, range->bar, (uintmax_t)range->offset,
	      (uintmax_t)range->size, mmio_way_names[way],
	      writable ? ", to write" : "");
	if (way != WAY_VFIO)
		return map_resource(s, a, range, way == WAY_RESOURCE_WC,
		                    writable);
	return vfio_map_bar(s, a->function, a->fd, range->bar, range->offset,
	                    &size, writable);
}

/* VFIO gives a device to one process only. */
bool
mmio_access_lock(struct session *s, struct mmio_access *a, int bar)
{
	if (a->way == WAY_VFIO)
		return true;
	a->lock = bar_open(a->function, bar, "", O_RDONLY);
	if (a->lock < 0)
		return bar_refused(s, a->function, bar);
	return !flock(a->lock, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK ||
	       fail(s, STATUS_ABSENT,
	            "%s: BAR%d: another run writes to it: wait for its end",
	            a->function->bdf, bar);
}

bool
mmio_access_check(struct session *s, const struct mmio_access *a)
{
	uint32_t id = UINT32_MAX;
	bool answers;
	char *path;

	if (a->watch >= 0 && !vfio_check(s, a->function, a->watch))
		return false;
	/* The device still has its IDs; those of a VF are always all ones. */
	path = xasprintf("%s/config", a->function->path);
	answers = read_at(path, &id, sizeof id, 0) && id == a->function->id;
	free(path);
	return (!mmio_lost() && answers) ||
	       fail(s, STATUS_TROUBLE,
	            "%s: the device is gone, or does not answer any more",
	            a->function->bdf);
}

void
mmio_access_close(struct mmio_access *a)
{
	close_file(a->fd);
	close_file(a->watch);
	close_file(a->lock);
	vfio_put(a->iommu);
	changes_undo(&a->changes);
}

/* Memory that may be overwritten ------------------------------------------ */

static uint32_t
read_register(const volatile void *registers, size_t offset)
{
	return ((const volatile uint32_t *)registers)[offset / 4];
}

/*
 * Finds CMB and PMR. False after fail() if the registers cannot be mapped,
 * which is always uncached.
 */
static bool
nvme(struct session *s, const struct mmio_access *a, struct target known[2])
{
	const struct mmio_range range = {.size = NVME_REGISTERS};
	bool by_vfio = a->way == WAY_VFIO;
	volatile void *registers = mmio_access_map(
	    s, a, by_vfio ? WAY_VFIO : WAY_RESOURCE, &range, by_vfio);
	uint32_t cap, location, size;
	unsigned unit;

	if (!registers)
		return false;
	cap = read_register(registers, NVME_CAP_HIGH);
	/*
	 * Enables the CMB, as drivers do. Only through VFIO, which resets the
	 * controller at the end.
	 */
	if (cap & CAP_CMBS && by_vfio)
		((volatile uint32_t *)registers)[NVME_CMBMSC / 4] = CMBMSC_CRE;
	/*
	 * NVMe 1.3 has these registers, but no CAP.CMBS; they are 0 if the
	 * controller hides its CMB.
	 */
	location = read_register(registers, NVME_CMBLOC);
	size = read_register(registers, NVME_CMBSZ);
	unit = 12 + 4 * (size >> 8 & 0xf);
	if (size >> 12 && size != UINT32_MAX && unit <= 36)
		known[0] = (struct target){
		    "CMB",
		    {.bar = (int)(location & 7),
		     .offset = (uint64_t)(location >> 12) << unit,
		     .size = (uint64_t)(size >> 12) << unit}};
	/* The PMR fills its BAR; writes count only while it is enabled. */
	if (cap & CAP_PMRS &&
	    read_register(registers, NVME_PMRCTL) & PMRCTL_EN &&
	    !(read_register(registers, NVME_PMRSTS) & PMRSTS_NRDY))
		known[1] = (struct target){
		    "PMR",
		    {.bar =
		         (int)(read_register(registers, NVME_PMRCAP) >> 5 & 7),
		     .size = UINT64_MAX}};
	mmio_unmap(registers);
	return true;
}

static bool
find_known(struct session *s, const struct mmio_access *a,
           struct target known[2])
{
	/* A device with BAR1 interrupts other machines that use the memory. */
	if (a->function->id == IVSHMEM_ID && !a->bars[1].size)
		known[0] =
		    (struct target){"ivshmem-plain",
		                    {.bar = IVSHMEM_MEMORY,
		                     .size = a->bars[IVSHMEM_MEMORY].size}};
	else if (a->function->class_code >> 8 == NVME_CLASS &&
	         !nvme(s, a, known))
		return false;
	/* Cuts ranges at the end of their BAR. */
	for (struct target *t = known; t < known + 2; t++) {
		uint64_t bar = t->what && t->range.bar < BARS
		                   ? a->bars[t->range.bar].size
		                   : 0;

		if (t->range.offset >= bar)
			*t = (struct target){0};
		else
			t->range.size =
			    min_u64(t->range.size, bar - t->range.offset);
	}
	return true;
}

bool
target_find(struct session *s, const struct mmio_access *a,
            const struct mmio_range *wanted, struct target *target)
{
	struct target known[2] = {{0}};

	if (!find_known(s, a, known))
		return false;
	if (!wanted->size) {
		*target = known[0].what ? known[0] : known[1];
		target->range.size = min_u64(target->range.size, ENOUGH);
		return target->what || name_range(s, a->function);
	}
	*target = (struct target){.range = *wanted};
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (known[i].what && mmio_range_holds(&known[i].range, wanted))
			target->what = known[i].what;
	}
	return target->what || check_named(s, a, wanted);
}
