/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The link: what TLPs become on it, how long they take, write credits. */
#ifndef PCB_COMMON_SIM_LINK_H
#define PCB_COMMON_SIM_LINK_H

#include "common/link/tlp.h"
#include "common/sim/params.h"

/* A write whose credits are on their way back, and when they are there. */
struct sim_credit {
	uint64_t time, data;
};

/*
 * Times in picoseconds. A direction carries one packet at a time, in the
 * order they are given.
 */
struct sim_link {
	uint64_t byte_fs;
	struct tlp_rules rules; /* completions as long as MPS allows */
	struct tlp_rules writes;
	uint64_t combine, split, align;
	uint64_t receive;    /* least time of a completion of many */
	uint64_t dllps, ack; /* time of what goes back for a request, a CplD */
	uint64_t up, down;   /* until when each direction is busy */
	uint64_t copy;       /* what the engine takes to put away a line */
	uint64_t packet;     /* and to take in a completion */

	struct sim_credit *credit; /* a ring, the oldest at `oldest` */
	uint64_t credits, data_credits;
	size_t oldest, used;
	uint64_t data_used;
};

/*
 * On a busy link, what one direction carries takes time of the other one: an
 * Ack and an UpdateFC for each request, an Ack for each completion. A
 * transaction that is alone waits for none of them. To be freed with
 * sim_link_free.
 */
void sim_link_make(struct sim_link *link, const struct sim_params *params,
                   bool busy);
void sim_link_free(struct sim_link *link);

/* Nothing is under way any more, at the time 0 of a new clock. */
void sim_link_idle(struct sim_link *link);

/* So many bytes on the wire, rounded up: never above its rate. */
static inline uint64_t
sim_link_wire(const struct sim_link *link, uint64_t bytes)
{
	return (bytes * link->byte_fs + 999) / 1000;
}

/* A read request and its completions; request and reply are wire bytes. */
struct sim_read {
	uint64_t address, length;
	uint64_t request, reply, completions;
};

/* The next request of a read that tlp_walk_read began; false at its end. */
bool sim_link_next_read(const struct sim_link *link, struct tlp_walk *walk,
                        struct sim_read *read);

/* Sends a request that could go at `now`: when it has arrived. */
uint64_t sim_link_request(struct sim_link *link, const struct sim_read *read,
                          uint64_t now);

/* Sends its completions, ready at `now`: when the first one begins. */
uint64_t sim_link_reply(struct sim_link *link, const struct sim_read *read,
                        uint64_t now);

/*
 * Takes in the completions of a request, whose first one leaves at `ready`,
 * and puts the lines away as they come, one at a time: when that is done, if
 * those before were at `landed`.
 */
uint64_t sim_link_land(struct sim_link *link, const struct sim_read *read,
                       uint64_t ready, uint64_t landed);

/*
 * Sends a write that could go at `now`: when it has arrived. Waits for
 * credits, which sim_link_return gives back, in order, at `time`.
 */
uint64_t sim_link_write(struct sim_link *link, const struct tlp *tlp,
                        uint64_t now);
void sim_link_return(struct sim_link *link, const struct tlp *tlp,
                     uint64_t time);

#endif
