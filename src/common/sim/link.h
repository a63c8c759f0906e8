/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulated link: TLPs, their time on the wire, write credits; the engine.
 */
#ifndef PCB_COMMON_SIM_LINK_H
#define PCB_COMMON_SIM_LINK_H

#include "common/link/tlp.h"
#include "common/sim/host.h"

/* A write's credits, and the time of their return. */
struct sim_credit {
	uint64_t time, data;
};

/*
 * Times in picoseconds. A direction carries one packet at a time, in the order
 * of the calls.
 */
struct sim_link {
	uint64_t byte_fs;
	struct tlp_rules rules; /* completions are as long as MPS allows */
	struct tlp_rules writes;
	uint64_t combine, split, align;
	uint64_t receive;    /* least time for one of several completions */
	uint64_t dllps, ack; /* reverse traffic for a request, for a CplD */
	uint64_t up, down;   /* each direction is busy until then */
	uint64_t copy;       /* time to store a cache line */
	uint64_t packet;     /* time to receive a completion */

	struct sim_credit *credit; /* ring, oldest first from `oldest` */
	uint64_t credits, data_credits;
	size_t oldest, used;
	uint64_t data_used;
};

/*
 * On a busy link DLLPs take time of the other direction: Ack and UpdateFC for
 * each request, Ack for each completion. A single transaction waits for none of
 * them. Free with sim_link_free.
 */
void sim_link_make(struct sim_link *link, const struct sim_params *params,
                   bool busy);
void sim_link_free(struct sim_link *link);

/* Ends all transactions and restarts the clock at 0. */
void sim_link_idle(struct sim_link *link);

/* Picoseconds for bytes on the wire, rounded up: never above its rate. */
static inline uint64_t
sim_link_wire(const struct sim_link *link, uint64_t bytes)
{
	return (bytes * link->byte_fs + 999) / 1000;
}

/* A read request and its completions; request and reply in wire bytes. */
struct sim_read {
	uint64_t address, length;
	uint64_t request, reply, completions;
};

/* The next request of a walk of a read; false at its end. */
bool sim_link_next_read(const struct sim_link *link, struct tlp_walk *walk,
                        struct sim_read *read);

/* Sends a request at `now` or later; returns its arrival. */
uint64_t sim_link_request(struct sim_link *link, const struct sim_read *read,
                          uint64_t now);

/*
 * Receives the completions of a request, the first of which leaves at `ready`,
 * and stores their lines one at a time, after those before, stored at `landed`.
 * Returns the time at which all are stored.
 */
uint64_t sim_link_land(struct sim_link *link, const struct sim_read *read,
                       uint64_t ready, uint64_t landed);

/*
 * sim_link_write sends a write at `now` or later and returns its arrival; it
 * waits for credits. sim_link_return frees those of the oldest write at `time`.
 */
uint64_t sim_link_write(struct sim_link *link, const struct tlp *tlp,
                        uint64_t now);
void sim_link_return(struct sim_link *link, const struct tlp *tlp,
                     uint64_t time);

/* The engine of the device: a transfer while no other is in flight. */
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
