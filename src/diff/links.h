/* Link mode: the devices of the PCI tree, each with the bridge above it. */
#ifndef PCB_DIFF_LINKS_H
#define PCB_DIFF_LINKS_H

#include "diff/topology.h"
#include "diff/values.h"

/* In keys, what --links may tell stands behind all columns of the input. */
#define PARENT_COL (UINT32_MAX - 2)
#define LINK_COL   (UINT32_MAX - 1)

/* The parent of a device on a root bus. */
#define NO_SPOT SIZE_MAX

/*
 * A device and the bridge above it. The values are ascending, so that equal
 * numbers of them are not of the same run.
 */
struct hop {
	size_t thing;        /* number of its key */
	size_t group;        /* number of what it has in common with others */
	size_t spot, parent; /* numbers of the two ends */
	struct values at;    /* the statistic of the device, in all its runs */
	/* Of the runs that measured both: */
	struct values above, below, latency;
	struct values floor[NFLOORS]; /* latency by these statistics */
	double tick_ns;               /* of the coarser clock; 0: not known */
};

/*
 * Zero-initialise, have the topology read if there is one, read_links; release
 * with links_free.
 */
struct links {
	struct topology topology;
	struct keys things; /* what a device has in common over the runs */
	struct keys groups; /* the same without device, parent and link */
	struct keys spots;  /* group and device */
	bool *above;        /* whether this spot is the parent of a device */
	struct hop *hop;    /* in order of first appearance */
	size_t n;
};

/*
 * Reads the table to its end; dies on bad input. Warns of devices whose
 * parent was not measured with them, and of runs without the parent.
 */
void read_links(struct links *l, struct table *t, struct columns *c);

/* A text of a hop's identity, by number of column or one of the above. */
const char *hop_text(const struct links *l, const struct hop *hop, size_t col);

/* The same by name; "" where the input has no such column. */
const char *hop_named(const struct links *l, const struct hop *hop,
                      const struct table *t, const char *name);

/* Whether both ends were measured in the same run. */
bool hop_is_link(const struct hop *hop);

void links_free(struct links *l);

#endif
