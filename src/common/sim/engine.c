/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/sim/engine.h"

#include "common/base/intmath.h"

#include <string.h>

#define WORD 4

/* The time at which a read issued at `now` has stored its data. */
static uint64_t
read_alone(struct sim_link *link, struct sim_host *host, uint64_t *answered,
           const struct sim_transfer *transfer, uint64_t now)
{
	uint64_t inflight = host->number[SIM_INFLIGHT], landed = 0;
	struct tlp_walk walk;
	struct sim_read read;
	size_t slot = 0;

	/* Most requests of a transfer, which page boundaries split, too. */
	memset(answered, 0,
	       min_u64(inflight,
	               2 * div_round_up(transfer->size, link->rules.mrrs) + 1) *
	           sizeof *answered);
	tlp_walk_read(&walk, &link->rules, transfer->address, transfer->size);
	while (sim_link_next_read(link, &walk, &read)) {
		uint64_t arrived, ready;

		arrived =
		    sim_link_request(link, &read, max_u64(now, answered[slot]));
		ready = sim_host_read(host, read.address, read.length, arrived);
		landed = sim_link_land(link, &read, ready, landed);
		answered[slot] = link->down;
		if (++slot == inflight)
			slot = 0;
	}
	return landed;
}

/* The time at which the last packet of the write has been sent. */
static uint64_t
write_alone(struct sim_link *link, struct sim_host *host,
            const struct sim_transfer *transfer, uint64_t now, uint64_t copy)
{
	struct tlp_walk walk;
	struct tlp tlp;

	tlp_walk_write(&walk, &link->writes, transfer->address, transfer->size);
	while (tlp_next(&walk, &tlp)) {
		uint64_t arrived, done;

		if (tlp.address != transfer->address)
			now += div_round_up(tlp.length, LINE) * copy;
		arrived = sim_link_write(link, &tlp, now);
		done = sim_host_write(host, tlp.address, tlp.length, arrived);
		sim_link_return(link, &tlp, done + host->number[SIM_UPDATE]);
	}
	return link->up;
}

uint64_t
sim_engine_alone(struct sim_link *link, struct sim_host *host,
                 uint64_t *answered, const struct sim_transfer *transfer)
{
	const uint64_t *n = host->number;
	bool command = n[SIM_INTERFACE] == SIM_COMMANDS;
	uint64_t now = command ? 0 : n[SIM_ISSUE];

	if (transfer->write_first && command)
		now =
		    write_alone(link, host, transfer, n[SIM_COMMAND_STORE], 0);
	else if (transfer->write_first)
		now = write_alone(link, host, transfer, now + n[SIM_STORE],
		                  n[SIM_COPY_WRITE]) +
		      n[SIM_GAP];
	return read_alone(link, host, answered, transfer, now) +
	       (command ? n[SIM_COMMAND] : 0);
}

/* Partial DWs are copied at the rate of writes. */
uint64_t
sim_engine_read(const struct sim_link *link, const uint64_t *number,
                uint64_t address, uint64_t size)
{
	uint64_t chunks = div_round_up(size, number[SIM_CHUNK]);
	uint64_t words =
	    div_round_up(max_u64(size / WORD, 1) * WORD, number[SIM_CHUNK]);
	uint64_t mrrs = link->rules.mrrs;
	uint64_t requests = div_round_up(address % mrrs + size, mrrs);

	if (size % WORD)
		return requests * number[SIM_READ_ODD] +
		       words * number[SIM_WRITE_CHUNK];
	return chunks * number[SIM_READ_CHUNK];
}

uint64_t
sim_engine_write(const uint64_t *number, uint64_t size)
{
	return number[SIM_WRITE] +
	       div_round_up(size, number[SIM_CHUNK]) * number[SIM_WRITE_CHUNK];
}
