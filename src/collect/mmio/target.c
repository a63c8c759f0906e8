/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognises memory that may be overwritten. */
#include "collect/mmio/target.h"

#include "collect/pci/mmio_map.h"
#include "common/base/intmath.h"

#include <string.h>

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

bool
target_may_be(const struct pci_function *f)
{
	return f->id == IVSHMEM_ID || f->class_code >> 8 == NVME_CLASS;
}

static struct target
ivshmem(const struct mmio_access *a)
{
	/* A device with BAR1 interrupts other machines that use the memory. */
	if (a->bars[1].size)
		return (struct target){0};
	return (struct target){
	    "ivshmem-plain",
	    {.bar = IVSHMEM_MEMORY, .size = a->bars[IVSHMEM_MEMORY].size}};
}

static uint32_t
read_register(const volatile void *registers, size_t offset)
{
	return ((const volatile uint32_t *)registers)[offset / 4];
}

/* Decodes CMBLOC and CMBSZ, which are 0 if the controller hides its CMB. */
static struct target
buffer_at(const volatile void *registers)
{
	uint32_t location = read_register(registers, NVME_CMBLOC);
	uint32_t size = read_register(registers, NVME_CMBSZ);
	unsigned unit = 12 + 4 * (size >> 8 & 0xf);

	if (!(size >> 12) || size == UINT32_MAX || unit > 36)
		return (struct target){0};
	return (struct target){"CMB",
	                       {.bar = (int)(location & 7),
	                        .offset = (uint64_t)(location >> 12) << unit,
	                        .size = (uint64_t)(size >> 12) << unit}};
}

/* The PMR fills its BAR; writes count only while it is enabled. */
static struct target
region_at(const volatile void *registers)
{
	uint32_t bar = read_register(registers, NVME_PMRCAP) >> 5 & 7;
	bool on = read_register(registers, NVME_PMRCTL) & PMRCTL_EN &&
	          !(read_register(registers, NVME_PMRSTS) & PMRSTS_NRDY);

	if (!on)
		return (struct target){0};
	return (struct target){"PMR", {.bar = (int)bar, .size = UINT64_MAX}};
}

/*
 * Enables the CMB, as drivers do (CMBMSC.CRE). Only through VFIO, which resets
 * the controller at the end.
 */
static void
show_buffer(const struct mmio_access *a, volatile void *registers)
{
	if (a->way == WAY_VFIO)
		((volatile uint32_t *)registers)[NVME_CMBMSC / 4] = CMBMSC_CRE;
}

/* Finds CMB and PMR. False after fail() if the registers cannot be mapped. */
static bool
nvme(struct session *s, const struct mmio_access *a, struct target known[2])
{
	const struct mmio_range range = {.size = NVME_REGISTERS};
	volatile void *registers =
	    mmio_access_map_registers(s, a, &range, a->way == WAY_VFIO);
	uint32_t cap;

	if (!registers)
		return false;
	cap = read_register(registers, NVME_CAP_HIGH);
	if (cap & CAP_CMBS)
		show_buffer(a, registers);
	/* NVMe 1.3 has these registers, but no CAP.CMBS. */
	known[0] = buffer_at(registers);
	if (cap & CAP_PMRS)
		known[1] = region_at(registers);
	mmio_unmap(registers);
	return true;
}

/* Cuts the range at the end of its BAR. */
static void
cut(const struct mmio_access *a, struct target *t)
{
	uint64_t bar =
	    t->what && t->range.bar < BARS ? a->bars[t->range.bar].size : 0;

	if (t->range.offset >= bar)
		*t = (struct target){0};
	else
		t->range.size = min_u64(t->range.size, bar - t->range.offset);
}

static bool
find_known(struct session *s, const struct mmio_access *a,
           struct target known[2])
{
	if (a->function->id == IVSHMEM_ID)
		known[0] = ivshmem(a);
	else if (a->function->class_code >> 8 == NVME_CLASS &&
	         !nvme(s, a, known))
		return false;
	cut(a, &known[0]);
	cut(a, &known[1]);
	return true;
}

static bool
refuse_unknown(struct session *s, const struct mmio_access *a)
{
	return fail(s, STATUS_ABSENT,
	            "%s: %s: name the range that may be overwritten, as in -O "
	            "overwrite=BAR2+0x1000,4K: its contents are put back",
	            a->function->bdf,
	            a->function->class_code >> 8 == NVME_CLASS
	                ? "the controller shows no memory (CMB or PMR)"
	                : "its memory is unknown");
}

/* Refuses a named range in a BAR that may contain registers. */
static bool
check_named(struct session *s, const struct mmio_access *a,
            const struct mmio_range *r)
{
	const struct bar *bar = &a->bars[r->bar];
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
	return true;
}

static bool
check_end(struct session *s, const struct mmio_access *a,
          const struct mmio_range *r)
{
	const struct mmio_range all = {.bar = r->bar,
	                               .size = a->bars[r->bar].size};

	return mmio_range_holds(&all, r) ||
	       fail(s, STATUS_ABSENT, "%s: BAR%d has %ju bytes",
	            a->function->bdf, r->bar, (uintmax_t)all.size);
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
		return target->what || refuse_unknown(s, a);
	}
	*target = (struct target){.range = *wanted};
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (known[i].what && mmio_range_holds(&known[i].range, wanted))
			target->what = known[i].what;
	}
	return (target->what || check_named(s, a, wanted)) &&
	       check_end(s, a, wanted);
}
