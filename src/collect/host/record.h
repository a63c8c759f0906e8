/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changed settings, and a record of them in a file of /run/pcb-tools: other
 * runs must not change the same settings, and `pcb-collect restore` needs it
 * after kill -9.
 */
#ifndef PCB_COLLECT_HOST_RECORD_H
#define PCB_COLLECT_HOST_RECORD_H

#include <stdbool.h>
#include <stddef.h>
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

/* The file that lists the changes. Zero-initialise. */
struct record {
	char *path; /* NULL: no record */
	int fd;     /* locked while a process has it open */
};

/*
 * A changed setting: the one line of a text file, bits of a byte in a file, or
 * the driver of a PCI function.
 */
struct change {
	char *path;
	char *before, *wanted; /* NULL: bits */
	char *override;        /* old driver_override; NULL: no driver change */
	off_t at;
	unsigned char byte; /* the whole old byte */
	unsigned char mask, bits_before, bits_wanted;
	bool already; /* had the wanted value before */
	bool lost; /* `path` is a pattern, for a file that a driver creates */
	bool name; /* lost, and only looked for: /dev/NAME/nsid */
	enum { CHANGE_IS_BACK, CHANGE_IS_ANOTHERS, CHANGE_FAILED } end;
	int error; /* errno, or 0 if the setting took another value */
};

/* Zero-initialise; free with changes_undo. */
struct changes {
	struct change *item;
	size_t n, nchanged; /* nchanged: without those that are already so */
	struct guardian guardian;
	struct record record;
	unsigned lost_tries; /* how often a driver's file was waited for */
};

/*
 * Writes the record, if there are changes, before they are made. Returns NULL,
 * or what prevents them, with errno: no record can be written, or another
 * running process has changed one of these settings, or will change one that is
 * only checked here (EBUSY, after a warning).
 */
const char *record_write(struct record *r, const struct changes *c);

/* Warns of each record whose processes are gone. */
void record_warn(void);

/* Removes the record; with `keep`, renames it, so that it is none any more. */
void record_remove(const struct record *r, bool keep);

/* Closes and frees it; the file stays unless removed. */
void record_close(struct record *r);

/*
 * Calls put_back with the changes of each record whose processes are gone,
 * which it frees; with false if the record is not valid. Returns the exit
 * status.
 */
int record_restore(bool (*put_back)(struct changes *c, bool valid));

#endif
