/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the programs of a GPU are told, and what they leave. */
#ifndef PCB_COLLECT_GPU_TRANSFER_H
#define PCB_COLLECT_GPU_TRANSFER_H

#include "collect/core/bench.h"

/* How the device issues a transfer. */
enum gpu_engine {
	ENGINE_SM,   /* loads and stores of a program */
	ENGINE_BULK, /* cp.async.bulk to and from shared memory */
	ENGINE_CE,   /* the copy engine: no program of ours */
	NENGINES
};

/* What lat_wrrd times. */
enum gpu_wrrd {
	WRRD_PLAIN,  /* a store and a load of the same bytes */
	WRRD_FENCE,  /* with a fence between them */
	WRRD_STORE,  /* a store and a fence, no load */
	WRRD_SECTOR, /* a load of the line's other 32 bytes */
	NWRRD
};

struct gpu_transfer {
	enum bench_id bench;
	enum gpu_engine engine;
	enum gpu_wrrd wrrd;
	bool mmio;               /* ld.mmio in place of ld.volatile */
	unsigned size;           /* bytes */
	unsigned bytes_per_lane; /* of a warp, at a time */
};

/* Whether a transfer is timed by itself, reads the memory, writes it. */
bool gpu_is_latency(const struct gpu_transfer *t);
bool gpu_reads(const struct gpu_transfer *t);
bool gpu_writes(const struct gpu_transfer *t);

/* The one argument of every program, which knows these offsets. */
struct gpu_args {
	uint64_t buffer; /* address of unit 0, the offset added */
	uint64_t order;  /* 32-bit numbers of units */
	uint64_t results;
	uint64_t dead_store; /* 4 bytes that are never written */
	uint32_t count;   /* entries of the order; or words to write or sum */
	uint32_t unit;    /* bytes */
	uint32_t pattern; /* what no data is; or what to write */
	uint32_t workers; /* of a bandwidth bench */
	uint32_t warmup_iters; /* of each worker before and after those timed */
	uint32_t timed_iters;  /* of each worker */
	uint64_t duration;     /* ns, of those that run for a time */
};

/* What a worker of a bandwidth bench leaves in the results: ns. */
struct gpu_span {
	uint64_t start, from, to, end;
};

/* Two points in time on the device's clock in ns and on its program's. */
struct gpu_ticks {
	uint64_t ns0, cycles0, ns1, cycles1;
	uint64_t step; /* ns, the smallest of the former clock */
	uint64_t sm;   /* that the program ran on */
};

#endif
