/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments and results of the programs of a GPU. */
#ifndef PCB_COLLECT_GPU_TRANSFER_H
#define PCB_COLLECT_GPU_TRANSFER_H

#include "collect/core/bench.h"

/* How the device issues a transfer. */
enum gpu_engine {
	ENGINE_SM,   /* loads and stores */
	ENGINE_BULK, /* cp.async.bulk to and from shared memory */
	ENGINE_CE,   /* copy engine */
	NENGINES
};

/* What lat_wrrd times. */
enum gpu_wrrd {
	WRRD_PLAIN,  /* a store and a load of the same bytes */
	WRRD_FENCE,  /* with a fence between */
	WRRD_STORE,  /* a store and a fence, without load */
	WRRD_SECTOR, /* a load of the other 32 bytes of the line */
	NWRRD
};

struct gpu_transfer {
	enum bench_id bench;
	enum gpu_engine engine;
	enum gpu_wrrd wrrd;
	bool mmio;               /* ld.mmio instead of ld.volatile */
	unsigned size;           /* bytes */
	unsigned lanes;          /* of a warp or subgroup */
	unsigned bytes_per_lane; /* per access of a lane */
};

/* Whether transfers are timed one by one; read memory; write memory. */
static inline bool
gpu_is_latency(const struct gpu_transfer *t)
{
	return !benches[t->bench].totals;
}

static inline bool
gpu_reads(const struct gpu_transfer *t)
{
	if (t->bench == LAT_WRRD)
		return t->wrrd != WRRD_STORE;
	return t->bench != BW_WR;
}

static inline bool
gpu_writes(const struct gpu_transfer *t)
{
	return t->bench != LAT_RD && t->bench != BW_RD;
}

/* The argument of every program; programs depend on these offsets. */
struct gpu_args {
	uint64_t buffer; /* address of unit 0, plus offset */
	uint64_t order;  /* 32-bit indices of units */
	uint64_t results;
	uint64_t dead_store;   /* 4 bytes that are never written */
	uint32_t count;        /* entries of the order; or words */
	uint32_t unit;         /* bytes */
	uint32_t pattern;      /* what data never are; or what to write */
	uint32_t workers;      /* for bandwidth benches */
	uint32_t warmup_iters; /* per worker, before and after the timed ones */
	uint32_t timed_iters;  /* per worker, gpu_mark_step of them per mark */
	uint64_t duration;     /* ns, for programs that run for a time */
};

/*
 * Results of a worker of a bandwidth bench: the times in ns after its first
 * warmup_iters transfers, and then after every gpu_mark_step, as long as
 * another transfer follows. The timed ones end with mark timed_iters /
 * gpu_mark_step; those behind it need not be set.
 */
#define GPU_MARKS      20
#define GPU_STEP_SHIFT 4 /* at most 16 steps are timed */
struct gpu_span {
	uint64_t mark[GPU_MARKS];
};

/* Transfers between two marks. */
static inline uint32_t
gpu_mark_step(uint32_t timed_iters)
{
	return (timed_iters + (1u << GPU_STEP_SHIFT) - 1) >> GPU_STEP_SHIFT;
}

/* Two readings of the device's clock, in ns, and of its program's clock. */
struct gpu_ticks {
	uint64_t ns0, cycles0, ns1, cycles1;
	uint64_t step; /* ns by which the device's clock advances */
	uint64_t sm;   /* that ran the program */
};

#endif
