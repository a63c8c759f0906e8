/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes that a port has sent on its wire, by any program. */
#ifndef PCB_COLLECT_RDMA_WIRE_H
#define PCB_COLLECT_RDMA_WIRE_H

#include <stdbool.h>
#include <stdint.h>

struct wire {
	char *ifname;   /* NULL: unknown */
	bool physical;  /* counter of the hardware, not of the kernel */
	uint64_t begin; /* value of the counter at wire_open */
};

/*
 * Reads the counter of a network interface (takes ownership; may be NULL):
 * tx_bytes_phy of ethtool if `physical`, which counts the wire's bytes of all
 * programs and functions, else tx_bytes of sysfs. False without that counter.
 * Release with wire_close.
 */
bool wire_open(struct wire *wire, char *ifname, bool physical);

/* Bytes sent since wire_open; 0 if the counter cannot be read any more. */
uint64_t wire_sent(const struct wire *wire);

void wire_close(struct wire *wire);

#endif
