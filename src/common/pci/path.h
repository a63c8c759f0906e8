/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way from a function up to the root of its tree. */
#ifndef PCB_COMMON_PCI_PATH_H
#define PCB_COMMON_PCI_PATH_H

#include "common/link/model.h"
#include "common/pci/tree.h"

/* A function, or a port above it. */
struct hop {
	char bdf[BDF_MAX];
	enum port port;
	struct link link; /* above it; BUS_UNKNOWN: none, or not to be seen */
};

/*
 * What decides about transfers of the function: its own settings for what it
 * sends, those of the root port for the completions it receives, and the rate
 * of the slowest link between the two. Release with path_free.
 */
struct path {
	struct link link; /* rate of the slowest, settings of the function */
	size_t limit;     /* the hop above which that link is */
	bool ecrc_seen;   /* or the function's ECRC is not known */
	unsigned tags;    /* as in struct pcie_cap */

	/* Of completions; the function's own where no root port is seen. */
	unsigned completion_mps;
	bool completion_ecrc;
	bool completion_ecrc_seen;

	struct hop *hop; /* from the function up */
	size_t n;
	bool rooted; /* the last one is a root port */
};

/*
 * The path of a function of the tree. NULL, or why there is none: what the
 * function is, or what of it was not read (a constant).
 */
const char *path_find(struct path *path, const struct pci_tree *tree,
                      const struct pci_function *function);

/*
 * The path as the model takes it: what the function sends, and completions as
 * the root port is set. The path must outlive the result.
 */
struct link_config path_link_config(const struct path *path);

/* Whether a hop's link should be there, but cannot be seen. */
bool hop_is_unseen(const struct hop *hop);

void path_free(struct path *path);

#endif
