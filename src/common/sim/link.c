/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulated link: its packets, their time on the wire, and credits. */
#include "common/sim/link.h"

#include "common/base/intmath.h"
#include "common/base/util.h"

#define ACK  8 /* bytes of an Ack DLLP, 3.5.2 */
#define WORD 4

void
sim_link_make(struct sim_link *link, const struct sim_params *params, bool busy)
{
	const uint64_t *n = params->number;
	uint64_t byte_fs = link_byte_fs(&params->link);

	if (params->link.flit)
		byte_fs = div_round_up(byte_fs * FLIT_BYTES, FLIT_TLP);
	*link = (struct sim_link){
	    .byte_fs = byte_fs,
	    .rules = tlp_rules_of(&params->link),
	    .combine = n[SIM_COMBINE],
	    .split = n[SIM_SPLIT],
	    .align = n[SIM_ALIGN],
	    .credits = n[SIM_CREDITS],
	    .data_credits = n[SIM_DATA_CREDITS],
	};
	link->rules.whole_words = true;
	link->writes = link->rules;
	link->writes.boundary = (unsigned)n[SIM_CUT_WRITE];
	link->rules.boundary = link->rules.mrrs;
	/* In flit mode, the other bytes of a flit hold them. */
	if (busy && !params->link.flit) {
		link->dllps = sim_link_wire(link, n[SIM_DLLP]);
		link->ack = sim_link_wire(link, ACK);
		link->receive = n[SIM_RECEIVE];
	}
	if (n[SIM_INTERFACE] == SIM_ENGINE) {
		link->copy = n[SIM_COPY_READ];
		link->packet = n[SIM_PACKET];
	}
	link->credit = xcalloc(link->credits, sizeof *link->credit);
}

void
sim_link_free(struct sim_link *link)
{
	free(link->credit);
}

void
sim_link_idle(struct sim_link *link)
{
	link->up = link->down = 0;
	link->used = 0;
	link->data_used = 0;
}

static uint64_t
align_up(const struct sim_link *link, uint64_t bytes)
{
	return div_round_up(bytes, link->align) * link->align;
}

static uint64_t
wire_bytes(const struct sim_link *link, const struct tlp *tlp)
{
	return align_up(link, tlp_wire_bytes(&link->rules, tlp));
}

static void
add_completion(const struct sim_link *link, struct sim_read *read,
               const struct tlp *tlp)
{
	read->reply += wire_bytes(link, tlp);
	read->completions++;
}

/*
 * The first two completions are sent at once; later ones wait for the link and
 * are sent in pairs.
 */
static void
add_pieces(const struct sim_link *link, struct sim_read *read)
{
	uint64_t rcb = link->rules.rcb, left = read->length;
	struct tlp piece = {.type = TLP_CPLD, .address = read->address};

	for (unsigned i = 0; left; i++) {
		uint64_t most = rcb - (piece.address & (rcb - 1));

		if (i > 1 && most + rcb <= link->rules.completion_mps)
			most += rcb;
		piece.length = min_u64(left, most);
		add_completion(link, read, &piece);
		piece.address += piece.length;
		left -= piece.length;
	}
}

bool
sim_link_next_read(const struct sim_link *link, struct tlp_walk *walk,
                   struct sim_read *read)
{
	struct tlp tlp;

	if (!tlp_next(walk, &tlp))
		return false;
	*read = (struct sim_read){tlp.address, tlp.length,
	                          wire_bytes(link, &tlp), 0, 0};
	if (tlp.length < link->combine) {
		add_pieces(link, read);
		walk->awaited = 0;
	}
	while (walk->awaited && tlp_next(walk, &tlp))
		add_completion(link, read, &tlp);
	if (read->address % LINE && read->length > LINE) {
		read->reply +=
		    link->split * align_up(link, link->rules.completion);
		read->completions += link->split;
	}
	return true;
}

uint64_t
sim_link_request(struct sim_link *link, const struct sim_read *read,
                 uint64_t now)
{
	link->up = max_u64(now, link->up) + sim_link_wire(link, read->request);
	link->down += link->dllps;
	return link->up;
}

uint64_t
sim_link_land(struct sim_link *link, const struct sim_read *read,
              uint64_t ready, uint64_t landed)
{
	uint64_t start = max_u64(ready, link->down);
	uint64_t first = sim_link_wire(link, min_u64(read->length, LINE) +
	                                         link->rules.completion);
	uint64_t work = div_round_up(read->length, LINE) * link->copy +
	                read->completions * link->packet;

	link->down = start + max_u64(sim_link_wire(link, read->reply),
	                             read->completions * link->receive);
	link->up += read->completions * link->ack;
	return max_u64(max_u64(landed, start + first) + work,
	               link->down + link->packet + link->copy);
}

uint64_t
sim_link_write(struct sim_link *link, const struct tlp *tlp, uint64_t now)
{
	uint64_t data = tlp_credits(tlp);

	/* Takes the oldest credits back until there are enough. */
	while (link->used == link->credits ||
	       (link->used && link->data_used + data > link->data_credits)) {
		now = max_u64(now, link->credit[link->oldest].time);
		link->data_used -= link->credit[link->oldest].data;
		link->used--;
		if (++link->oldest == link->credits)
			link->oldest = 0;
	}
	link->up =
	    max_u64(now, link->up) + sim_link_wire(link, wire_bytes(link, tlp));
	link->down += link->dllps;
	return link->up;
}

void
sim_link_return(struct sim_link *link, const struct tlp *tlp, uint64_t time)
{
	size_t at = link->oldest + link->used;

	if (at >= link->credits)
		at -= link->credits;
	link->credit[at] = (struct sim_credit){time, tlp_credits(tlp)};
	link->used++;
	link->data_used += link->credit[at].data;
}

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
	tlp_walk_start(&walk, &link->rules, TLP_MRD, transfer->address,
	               transfer->size);
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

	tlp_walk_start(&walk, &link->writes, TLP_MWR, transfer->address,
	               transfer->size);
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
