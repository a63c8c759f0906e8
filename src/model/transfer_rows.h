/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows that come out of the model alone. */
#ifndef PCB_MODEL_TRANSFER_ROWS_H
#define PCB_MODEL_TRANSFER_ROWS_H

#include "common/base/number.h"
#include "common/link/model.h"
#include "common/stream/writer.h"

/* Transfers: every size with every offset and window, if there are windows. */
struct transfer_sweep {
	struct size_list size, offset, window;
};

/* How many there are, and the one of an index below that. */
size_t transfer_sweep_rows(const struct transfer_sweep *sweep);
struct transfer transfer_sweep_row(const struct transfer_sweep *sweep,
                                   size_t index);

/*
 * Each writes header and rows to `o`, which is set up, and
 * leaves out_finish to the caller. The link must have a model.
 */
void write_bandwidths(struct out *o, const struct link_config *config,
                      const struct work *work,
                      const struct transfer_sweep *sweep);
void write_link(struct out *o, const struct link_config *config);

#endif
