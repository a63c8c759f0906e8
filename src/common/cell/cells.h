/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transfers of a machine, measured cells of them, and what stands out. */
#ifndef PCB_COMMON_CELL_CELLS_H
#define PCB_COMMON_CELL_CELLS_H

#include "common/machine/machine.h"
#include "common/stream/table.h"

/* How transfers count. */
struct flow_rules {
	struct link_config how;
	uint64_t size;    /* of a transfer, bytes */
	unsigned forward; /* as in struct flow, of all; 0: what is known */
};

/* The rates of transfers at once, routed. */
void flows_share(const struct machine *m, const struct flow_rules *rules,
                 struct flow flow[], size_t n);

/*
 * Sets who starts a transfer, and its way. Drives and NICs move data by
 * themselves, GPUs let them; a GPU that sends to another one writes. NULL, or
 * why this is no transfer (a constant).
 */
const char *flow_complete(const struct machine *m, struct flow *f);

/*
 * Sets in what packets a root complex passes on writes between devices: by the
 * rules, else as is known of the root port that sends them.
 */
void flow_set_forward(const struct machine *m, const struct flow_rules *rules,
                      struct flow *f);

/*
 * In packets of how many bytes at most this root port passes on writes between
 * devices, by hosts.csv, with its CPU and source, which the caller frees; or 0.
 */
unsigned port_forward(const struct pci_function *port, char **cpu);

/* A cell of a matrix: transfers at once; its rate is the least or the sum. */
struct cell {
	struct flow flow[4];
	size_t n;
	double gbit_s;
	const struct flow *limit; /* the slowest */
};

/*
 * Computes the transfers of a row: from and to; device and peer, with p2p off
 * through memory; device of bw_rd and bw_wr; source and destination of
 * TransferBench. False if it has none, or names devices that the machine lacks.
 */
bool cell_of_row(struct cell *cell, const struct machine *m,
                 const struct flow_rules *rules, const struct table *t);
void cell_free(struct cell *cell);

/* A measured cell: its path, its first and last device, measured / bound. */
#define NPATHS 6
struct measured {
	size_t path, from, to;
	double ratio;
};
struct measured cell_measured(const struct machine *m, const struct cell *cell,
                              double ratio);

/* Below this part of its like, one number of a device or a path stands out. */
#define APART 0.85

/* Says on stderr how each class of path does, and what stands out. */
void cells_say(const struct machine *m, const struct measured cell[], size_t n);

#endif
