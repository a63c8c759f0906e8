/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process of its own that undoes what this one did, however it ends. */
#ifndef PCB_COLLECT_HOST_GUARDIAN_H
#define PCB_COLLECT_HOST_GUARDIAN_H

#include <stdbool.h>
#include <sys/types.h>

/* Zero-initialise. */
struct guardian {
	pid_t process; /* 0: there is none */
	int sock;      /* it acts when this socket is closed */
	int keep;      /* a file that stays open there, too; below 1: none */
};

/*
 * Starts it, before anything is changed, and returns when it is out of reach
 * of signals, but for SIGKILL to itself. It calls undo(data), with the memory
 * as it is now, when this process has ended or guardian_end is called. undo
 * finds out what it has to put back, and warns. If undo dies, for instance of a
 * lack of memory, the guardian calls it again for some minutes, each time in a
 * new process. Files that are open stay so in this process only. False, with
 * errno, if there can be none.
 */
bool guardian_start(struct guardian *g, void (*undo)(void *data), void *data);

/*
 * Has it act, also if it was stopped, and returns when that is done; false if
 * it was gone or could not do it. Without one there is nothing to do.
 */
bool guardian_end(struct guardian *g);

#endif
