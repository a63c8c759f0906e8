/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds PCI functions by the device names of -d. */
#ifndef PCB_COLLECT_CLI_DEVICE_NAMES_H
#define PCB_COLLECT_CLI_DEVICE_NAMES_H

#include <stddef.h>

/* Unique full BDFs, in the order of the names. */
struct device_names {
	char **bdf;
	size_t n;
};

/*
 * Finds the functions of this machine that a comma-separated list names, each
 * item in a form of pci_match(); a BDF need not exist. Returns STATUS_OK, or
 * STATUS_ABSENT after a message if an item may be a kernel name or an ID that
 * does not exist here; any other text is a usage error. Free `found` in either
 * case.
 */
int device_names_find(struct device_names *found, const char *list);
void device_names_free(struct device_names *names);

/* The BDFs, separated by commas; free the text. */
char *device_names_join(const struct device_names *names);

#endif
