/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is changed, in a file of /run/pcb-tools: for other runs, which must not
 * change the same, and for whoever finds it when all who knew were killed.
 */
#ifndef PCB_COLLECT_HOST_RECORD_H
#define PCB_COLLECT_HOST_RECORD_H

#include "collect/host/change.h"

#include <stdbool.h>

/*
 * Writes it before changes are made; where there are none, or /run cannot be
 * written, there is none. False, after a warning that says why, if another run
 * that lives has changed one of these settings, or is to change one that is
 * only watched here.
 */
bool record_write(struct record *r, const struct changes *c);

/* Warns of each record whose processes are gone. */
void record_warn(void);

/* Removes it: all is put back. */
void record_remove(const struct record *r);

/* Closes and frees it; the file, if it is not removed, stays. */
void record_close(struct record *r);

/*
 * Puts back what records tell whose processes are gone, and says of each
 * setting what becomes of it. `put_back` and `release` are changes_put_back and
 * changes_free. Returns the exit status.
 */
int record_restore(bool (*put_back)(struct changes *c),
                   void (*release)(struct changes *c));

#endif
