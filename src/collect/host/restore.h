/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes settings of the machine temporarily. A separate process restores them
 * when this one ends, however it ends. A record in /run/pcb-tools lists them:
 * other runs must not change the same settings, and `pcb-collect restore` needs
 * it after kill -9.
 */
#ifndef PCB_COLLECT_HOST_RESTORE_H
#define PCB_COLLECT_HOST_RESTORE_H

#include "collect/host/guardian.h"

#include <stddef.h>

/*
 * The one line of a text file, bits of a byte in a file, the driver of a PCI
 * function; the line of a file that a driver creates, and a file that is only
 * looked for, /dev/NAME/nsid: their path is a pattern.
 */
enum change_kind {
	CHANGE_TEXT,
	CHANGE_BITS,
	CHANGE_DRIVER,
	CHANGE_LOST,
	CHANGE_LOST_NAME,
	NCHANGE_KINDS
};

struct change {
	enum change_kind kind;
	char *path;
	char *before, *wanted; /* of bits, a number */
	char *override;        /* of a driver: driver_override before */
	off_t at;
	unsigned char mask, byte; /* of bits; the whole byte before */
	bool already;             /* had the wanted value before */
	enum { CHANGE_IS_BACK, CHANGE_IS_ANOTHERS, CHANGE_FAILED } end;
	int error; /* errno, or 0 if the setting took another value */
};

/* Zero-initialise; free with changes_undo. */
struct changes {
	struct change *item;
	size_t n, nchanged; /* nchanged: without those that are already so */
	struct guardian guardian;
	char *record;        /* path of the file; NULL: none */
	int record_fd;       /* locked while a process has it open */
	unsigned lost_tries; /* how often a driver's file was waited for */
};

/*
 * Plan a change: the file gets this text, or the byte at an offset gets these
 * bits under the mask. If that is its value already, changes_check only checks
 * that it stays so. True if there is something to change; false if not, with
 * errno 0, or with another errno if the file cannot be read. Call before
 * changes_make.
 */
bool changes_add_text(struct changes *c, const char *path, const char *wanted);
bool changes_add_bits(struct changes *c, const char *path, off_t at,
                      unsigned char mask, unsigned char wanted);

/*
 * Plans to restore the text of a file that disappears when the function of
 * changes_add_driver, called afterwards, is unbound, if the file is writable.
 * Restoring waits for a file that matches the pattern `again`, for at most ten
 * seconds in total. The file to be restored last comes first. With `name` the
 * file, whose directory has a disk's name, is only looked for.
 */
void changes_add_lost(struct changes *c, const char *path, const char *again,
                      bool name);

/*
 * The same for the driver of the function with this directory in sysfs. Close
 * what keeps the driver busy before the driver is restored: unbinding waits
 * while a program has the function open through VFIO.
 */
bool changes_add_driver(struct changes *c, const char *directory,
                        const char *wanted);

/*
 * Writes a record, starts the guardian and makes the changes. Returns NULL, or
 * what could not be changed or written, with errno (0: it took another value;
 * EBUSY: another run has it, after a warning, or will change what is only
 * checked here); changes_undo restores what was changed until then.
 */
const char *changes_make(struct changes *c);

/*
 * Warns of settings that no longer have the wanted value. Call before
 * changes_undo.
 */
void changes_check(const struct changes *c);

/*
 * Restores all settings, the last one first, and waits until that is done.
 * Leaves alone, with a warning, what cannot be read and what has neither its
 * old nor its new value: somebody else has changed it. A function without a
 * driver counts as unbound by this program.
 */
void changes_undo(struct changes *c);

/* Warns of each record whose processes are gone. */
void changes_warn_left(void);

/*
 * Restores what these records list, and prints each setting. Keeps no record of
 * a disk that is gone for good. Returns the exit status.
 */
int changes_restore_left(void);

#endif
