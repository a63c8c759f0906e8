/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows the progress of a long collection on a terminal. */
#ifndef PCB_COLLECT_RUN_PROGRESS_H
#define PCB_COLLECT_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on;
	bool shown; /* a line must be cleared */
	uint64_t start_ns, shown_ns;
	double done;
	char *point; /* the current point, or NULL */
};

/* Shows nothing if `quiet` or if stderr is no terminal. */
void progress_begin(struct progress *p, bool quiet);

/* Rewrites the line, at most ten times per second; done is 0 to 1. */
void progress_show(struct progress *p, double done);

/*
 * Sets the point that the line names, which progress_clear frees; "" is none.
 */
void progress_point(struct progress *p, char *point);

/* Clears the line before other output. */
void progress_clear(struct progress *p);

#endif
