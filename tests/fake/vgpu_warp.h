/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A warp that runs, and the block that it is of. */
#ifndef PCB_TESTS_FAKE_VGPU_WARP_H
#define PCB_TESTS_FAKE_VGPU_WARP_H

#include "vgpu_program.h"

#define SHARED_MAX 65536
#define GROUPS     16
#define STORES     4

/* An mbarrier: PTX ISA, "Parallel Synchronization and Communication". */
struct barrier {
	bool made, seen; /* by the copies: fence.proxy.async */
	uint64_t expected, pending, phase;
	int64_t bytes;
	uint64_t last, completed; /* cycles: of a copy, of the phase before */
};

/* Copies out of shared memory, by groups; times only grow. */
struct groups {
	uint64_t open;          /* when what is in no group yet is done */
	bool any;               /* whether there is something in no group */
	uint64_t done[GROUPS];  /* of the last ones */
	uint64_t n, waited_for; /* of all so far */
};

struct block {
	unsigned number;
	struct vgpu_grid grid;
	unsigned char area[SHARED_MAX];
	struct barrier barrier;
	struct groups groups;
};

/* The values of a register in each lane. */
struct lanes {
	uint64_t of[VGPU_WARP];
};

struct warp {
	struct vgpu *gpu;
	const struct entry *entry;
	const unsigned char *args;
	struct block *block;
	unsigned number;
	unsigned first, lanes; /* thread of the first lane; of all */
	uint32_t all;          /* its lanes, as bits */
	bool together;         /* at one place, `common` */
	size_t common, pc[VGPU_WARP];
	uint64_t now;           /* cycles */
	uint64_t stored;        /* when all that has been stored is there */
	uint64_t store[STORES]; /* when the last ones are */
	size_t stores;
	struct lanes *reg;
	uint32_t *set;   /* lanes in which it has a value */
	uint64_t *ready; /* when what was loaded is there */
	const struct instruction *at;
	uint32_t active;
	bool failed;
};

/* Whether this lane takes part in the instruction; the first one that does. */
bool warp_has(const struct warp *w, unsigned lane);
unsigned warp_first(const struct warp *w);

/*
 * The values of an operand, which the warp waits for: a register's own, or in
 * `room`. An address is that in the register and what is added to it.
 */
const struct lanes *warp_fetch(struct warp *w, unsigned operand,
                               struct lanes *room);

/* Sets the register of an operand, which is there in the cycle `ready`. */
void warp_set(struct warp *w, unsigned operand, const struct lanes *value,
              uint64_t ready);

/* Loads, stores and reductions. */
void warp_touch(struct warp *w, enum vgpu_way way);

/* The text of an error at this instruction. False. */
bool warp_wrong(struct warp *w, const char *what);

/* The number that an operand has in the first lane that is active. */
uint64_t warp_number(const struct warp *w, unsigned operand);

/* Bulk copies, barriers and groups; none of them is left out. */
void warp_bulk(struct warp *w);

/* Whether copies are under way that nobody has waited for. */
bool warp_bulk_is_left(const struct warp *w);

#endif
