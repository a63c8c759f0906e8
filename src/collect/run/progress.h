/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a long collection is, for somebody who waits at a terminal. */
#ifndef PCB_COLLECT_RUN_PROGRESS_H
#define PCB_COLLECT_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on;
	bool shown; /* there is a line to clear */
	uint64_t start_ns, shown_ns;
	double done;
	char *point; /* what is measured, or NULL */
};

/* Shows nothing if `quiet` or if stderr is no terminal. */
void progress_begin(struct progress *p, bool quiet);

/* Rewrites the line, ten times a second at most; done is 0 to 1. */
void progress_show(struct progress *p, double done);

/*
 * From now on the line names this point, a text that progress_clear frees; ""
 * is none.
 */
void progress_point(struct progress *p, char *point);

/* Clears the line, before something else is printed. */
void progress_clear(struct progress *p);

#endif
