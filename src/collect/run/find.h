/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-collect ddio --find: the row that says where a device is counted. */
#ifndef PCB_COLLECT_RUN_FIND_H
#define PCB_COLLECT_RUN_FIND_H

#include "collect/run/collection.h"
#include "common/stream/writer.h"

/*
 * Has the backend find where the request's device is counted, and writes that
 * to stdout as a row of a map. Returns the exit status, after the reason has
 * been printed; STATUS_NO, and no row, if the counts do not tell. After a
 * signal it does not return but ends the process by it.
 */
int collection_find(const struct collection *c, enum format format);

#endif
