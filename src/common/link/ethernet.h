/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many frames an Ethernet carries. */
#ifndef PCB_COMMON_LINK_ETHERNET_H
#define PCB_COMMON_LINK_ETHERNET_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of the CRC that ends a frame, of a tag, and of the usual gap. */
#define ETHERNET_CRC 4
#define ETHERNET_TAG 4
#define ETHERNET_IFG 12

/* Bytes of the smallest frame, and so of what is padded to it. */
#define ETHERNET_FRAME_MIN 64

struct ethernet {
	uint64_t bit_s;
	bool vlan;    /* a tag of 802.1Q, besides the bytes of a frame */
	unsigned ifg; /* bytes */
};

/* NULL, or why a frame cannot have this size with CRC (a constant). */
const char *ethernet_check(uint64_t bytes);

/* NULL, or why an Ethernet cannot have this rate in bit/s (a constant). */
const char *ethernet_check_rate(uint64_t bit_s);

/* Room for every text ethernet_format makes, NUL included. */
#define ETHERNET_TEXT_MAX 48

/* The text of the `ethernet` column: "40G[/vlan][/ifgN]". */
void ethernet_format(const struct ethernet *e, char text[ETHERNET_TEXT_MAX]);

/*
 * Bytes from the start of a frame to that of the next one on a full Ethernet,
 * and the frames a nanosecond. A frame is counted with header and CRC, but
 * without the tag. IEEE 802.3, 3.1 and 4.4: preamble and start of frame 8
 * bytes, the gap, and at least 64 bytes of frame between them: 46 of payload,
 * or 42 with a tag.
 */
uint64_t ethernet_bytes(const struct ethernet *e, uint64_t frame);
double ethernet_per_ns(const struct ethernet *e, uint64_t frame);

/*
 * Gbit/s of what crosses PCI Express, which is the frame without its CRC, where
 * the Ethernet is full.
 */
double ethernet_data_gbit_s(const struct ethernet *e, uint64_t frame);

#endif
