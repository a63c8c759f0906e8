/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metadata in the directory name of published results. */
#ifndef PCB_IMPORT_SYSTEM_NAME_H
#define PCB_IMPORT_SYSTEM_NAME_H

#include <stdbool.h>

/* Free the texts with system_free; "" is unknown. */
struct system {
	char *host;
	char *device;
	char node[2];
	const char *iommu;
};

/*
 * Splits CARD-CLOCKGHz_HOST[-s0-sN-sN][-iommu[-nosp]]; false, with all texts
 * "", for other names. Sockets stay part of the host unless the device is on
 * socket 0 and memory and program are on the same one: otherwise different rows
 * would have equal keys.
 */
bool parse_system(const char *name, struct system *system);

/*
 * The absolute path of a file's directory; NULL for "-" and if it does not
 * exist. Free it.
 */
char *directory_of_file(const char *file);

/* parse_system for the last component of such a path; takes NULL. */
void system_of_directory(const char *directory, struct system *system);

void system_free(struct system *system);

#endif
