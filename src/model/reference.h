/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Public results: what healthy devices reach of the bound of their link. */
#ifndef PCB_MODEL_REFERENCE_H
#define PCB_MODEL_REFERENCE_H

#include "common/link/model.h"
#include "common/stream/table.h"

struct options;

/* The last generation of a link. */
#define LAST_GEN 7

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

/* Opens such a file, which ends the program if there is none; free the name. */
struct table *reference_open(char **file, const char *name);

/* Adds the current row of the table; dies as table_refuse if it is wrong. */
void reference_take(struct reference *r, const struct table *t);

/*
 * What --for and --engine say, else the class of the device, else what is usual
 * for these lanes and short transfers; and the direction, default reads.
 */
enum initiator reference_initiator(const struct options *o, unsigned lanes,
                                   bool is_short);
enum traffic reference_traffic(const struct options *o,
                               enum initiator initiator);

/* The size that stands for a large transfer of this initiator. */
uint64_t reference_size(enum initiator initiator);

/* The bench of this traffic. */
const struct work *traffic_work(enum traffic traffic);

/*
 * Quantiles of the ratio to the bound, each row of the reference counting once.
 * With fewer than five rows of a generation, those of its neighbours are added,
 * up to two generations away.
 * n < 5: not enough, and no quantiles.
 */
#define REFERENCE_LEAST 5
#define REFERENCE_REACH 2
struct usual {
	size_t n;
	unsigned least_gen, most_gen; /* those used */
	double p10, median, p90;
};
struct usual reference_usual(const struct reference *r,
                             enum initiator initiator, enum traffic traffic,
                             unsigned gen);

/* Sorts n values, at least 1, and returns a quantile of them. */
double quantile_of(double value[], size_t n, double q);

/* A cause and its range, if it has one, in
 * share/pcb-tools/reference/causes.csv. */
struct span {
	const char *name, *what, *separate; /* valid until the next row */
	unsigned initiators, traffics;      /* bits; 0: all */
	double least, most; /* part of the bound, or Gbit/s; 0: computed */
	bool absolute;
};

/* Takes the current row; dies as table_refuse if it is wrong. */
void span_take(struct span *span, const struct table *t);

#endif
