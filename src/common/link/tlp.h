/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which TLPs a transfer becomes, by its address. PCIe Base Specification 2.2
 * (headers), 2.2.7 (4 KiB boundary, MPS, MRRS), 2.3.1.1 (RCB).
 */
#ifndef PCB_COMMON_LINK_TLP_H
#define PCB_COMMON_LINK_TLP_H

#include "common/link/pcie.h"

/*
 * A flit, and how much of it is TLPs. PCIe Base Specification 6.0, 4.2.
 */
#define FLIT_BYTES 256u
#define FLIT_TLP   236u

/*
 * Where a completer cuts the data of one read request. The specification
 * allows a cut at every RCB boundary and no CplD above MPS; what it does
 * within that is its own affair, and matters for unaligned reads.
 */
enum completer {
	COMPLETER_COMBINE, /* each as long as MPS allows, to an RCB boundary */
	COMPLETER_ALIGNED, /* cut at multiples of MPS */
	COMPLETER_RCB,     /* cut at every multiple of RCB */
};

/*
 * The word for it on a command line: "combine", "aligned", "rcb". Parsing one
 * returns NULL, or why the text is none (a constant).
 */
extern const char *const completer_names[];
const char *parse_completer(const char *text, enum completer *completer);

/* What decides about TLPs; bytes everywhere. */
struct tlp_rules {
	unsigned mps;            /* of what the requester writes */
	unsigned completion_mps; /* of what the completer returns */
	unsigned mrrs;
	unsigned boundary; /* which no request crosses; 4096 or less */
	unsigned rcb;
	enum completer completer;
	/* Wire bytes around the payload: framing, header, ECRC. */
	unsigned request, completion;
	unsigned be_overhead; /* more, where byte enables cut a DW */
	bool whole_words;     /* payload fills whole DWs on the wire, too */
};

/*
 * The rules of a link: the same MPS on both sides, COMPLETER_COMBINE, payload
 * by the byte, and 8 bytes of framing, sequence number and LCRC around a
 * header of 3 or 4 DW. In flit mode these 8 are not there, but a DW of
 * orthogonal header content where the header leaves out what a packet needs.
 * The bus must be PCI Express.
 */
struct tlp_rules tlp_rules_of(const struct link *link);

enum tlp_type { TLP_MRD, TLP_MWR, TLP_CPLD };

/* One packet. `length` is the payload; of an MRd, what it asks for. */
struct tlp {
	enum tlp_type type;
	uint64_t address;
	uint64_t length;
};

/* A walk over the TLPs of a transfer. */
struct tlp_walk {
	const struct tlp_rules *rules;
	enum tlp_type next;
	uint64_t address, left;  /* of the transfer */
	uint64_t reply, awaited; /* of the request being answered */
};

/*
 * Starts at a read or a write of `size` bytes at `address`; the rules must
 * outlive the walk. tlp_next gives the packets in order, each MRd followed by
 * its completions, and false at the end. A size of 0 has no packets.
 */
void tlp_walk_read(struct tlp_walk *walk, const struct tlp_rules *rules,
                   uint64_t address, uint64_t size);
void tlp_walk_write(struct tlp_walk *walk, const struct tlp_rules *rules,
                    uint64_t address, uint64_t size);
bool tlp_next(struct tlp_walk *walk, struct tlp *tlp);

/* Bytes the packet takes on the wire, and those of them that are payload. */
uint64_t tlp_data_bytes(const struct tlp_rules *rules, const struct tlp *tlp);
uint64_t tlp_wire_bytes(const struct tlp_rules *rules, const struct tlp *tlp);

/*
 * The data credits that the payload of an MWr takes, one for each 16 bytes of
 * the words that it touches.
 */
uint64_t tlp_credits(const struct tlp *tlp);

/*
 * Packets and wire bytes of transfers; tx is what the device sends (MRd,
 * MWr), rx what it receives (CplD).
 */
struct tlp_sum {
	uint64_t mrd, mwr, cpld;
	uint64_t tx_bytes, rx_bytes;
	uint64_t posted_data; /* credits of MWr payload */
	/* Of these bytes, what tlp_add_host added. */
	uint64_t host_tx_bytes, host_rx_bytes;
};

/* Adds n times `one`. */
void tlp_add_times(struct tlp_sum *sum, const struct tlp_sum *one,
                   uint64_t times);

/*
 * The same for transfers that the host starts, to and from the device, which
 * receives what `one` sends. Only bytes are added: the packets and credits
 * of a sum are those of the device's requests.
 */
void tlp_add_host(struct tlp_sum *sum, const struct tlp_sum *one,
                  uint64_t times);

/*
 * Adds one transfer to the sum; takes the same time whatever its size. Up to
 * 2^48 bytes nothing overflows.
 */
void tlp_add_read(struct tlp_sum *sum, const struct tlp_rules *rules,
                  uint64_t address, uint64_t size);
void tlp_add_write(struct tlp_sum *sum, const struct tlp_rules *rules,
                   uint64_t address, uint64_t size);

#endif
