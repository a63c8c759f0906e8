/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model nic: its options and its rows. */
#ifndef PCB_MODEL_NIC_H
#define PCB_MODEL_NIC_H

#include "common/link/ethernet.h"
#include "common/stream/writer.h"
#include "model/packet_profile.h"

/* Zero-initialise, nic_set; release with nic_free. */
struct nic_options {
	const char **name; /* -M */
	size_t n;
	enum direction direction;
	struct ethernet ethernet; /* its tag and its gap */
};

/*
 * Takes an option, by its number in options.h; returns NULL, or why its
 * argument is refused (a constant). The text must outlive *o. -M help lists
 * the interactions and ends the program.
 */
const char *nic_set(struct nic_options *o, int option, const char *text);
void nic_free(struct nic_options *o);

struct options;

/*
 * Reads the interactions and writes header and rows to `out`, and leaves
 * out_finish to the caller. Dies, before it writes, where options and
 * interactions do not go together.
 */
void write_nic(struct out *out, const struct options *options);

#endif
