/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A GPU that reads and writes host memory: the part of a session that all
 * drivers share, and arguments and results of its programs.
 */
#ifndef PCB_COLLECT_GPU_GPU_H
#define PCB_COLLECT_GPU_GPU_H

#include "collect/core/point.h"
#include "collect/host/clock.h"
#include "collect/host/memory.h"
#include "common/pci/tree.h"

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

/* Sizes of arrays, in host and device. */
#define GPU_LAUNCH  65536 /* latencies per launch */
#define GPU_ORDER   (1u << 22)
#define GPU_WORKERS 16384

/* The counter cannot be read. */
#define GPU_NO_COUNT UINT64_MAX

/* Unrecorded transactions at the start of a launch, at other addresses. */
#define GPU_WARMUP_ITERS 4

/* Fewest transfers of a bandwidth bench; fewer are a warm-up. */
#define GPU_TOTAL_LEAST 1024

/* A worker with fewer transfers has no steady state. */
#define GPU_EACH_LEAST 16

/* The index of no unit; the sum of data equals it only by chance. */
#define GPU_PATTERN 0x5eed5eedu

/* Transfers and their duration. */
struct gpu_total {
	double transfers;
	uint64_t ns;
};

struct gpu;

/* The programs of a driver. */
enum gpu_program {
	/*
	 * The point's transfer, and one of `lat_rd` for the path check. Latency
	 * benches run `count` transactions one after the other and store the
	 * cycles of each as 32 bits. In bandwidth benches each worker runs
	 * warmup_iters, timed_iters and again warmup_iters, and stores a
	 * gpu_span.
	 */
	GPU_TRANSFER,
	GPU_READ,

	GPU_OVERHEAD, /* stores the cycles of `count` empty timings */
	GPU_LOAD,     /* reads the buffer for `duration` */
	GPU_FILL,     /* writes `count` words: pattern plus the word's index */
	GPU_SUM,      /* stores the sum of `count` words in the results */
	NPROGRAMS
};

/* Device memory that programs get by address. */
enum gpu_area { AREA_ORDER, AREA_RESULTS };

/* Functions that return bool return false after fail(). */
struct gpu_driver {
	const char *soname; /* library of the driver */

	/* Rates of the program's clock count as equal within this part. */
	double steady_part;

	/* Most iterations of a program's loop. */
	uint32_t most_turns;

	/*
	 * Whether the kernel has a driver for it, which makes rows 'measured'.
	 */
	bool (*is_in_kernel)(const struct gpu *gpu,
	                     const struct pci_function *function);

	/* Add the device to the preamble, and its clock once that runs. */
	void (*describe)(struct session *s);
	void (*describe_clock)(struct session *s);

	/* NULL, or why there is no such transfer at `offset` (constant). */
	const char *(*check)(const struct gpu_transfer *t, uint64_t offset);

	unsigned least_lane; /* bytes per access of a lane */

	/* The default number of workers, which keeps the device busy. */
	uint64_t (*workers)(const struct gpu *gpu);

	/*
	 * import gives the device access to gpu->memory.host and sets its
	 * address; release ends that.
	 */
	bool (*import)(struct session *s);
	void (*release)(struct gpu *gpu);

	/* Compiles GPU_TRANSFER or GPU_READ for this transfer. */
	bool (*load)(struct session *s, enum gpu_program program,
	             const struct gpu_transfer *t);

	/* start launches a program on these workers; wait waits for it. */
	bool (*start)(struct session *s, enum gpu_program program,
	              const struct gpu_args *args, uint64_t workers);
	bool (*wait)(struct session *s);

	/*
	 * write copies `size` bytes to an area; read, from the results at
	 * `from`.
	 */
	bool (*write)(struct session *s, enum gpu_area area, const void *from,
	              size_t size);
	bool (*read)(struct session *s, void *to, size_t from, size_t size);

	/* Converts the workers' spans to ns; NULL if they are in ns. */
	void (*spans_to_ns)(const struct gpu *gpu, struct gpu_span *span,
	                    size_t n);

	/* Further checks before the first point; or NULL. */
	bool (*prove)(struct session *s);

	/* Reads both clocks, `duration` ns apart. */
	bool (*read_ticks)(struct session *s, uint64_t duration,
	                   struct gpu_ticks *ticks);

	/*
	 * Adds n transfers of the copy engine, for gpu->entries, at most
	 * copy_bytes at a time.
	 */
	uint64_t copy_bytes;
	bool (*copy)(struct session *s, size_t n, struct gpu_total *total);
};

/* Values of -O; 0 means auto. */
struct gpu_settings {
	enum gpu_engine engine;
	enum gpu_wrrd wrrd;
	bool mmio;
	bool device_clock; /* for latencies, if the user chose it */
	unsigned bytes_per_lane, workers;
	uint64_t page;
};

/* The SM's clock, calibrated with the global timer. */
struct gpu_clock {
	double ps;            /* per cycle, at the last reading */
	double overhead;      /* cycles of an empty timing */
	uint64_t step;        /* ns by which the global timer advances */
	uint64_t sm;          /* SM of the readings */
	uint64_t timer0, ns0; /* global timer and raw clock at the start */
	uint64_t timer, ns;   /* and at the last reading */
	unsigned retries;     /* batches during which the rate changed */
	double spread;        /* its largest change in a batch that was kept */
};

/* Cache states of the window, from the CPU's load times. */
struct gpu_states {
	uint64_t llc; /* bytes; 0: unknown */
	struct thrash thrash;
	uint32_t written; /* counts fills, so that their data differ */
	double hit_ns, miss_ns;
	double cached_pct[NCACHES]; /* of a sample; negative: not verified */
};

/* The buffer in host memory. */
struct gpu_memory {
	struct memory host;
	uint64_t address; /* device address */
	bool imported;
};

/*
 * The first member of a driver's state, so that the session's state is both.
 * The driver's open sets what identifies the device; gpu_begin does the rest.
 */
struct gpu {
	const struct gpu_driver *driver;
	struct gpu_settings set;
	char bdf[BDF_MAX]; /* or the name of a device that is no PCI function */
	int sms;           /* streaming multiprocessors or compute units */
	unsigned lanes;    /* of a warp or subgroup */
	int granule;       /* bytes that it reads at once; 0: unknown */
	bool coherent;     /* it uses the CPU's page tables for host memory */
	bool linkless;     /* its memory is host memory: no link */
	bool software;     /* a software driver on the CPU */

	struct gpu_memory memory;
	struct gpu_clock clock;
	struct gpu_states states;
	struct clock cpu;
	int home; /* NUMA node of the GPU, or -1 */
	const char *kind;
	char *link, *iommu;
	uint64_t errors; /* correctable ones in AER before; or GPU_NO_COUNT */

	/* Device addresses of the driver's allocations. */
	uint64_t order_at, results_at, dead_store_at;
	uint32_t *entries;     /* GPU_ORDER, copied to order_at */
	uint32_t *cycles;      /* GPU_LAUNCH, copied from results_at */
	struct gpu_span *span; /* GPU_WORKERS, copied from results_at */

	/* For the whole sweep. */
	uint64_t largest; /* bytes of the largest buffer */
	unsigned seen;    /* bits of verified cache states */
	bool proven;      /* checks that hold for all points are done */

	/*
	 * A cache of the GPU answers reads of a line that the same launch has
	 * read: each launch then reads each line once.
	 */
	bool caches;

	/* For the current point. */
	struct point point; /* with the actual node and cache */
	struct gpu_transfer transfer;
	uint64_t unit; /* bytes */
	struct order order;
};

/*
 * session.c: the settings that all drivers read: wrrd, lane, workers and pages,
 * once the engine is set. `workers_only` says why workers may be refused. False
 * after fail().
 */
bool gpu_settings_read(struct session *s, const struct backend_option *options,
                       const char *workers_only, struct gpu_settings *set);

/* The values of the options engine and wrrd. */
extern const char *const gpu_engine_names[NENGINES];
extern const char *const gpu_wrrd_names[NWRRD];

/*
 * Check and prepare of a backend. gpu_begin comes last in its open,
 * before the driver makes its programs and areas; gpu_end frees what is not the
 * driver's.
 */
bool gpu_begin(struct session *s);
bool gpu_check(struct session *s, const struct point *asked);
bool gpu_prepare(struct session *s, const struct point *asked);
void gpu_end(struct gpu *gpu);

/*
 * The default of bytes per lane: the fewest, from 4 bytes or else from `least`
 * up, that divide size and offset; if possible as many that all lanes together
 * need one access.
 */
unsigned gpu_lane(const struct gpu_transfer *t, unsigned least,
                  uint64_t offset);

/*
 * As memory_node, but fails for local and remote if there are several nodes and
 * the GPU's is unknown.
 */
bool gpu_memory_node(struct session *s, int wanted, int home, int *node);

/*
 * Places a buffer of at least `size` bytes in pages of 4K, 2M or 1G on a node,
 * in place of the old one: reserved pages or, for 2M, else transparent huge
 * pages. False after fail() if the pages have another node or size.
 */
bool gpu_memory_place(struct session *s, size_t size, uint64_t page, int node);

/* Releases the buffer from the driver and frees it, if there is one. */
void gpu_memory_free(struct gpu *gpu);

/*
 * measure.c. gpu_clock_open keeps the GPU busy until its clock is steady, or
 * wanders little enough; only more is a failure, also of gpu_run.
 * gpu_clock_read reads the rate over a time in ns, in picoseconds per cycle.
 */
bool gpu_clock_open(struct session *s);
bool gpu_clock_read(struct session *s, uint64_t duration, double *ps);

/*
 * Adds the transfers of n workers while all were busy: from the end of the last
 * one's lead to the end of the first one's `each` timed transfers; each worker
 * contributes by its own pace. False, and adds nothing, if that is less than
 * `least` ns or empty.
 */
bool gpu_steady(const struct gpu_span *span, size_t n, uint32_t each,
                uint64_t least, struct gpu_total *total);

/*
 * Whether the point touches each unit of its window once, in all its
 * transactions.
 */
bool gpu_is_once(const struct session *s, const struct point *point);

/* `run` of a backend. */
bool gpu_run(struct session *s, uint64_t want);

/*
 * verify.c. gpu_args returns the arguments of a program that touches the
 * window. gpu_run_program runs one to its end; gpu_transfer does so with
 * args->count units from gpu->entries.
 */
struct gpu_args gpu_args(const struct gpu *gpu);
bool gpu_run_program(struct session *s, enum gpu_program program,
                     const struct gpu_args *args);
bool gpu_transfer(struct session *s, enum gpu_program program,
                  const struct gpu_args *args, uint64_t workers);

/* The median of values, which it sorts. */
uint64_t gpu_median(uint64_t *value, size_t n);

/*
 * gpu_state_set brings the window into the point's state;
 * gpu_state_check fails unless it is in that state; gpu_state_prove does both,
 * several times if needed.
 */
bool gpu_state_set(struct session *s);
bool gpu_state_check(struct session *s);
bool gpu_state_prove(struct session *s, enum cache state);

/*
 * Fails unless the GPU and the CPU see each other's writes, and every read
 * reaches host memory.
 */
bool gpu_path_check(struct session *s);

/* Adds tick and overhead of the clock; end of a backend. */
void gpu_describe_tick(struct session *s);
void gpu_describe_end(struct session *s, struct preamble *end);

#endif
