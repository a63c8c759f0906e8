/* Link mode: what every link of the PCI tree costs, by difference. */
#ifndef PCB_DIFF_LINKS_H
#define PCB_DIFF_LINKS_H

#include "common/out.h"
#include "diff/values.h"

/*
 * A device and the bridge above it in the runs that measured both; ascending,
 * so that equal numbers of them are not of the same run.
 */
struct hop {
	size_t thing; /* number of its key */
	struct values parent, device, latency;
};

/* Zero-initialise; release with links_free. */
struct links {
	struct keys things; /* what a device has in common over the runs */
	struct hop *hop;    /* in order of first appearance */
	size_t n;
};

/*
 * Reads the table to its end; dies on bad input. Warns of devices whose
 * parent was not measured with them, and of runs without the parent.
 */
void read_links(struct links *l, struct table *t, struct columns *c);

/*
 * Writes header and rows to `o`, whose first three fields are set, and leaves
 * out_finish to the caller.
 */
void write_links(const struct links *l, const struct table *t,
                 const struct columns *c, struct out *o);

void links_free(struct links *l);

#endif
