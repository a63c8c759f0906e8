/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Causes of a bandwidth: each predicts a range, and has public cases. */
#ifndef PCB_MODEL_CAUSES_H
#define PCB_MODEL_CAUSES_H

#include "model/options.h"
#include "model/reference.h"

/* A measured bandwidth, and what is known of it. */
struct question {
	const struct options *options;
	enum initiator initiator;
	enum traffic traffic;
	const struct work *work;
	struct link_config config; /* without options.link.bounds */
	bool mps_known, size_known;
	uint64_t size;
	struct usual usual;
	double gbit_s;
	double before; /* the same without the cause; 0: unknown */
	double bound;
	unsigned asleep; /* the generation now, if another one is assumed */
	double most;     /* the bound at the largest MPS, unless MPS is known */
	double tolerance;
};

/* The bound on another link; mps 0: that of the question. */
double question_bound(const struct question *q, unsigned gen, unsigned lanes,
                      unsigned mps);

/* Whether the link can carry the number. */
bool question_is_possible(const struct question *q);

struct cause {
	char *name, *what;
	double least, most; /* Gbit/s; NaN: any number */
	double cases;       /* public ones, weighted */
	double score;       /* weight times fit; 0: a question */
	char *separate;     /* the measurement that confirms it */
};

struct causes {
	struct cause *cause;
	size_t n;
};

/*
 * Those that may explain the number, likeliest first, then those without a
 * range; or, if the link cannot carry it, what may be wrong with the number.
 * None predicts less than 0.99 times the number. Free each with cause_free, and
 * the array.
 */
void causes_find(struct causes *all, const struct question *q);
void cause_free(struct cause *c);

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
