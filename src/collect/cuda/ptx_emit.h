/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the texts of ptx.h have in common. */
#ifndef PCB_COLLECT_CUDA_PTX_EMIT_H
#define PCB_COLLECT_CUDA_PTX_EMIT_H

#include "collect/cuda/ptx.h"

#include <stdio.h>

#define WARP 32

/* The text so far, and the transfer it is about. */
struct emitter {
	FILE *to;
	const struct gpu_transfer *t;
	unsigned unroll; /* of emit_unroll */
	unsigned last;   /* lanes that take part in the last one; 0: all */
};

/* Instructions, a warp wide each, that a transfer of t->bytes_per_lane needs.
 */
unsigned emit_unroll(const struct gpu_transfer *t);

/* 32-bit registers that a lane needs for its part of one instruction. */
unsigned emit_registers(unsigned lane);

void emit_header(FILE *to, const char *version, const char *target);

/* %x is %t1 - %t0, as 32 bits. */
extern const char emit_cycles[];

/* The loop of a latency bench: the address of the unit that is next. */
extern const char emit_next[];

/* Its end, and that of the program. */
extern const char emit_again[];

/*
 * The loop of a bandwidth bench up to its address: `number` sets %i to the
 * number of the worker, and a transfer takes so many entries of the order.
 */
void emit_worker(const struct emitter *e, const char *number, unsigned entries);

/* The address in the n-th of a transfer's entries. */
void emit_address(const struct emitter *e, unsigned n);

/* The end of the loop, and that of the program, which leaves its span. */
extern const char emit_loop_end[], emit_span[];

/* The whole programs. */
void emit_sm(struct emitter *e);
void emit_bulk(const struct emitter *e);

#endif
