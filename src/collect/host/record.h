/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record of changed settings in a file of /run/pcb-tools: other runs must not
 * change the same settings, and `pcb-collect restore` needs it after kill -9.
 */
#ifndef PCB_COLLECT_HOST_RECORD_H
#define PCB_COLLECT_HOST_RECORD_H

#include "collect/host/change.h"

#include <stdbool.h>

/*
 * Writes the record before the changes are made; writes none if there are no
 * changes or /run is not writable. False, after a warning, if another running
 * process has changed one of these settings, or will change one that is only
 * checked here.
 */
bool record_write(struct record *r, const struct changes *c);

/* Warns of each record whose processes are gone. */
void record_warn(void);

/* Removes the record once all settings are restored. */
void record_remove(const struct record *r);

/* Closes and frees it; the file stays unless removed. */
void record_close(struct record *r);

/*
 * Restores what records list whose processes are gone, and prints the result
 * for each setting. `put_back` and `release` are changes_put_back and
 * changes_free. Returns the exit status.
 */
int record_restore(bool (*put_back)(struct changes *c),
                   void (*release)(struct changes *c));

#endif
