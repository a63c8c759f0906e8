/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency of the simulated device, part by part; and of measured rows. */
#ifndef PCB_MODEL_LATENCY_H
#define PCB_MODEL_LATENCY_H

#include "common/stream/table.h"
#include "model/options.h"

/* Parts of a latency, from memory to the device. */
enum latency_part {
	PART_NONE,
	PART_ROOT_COMPLEX,
	PART_CACHE,
	PART_NODE,
	PART_IOMMU,
	PART_LINK,
	PART_SWITCHES,
	PART_DEVICE,
	PART_NOISE,
	PART_STALLS,
	NPARTS
};

/* A part: its column and its name. */
struct latency_part_text {
	const char *column, *name;
};

extern const struct latency_part_text latency_parts[NPARTS];

/* The part that a parameter belongs to. */
extern const enum latency_part latency_part_of[SIM_NPARAMS];

/* A point of lat_rd or lat_wrrd; bytes. */
struct latency_point {
	bool write_first;
	uint64_t size, offset, window;
	bool sequential;
	enum cache cache;
	bool remote;
	uint64_t switches_ps; /* of all switches, one way */
};

/* NULL, or why no such transfer is possible (a constant). */
const char *latency_check(const struct sim_params *params,
                          const struct latency_point *point);

/* Shares of transfers, 0 to 1, that hit the cache and the IOTLB. */
struct latency_hits {
	double cache, iotlb;
};

struct expected_latency {
	/*
	 * For the typical transfer, which hits if at least half do. In
	 * picoseconds; the sum is the expected median.
	 */
	double part[NPARTS];
	double median_ps;
	/* With hits and misses by their shares, refreshes and stalls. */
	double mean_ps;
	double mean_stall_ps; /* the stalls' part of it */
	struct latency_hits hits;
};

/* The expectation at a point that has passed latency_check. */
struct expected_latency latency_expect(const struct sim_params *params,
                                       const struct latency_point *point);

/* Transfers of a load, each of which waits for its data. */
struct latency_load {
	double latency_ps; /* of one transfer, from start to end */
	double gbit_s;     /* of data */
	const char *limited_by;
};

/*
 * Reads with `outstanding` transfers in flight: the latency is that of a single
 * one until the slowest station is always busy.
 */
struct latency_load latency_under_load(const struct sim_params *params,
                                       const struct latency_point *point,
                                       uint64_t outstanding);

/* Rows --------------------------------------------------------------------- */

/*
 * The host of the options, with their link if they name one. Ends the program
 * if it is impossible. Free with sim_params_free.
 */
void latency_host(const struct options *o, struct sim_params *params);

/* Parses the bytes in a cell, unless empty; dies of another text. */
void row_bytes(const struct table *t, const char *column, uint64_t *bytes);

/* End the program: the row's bench needs this; a cell is wrong, unless NULL. */
_Noreturn void row_needs(const struct table *t, const char *what);
void row_check(const struct table *t, const char *column, const char *why);

/* A latency: the host with its settings, the point, the median. */
struct latency_row {
	struct sim_params params; /* texts belong to the host */
	struct latency_point point;
	double median_ps; /* NAN if the cell is empty */
};

/*
 * Reads a row of lat_rd or lat_wrrd over the parameters of `host`. NULL, or why
 * it has no model (a constant). Dies if a cell is invalid, or size or median_ns
 * is missing.
 */
const char *latency_row_read(struct latency_row *latency, const struct table *t,
                             const struct options *options,
                             const struct sim_params *host);

#endif
