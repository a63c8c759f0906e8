/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where standard output goes: to a file, or through another program. */
#ifndef PCB_COMMON_BASE_OUTPUT_H
#define PCB_COMMON_BASE_OUTPUT_H

#include <stdbool.h>

/*
 * What is written to stdout goes to FILE.part, which close_stdout renames to
 * `file`. Where the program ends otherwise, by exit or by SIGINT, SIGTERM or
 * SIGHUP, FILE.part is removed and `file` stays as it was. "-", a device and a
 * pipe are written directly. Dies if FILE.part is there already or cannot be
 * made. To be called once, before the first byte.
 */
void output_to_file(const char *file);

/* From now on what is in FILE.part is renamed at every exit: rows are never
 * lost.
 */
void output_keep(void);

/*
 * Runs the program, searched in PATH, with what is written to stdout as its
 * standard input; its output goes where stdout went. close_stdout waits for
 * it and ends with its status if that is not 0; every other exit waits, too.
 * False, with errno, if it cannot be run.
 */
bool output_through(char *const argv[]);

/*
 * Runs the program once output_to_file's file is complete, with the stdout of
 * before; only after rows were written to it, see output_keep.
 */
void output_then(char *const argv[]);

#endif
