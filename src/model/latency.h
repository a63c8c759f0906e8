/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency of the simulated device, part by part; and of measured rows. */
#ifndef PCB_MODEL_LATENCY_H
#define PCB_MODEL_LATENCY_H

#include "common/stream/table.h"
#include "model/options.h"

/*
 * The host of the options, with their link if they name one. Ends the program
 * if it is impossible. Free with sim_params_free.
 */
void latency_host(const struct options *o, struct sim_params *params);

/* Parses the bytes in a cell, unless empty; dies of another text. */
void row_bytes(const struct table *t, const char *column, uint64_t *bytes);

/* End the program: the row's bench needs this; a cell is wrong, unless NULL. */
_Noreturn void row_needs(const struct table *t, const char *what);
void row_check(const struct table *t, const char *column, const char *why);

/* A latency: the median of the row, NAN if the cell is empty; the model's. */
struct latency_row {
	double median_ps, expected_ps;
};

/*
 * Reads a row of lat_rd or lat_wrrd over the parameters of `host`. NULL, or why
 * it has no model (a constant). Dies if a cell is invalid, or size or median_ns
 * is missing.
 */
const char *latency_row_read(struct latency_row *latency, const struct table *t,
                             const struct options *options,
                             const struct sim_params *host);

#endif
