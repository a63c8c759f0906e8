/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains a result step by step. */
#ifndef PCB_MODEL_EXPLAIN_H
#define PCB_MODEL_EXPLAIN_H

#include "model/link_config.h"
#include "model/transfer_rows.h"

/*
 * Writes text to stdout: the origin of each parameter of the link, the steps
 * from the raw rate to that of packets, and, unless `work` is NULL, the packets
 * of every size and offset. It computes nothing itself: the numbers are those
 * of the rows. The link must have a model.
 */
void explain(const struct link_options *options, const struct work *work,
             const struct transfer_sweep *sweep);

#endif
