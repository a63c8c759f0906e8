/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A result step by step, for a person. */
#ifndef PCB_MODEL_EXPLAIN_H
#define PCB_MODEL_EXPLAIN_H

#include "model/link_config.h"
#include "model/transfer_rows.h"

/*
 * Writes text to stdout: where each parameter of the link is from, the way
 * from the raw rate to that of packets, and, where there is `work`, that of
 * every size and offset packet by packet. It computes nothing itself: the
 * numbers are those of the rows. The link must have a model.
 */
void explain(const struct link_options *options, const struct work *work,
             const struct transfer_sweep *sweep);

#endif
