/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model lat: expected latencies, as rows or step by step. */
#ifndef PCB_MODEL_LATENCY_ROWS_H
#define PCB_MODEL_LATENCY_ROWS_H

#include "common/base/number.h"
#include "common/sim/params.h"
#include "common/stream/writer.h"
#include "model/latency.h"
#include "model/link_config.h"
#include "model/transfer_rows.h"

/* Default window in bytes, as in pcb-collect. */
#define LATENCY_WINDOW 8192

/* Options of the command line. Zero-initialise. */
struct latency_options {
	struct sim_choice choice;
	const char *bench; /* NULL: both */
	bool cache[NCACHES];
	bool local, remote;
	bool sequential;
	uint64_t switch_ps; /* of all that were given */
	unsigned nswitches;
	struct size_list outstanding;
};

/* Setters of an option table, for a struct latency_options. */
const char *latency_set_caches(void *to, const char *text);
const char *latency_set_nodes(void *to, const char *text);
const char *latency_set_pattern(void *to, const char *text);
const char *latency_add_switch(void *to, const char *text);

/*
 * The host of the options, with their link if they name one. Ends the program
 * if it is impossible. Free with sim_params_free.
 */
void latency_host(const struct latency_options *o,
                  const struct link_options *link, struct sim_params *params);

/* Picoseconds of all switches in one direction. */
uint64_t latency_switches_ps(const struct latency_options *o,
                             const struct link_options *link);

/*
 * Writes header and rows, as write_bandwidths does. Dies if a point of the
 * sweep is impossible.
 */
void latency_write_rows(struct out *o, const struct latency_options *options,
                        const struct link_options *link,
                        const struct transfer_sweep *sweep);

/* The same as text, with the parameters of each part. */
void latency_explain(const struct latency_options *options,
                     const struct link_options *link,
                     const struct transfer_sweep *sweep);

void latency_options_free(struct latency_options *o);

#endif
