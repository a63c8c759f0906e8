#include "common/arch.h"

#if defined(__aarch64__)

#include <stdio.h>
#include <string.h>

const char *const arch_counter_name = "cntvct";

double
arch_counter_hz(void)
{
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	return (double)hz;
}

/* Always so: Arm Architecture Reference Manual, "The Generic Timer". */
bool
arch_counter_invariant(void)
{
	return true;
}

/* No instruction tells: look at what the firmware says the machine is. */
bool
arch_hypervisor(char name[HYPERVISOR_NAME_MAX])
{
	static const char *const where[] = {
	    "/sys/hypervisor/type",
	    "/proc/device-tree/hypervisor/compatible",
	    "/sys/class/dmi/id/sys_vendor",
	};
	static const char *const known[] = {"xen", "kvm", "QEMU", "Amazon EC2",
	                                    "VMware"};
	FILE *f;

	for (unsigned i = 0; i < sizeof where / sizeof *where; i++) {
		char *got = NULL;

		f = fopen(where[i], "r");
		if (f) {
			got = fgets(name, HYPERVISOR_NAME_MAX, f);
			fclose(f);
		}
		for (unsigned k = 0; got && k < sizeof known / sizeof *known;
		     k++) {
			if (strstr(name, known[k])) {
				name[strcspn(name, "\n")] = '\0';
				return true;
			}
		}
	}
	return false;
}

/*
 * By the smallest line that any cache has. Arm Architecture Reference Manual,
 * "DC CIVAC" and "CTR_EL0"; Linux lets programs use both.
 */
bool
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
	return true;
}

#endif
