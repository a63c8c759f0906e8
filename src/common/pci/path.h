/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The path from a function up to its root port. */
#ifndef PCB_COMMON_PCI_PATH_H
#define PCB_COMMON_PCI_PATH_H

#include "common/link/model.h"
#include "common/pci/tree.h"

/* One end of a link: the function, or a port above it. */
struct hop {
	char bdf[BDF_MAX];
	enum port port;
	/* Above it, while data moves; BUS_UNKNOWN: none, or not readable. */
	struct link link;
	unsigned now; /* the generation of a link that sleeps, or 0 */
};

/*
 * What determines the transfers of a function: its settings for the TLPs it
 * sends, the root port's for completions, and the rate of the slowest link
 * between them. Release with path_free.
 */
struct path {
	struct link link; /* rate of the slowest, settings of the function */
	size_t limit;     /* index of the hop below that link */
	unsigned tags;    /* as in struct pcie_cap */

	/* For completions; the function's own if no root port is seen. */
	unsigned completion_mps;
	bool completion_ecrc;

	struct hop *hop; /* from the function up */
	size_t n;
	bool rooted; /* the last hop is a root port */
};

/*
 * The path of a function of a tree, or of a changed copy of it. Returns NULL,
 * or why there is none (a constant): the kind of function, or what could not be
 * read.
 */
const char *path_find(struct path *path, const struct pci_function *function);

/* The path as configuration for the model. The path must outlive it. */
struct link_config path_link_config(const struct path *path);

/* Whether a hop should have a link, but the link cannot be read. */
bool hop_is_unseen(const struct hop *hop);

void path_free(struct path *path);

#endif
