/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command that is run while something is measured. */
#ifndef PCB_COLLECT_HOST_SUBPROCESS_H
#define PCB_COLLECT_HOST_SUBPROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Zero-initialise. */
struct child {
	pid_t pid;  /* 0: it is not running */
	int status; /* of its end as a shell has it: 128 + signal */
	bool ended;
};

/*
 * Starts the command. What it writes to standard output goes to standard
 * error, since the samples are on the former. False, with errno, if it cannot
 * be run.
 */
bool child_start(struct child *child, char *const command[]);

/*
 * Waits until `deadline`, a time as of now_ns (UINT64_MAX: none), or until the
 * command has ended or a signal has set *interrupted, whichever is first.
 */
void child_wait(struct child *child, uint64_t deadline,
                const volatile sig_atomic_t *interrupted);

/* Ends the command if it is still running. */
void child_stop(struct child *child);

#endif
