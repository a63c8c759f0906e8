/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The possible numbers of TLPs of a transfer by the CPU. */
#ifndef PCB_COLLECT_MMIO_TLPS_H
#define PCB_COLLECT_MMIO_TLPS_H

#include <stdbool.h>
#include <stdint.h>

/* A transfer of `size` bytes with accesses of `width` bytes. */
struct mmio_transfer {
	uint64_t size;
	unsigned width;
	bool combined; /* through write-combining buffers */
	bool direct;   /* with MOVDIR64B: 64 bytes are never split */
};

struct tlp_range {
	uint64_t least, most;
};

/*
 * The number of requests on the link, MRd or MWr. A CPU may split an access of
 * more than 8 bytes into accesses of 8 (Intel SDM vol. 3, "Guaranteed Atomic
 * Operations"), and may evict a write-combining buffer whole, as 64 bytes, or
 * in parts ("Buffering of Write Combining Memory Locations"). The link splits
 * no request: the smallest MPS is 128 bytes.
 */
struct tlp_range mmio_tlps(const struct mmio_transfer *t);

#endif
