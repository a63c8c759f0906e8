/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Redirects standard output to a file or through another program. */
#ifndef PCB_COMMON_BASE_OUTPUT_H
#define PCB_COMMON_BASE_OUTPUT_H

#include <stdbool.h>

/*
 * Redirects stdout to FILE.part, which close_stdout renames to `file`. If the
 * program ends otherwise, by exit or by SIGINT, SIGTERM or SIGHUP, FILE.part is
 * removed and `file` stays unchanged. "-", a device and a pipe are written
 * directly. Dies if FILE.part exists or cannot be created. Call once, before
 * the first byte of output.
 */
void output_to_file(const char *file);

/* From now on every exit renames FILE.part, so that no row is lost. */
void output_keep(void);

/*
 * Runs a program, found in PATH, that reads what this one writes to stdout and
 * writes to the old stdout. close_stdout waits for it and exits with its status
 * if that is not 0; every other exit waits, too. False, with errno, if it
 * cannot be run.
 */
bool output_through(char *const argv[]);

/*
 * Runs the program, with the original stdout, once the file of output_to_file
 * is complete; only if rows were written, see output_keep.
 */
void output_then(char *const argv[]);

#endif
