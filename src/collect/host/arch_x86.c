/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64: time-stamp counter, hypervisor, cache flush. */
#include "collect/host/arch.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdio.h>
#include <string.h>

const char *const arch_counter_name = "tsc";

/* Leaf 15h: crystal frequency and its ratio to the TSC. Intel SDM vol. 3,
 * "Time-Stamp Counter". */
double
arch_counter_hz(void)
{
	unsigned denominator, numerator, crystal_hz, unused;

	if (!__get_cpuid_count(0x15, 0, &denominator, &numerator, &crystal_hz,
	                       &unused) ||
	    !denominator || !numerator || !crystal_hz)
		return 0;
	return (double)crystal_hz * numerator / denominator;
}

bool
arch_counter_invariant(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

/* Leaf 1 ECX bit 31 and the vendor text of leaf 40000000h. */
bool
arch_hypervisor(char name[HYPERVISOR_NAME_MAX])
{
	unsigned a, vendor[3], c, d;
	size_t length;

	if (!__get_cpuid(1, &a, vendor, &c, &d) || !(c & 1u << 31))
		return false;
	__cpuid(0x40000000, a, vendor[0], vendor[1], vendor[2]);
	memcpy(name, vendor, sizeof vendor);
	name[sizeof vendor] = '\0';
	/* Padded with NULs or blanks, as in "bhyve bhyve ". */
	length = strlen(name);
	while (length && name[length - 1] == ' ')
		name[--length] = '\0';
	if (!*name)
		snprintf(name, HYPERVISOR_NAME_MAX, "unknown");
	return true;
}

/* Flushes all caches of the coherence domain. Intel SDM vol. 2, CLFLUSHOPT. */
void
arch_flush(const void *from, size_t size)
{
	/* Cached, because under a hypervisor CPUID takes microseconds. */
	static enum { UNKNOWN, NO, YES } opt;
	const char *end = (const char *)from + size;
	const char *line = from;
	unsigned a, b, c, d;

	if (opt == UNKNOWN)
		opt = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 23)
		          ? YES
		          : NO;
	line -= (uintptr_t)line % 64;
	for (; line < end; line += 64) {
		if (opt == YES)
			__asm__ volatile("clflushopt (%0)" ::"r"(line)
			                 : "memory");
		else
			__asm__ volatile("clflush (%0)" ::"r"(line) : "memory");
	}
	__asm__ volatile("mfence" ::: "memory");
}

#endif
