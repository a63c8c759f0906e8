/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model lat --fit: parameters of a host from its latencies. */
#ifndef PCB_MODEL_LATENCY_FIT_H
#define PCB_MODEL_LATENCY_FIT_H

#include "model/latency_row.h"

/* Times of a host to fit, in the order given. */
struct fit_names {
	enum sim_param param[SIM_NUMBERS];
	size_t n;
};

/* Setter of an option table, for a struct fit_names: a list of names. */
const char *fit_set_names(void *to, const char *list);

/*
 * Reads the table to its end and writes the parameters as a profile of
 * pcb-sim(7), each with its standard error: by least squares of the medians,
 * starting from the host of the options. Dies if rows are too few or do not
 * determine the parameters.
 */
void latency_fit(struct out *o, struct table *t, const struct fit_names *names,
                 const struct latency_options *options,
                 const struct link_options *link);

#endif
