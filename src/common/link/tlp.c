/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits transfers into TLPs and counts their bytes on the wire. */
#include "common/link/tlp.h"

#include "common/base/intmath.h"
#include "common/base/util.h"

#define PAGE 4096u

/* Framing (2), sequence number (2) and LCRC (4); at 8 GT/s and above STP with
 * the sequence number (4) and LCRC (4). */
#define AROUND_TLP 8u

#define DW 4u

/* Bytes of payload per data credit. PCIe Base Specification 2.6.1. */
#define CREDIT 16u

const char *const completer_names[] = {
    [COMPLETER_COMBINE] = "combine",
    [COMPLETER_ALIGNED] = "aligned",
    [COMPLETER_RCB] = "rcb",
};

/*
 * No open source describes TLPs of flit mode. Assumed here: base headers of 3
 * DW (completions, 32-bit addresses) and 4 DW, each DW of orthogonal header
 * content (OHC) on top, and an ECRC as a trailer of 1 DW. OHC-A1 holds the byte
 * enables of requests, OHC-A5 the lowest bits of a completion's address.
 */
struct tlp_rules
tlp_rules_of(const struct link *link)
{
	unsigned framing =
	    (link->flit ? 0 : AROUND_TLP) + (link->ecrc ? DW : 0);
	unsigned up = link->ecrc_up ? DW : 0;

	return (struct tlp_rules){
	    .mps = link->mps,
	    .completion_mps = link->mps,
	    .mrrs = link->mrrs,
	    .boundary = PAGE,
	    .rcb = link->rcb,
	    .request = framing + up + (link->addr32 ? 3 * DW : 4 * DW),
	    .completion = framing + 3 * DW,
	    .be_overhead = link->flit ? DW : 0,
	};
}

/* Bytes from an address to the next multiple of a power of two. */
static uint64_t
to_multiple(uint64_t address, uint64_t of)
{
	return of - (address & (of - 1));
}

void
tlp_walk_start(struct tlp_walk *walk, const struct tlp_rules *rules,
               enum tlp_type type, uint64_t address, uint64_t size)
{
	*walk = (struct tlp_walk){
	    .rules = rules, .next = type, .address = address, .left = size};
}

/* The length of the next completion at address `at`, with `due` bytes left. */
static uint64_t
completion_length(const struct tlp_rules *rules, uint64_t at, uint64_t due)
{
	/* All limits count the DWs that data touch (2.2.2). */
	uint64_t most = rules->completion_mps;

	if (rules->completer == COMPLETER_RCB)
		most = to_multiple(at, rules->rcb);
	else if (rules->completer == COMPLETER_ALIGNED)
		most = to_multiple(at, rules->completion_mps);
	else if (at % DW + due > most)
		most -= (at + most) & (rules->rcb - 1);
	return min_u64(due, most);
}

static uint64_t
request_length(const struct tlp_walk *walk)
{
	unsigned most =
	    walk->next == TLP_MRD ? walk->rules->mrrs : walk->rules->mps;

	return min_u64(min_u64(walk->left, most - walk->address % DW),
	               to_multiple(walk->address, walk->rules->boundary));
}

bool
tlp_next(struct tlp_walk *walk, struct tlp *tlp)
{
	if (walk->awaited) {
		tlp->type = TLP_CPLD;
		tlp->address = walk->reply;
		tlp->length =
		    completion_length(walk->rules, walk->reply, walk->awaited);
		walk->reply += tlp->length;
		walk->awaited -= tlp->length;
		return true;
	}
	if (!walk->left)
		return false;
	tlp->type = walk->next;
	tlp->address = walk->address;
	tlp->length = request_length(walk);
	walk->address += tlp->length;
	walk->left -= tlp->length;
	if (tlp->type == TLP_MRD) {
		walk->reply = tlp->address;
		walk->awaited = tlp->length;
	}
	return true;
}

uint64_t
tlp_data_bytes(const struct tlp_rules *rules, const struct tlp *tlp)
{
	uint64_t words = (tlp->address % DW + tlp->length + DW - 1) / DW;

	if (tlp->type == TLP_MRD)
		return 0;
	return rules->whole_words ? words * DW : tlp->length;
}

uint64_t
tlp_wire_bytes(const struct tlp_rules *rules, const struct tlp *tlp)
{
	bool begins = tlp->address % DW;
	bool ends = (tlp->address + tlp->length) % DW;
	unsigned enables = begins || ends ? rules->be_overhead : 0;

	if (tlp->type == TLP_CPLD)
		return rules->completion + (begins ? rules->be_overhead : 0) +
		       tlp_data_bytes(rules, tlp);
	return rules->request + enables + tlp_data_bytes(rules, tlp);
}

uint64_t
tlp_credits(const struct tlp *tlp)
{
	return (tlp->address % DW + tlp->length + CREDIT - 1) / CREDIT;
}

static void
add_walk(struct tlp_sum *sum, const struct tlp_rules *rules, enum tlp_type type,
         uint64_t address, uint64_t size)
{
	struct tlp_walk walk;
	struct tlp tlp;

	if (size)
		sum->lines +=
		    (address % CACHE_LINE + size + CACHE_LINE - 1) / CACHE_LINE;
	tlp_walk_start(&walk, rules, type, address, size);
	while (tlp_next(&walk, &tlp)) {
		uint64_t bytes = tlp_wire_bytes(rules, &tlp);

		sum->mrd += tlp.type == TLP_MRD;
		sum->mwr += tlp.type == TLP_MWR;
		sum->cpld += tlp.type == TLP_CPLD;
		if (tlp.type == TLP_CPLD)
			sum->rx_bytes += bytes;
		else
			sum->tx_bytes += bytes;
		if (tlp.type == TLP_MWR)
			sum->posted_data += tlp_credits(&tlp);
	}
}

void
tlp_add_times(struct tlp_sum *sum, const struct tlp_sum *one, uint64_t times)
{
	sum->mrd += one->mrd * times;
	sum->mwr += one->mwr * times;
	sum->cpld += one->cpld * times;
	sum->tx_bytes += one->tx_bytes * times;
	sum->rx_bytes += one->rx_bytes * times;
	sum->posted_data += one->posted_data * times;
	sum->lines += one->lines * times;
	sum->host_tx_bytes += one->host_tx_bytes * times;
	sum->host_rx_bytes += one->host_rx_bytes * times;
}

void
tlp_add_host(struct tlp_sum *sum, const struct tlp_sum *one, uint64_t times)
{
	sum->tx_bytes += one->rx_bytes * times;
	sum->rx_bytes += one->tx_bytes * times;
	sum->host_tx_bytes += one->rx_bytes * times;
	sum->host_rx_bytes += one->tx_bytes * times;
}

void
tlp_add(struct tlp_sum *sum, const struct tlp_rules *rules, enum tlp_type type,
        uint64_t address, uint64_t size)
{
	uint64_t first = min_u64(size, to_multiple(address, PAGE));
	struct tlp_sum page = {0};

	/*
	 * No request crosses a page, so a transfer splits at pages, and whole
	 * pages are alike: this walks one of them and multiplies.
	 */
	add_walk(sum, rules, type, address, first);
	size -= first;
	if (size >= PAGE) {
		add_walk(&page, rules, type, 0, PAGE);
		tlp_add_times(sum, &page, size / PAGE);
	}
	add_walk(sum, rules, type, 0, size % PAGE);
}

const char *const devsel_names[NDEVSELS] = {
    "",
    [DEVSEL_FAST] = "fast",
    [DEVSEL_MEDIUM] = "medium",
    [DEVSEL_SLOW] = "slow",
};

struct serial
serialize_dword(const struct link *asks, const struct link *link,
                enum devsel devsel)
{
	struct serial s = {0};
	/* Nominal 33, 66 and 133 MHz are thirds of 100, 200 and 400 MHz. */
	double clock_ns = link->mhz == 33    ? 30
	                  : link->mhz == 66  ? 15
	                  : link->mhz == 133 ? 7.5
	                                     : 1000. / link->mhz;

	if (link->bus != BUS_PCIE) {
		s.clocks = 4 + (unsigned)devsel;
		s.ns = s.clocks * clock_ns;
		return s;
	}
	s.request = tlp_rules_of(asks).request;
	s.completion = tlp_rules_of(link).completion + DW;
	if (link->flit || link->gen > 5) /* always in flit mode */
		s.request = s.completion = FLIT_BYTES;
	s.ns = 8 * (double)(s.request + s.completion) / link_raw_gbit_s(link);
	return s;
}
