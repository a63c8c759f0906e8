/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs that a GPU runs, as text: PTX ISA, which its driver compiles.
 * Each is written for one way to transfer, so that the timed part has nothing
 * in it but the transfer.
 */
#ifndef PCB_COLLECT_CUDA_PTX_H
#define PCB_COLLECT_CUDA_PTX_H

#include "collect/gpu/transfer.h"

/* Bytes of data that one warp can have in registers: 64 of each lane. */
#define PTX_REGISTERS 64

/* Warps that are at work at a time if -O workers does not say. */
#define PTX_WARPS_PER_SM    16
#define PTX_WARPS_PER_BLOCK 4 /* at most */

/* The most that a block's shared memory holds without asking for more. */
#define PTX_BULK_MAX 32768

/* The name of the program in the text of ptx_transfer. */
#define PTX_ENTRY "pcb_transfer"

/*
 * NULL, or why there can be no such transfer (a constant). `offset` is where
 * units are begun in: lanes are aligned.
 */
const char *ptx_check(const struct gpu_transfer *t, uint64_t offset);

/*
 * The width for a transfer: the smallest from 4 bytes up with which a warp
 * does it at once, if there is one, that size and offset are multiples of.
 */
unsigned ptx_lane(const struct gpu_transfer *t, uint64_t offset);

/*
 * The module of a transfer that has passed ptx_check. Latency benches do
 * `count` transactions, one warp one after the other, and store the cycles of
 * each as 32 bits. Bandwidth benches do warmup_iters, timed_iters and again
 * warmup_iters in each worker, and store a ptx_span for each. Free with free().
 */
char *ptx_transfer(const struct gpu_transfer *t);

/*
 * The module of what is needed besides: pcb_overhead (cycles of `count` empty
 * timings), pcb_calibrate (one ptx_ticks over `duration`), pcb_load (reads
 * the buffer for `duration`), pcb_fill (writes `count` words: pattern plus the
 * number of the word), pcb_sum (adds `count` words up). Free with free().
 */
char *ptx_support(void);

#endif
