/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/sim/link.h"

#include "collect/core/point.h"
#include "common/base/intmath.h"

#include <stdlib.h>

#define ACK 8 /* bytes of the DLLP, 3.5.2 */

/* With flits 236 bytes of 256 are TLPs: PCIe Base Specification 6.0, 4.2. */
static uint64_t
byte_time(const struct link *link)
{
	uint64_t byte_fs = link_byte_fs(link);

	return link->flit ? (byte_fs * 256 + 235) / 236 : byte_fs;
}

void
sim_link_make(struct sim_link *link, const struct sim_params *params, bool busy)
{
	const uint64_t *n = params->number;

	*link = (struct sim_link){
	    .byte_fs = byte_time(&params->link),
	    .rules = tlp_rules_of(&params->link),
	    .combine = n[SIM_COMBINE],
	    .combine_align = n[SIM_COMBINE_ALIGN],
	    .credits = n[SIM_CREDITS],
	    .data_credits = n[SIM_DATA_CREDITS],
	};
	link->rules.whole_words = true;
	link->writes = link->rules;
	link->writes.boundary = (unsigned)n[SIM_CUT_WRITE];
	link->rules.boundary = (unsigned)n[SIM_CUT_READ];
	link->pieces = link->rules;
	link->pieces.completer = COMPLETER_RCB;
	/* In flits they are part of what is not TLPs. */
	if (busy && !params->link.flit) {
		link->dllps = sim_link_wire(link, n[SIM_DLLP]);
		link->ack = sim_link_wire(link, ACK);
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

/* What counts begins with the first line, whatever part of it is read. */
static bool
is_combined(const struct sim_link *link, const struct tlp *tlp)
{
	uint64_t first = tlp->address / LINE * LINE;

	return tlp->address + tlp->length - first >= link->combine &&
	       !(first & (link->combine_align - 1));
}

bool
sim_link_next_read(const struct sim_link *link, struct tlp_walk *walk,
                   struct sim_read *read)
{
	struct tlp tlp;

	if (!tlp_next(walk, &tlp))
		return false;
	*read = (struct sim_read){tlp.address, tlp.length,
	                          tlp_wire_bytes(&link->rules, &tlp), 0, 0};
	walk->rules = is_combined(link, &tlp) ? &link->rules : &link->pieces;
	while (walk->awaited && tlp_next(walk, &tlp)) {
		read->reply += tlp_wire_bytes(&link->rules, &tlp);
		read->completions++;
	}
	return true;
}

/* Takes the oldest credits back: the time of their return. */
static uint64_t
take_back(struct sim_link *link)
{
	const struct sim_credit *credit = &link->credit[link->oldest];

	link->data_used -= credit->data;
	link->used--;
	if (++link->oldest == link->credits)
		link->oldest = 0;
	return credit->time;
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
sim_link_reply(struct sim_link *link, const struct sim_read *read, uint64_t now)
{
	uint64_t start = max_u64(now, link->down);

	link->down = start + sim_link_wire(link, read->reply);
	link->up += read->completions * link->ack;
	return start;
}

uint64_t
sim_link_write(struct sim_link *link, const struct tlp *tlp, uint64_t now)
{
	uint64_t data = tlp_credits(tlp);

	while (link->used == link->credits ||
	       (link->used && link->data_used + data > link->data_credits))
		now = max_u64(now, take_back(link));
	link->up = max_u64(now, link->up) +
	           sim_link_wire(link, tlp_wire_bytes(&link->rules, tlp));
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
