/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dumps of config space, checked so that libpci can read them safely. */
#ifndef PCB_COMMON_PCI_DUMP_H
#define PCB_COMMON_PCI_DUMP_H

#include <stdio.h>

/*
 * Copies the file ("-" is stdin) into memory; libpci opens the copy by its
 * descriptor in /proc/self/fd; close it afterwards. Dies if the file cannot be
 * read, has a line that libpci would refuse as too long or cut off, or an
 * offset beyond config space: libpci makes offsets above 2^31 negative and then
 * writes outside of its memory. libpci checks the rest.
 */
FILE *dump_open(const char *file);

#endif
