/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command that runs while a bench watches. */
#ifndef PCB_COLLECT_HOST_CHILD_H
#define PCB_COLLECT_HOST_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Zero-initialise. */
struct child {
	pid_t pid;  /* 0: not running */
	int status; /* as a shell reports it: 128 + signal */
	bool ended;
};

/*
 * Starts the command. Its standard output goes to standard error, because the
 * samples are on standard output. False, with errno, if it cannot be run.
 */
bool child_start(struct child *child, char *const command[]);

/*
 * Waits until `deadline`, a time of now_ns (UINT64_MAX: none), the end of the
 * command, or a signal that sets *interrupted, whichever is first.
 */
void child_wait(struct child *child, uint64_t deadline,
                const volatile sig_atomic_t *interrupted);

/* Ends the command if it is still running. */
void child_stop(struct child *child);

#endif
