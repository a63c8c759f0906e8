/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts other programs; util.h has those that run one to its end. */
#ifndef PCB_COMMON_BASE_PROCESS_H
#define PCB_COMMON_BASE_PROCESS_H

#include <sys/types.h>

/*
 * Starts a program, found in PATH, with the signals that this one ignores as
 * usual, `from` as its stdin and `to` as its stdout; -1 leaves the stream
 * alone. 0, with errno, if it cannot be run.
 */
pid_t process_start(char *const argv[], int from, int to);

/* Waits for its end; returns its status as a shell reports it. */
int process_wait(pid_t child);

/* That of a wait status: 128 + signal if a signal ended it. */
int process_status(int status);

#endif
