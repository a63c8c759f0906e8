/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits transfers into TLPs, by address and size. PCIe Base Specification 2.2
 * (headers), 2.2.7 (4 KiB boundary, MPS, MRRS), 2.3.1.1 (RCB).
 */
#ifndef PCB_COMMON_LINK_TLP_H
#define PCB_COMMON_LINK_TLP_H

#include "common/link/pcie.h"

/* Bytes of a flit, and its TLP bytes. PCIe Base Specification 6.0, 4.2. */
#define FLIT_BYTES 256u
#define FLIT_TLP   236u

/* Bytes of a cache line, in which hosts move memory. */
#define CACHE_LINE 64u

/*
 * Completion splitting: where a completer cuts the data of one read request.
 * The specification allows a cut at every RCB boundary and no CplD above MPS;
 * the choice within these limits matters for unaligned reads.
 */
enum completer {
	COMPLETER_COMBINE, /* as long as MPS allows, to an RCB boundary */
	COMPLETER_ALIGNED, /* cut at multiples of MPS */
	COMPLETER_RCB,     /* cut at every multiple of RCB */
};

/* Their names on a command line: "combine", "aligned", "rcb". */
extern const char *const completer_names[3];

/* What determines the TLPs; all in bytes. */
struct tlp_rules {
	unsigned mps;            /* of requests */
	unsigned completion_mps; /* of completions */
	unsigned mrrs;
	unsigned boundary; /* no request crosses it; at most 4096 */
	unsigned rcb;
	enum completer completer;
	/* Wire bytes around the payload: framing, header, ECRC. */
	unsigned request, completion;
	unsigned be_overhead; /* extra, if byte enables cut a DW */
	bool whole_words;     /* payload is padded to whole DWs on the wire */
};

/*
 * The rules of a link: the same MPS in both directions, COMPLETER_COMBINE,
 * payload by the byte, and 8 bytes of framing, sequence number and LCRC around
 * a header of 3 or 4 DW. Flit mode has none of these 8, but adds a DW of
 * orthogonal header content if a packet needs what the header lacks. The bus
 * must be PCI Express.
 */
struct tlp_rules tlp_rules_of(const struct link *link);

enum tlp_type { TLP_MRD, TLP_MWR, TLP_CPLD };

/* One packet. `length` is the payload; for an MRd, the bytes requested. */
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
	uint64_t reply, awaited; /* of the current read request */
};

/*
 * Starts a read (TLP_MRD) or a write (TLP_MWR) of `size` bytes at `address`;
 * the rules must outlive the walk. tlp_next returns the packets in order, each
 * MRd followed by its completions, then false. A size of 0 has no packets.
 */
void tlp_walk_start(struct tlp_walk *walk, const struct tlp_rules *rules,
                    enum tlp_type type, uint64_t address, uint64_t size);
bool tlp_next(struct tlp_walk *walk, struct tlp *tlp);

/* Payload bytes of the packet, and all of its bytes on the wire. */
uint64_t tlp_data_bytes(const struct tlp_rules *rules, const struct tlp *tlp);
uint64_t tlp_wire_bytes(const struct tlp_rules *rules, const struct tlp *tlp);

/*
 * Data credits for the payload of an MWr: one per 16 bytes of the DWs it
 * touches.
 */
uint64_t tlp_credits(const struct tlp *tlp);

/*
 * Packets and wire bytes of transfers. tx: sent by the device (MRd, MWr); rx:
 * received by it (CplD).
 */
struct tlp_sum {
	uint64_t mrd, mwr, cpld;
	uint64_t tx_bytes, rx_bytes;
	uint64_t posted_data; /* credits of MWr payload */
	uint64_t lines;       /* of memory that requests touch */
	/* The part of these bytes that tlp_add_host added. */
	uint64_t host_tx_bytes, host_rx_bytes;
};

/* Adds `one`, `times` times. */
void tlp_add_times(struct tlp_sum *sum, const struct tlp_sum *one,
                   uint64_t times);

/*
 * The same for transfers that the host starts: the device receives what `one`
 * sends. Adds bytes only, because the packets and credits of a sum are those of
 * the device's requests.
 */
void tlp_add_host(struct tlp_sum *sum, const struct tlp_sum *one,
                  uint64_t times);

/*
 * Adds one transfer to the sum, in constant time for any size. Nothing
 * overflows up to 2^48 bytes.
 */
void tlp_add(struct tlp_sum *sum, const struct tlp_rules *rules,
             enum tlp_type type, uint64_t address, uint64_t size);

/* Clocks until the target of a parallel bus claims a transaction. */
enum devsel { DEVSEL_FAST = 1, DEVSEL_MEDIUM, DEVSEL_SLOW };
#define NDEVSELS (DEVSEL_SLOW + 1)

/* Their names in the column `devsel`; "" for 0, which is unknown. */
extern const char *const devsel_names[NDEVSELS];

/* The read of one DWORD; members that do not apply are 0. */
struct serial {
	unsigned request, completion; /* bytes on a PCI Express link */
	unsigned clocks;              /* of a parallel bus */
	double ns;
};

/*
 * PCI Express: the time on the wire of the MRd or CfgRd (12 bytes of header, or
 * 16 unless addr32 is set; configuration reads always have 12) and of the CplD
 * with 4 bytes. In flit mode each takes a whole flit, 256 bytes, because flits
 * are checked as a whole. Parallel buses: 4 clocks and those of devsel, for a
 * target that answers at once. The bus must be known. The request follows
 * `asks`, the same link unless its ends differ in settings. D. J. Miller et
 * al., Motivating future interconnects (ANCS 2009), 3.1 and Table 4.
 */
struct serial serialize_dword(const struct link *asks, const struct link *link,
                              enum devsel devsel);

#endif
