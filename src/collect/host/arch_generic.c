/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other processors: the kernel's raw clock. */
#include "collect/host/arch.h"

#if !defined(__x86_64__) && !defined(__aarch64__)

#include <stdio.h>

const char *const arch_counter_name = "monotonic_raw";

double
arch_counter_hz(void)
{
	return 1e9;
}

bool
arch_counter_invariant(void)
{
	return true;
}

bool
arch_hypervisor(char name[HYPERVISOR_NAME_MAX])
{
	snprintf(name, HYPERVISOR_NAME_MAX, "unknown");
	return false;
}

bool
arch_flush(const void *from, size_t size)
{
	(void)from;
	(void)size;
	return false;
}

#endif
