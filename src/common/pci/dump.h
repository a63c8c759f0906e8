/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dumps of config space, made safe for libpci. */
#ifndef PCB_COMMON_PCI_DUMP_H
#define PCB_COMMON_PCI_DUMP_H

#include <stdio.h>

/*
 * Copies the file ("-" is stdin) into memory, which libpci can open by its
 * descriptor below /proc/self/fd; close it after that. Dies if the file cannot
 * be read, has a line that libpci would refuse as too long or cut off, or an
 * offset beyond config space: of one beyond 2^31 libpci makes a negative one,
 * and writes outside of its memory. The rest is left to libpci.
 */
FILE *dump_open(const char *file);

#endif
