/* Samples of latency, for the kinds that show distributions. */
#ifndef PCB_PLOT_SAMPLES_H
#define PCB_PLOT_SAMPLES_H

#include "common/groups.h"
#include "plot/describe.h"
#include "plot/picture.h"
#include "plot/rows.h"

/* Zero-initialise; release with samples_free. */
struct samples {
	struct groups groups;
	struct identity id;
	struct key key;    /* of the current row */
	struct dist *dist; /* of that key; NULL: not looked up yet */
};

/*
 * Reads the table to its end: `latency_ns` of each row, as often as `count`
 * says, group by group. Sets the titles, and has `draw` do the rest. Warns of
 * rows without; dies on bad input and where there is no such column.
 */
void draw_samples(struct picture *p, struct table *t,
                  void (*draw)(struct picture *p, const struct groups *g,
                               const struct names *names));

void samples_free(struct samples *s);

/*
 * A horizontal axis for all samples; logarithmic where the largest is over 20
 * times the lowest median. With `cut` it ends behind the highest p99.9 where
 * the rest would take more than half of it, and its label says so.
 */
void axis_of_samples(struct picture *p, const struct groups *g, bool cut);

#endif
