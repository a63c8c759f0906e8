/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the TLPs of a transfer by the CPU. */
#include "collect/mmio/tlps.h"

#include "common/base/intmath.h"

/* Bytes: widest access that no CPU splits; a write-combining buffer. */
#define UNCUT  8
#define BUFFER 64

struct tlp_range
mmio_tlps(const struct mmio_transfer *t)
{
	uint64_t accesses = t->size / t->width;
	struct tlp_range tlps = {accesses, accesses};

	if (t->width > UNCUT && !t->direct)
		tlps.most = t->size / UNCUT;
	if (t->combined && !t->direct)
		tlps.least = div_round_up(t->size, BUFFER);
	return tlps;
}
