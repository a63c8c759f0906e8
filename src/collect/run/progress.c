/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line on stderr that is rewritten. */
#include "collect/run/progress.h"

#include "collect/host/clock.h"
#include "common/base/util.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Longest text of a point, so that the line fits a terminal. */
#define POINT_MAX 48

/* The first part of the work is often slower and predicts no duration. */
#define FORESEEN 0.02

void
progress_begin(struct progress *p, bool quiet)
{
	*p = (struct progress){.on = !quiet && isatty(STDERR_FILENO)};
	p->start_ns = p->shown_ns = now_ns();
}

void
progress_show(struct progress *p, double done)
{
	uint64_t now = now_ns();
	double seconds = (double)(now - p->start_ns) / 1e9;

	p->done = done;
	if (!p->on || now - p->shown_ns < 100000000)
		return;
	p->shown_ns = now;
	p->shown = true;
	fprintf(stderr, "\r%s: %.0f %%", program_name, 100 * done);
	if (done >= FORESEEN)
		fprintf(stderr, ", %.0f s left", seconds / done - seconds);
	if (p->point && *p->point)
		fprintf(stderr, ", %.*s", POINT_MAX, p->point);
	fputs("\033[K", stderr);
	fflush(stderr);
}

void
progress_point(struct progress *p, char *point)
{
	free(p->point);
	p->point = point;
	progress_show(p, p->done);
}

void
progress_clear(struct progress *p)
{
	free(p->point);
	p->point = NULL;
	if (!p->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
}
