/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs that a GPU runs, as text: PTX ISA, which its driver compiles.
 * Each is written for one way to transfer, so that the timed part has nothing
 * in it but the transfer.
 */
#ifndef PCB_COLLECT_GPU_PTX_H
#define PCB_COLLECT_GPU_PTX_H

#include "collect/core/bench.h"

/* How the device issues a transfer. */
enum gpu_engine {
	ENGINE_SM,   /* loads and stores of one warp */
	ENGINE_BULK, /* cp.async.bulk to and from shared memory */
	ENGINE_CE,   /* the copy engine: no program of ours */
	NENGINES
};

/* What lat_wrrd times. */
enum gpu_wrrd {
	WRRD_PLAIN,  /* a store and a load of the same bytes */
	WRRD_FENCE,  /* with membar.sys between them */
	WRRD_STORE,  /* a store and membar.sys, no load */
	WRRD_SECTOR, /* a load of the line's other 32 bytes */
	NWRRD
};

struct ptx_transfer {
	enum bench_id bench;
	enum gpu_engine engine;
	enum gpu_wrrd wrrd;
	bool mmio;               /* ld.mmio in place of ld.volatile */
	unsigned size;           /* bytes */
	unsigned bytes_per_lane; /* of a warp, at a time */
};

/* The one argument of every program; the offsets are in the texts. */
struct ptx_args {
	uint64_t buffer; /* address of unit 0, the offset added */
	uint64_t order;  /* 32-bit numbers of units */
	uint64_t results;
	uint64_t dead_store; /* 4 bytes that are never written */
	uint32_t count;   /* entries of the order; or words to write or sum */
	uint32_t unit;    /* bytes */
	uint32_t pattern; /* what no data is; or what to write */
	uint32_t workers; /* bandwidth: warps, or blocks of bulk */
	uint32_t warmup_iters; /* of each worker before and after those timed */
	uint32_t timed_iters;  /* of each worker */
	uint64_t duration;     /* ns, of those that run for a time */
};

/* What a worker of a bandwidth bench leaves in the results: ns. */
struct ptx_span {
	uint64_t start, from, to, end;
};

/* What pcb_calibrate leaves: two points in time on both clocks. */
struct ptx_ticks {
	uint64_t ns0, cycles0, ns1, cycles1;
	uint64_t step; /* ns, the smallest of the global timer */
	uint64_t sm;
};

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
const char *ptx_check(const struct ptx_transfer *t, uint64_t offset);

/*
 * The width for a transfer: the smallest from 4 bytes up with which a warp
 * does it at once, if there is one, that size and offset are multiples of.
 */
unsigned ptx_lane(const struct ptx_transfer *t, uint64_t offset);

/*
 * The module of a transfer that has passed ptx_check. Latency benches do
 * `count` transactions, one warp one after the other, and store the cycles of
 * each as 32 bits. Bandwidth benches do warmup_iters, timed_iters and again
 * warmup_iters in each worker, and store a ptx_span for each. Free with free().
 */
char *ptx_transfer(const struct ptx_transfer *t);

/*
 * The module of what is needed besides: pcb_overhead (cycles of `count` empty
 * timings), pcb_calibrate (one ptx_ticks over `duration`), pcb_load (reads
 * the buffer for `duration`), pcb_fill (writes `count` words: pattern plus the
 * number of the word), pcb_sum (adds `count` words up). Free with free().
 */
char *ptx_support(void);

#endif
