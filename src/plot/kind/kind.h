/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of pictures: their lines are in plot/main.c. */
#ifndef PCB_PLOT_KIND_KIND_H
#define PCB_PLOT_KIND_KIND_H

#include "plot/data/samples.h"

/*
 * Read the table to its end and fill the picture, whose width, height and kind
 * are set. Die if the input is bad or a column is missing.
 */
void draw_distribution(struct picture *p, struct table *t); /* cdf, pct */
void draw_scatter(struct picture *p, struct table *t);
void draw_sweep(struct picture *p, struct table *t); /* lat, bw and others */
void draw_heat(struct picture *p, struct table *t);
void draw_matrix(struct picture *p, struct table *t);
void draw_change(struct picture *p, struct table *t);
void draw_tree(struct picture *p, struct table *t);
void draw_fleet(struct picture *p, struct table *t);
void draw_reference(struct picture *p, struct table *t);
void draw_ddio(struct picture *p, struct table *t);
void draw_link(struct picture *p, struct table *t);

#endif
