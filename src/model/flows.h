/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine of the options, its transfers, and measured cells of them. */
#ifndef PCB_MODEL_FLOWS_H
#define PCB_MODEL_FLOWS_H

#include "common/machine/machine.h"
#include "common/stream/table.h"
#include "model/options.h"

/*
 * The machine, with settings, moves, caps and calibration. Ends the program if
 * a part of it is not there. Free with machine_free.
 */
struct machine *flows_machine(const struct options *o);

/* The node of this name, or ends the program. */
size_t flows_node(const struct machine *m, const char *name);

/* The bound of an edge alone, NAN if it is no link that the model knows. */
double flows_bound(const struct machine *m, const struct options *o,
                   size_t edge, bool down);

/*
 * In packets of how many bytes this root port passes on writes between devices,
 * by hosts.csv, with its CPU and source, which the caller frees; or 0.
 */
unsigned flows_forward(const struct pci_function *port, char **cpu);

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
                 const struct options *o, const struct table *t);
void cell_free(struct cell *cell);

/* A measured cell: its path, its first and last device, measured / bound. */
#define NPATHS 6
struct measured {
	size_t path, from, to;
	double ratio;
};
struct measured cell_measured(const struct machine *m, const struct cell *cell,
                              double ratio);

/* Says on stderr how each class of path does, and what stands out. */
void cells_say(const struct machine *m, const struct measured cell[], size_t n);

#endif
