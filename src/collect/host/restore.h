/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes settings of the machine temporarily. A separate process restores them
 * when this one ends, however it ends.
 */
#ifndef PCB_COLLECT_HOST_RESTORE_H
#define PCB_COLLECT_HOST_RESTORE_H

#include "collect/host/record.h"

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
 * EBUSY: another run has it, after a warning); changes_undo restores what was
 * changed until then.
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

/*
 * Restores what records list whose processes are gone, and prints each setting.
 * Keeps no record of a disk that is gone for good. Returns the exit status.
 */
int changes_restore_left(void);

#endif
