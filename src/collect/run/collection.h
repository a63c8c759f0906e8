/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One whole collection: from what the user asked for to the end line. */
#ifndef PCB_COLLECT_RUN_COLLECTION_H
#define PCB_COLLECT_RUN_COLLECTION_H

#include "collect/core/backend.h"
#include "common/base/number.h"
#include "common/cli/labels.h"

#define NODES_MAX 64

/* The values of every swept parameter; each list has at least one. */
struct sweep {
	struct size_list size, offset, window;
	enum pattern pattern[2];
	size_t npatterns;
	enum cache cache[NCACHES];
	size_t ncaches;
	int node[NODES_MAX];
	size_t nnodes;
};

struct collection {
	struct request request;
	const struct backend *backend;
	bool automatic; /* the user named no device */
	struct sweep sweep;
	const char *dma_option; /* the last given that says how to transfer */
	const char *cpu_option; /* the last given for reads by the CPU */
	uint64_t warmup;
	bool warmup_given;
	bool size_given, window_given;
	uint64_t time_limit; /* ps for each point; 0: none */
	struct labels labels;
	char **own_label; /* texts of those that options stand for */
	size_t nown_labels;
	bool quiet;
	bool no_preamble;
};

/*
 * Measures every point of the sweep in every run and writes the stream to
 * stdout. Returns the exit status, after the reason has been printed; after a
 * signal it does not return but ends the process by it. Whatever was measured
 * is written, whole samples only.
 */
int collect(const struct collection *c);

/* How many points the sweep has, and the one of number `index`. */
size_t sweep_points(const struct sweep *sweep);
struct point sweep_point(const struct sweep *sweep, size_t index);

#endif
