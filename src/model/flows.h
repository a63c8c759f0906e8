/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several transfers at once, through the links of a machine. */
#ifndef PCB_MODEL_FLOWS_H
#define PCB_MODEL_FLOWS_H

#include "common/machine/machine.h"
#include "common/stream/table.h"
#include "model/options.h"

/*
 * The machine of the options, with their settings, moves, caps and calibration.
 * Ends the program if a part of it is not there. Free with machine_free.
 */
struct machine *flows_machine(const struct options *o);

/* How its links are counted, and bytes of a transfer. */
struct link_config flows_counted(const struct options *o);
uint64_t flows_size(const struct options *o);

/* A measured cell: transfers at once, and what counts of them. */
struct cell {
	struct flow flow[4];
	size_t n;
	bool sum; /* of all, else of the slowest */
	double gbit_s;
	const struct flow *limit; /* the slowest */
};

/*
 * The transfers of a row: from and to; device and peer, with p2p off through
 * memory; device of bw_rd and bw_wr; source and destination of TransferBench.
 * False if the row is none, or names devices that the machine lacks.
 */
bool cell_of_row(struct cell *cell, const struct machine *m,
                 const struct table *t);
void cell_share(struct cell *cell, const struct machine *m,
                const struct options *o);
void cell_free(struct cell *cell);

/* The class of a path, for people: "same switch", ... */
#define NPATHS 4
extern const char *const path_names[NPATHS];
size_t path_of(const struct machine *m, const struct flow *f);

#endif
