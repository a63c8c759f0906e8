/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A point of a sweep: parameters, units and their order, checks, columns; and
 * the sweep.
 */
#ifndef PCB_COLLECT_CORE_POINT_H
#define PCB_COLLECT_CORE_POINT_H

#include "collect/core/session.h"
#include "common/base/cache_state.h"
#include "common/base/number.h"

enum pattern { PATTERN_RANDOM, PATTERN_SEQUENTIAL };

/* Their names in pcb-csv(5). */
extern const char *const pattern_names[];

enum { NODE_LOCAL = -1, NODE_REMOTE = -2 };

/* What the CPU does in a silence before a sample. */
enum idle_by { IDLE_SLEEP, IDLE_SPIN, NIDLE_BY };
extern const char *const idle_names[NIDLE_BY];

/* Sizes in bytes. */
struct point {
	uint64_t size, offset, window;
	enum pattern pattern;
	enum cache cache;
	int node; /* a number, NODE_LOCAL or NODE_REMOTE */
	/* With --idle: the silence before each sample, in ps. */
	uint64_t idle;
	enum idle_by idle_by;
};

/*
 * A window is divided into units, each of which holds offset and size of a
 * transfer and ends with a cache line. point_unit returns the bytes of a unit,
 * point_units their number, 0 if the window holds none.
 */
uint64_t point_unit(const struct point *point);
uint64_t point_units(const struct point *point);

/*
 * Bytes of the buffer: those of -b, else four last-level caches of `llc` bytes
 * (0: unknown), at least 64 MiB.
 */
uint64_t point_buffer(const struct request *request, uint64_t llc);

/*
 * False after fail() if nothing is transferred, or if a buffer of `buffer`
 * bytes is too small for the window, or the window for a unit.
 */
bool point_check(struct session *s, const struct point *point, uint64_t buffer);

/* Sets the columns of a point but `node`, which may need a look-up. */
void point_identify(struct series *series, const struct point *point);

/*
 * The order in which devices access the units of a window. Zero-initialise and
 * set `state` to a seed. The random sequence continues from point to point.
 * Release with order_free.
 */
struct order {
	uint64_t units;
	uint64_t next; /* position in this pass; 0 starts a new one */
	bool random, without_replacement;
	uint32_t *permutation; /* if random without replacement; else NULL */
	uint64_t state;        /* of the random number generator */
};

/*
 * Starts with a new pass of `units` (1 to 2^32) units. `random` draws each unit
 * independently; `without_replacement` as well, each once per pass.
 */
void order_begin(struct order *order, uint64_t units, bool random,
                 bool without_replacement);

/* The next unit, from 0; order_take stores the next n. Allocate nothing. */
uint64_t order_next(struct order *order);
void order_take(struct order *order, uint32_t *to, size_t n);

/* Whether the next unit starts a pass. */
static inline bool
order_is_new(const struct order *order)
{
	return !order->next;
}

/* Units left in this pass; UINT64_MAX if units may repeat. */
static inline uint64_t
order_left(const struct order *order)
{
	return order->without_replacement ? order->units - order->next
	                                  : UINT64_MAX;
}

void order_free(struct order *order);

#define NODES_MAX 64
#define IDLES_MAX 64

/* Each list but that of silences has at least one value. */
struct sweep {
	struct size_list size, offset, window;
	unsigned pattern[2]; /* enum pattern */
	size_t npatterns;
	unsigned cache[NCACHES]; /* enum cache */
	size_t ncaches;
	int node[NODES_MAX];
	size_t nnodes;
	uint64_t idle[IDLES_MAX]; /* ps */
	size_t nidles;            /* 0: without --idle */
	unsigned idle_by[NIDLE_BY];
	size_t nidle_by;
};

/* The number of points, and the point at `index`. */
size_t sweep_points(const struct sweep *sweep);
struct point sweep_point(const struct sweep *sweep, size_t index);

/*
 * The parameters that vary in the sweep, as "size_bytes=64 cache=cold"; "" for
 * a single point. Free it.
 */
char *sweep_text(const struct sweep *sweep, const struct point *p);

#endif
