/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of pcb-model. */
#ifndef PCB_MODEL_COMMANDS_H
#define PCB_MODEL_COMMANDS_H

#include "model/options.h"

/* The name of the command: of the bench, for bandwidths. */
const char *mode_name(const struct options *options);

/*
 * Writes preamble, rows by `write`, and end line. Each `write` writes header
 * and rows to `o`, which is set up.
 */
void write_stream(struct out *o, const struct options *options,
                  void (*write)(struct out *o, const struct options *options));

/* Bandwidths of the transfers; rates of the link. The link has a model. */
void write_bandwidths(struct out *o, const struct options *options);
void write_link(struct out *o, const struct options *options);

/*
 * The time of a DWORD read on the link that the options name, or on each link
 * of the device's path; otherwise for every generation and width that they
 * leave open, and, if they set none, for parallel buses.
 */
void write_serial(struct out *o, const struct options *options);

/*
 * The throughput of packets of each profile. Dies, before writing, if options
 * and profiles contradict each other.
 */
void write_nic(struct out *o, const struct options *options);

/* Latencies; dies if a point of the sweep is impossible. */
void write_latencies(struct out *o, const struct options *options);

/*
 * Write text to stdout: the same latencies with the parameters of each part;
 * the origin of each parameter of the link, the steps from the raw rate to that
 * of packets, and the packets of every transfer. `explain` computes nothing
 * itself: the numbers are those of the rows.
 */
void explain_latencies(const struct options *options);
void explain(const struct options *options);

/*
 * Write a whole stream and return the exit status: the input's rows with more
 * columns; the DMAs that a NIC must have in flight, alone or behind the input's
 * rows; the causes that match a number, likeliest first, and those that cannot
 * be excluded. STATUS_NO if --check fails or no cause matches.
 */
int run_join(struct out *o, const struct options *options);
int run_inflight(struct out *o, const struct options *options);
int run_why(struct out *o, const struct options *options);

#endif
