/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a transfer of the simulated device should take, part by part. */
#ifndef PCB_MODEL_LATENCY_H
#define PCB_MODEL_LATENCY_H

#include "common/sim/params.h"

/* What a latency is the sum of, from memory to the device. */
enum latency_part {
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

/* One of them: its column, and the parameters that make it, " " between. */
struct latency_part_text {
	const char *column, *name, *parameters;
};

extern const struct latency_part_text latency_parts[NPARTS];

/* A point of lat_rd or lat_wrrd; bytes. */
struct latency_point {
	bool write_first;
	uint64_t size, offset, window;
	bool sequential;
	enum cache cache;
	bool remote;
	uint64_t switches_ps; /* what all switches on the way take, one way */
};

/* NULL, or why there is no transfer like this (a constant). */
const char *latency_check(const struct sim_params *params,
                          const struct latency_point *point);

/* Shares of the transfers, 0 to 1, that find their lines and their pages. */
struct latency_hits {
	double cache, iotlb;
};

struct expected_latency {
	/*
	 * Of a transfer that meets what most of them meet: hits where half of
	 * them or more hit. In picoseconds; their sum is the expected median.
	 */
	double part[NPARTS];
	double median_ps;
	/* With hits and misses in their shares, refreshes and stalls. */
	double mean_ps;
	double mean_stall_ps; /* of that, the stalls */
	struct latency_hits hits;
};

/*
 * Bytes from one transfer of the window to the next, whole lines, and how many
 * of them, from the first, may be cut into requests at other places.
 */
uint64_t latency_unit(const struct latency_point *point);
uint64_t latency_unlike_units(const struct latency_point *point);

/* What is expected at a point, which has been checked. */
struct expected_latency latency_expect(const struct sim_params *params,
                                       const struct latency_point *point);

/* Its median_ps alone, which is found sooner. */
double latency_median_ps(const struct sim_params *params,
                         const struct latency_point *point);

/* Whether a parameter is a time that belongs to a part of a latency. */
bool latency_is_fitted(enum sim_param param);

/* The transfers of a load, each of which waits for its data. */
struct latency_load {
	double latency_ps; /* of one of them, from its start to its end */
	double gbit_s;     /* of data */
	const char *limited_by;
};

/*
 * Reads with `outstanding` transfers under way at a time: their latency is
 * that of one alone, until the slowest part of the way is busy all the time.
 */
struct latency_load latency_under_load(const struct sim_params *params,
                                       const struct latency_point *point,
                                       uint64_t outstanding);

#endif
