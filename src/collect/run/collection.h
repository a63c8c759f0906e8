/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One collection: from the request to the end line. */
#ifndef PCB_COLLECT_RUN_COLLECTION_H
#define PCB_COLLECT_RUN_COLLECTION_H

#include "collect/core/backend.h"
#include "collect/core/point.h"
#include "common/cli/labels.h"
#include "common/stream/writer.h"

struct collection {
	struct request request;
	const struct backend *backend;
	bool automatic;     /* the user named no device */
	char *found_device; /* BDFs, if the user gave other names; or NULL */
	struct sweep sweep;
	uint64_t warmup;     /* transactions */
	uint64_t time_limit; /* ps per point; 0: none */
	double until; /* end when medians are within this part; 0: after runs */
	struct labels labels;
	bool quiet;
	bool no_preamble;
	bool wide;          /* csv: repeat constant columns in each row */
	enum format format; /* FORMAT_JSON or JSONL, else CSV */
};

/*
 * Measures every point of the sweep in every run and writes the stream to
 * stdout. Returns the exit status, after a message; a signal ends the process
 * instead. Whatever was measured is written, whole samples only.
 */
int collection_run(const struct collection *c);

/*
 * Writes what collection_run would measure to stdout, one thing per line:
 * device, nodes, points, runs, rows and, as far as options bound it, duration.
 * Opens no device.
 */
void collection_tell(const struct collection *c);

/* Adds the first lines of every preamble: tool, command and date. */
void run_describe(struct preamble *pre);

#endif
