/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that undoes changes when this one ends, however it ends. */
#ifndef PCB_COLLECT_HOST_GUARDIAN_H
#define PCB_COLLECT_HOST_GUARDIAN_H

#include <stdbool.h>
#include <sys/types.h>

/* Zero-initialise. */
struct guardian {
	pid_t process; /* 0: none */
	int sock;      /* it acts when this socket closes */
	int keep;      /* a descriptor that it keeps open; below 1: none */
	void (*undo)(void *data);
	void *data;
};

/*
 * Starts the guardian, before anything is changed, and returns when no signal
 * but SIGKILL to itself can end it. It calls undo(data), with the memory as it
 * is now, once this process has ended or guardian_end is called. undo must find
 * out what to restore, and warn. If undo dies, for instance for lack of memory,
 * the guardian calls it twice more, each time in a new process. It closes all
 * other files. False, with errno, if it cannot start.
 */
bool guardian_start(struct guardian *g, void (*undo)(void *data), void *data);

/*
 * Makes the guardian, if it was started, act, also if it was stopped, and waits
 * until it is done. If it was gone or failed, this process calls undo.
 */
void guardian_end(struct guardian *g);

/* undo sets it, after a message, if something is not restored. */
extern bool guardian_failed;

#endif
