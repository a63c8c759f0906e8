/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many packets a transfer by the CPU can be. */
#ifndef PCB_COLLECT_MMIO_TLPS_H
#define PCB_COLLECT_MMIO_TLPS_H

#include <stdbool.h>
#include <stdint.h>

/* A transfer of `size` bytes by accesses of `width` bytes. */
struct mmio_transfer {
	uint64_t size;
	unsigned width;
	bool combined; /* through write-combining buffers */
	bool direct;   /* with MOVDIR64B, whose 64 bytes stay together */
};

struct tlp_range {
	uint64_t least, most;
};

/*
 * The number of requests on the link, MRd or MWr. A CPU may cut an access of
 * more than 8 bytes into accesses of 8 (Intel SDM vol. 3, "Guaranteed Atomic
 * Operations"), and a write-combining buffer may leave whole, as 64 bytes, or
 * in parts ("Buffering of Write Combining Memory Locations"). The link cuts no
 * request: the smallest maximum payload is 128 bytes.
 */
struct tlp_range mmio_tlps(const struct mmio_transfer *t);

#endif
