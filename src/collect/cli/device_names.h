/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the names of devices that -d takes to PCI functions. */
#ifndef PCB_COLLECT_CLI_DEVICE_NAMES_H
#define PCB_COLLECT_CLI_DEVICE_NAMES_H

#include <stddef.h>

/* Full BDFs, each once, in the order in which they were named. */
struct device_names {
	char **bdf;
	size_t n;
};

/*
 * Finds the functions of this machine that a list with commas names, each item
 * as pci_match() takes it; a BDF need not be there. Returns STATUS_OK, or
 * STATUS_ABSENT after a message where an item can be a name of the kernel or an
 * ID and is not here; ends with a usage error where it is neither. Free what
 * was found in any case.
 */
int device_names_find(struct device_names *found, const char *list);
void device_names_free(struct device_names *names);

/* Them with commas between, to be freed. */
char *device_names_join(const struct device_names *names);

#endif
