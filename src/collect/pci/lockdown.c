/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the kernel's lockdown file. */
#include "collect/pci/lockdown.h"

#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <stdlib.h>
#include <string.h>

bool
kernel_is_locked_down(void)
{
	char *state =
	    read_first_line("%s", root_path("/sys/kernel/security/lockdown"));
	bool locked = state && !strstr(state, "[none]");

	free(state);
	return locked;
}
