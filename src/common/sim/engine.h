/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine of the simulated device takes, and one transfer by it. */
#ifndef PCB_COMMON_SIM_ENGINE_H
#define PCB_COMMON_SIM_ENGINE_H

#include "common/sim/host.h"
#include "common/sim/link.h"

/* A transfer that is the only one under way. */
struct sim_transfer {
	uint64_t address, size;
	bool write_first; /* a write, and then a read of the same bytes */
};

/*
 * How many picoseconds a transfer takes from its start until its data are put
 * away, without stalls. Link and host must be idle. `answered` has room for a
 * time of each of the SIM_INFLIGHT requests that may be in flight.
 */
uint64_t sim_engine_alone(struct sim_link *link, struct sim_host *host,
                          uint64_t *answered,
                          const struct sim_transfer *transfer);

/* How long a read or a write keeps the engine, in picoseconds. */
uint64_t sim_engine_read(const struct sim_link *link, const uint64_t *number,
                         uint64_t address, uint64_t size);
uint64_t sim_engine_write(const uint64_t *number, uint64_t size);

#endif
