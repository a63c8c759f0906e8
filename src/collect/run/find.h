/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-collect ddio --find: the map row that says where a device is counted. */
#ifndef PCB_COLLECT_RUN_FIND_H
#define PCB_COLLECT_RUN_FIND_H

#include "collect/run/collection.h"
#include "common/stream/writer.h"

/*
 * The backend finds where the request's device is counted; this writes the row
 * of a map to stdout. Returns the exit status, after a message; STATUS_NO,
 * without a row, if the counts do not decide. A signal ends the process
 * instead.
 */
int collection_find(const struct collection *c, enum format format);

#endif
