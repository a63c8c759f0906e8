/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of the machine that are changed for a while. A process of its own
 * puts them back when this one ends, however it ends.
 */
#ifndef PCB_COLLECT_HOST_RESTORE_H
#define PCB_COLLECT_HOST_RESTORE_H

#include "collect/host/change.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Plans that a file is to hold this text, or that the byte at an offset is to
 * have these bits under the mask; where that is so already, changes_check will
 * only look whether it still is. True if there is something to do; false if
 * not, with errno 0, or if the file cannot be read, with errno. To be called
 * before changes_make.
 */
bool changes_add_text(struct changes *c, const char *path, const char *wanted);
bool changes_add_bits(struct changes *c, const char *path, off_t at,
                      unsigned char mask, unsigned char wanted);

/*
 * Plans that a file, if it is one that can be written, gets its text back that
 * is lost when the function of this directory is taken from its driver. The
 * file that matches the pattern `again` is waited for, ten seconds at most
 * for all. To be called before changes_add_driver, the last file to be put
 * back first.
 */
void changes_add_lost(struct changes *c, const char *function, const char *path,
                      const char *again);

/*
 * The same of the driver that has the function of a directory in sysfs. What
 * is to be put back must be closed before, see driver_bind.
 */
bool changes_add_driver(struct changes *c, const char *directory,
                        const char *wanted);

/*
 * Writes a record, starts the guardian and makes the changes. Returns NULL, or
 * the path that could not be changed, with errno (0: it took another value;
 * EBUSY: after a warning, another run has it); what has been changed is put
 * back by changes_undo.
 */
const char *changes_make(struct changes *c);

/*
 * Warns of what is not as it was wanted any more, and of what was so before
 * and is not now. To be called before changes_undo.
 */
void changes_check(const struct changes *c);

/*
 * Has all of them put back, the last one first, and returns when that is
 * done. What is neither as we left it nor as it was is left alone, with a
 * warning: somebody else has changed it; so is what cannot be read. A function
 * without a driver was left so by us.
 */
void changes_undo(struct changes *c);

/*
 * The same without the guardian, for a record of changes: false if something
 * could not be put back, or was left alone. changes_free frees them.
 */
bool changes_put_back(struct changes *c);
void changes_free(struct changes *c);

#endif
