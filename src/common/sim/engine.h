/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine of the simulated device: its costs, and a single transfer. */
#ifndef PCB_COMMON_SIM_ENGINE_H
#define PCB_COMMON_SIM_ENGINE_H

#include "common/sim/host.h"
#include "common/sim/link.h"

/* A transfer while no other is in flight. */
struct sim_transfer {
	uint64_t address, size;
	bool write_first; /* a write, then a read of the same bytes */
};

/*
 * Picoseconds from the start of a transfer until its data are stored, without
 * stalls. Link and host must be idle. `answered` has an element for each of
 * SIM_INFLIGHT outstanding requests.
 */
uint64_t sim_engine_alone(struct sim_link *link, struct sim_host *host,
                          uint64_t *answered,
                          const struct sim_transfer *transfer);

/* Picoseconds for which a read or a write occupies the engine. */
uint64_t sim_engine_read(const struct sim_link *link, const uint64_t *number,
                         uint64_t address, uint64_t size);
uint64_t sim_engine_write(const uint64_t *number, uint64_t size);

#endif
