/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Public results: what healthy devices reach of the bound of their link. */
#ifndef PCB_COMMON_CAUSE_REFERENCE_H
#define PCB_COMMON_CAUSE_REFERENCE_H

#include "common/link/model.h"
#include "common/stream/table.h"

/* What moves the data: the words of --for; and with --engine core. */
enum initiator {
	INITIATOR_GPU_COPY,
	INITIATOR_NVME,
	INITIATOR_NIC,
	INITIATOR_FPGA,
	INITIATOR_CPU,
	INITIATOR_GPU_CORE,
	NINITIATORS
};

/* Seen from the device; `peer` is between two devices. */
enum traffic {
	TRAFFIC_READ,
	TRAFFIC_WRITE,
	TRAFFIC_BOTH, /* each direction, while both run */
	TRAFFIC_PEER_READ,
	TRAFFIC_PEER_WRITE,
	TRAFFIC_PEER_BOTH,
	NTRAFFICS
};

static inline bool
traffic_is_peer(enum traffic traffic)
{
	return traffic >= TRAFFIC_PEER_READ;
}

static inline bool
traffic_is_both(enum traffic traffic)
{
	return traffic == TRAFFIC_BOTH || traffic == TRAFFIC_PEER_BOTH;
}

/* Their names in files and columns; and in sentences. */
extern const char *const initiator_names[NINITIATORS],
    *const traffic_names[NTRAFFICS];
extern const char *const initiator_texts[NINITIATORS],
    *const traffic_texts[NTRAFFICS];

struct reference_row {
	enum initiator initiator;
	enum traffic traffic;
	struct link link;
	uint64_t size; /* 0: large, or a CPU's 64 bytes */
	double gbit_s, ratio;
	char *group; /* of rows that are no independent sources, or "" */
	char *name, *source;
	char *vendor; /* of the device, or "" */
};

struct reference {
	struct reference_row *row;
	size_t n;
};

/*
 * Reads a file of share/pcb-tools/reference, or `file` with a path. Ends the
 * program if there is none or a row is wrong. Free with reference_free.
 */
void reference_read(struct reference *r, const char *file);
void reference_free(struct reference *r);

/* Adds the current row, or ends the program if it is wrong. */
void reference_take(struct reference *r, const struct table *t);

/* Opens such a file, which ends the program if there is none; free the name. */
struct table *reference_open(char **file, const char *name);

/* The index of the word of that column; dies as table_die if there is none. */
unsigned reference_word(const struct table *t, const char *column,
                        const char *const word[], size_t n);

/* Takes the column link, with usual settings; dies if it has no model. */
struct link reference_link(const struct table *t);

/* The size that stands for a large transfer of this initiator. */
uint64_t reference_size(enum initiator initiator);

/* The bench of this traffic. */
const struct work *traffic_work(enum traffic traffic);

/*
 * The bound of this traffic in each direction, Gbit/s: between two peers that
 * both write, each direction also carries the other one's DLLPs.
 */
double traffic_gbit_s(const struct link_config *config, enum traffic traffic,
                      uint64_t size);

/*
 * Quantiles of the ratio to the bound, each row of the reference counting once.
 * With fewer than five rows of a generation, or than four sources, those of
 * its neighbours are added, up to two generations away. Only those of a vendor,
 * if these are enough; "" is all.
 */
#define REFERENCE_LEAST   5
#define REFERENCE_SOURCES 4
#define REFERENCE_REACH   2
struct usual {
	size_t n, sources, by_vendor; /* of that vendor */
	bool known;                   /* enough for the quantiles */
	unsigned least_gen, most_gen; /* those used */
	double p10, median, p90;
};
struct usual reference_usual(const struct reference *r,
                             enum initiator initiator, enum traffic traffic,
                             unsigned gen, const char *vendor);

/* The group of the row, or its source: rows of one are not independent. */
const char *reference_group(const struct reference_row *row);

/* Sorts n values, at least 1, and returns a quantile of them. */
double quantile_of(double value[], size_t n, double q);

#endif
