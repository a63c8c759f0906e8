/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model nic: its rows. */
#ifndef PCB_MODEL_NIC_H
#define PCB_MODEL_NIC_H

#include "model/options.h"

/* Reads the profile of this name or file; ends the program if there is none. */
void nic_read_profile(struct packet_profile *i, const char *name);

/*
 * Reads the profiles and writes header and rows to `out`; the caller calls
 * out_finish. Dies, before writing, if options and profiles contradict each
 * other.
 */
void write_nic(struct out *out, const struct options *options);

#endif
