/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arm64: generic timer, hypervisor, cache maintenance. */
#include "collect/host/arch.h"

#if defined(__aarch64__)

#include "common/sys/sysfs.h"

#include <sys/auxv.h>

const char *const arch_counter_name = "cntvct";

double
arch_counter_hz(void)
{
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	return (double)hz;
}

/* True on arm64: Arm Architecture Reference Manual, "The Generic Timer". */
bool
arch_counter_invariant(void)
{
	return true;
}

/*
 * Whether the first line of a file starts with one of the texts, ended by NULL;
 * without texts, any line counts. Stores the text in `name`.
 */
static bool
file_says(const char *path, const char *const *texts,
          char name[HYPERVISOR_NAME_MAX])
{
	char *line = read_first_line("%s", root_path(path));
	bool says = line && *line && !*texts;

	for (; line && *texts; texts++)
		says = says || !strncmp(line, *texts, strlen(*texts));
	if (says)
		snprintf(name, HYPERVISOR_NAME_MAX, "%s", line);
	free(line);
	return says;
}

/* No instruction reports it, so this asks the firmware's tables. */
bool
arch_hypervisor(char name[HYPERVISOR_NAME_MAX])
{
	static const struct {
		const char *path, *texts[12];
	} where[] = {
	    {"/sys/hypervisor/type", {NULL}},
	    {"/proc/device-tree/hypervisor/compatible", {NULL}},
	    {"/proc/device-tree/compatible", {"linux,dummy-virt"}},
	    {"/sys/class/dmi/id/sys_vendor",
	     {"QEMU", "KVM", "Amazon EC2", "VMware", "Xen", "Alibaba Cloud",
	      "OpenStack", "Parallels", "innotek GmbH"}},
	    {"/sys/class/dmi/id/product_name",
	     {"KVM", "Virtual Machine", "VMware", "Apple Virtualization",
	      "OpenStack", "Google Compute Engine"}},
	};

	uint64_t midr = UINT64_MAX;
	char *line;
	bool metal;

	/*
	 * Implementer 0 in MIDR_EL1 means software, such as QEMU. The kernel
	 * lets programs read it if it sets HWCAP_CPUID.
	 */
	if (getauxval(AT_HWCAP) & HWCAP_CPUID)
		__asm__("mrs %0, midr_el1" : "=r"(midr));
	if (!(midr >> 24 & 0xff)) {
		snprintf(name, HYPERVISOR_NAME_MAX, "emulated");
		return true;
	}
	/* Amazon's bare-metal machines have the vendor of its virtual ones. */
	line =
	    read_first_line("%s", root_path("/sys/class/dmi/id/product_name"));
	metal = line && strstr(line, ".metal");
	free(line);
	if (metal)
		return false;
	for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
		if (file_says(where[i].path, where[i].texts, name))
			return true;
	}
	return false;
}

/*
 * In steps of the smallest line of any cache. Arm Architecture Reference
 * Manual, "DC CIVAC" and "CTR_EL0"; Linux lets programs use both.
 */
void
arch_flush(const void *from, size_t size)
{
	const char *end = (const char *)from + size;
	const char *line = from;
	uint64_t ctr;
	size_t step;

	__asm__("mrs %0, ctr_el0" : "=r"(ctr));
	step = (size_t)4 << (ctr >> 16 & 15);
	line -= (uintptr_t)line % step;
	for (; line < end; line += step)
		__asm__ volatile("dc civac, %0" ::"r"(line) : "memory");
	__asm__ volatile("dsb sy" ::: "memory");
}

#endif
