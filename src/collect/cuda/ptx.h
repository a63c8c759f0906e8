/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of a GPU as text in PTX, which the driver compiles. Each is
 * written for one transfer, so that the timed part contains nothing else.
 */
#ifndef PCB_COLLECT_CUDA_PTX_H
#define PCB_COLLECT_CUDA_PTX_H

#include "collect/gpu/gpu.h"

/* Lanes of a warp. */
#define PTX_WARP 32

/* Most bytes of data in a warp's registers: 64 per lane. */
#define PTX_REGISTERS 64

/* Default of concurrent warps, if -O workers is not given. */
#define PTX_WARPS_PER_SM    16
#define PTX_WARPS_PER_BLOCK 4 /* most */

/* Most shared memory of a block without a special request. */
#define PTX_BULK_MAX 32768

/* The name of the program in the text of ptx_transfer. */
#define PTX_ENTRY "pcb_transfer"

/*
 * NULL, or why no such transfer is possible (a constant). `offset` is that of
 * the transfer in its unit: lanes must be aligned.
 */
const char *ptx_check(const struct gpu_transfer *t, uint64_t offset);

/*
 * The module of a transfer that has passed ptx_check. Latency benches run
 * `count` transactions in one warp, one after the other, and store the cycles
 * of each as 32 bits. In bandwidth benches each worker runs warmup_iters,
 * timed_iters and again warmup_iters, and stores a gpu_span. Free with free().
 */
char *ptx_transfer(const struct gpu_transfer *t);

/*
 * The module of the other programs: pcb_overhead (cycles of `count` empty
 * timings), pcb_calibrate (one gpu_ticks over `duration`), pcb_load (reads the
 * buffer for `duration`), pcb_fill (writes `count` words: pattern plus index),
 * pcb_sum (adds `count` words). Free with free().
 */
char *ptx_support(void);

#endif
