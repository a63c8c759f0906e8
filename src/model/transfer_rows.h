/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes rows of the model. */
#ifndef PCB_MODEL_TRANSFER_ROWS_H
#define PCB_MODEL_TRANSFER_ROWS_H

#include "common/base/number.h"
#include "common/link/model.h"
#include "common/stream/writer.h"

/* Transfers: every size with every offset and window (if any). */
struct transfer_sweep {
	struct size_list size, offset, window;
};

/* The number of transfers, and the one at an index below it. */
size_t transfer_sweep_rows(const struct transfer_sweep *sweep);
struct transfer transfer_sweep_row(const struct transfer_sweep *sweep,
                                   size_t index);

/*
 * Each writes header and rows to `o`, which is set up; the caller calls
 * out_finish. The link must have a model.
 */
void write_bandwidths(struct out *o, const struct link_config *config,
                      const struct work *work,
                      const struct transfer_sweep *sweep);
void write_link(struct out *o, const struct link_config *config);

#endif
