/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which program reads a file that another one was given. */
#ifndef PCB_COMMON_BASE_READER_H
#define PCB_COMMON_BASE_READER_H

/*
 * The command that reads a text file, by its first lines: "pcb-doctor --dump
 * d.txt" for what lspci prints, pcb-stats for pcb-csv, else pcb-import. Free
 * it. NULL if it is no regular file, cannot be read, or is empty or binary.
 */
char *reader_of(const char *file);

#endif
