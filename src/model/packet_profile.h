/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transfers of a device and its driver per packet: pcb-model(1). */
#ifndef PCB_MODEL_PACKET_PROFILE_H
#define PCB_MODEL_PACKET_PROFILE_H

#include "common/link/model.h"
#include "common/stream/table.h"

/*
 * Steps of receiving and of sending; "both" alternates. Names are those of the
 * command line.
 */
enum direction { DIRECTION_RX, DIRECTION_TX, DIRECTION_BOTH };
extern const char *const direction_names[];

/* The packets: "frame" or "block" in the column `bytes`. */
enum payload { PAYLOAD_NONE, PAYLOAD_FRAME, PAYLOAD_BLOCK };
extern const char *const payload_names[];

/* Limits that keep sums from overflowing. */
#define STEP_BYTES_MAX           (UINT64_C(1) << 24)
#define BATCH_MAX                (UINT64_C(1) << 20)
#define PACKET_PROFILE_STEPS_MAX 1024

/* A transfer between memory and device, once every `every` packets. */
struct step {
	enum direction direction; /* not BOTH */
	bool by_host;             /* a CPU accesses the device; else DMA */
	bool writes;              /* else it reads */
	bool moves;               /* moves the packet, plus `bytes` */
	uint64_t bytes;
	uint64_t every;
};

/* Zero-initialise; release with packet_profile_free. */
struct packet_profile {
	char *name; /* of the file, without directory and ".csv" */
	struct step *step;
	size_t n;
	enum payload payload;
	bool steps[DIRECTION_BOTH]; /* it has steps of that direction */
	bool moves[DIRECTION_BOTH]; /* and one of them moves a packet */
	/* Packets until the pattern repeats: the least common multiple. */
	uint64_t batch;
};

/*
 * Adds the current row of the table as a step. Dies if it is none, or makes the
 * batch too long.
 */
void packet_profile_take(struct packet_profile *i, const struct table *t);

/* NULL, or why the steps are no profile (a constant). */
const char *packet_profile_check(const struct packet_profile *i);

/*
 * Reads the profile of this name, or a file, and sets its name; ends the
 * program if there is none or it is invalid.
 */
void packet_profile_read(struct packet_profile *i, const char *name);

/* Its direction, or BOTH. */
enum direction packet_profile_direction(const struct packet_profile *i);

/* A link full of packets; with both directions, one packet each way. */
struct packets {
	double tx_bytes, rx_bytes; /* on the wire, per packet */
	double per_ns;
	double gbit_s; /* of their data, each way */
	const char *limited_by;
};

/*
 * The most packets that the link carries, with `size` bytes of data each, from
 * 1 to STEP_BYTES_MAX. Every transfer starts at a page. The link must have a
 * model and the profile this direction.
 */
struct packets expect_packets(const struct packet_profile *i,
                              const struct link_config *config,
                              enum direction direction, uint64_t size);

void packet_profile_free(struct packet_profile *i);

#endif
