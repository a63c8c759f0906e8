/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frame rates of Ethernet. */
#ifndef PCB_COMMON_LINK_ETHERNET_H
#define PCB_COMMON_LINK_ETHERNET_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes: the CRC at the end of a frame, a VLAN tag, the usual gap. */
#define ETHERNET_CRC 4
#define ETHERNET_TAG 4
#define ETHERNET_IFG 12

/* Bytes of the smallest frame; shorter ones are padded to it. */
#define ETHERNET_FRAME_MIN 64

struct ethernet {
	uint64_t bit_s;
	bool vlan;    /* an 802.1Q tag, not counted as part of the frame */
	unsigned ifg; /* interframe gap, bytes */
};

/* NULL, or why no frame has this size including CRC (a constant). */
const char *ethernet_check(uint64_t bytes);

/* Parses "100G", "100Gbit/s" or "100GbE"; NULL, or why it is no rate. */
const char *ethernet_parse_rate(const char *text, uint64_t *bit_s);

/* Size of the longest text of ethernet_format, NUL included. */
#define ETHERNET_TEXT_MAX 48

/* The text of the `ethernet` column: "40G[/vlan][/ifgN]". */
void ethernet_format(const struct ethernet *e, char text[ETHERNET_TEXT_MAX]);

/*
 * Bytes from the start of one frame to the next on a full Ethernet, and frames
 * per nanosecond. A frame includes header and CRC, but no tag. IEEE 802.3, 3.1
 * and 4.4: 8 bytes of preamble and start of frame, the gap, and at least 64
 * bytes of frame between them: 46 of payload, or 42 with a tag.
 */
uint64_t ethernet_bytes(const struct ethernet *e, uint64_t frame);
double ethernet_per_ns(const struct ethernet *e, uint64_t frame);

/* Gbit/s over PCI Express if the Ethernet is full: frames without CRC. */
double ethernet_data_gbit_s(const struct ethernet *e, uint64_t frame);

#endif
