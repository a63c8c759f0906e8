/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One whole collection: from what the user asked for to the end line. */
#ifndef PCB_COLLECT_RUN_COLLECTION_H
#define PCB_COLLECT_RUN_COLLECTION_H

#include "collect/core/backend.h"
#include "collect/run/sweep.h"
#include "common/cli/labels.h"
#include "common/stream/writer.h"

/* How the first point went, which alone is measured for --dry-run. */
struct trial {
	char *device;   /* names of the devices, to be freed */
	int cpu;        /* that measured, or -1: any */
	uint64_t taken; /* transactions */
	uint64_t ns;    /* that they took */
	double rows, bytes;
};

struct collection {
	struct request request;
	const struct backend *backend;
	bool automatic;     /* the user named no device */
	char *found_device; /* BDFs of what the user named otherwise, or NULL */
	struct sweep sweep;
	uint64_t warmup;     /* transactions */
	uint64_t time_limit; /* ps for each point; 0: none */
	struct labels labels;
	bool quiet;
	bool no_preamble;
	enum format format; /* FORMAT_JSONL, else rows are csv */
	struct trial *trial; /* NULL: all points are measured */
};

/*
 * Measures every point of the sweep in every run and writes the stream to
 * stdout. Returns the exit status, after the reason has been printed; after a
 * signal it does not return but ends the process by it. Whatever was measured
 * is written, whole samples only.
 */
int collection_run(const struct collection *c);

#endif
