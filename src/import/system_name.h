/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the name of a directory of published results says. */
#ifndef PCB_IMPORT_SYSTEM_NAME_H
#define PCB_IMPORT_SYSTEM_NAME_H

#include <stdbool.h>

/* Texts to be freed with system_free; "" is unknown. */
struct system {
	char *host;
	char *device;
	char node[2];
	const char *iommu;
};

/*
 * Takes CARD-CLOCKGHz_HOST[-s0-sN-sN][-iommu[-nosp]] apart; false, with all
 * texts empty, for other names. Sockets stay part of the host unless the
 * device is on socket 0 and the memory where its program runs: else rows
 * that differ would look the same.
 */
bool parse_system(const char *name, struct system *system);

/*
 * The absolute path of the directory that a file is in, to be freed; NULL for
 * "-" and where there is none.
 */
char *directory_of_file(const char *file);

/* parse_system for the last name of such a path, or for NULL. */
void system_of_directory(const char *directory, struct system *system);

void system_free(struct system *system);

#endif
