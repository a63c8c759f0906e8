/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links: parameters, their text form and the raw rate. */
#ifndef PCB_COMMON_LINK_PCIE_H
#define PCB_COMMON_LINK_PCIE_H

#include <stdbool.h>
#include <stdint.h>

/* The last generation of PCI Express. */
#define LAST_GEN 7

enum bus { BUS_UNKNOWN, BUS_PCIE, BUS_PCI, BUS_PCIX };

struct link {
	enum bus bus;
	/* PCI Express */
	unsigned gen;            /* 1 to LAST_GEN */
	unsigned lanes;          /* 1, 2, 4, 8, 12, 16 or 32 */
	unsigned mps, mrrs, rcb; /* bytes */
	bool addr32;             /* 3 DW request headers */
	bool ecrc;               /* in all TLPs */
	bool ecrc_up;            /* only in TLPs that the device sends */
	bool flit;
	bool assumed; /* mps, mrrs and rcb are the usual ones, not known */
	/* parallel buses */
	unsigned width; /* bits, 32 or 64 */
	unsigned mhz;   /* nominal: 33, 66, 100, 133 */
};

/* The link of pcie-bench, gen3x8/mps256/mrrs512/rcb64: of what nobody says. */
extern const struct link link_usual;

/* Size of the longest text of link_format, NUL included. */
#define LINK_TEXT_MAX 64

/*
 * The text of the `link` column, pcb-csv(5):
 * "gen3x8/mps256/mrrs512/rcb64[/a32][/ecrc|/ecrc-up][/flit]", "gen3x8" if the
 * rest is assumed, "pci32/33", "pcix64/133"; "" for an unknown link. link_parse
 * returns NULL, or the reason (a constant) and leaves *link alone.
 */
const char *link_parse(const char *text, struct link *link);
void link_format(const struct link *link, char text[LINK_TEXT_MAX]);

/*
 * Parses the short form of the command line: the text above, or some of its
 * parts in any order; *link keeps the values of missing ones. The first part
 * may be "gen4x16", "4x16", "gen4" or "x16", or as others write it: "Gen4 x8",
 * "x8 16GT/s", "PCIe 4.0 x8", "Speed 16GT/s, Width x8", "16.0 GT/s PCIe x8
 * link". Generation 6 and later set flit mode. Returns NULL, or the reason (a
 * constant) and leaves *link alone.
 */
const char *link_parse_brief(const char *text, struct link *link);

/* Sets what is not known but gen and lanes: mps 256, mrrs 512, rcb 64. */
void link_assume(struct link *link);

/* NULL, or why no PCI Express link is like this (a constant). */
const char *link_check(const struct link *link);

/*
 * NULL, or why no PCI Express link trains like this (a constant): generations 6
 * and 7 have flit mode only, and flit mode excludes 12 and 32 lanes.
 */
const char *link_check_mode(const struct link *link);

/*
 * The rate of a lane in GT/s; the rate of a PCI Express link in one direction
 * in Gbit/s, after its line code: GT/s x lanes x 8/10 (gen 1, 2), 128/130 (gen
 * 3 to 5) or 1 (gen 6, 7); the name of that code. PCIe Base Specification 4.2.
 */
double link_gt_s(const struct link *link);
double link_raw_gbit_s(const struct link *link);
const char *link_encoding(const struct link *link);

/* Femtoseconds per byte at the rate of link_raw_gbit_s. */
uint64_t link_byte_fs(const struct link *link);

/*
 * The recommended limits, in symbol times, between two Ack DLLPs and between
 * two UpdateFC DLLPs of one kind: the tables of the specification reduce to
 * (MPS + 28) x factor / lanes + internal delay. PCIe Base Specification 3.0,
 * 3.5.3.1 (Ack) and 2.6.1.2 (UpdateFC); gen 4 and later as gen 3.
 */
unsigned link_ack_limit(const struct link *link);

#endif
