/* What the specification lets a transfer reach. */
#ifndef PCB_MODEL_MODEL_H
#define PCB_MODEL_MODEL_H

#include "common/tlp.h"

/*
 * The value of the column `accounting`: pcie-bench's (Neugebauer et al.,
 * SIGCOMM 2018, section 3), which takes the shares of Ack, UpdateFC and SKP
 * off the raw rate whatever the traffic is.
 */
#define ACCOUNTING "spec"

/* Transfers longer or further from 0 than this are refused. */
#define MODEL_BYTES_MAX (UINT64_C(1) << 40)

/* A link and what its other end does with reads. */
struct slot {
	struct link link;
	enum completer completer;
};

/* A bench of pcb-collect that the model knows. */
struct work {
	const char *name;
	bool reads, writes; /* both: one of each, in turn */
};

/* The work of this name, or NULL. */
const struct work *find_work(const char *name);

/* NULL, or why this link has no model (a constant). */
const char *why_no_model(const struct link *link);

/*
 * What is left of the raw rate for TLPs, headers and framing included: raw x
 * (1 - 8/Ack - 8/FC - 4/1538). The link must have a model.
 */
double tlp_gbit_s(const struct link *link);

/* Something that a link does over and over, as fast as it can. */
struct pace {
	double per_ns;          /* times in a nanosecond */
	const char *limited_by; /* "tx_bytes", "rx_bytes": the fuller one */
};

/*
 * How often the packets of `sum` can cross the link: the direction with more
 * bytes to carry sets the pace. The link must have a model.
 */
struct pace saturate(const struct slot *slot, const struct tlp_sum *sum);

/* A saturated link; the bandwidth is of payload, in each direction used. */
struct expected {
	uint64_t tx_bytes, rx_bytes; /* on the wire, for one transfer */
	double gbit_s;
	const char *limited_by;
};

/* NULL, or why there is no transfer of this size or there (a constant). */
const char *check_size(uint64_t size);
const char *check_offset(uint64_t offset);

/*
 * Transfers of `size` bytes that start at address `offset`, one after the
 * other. The link must have a model, size and offset must have passed their
 * checks.
 */
struct expected expect(const struct slot *slot, const struct work *work,
                       uint64_t size, uint64_t offset);

#endif
