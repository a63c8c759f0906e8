/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that the programs of ptx.h share. */
#ifndef PCB_COLLECT_CUDA_PTX_EMIT_H
#define PCB_COLLECT_CUDA_PTX_EMIT_H

#include "collect/cuda/ptx.h"

#include <stdio.h>

#define WARP 32

/* The text so far, and its transfer. */
struct emitter {
	FILE *to;
	const struct gpu_transfer *t;
	unsigned unroll; /* from emit_unroll */
	unsigned last;   /* lanes in the last access; 0: all */
};

/* Accesses, each as wide as a warp, of a transfer of t->bytes_per_lane. */
unsigned emit_unroll(const struct gpu_transfer *t);

/* 32-bit registers of a lane for one access. */
unsigned emit_registers(unsigned lane);

/* Writes .version, .target and the address size of a module. */
void emit_header(FILE *to, const char *version, const char *target);

/* Sets %x to %t1 - %t0, as 32 bits. */
extern const char emit_cycles[];

/* The loop of a latency bench: gets the next unit's address. */
extern const char emit_next[];

/* The end of the loop and of the program. */
extern const char emit_again[];

/*
 * The loop of a bandwidth bench up to the address: `number` sets %i to the
 * worker's number; a transfer takes `entries` of the order. The loop stores the
 * marks of its span.
 */
void emit_worker(const struct emitter *e, const char *number, unsigned entries);

/* The address of the transfer's n-th entry. */
void emit_address(const struct emitter *e, unsigned n);

/* The end of the loop; the end of the program. */
extern const char emit_loop_end[], emit_leave[];

/* Write the whole program. */
void emit_sm(struct emitter *e);
void emit_bulk(const struct emitter *e);

#endif
