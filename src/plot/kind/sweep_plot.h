/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures of sweeps: latency or bandwidth against the swept column. */
#ifndef PCB_PLOT_KIND_SWEEP_PLOT_H
#define PCB_PLOT_KIND_SWEEP_PLOT_H

#include "plot/data/sweeps.h"

/*
 * Reads the table to its end and fills the picture: a curve for rows that
 * differ only in size, its model if there is one, and for few curves of latency
 * the scatter. Dies as sweeps_read does.
 */
void draw_against(struct picture *p, struct table *t,
                  const struct sweep_kind *kind);

#endif
