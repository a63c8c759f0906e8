/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of picture. A kind is one file and its line in kinds.c. */
#ifndef PCB_PLOT_KIND_KIND_H
#define PCB_PLOT_KIND_KIND_H

#include "common/stream/table.h"
#include "plot/picture/picture.h"

/* Options that only some kinds take. */
#define TAKES_AXES      (1 << 0) /* --xrange, --yrange and --log */
#define TAKES_COLUMN    (1 << 1)
#define TAKES_X         (1 << 2)
#define TAKES_LIMITS    (1 << 3) /* --roofs and its like, --ethernet */
#define TAKES_TOLERANCE (1 << 4)

struct kind {
	const char *name;
	const char *help; /* one line: what it shows */
	unsigned takes;   /* bits of the options above */

	/*
	 * Reads the table to its end and fills the picture, whose width and
	 * height are set. Dies if the input is bad or a column is missing.
	 */
	void (*draw)(struct picture *p, struct table *t);
};

/* Most kinds. */
#define KINDS_MOST 32

/* In the order of --help; ends with NULL. */
extern const struct kind *const kinds[];

#endif
