/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A running warp and its block. */
#ifndef PCB_TESTS_FAKE_VGPU_WARP_H
#define PCB_TESTS_FAKE_VGPU_WARP_H

#include "vgpu_program.h"

#define SHARED_MAX 65536
#define GROUPS     16
#define STORES     4

/* An mbarrier: PTX ISA, "Parallel Synchronization and Communication". */
struct barrier {
	bool made, seen; /* the copies see it: fence.proxy.async */
	uint64_t expected, pending, phase;
	int64_t bytes;
	uint64_t last, completed; /* cycles: of a copy, of the previous phase */
};

/* Copies out of shared memory, by groups; times only grow. */
struct groups {
	uint64_t open;          /* completion of copies in no group yet */
	bool any;               /* copies in no group exist */
	uint64_t done[GROUPS];  /* of the last groups */
	uint64_t n, waited_for; /* of all so far */
};

struct block {
	unsigned number;
	struct vgpu_grid grid;
	unsigned char area[SHARED_MAX];
	struct barrier barrier;
	struct groups groups;
};

/* Values of a register, one per lane. */
struct lanes {
	uint64_t of[VGPU_WARP];
};

struct warp {
	struct vgpu *gpu;
	const struct entry *entry;
	const unsigned char *args;
	struct block *block;
	unsigned number;
	unsigned first, lanes; /* index of the first lane's thread; number */
	uint32_t all;          /* its lanes, as bits */
	bool together;         /* all lanes are at `common` */
	size_t common, pc[VGPU_WARP];
	uint64_t now;           /* cycles */
	uint64_t stored;        /* completion of all stores */
	uint64_t store[STORES]; /* of the last ones */
	size_t stores;
	struct lanes *reg;
	uint32_t *set;   /* lanes with a value */
	uint64_t *ready; /* completion of the load */
	const struct instruction *at;
	uint32_t active;
	bool failed;
};

/* Whether this lane is active; the first active lane. */
bool warp_has(const struct warp *w, unsigned lane);
unsigned warp_first(const struct warp *w);

/*
 * The values of an operand, for which the warp waits: in the register, or in
 * `room`. An address is the sum of the register and its offset.
 */
const struct lanes *warp_fetch(struct warp *w, unsigned operand,
                               struct lanes *room);

/* Sets the register of an operand, ready in the cycle `ready`. */
void warp_set(struct warp *w, unsigned operand, const struct lanes *value,
              uint64_t ready);

/* Loads, stores and reductions. */
void warp_touch(struct warp *w, enum vgpu_way way);

/* Stores the text of an error at this instruction. Returns false. */
bool warp_wrong(struct warp *w, const char *what);

/* The value of an operand in the first active lane. */
uint64_t warp_number(const struct warp *w, unsigned operand);

/* Executes bulk copies, barriers and groups. */
void warp_bulk(struct warp *w);

/* Whether copies without a wait are in flight. */
bool warp_bulk_is_left(const struct warp *w);

#endif
