/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a port has sent by its wire, whoever had it sent. */
#ifndef PCB_COLLECT_RDMA_WIRE_H
#define PCB_COLLECT_RDMA_WIRE_H

#include <stdbool.h>
#include <stdint.h>

struct wire {
	char *ifname;   /* NULL: not known */
	bool physical;  /* counted by the hardware, not by the kernel */
	uint64_t begin; /* bytes, when wire_open looked */
};

/*
 * Looks at the counter of a network interface (taken over; may be NULL):
 * tx_bytes_phy of ethtool if `physical`, which counts at the wire what any
 * program or function sends, else tx_bytes of sysfs. False where there is none.
 * Release with wire_close.
 */
bool wire_open(struct wire *wire, char *ifname, bool physical);

/* Bytes that have been sent since, or 0 if that is not known any more. */
uint64_t wire_sent(const struct wire *wire);

void wire_close(struct wire *wire);

#endif
