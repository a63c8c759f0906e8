/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A GPU that reads and writes host memory: what a session of it has, whichever
 * driver it is reached by.
 */
#ifndef PCB_COLLECT_GPU_GPU_H
#define PCB_COLLECT_GPU_GPU_H

#include "collect/core/access_order.h"
#include "collect/core/point.h"
#include "collect/gpu/driver.h"
#include "collect/gpu/steady_state.h"
#include "collect/host/clock.h"
#include "collect/host/cpu_cache.h"
#include "collect/host/numa_buffer.h"

/* What a GPU measures. */
#define GPU_BENCHES                                                            \
	(BENCH_BIT(LAT_RD) | BENCH_BIT(LAT_WRRD) | BENCH_BIT(BW_RD) |          \
	 BENCH_BIT(BW_WR) | BENCH_BIT(BW_RDWR))

/* Sizes of the arrays, here and on the device. */
#define GPU_LAUNCH  65536 /* latencies of one launch */
#define GPU_ORDER   (1u << 22)
#define GPU_WORKERS 16384

/* A counter that cannot be read. */
#define GPU_NO_COUNT UINT64_MAX

/* Transactions of a launch before those that are recorded, elsewhere. */
#define GPU_WARMUP_ITERS 4

/* Transfers of a bandwidth bench; what is fewer is a warm-up. */
#define GPU_TOTAL_LEAST 1024

/* No number of a unit, and by chance only what data add up to. */
#define GPU_PATTERN 0x5eed5eedu

/* Values of -O; 0 stands for auto. */
struct gpu_settings {
	enum gpu_engine engine;
	enum gpu_wrrd wrrd;
	bool mmio;
	bool device_clock; /* for latencies, because the user said so */
	unsigned bytes_per_lane, workers;
	uint64_t page;
};

/* The SM's clock against the global timer. */
struct gpu_clock {
	double ps;            /* of a cycle, as last seen */
	double overhead;      /* cycles of an empty timing */
	uint64_t step;        /* ns, of the global timer */
	uint64_t sm;          /* that was timed on */
	uint64_t timer0, ns0; /* global timer and raw clock at the start */
	uint64_t timer, ns;   /* and last */
	unsigned retries;     /* batches that were measured again */
};

/* What loads of the CPU say about where the window is. */
struct gpu_states {
	uint64_t llc; /* bytes; 0: unknown */
	struct thrash thrash;
	uint32_t written; /* counts fills, so that each writes something else */
	double hit_ns, miss_ns;
	double cached_pct[NCACHES]; /* of a sample; below 0: not looked at */
};

/* The buffer in host memory. */
struct gpu_memory {
	struct memory host;
	uint64_t address; /* in the GPU's view */
	bool imported;
};

/*
 * A driver's own state begins with it, so that the session's state is both.
 * Its open sets what the device is; gpu_begin does the rest.
 */
struct gpu {
	const struct gpu_driver *driver;
	struct gpu_settings set;
	char bdf[BDF_MAX]; /* or, of what is no PCI function, its name */
	int sms;           /* streaming multiprocessors, compute units */
	int granule;       /* bytes that are read at a time; 0: unknown */
	bool coherent;     /* reads host memory by the CPU's page tables */
	bool linkless;     /* its memory is the host's: there is no link */
	bool software;     /* the CPU computes what it does */

	struct gpu_memory memory;
	struct gpu_clock clock;
	struct gpu_states states;
	struct clock cpu;
	int home; /* NUMA node of the GPU, or -1 */
	const char *kind;
	char *link, *iommu;
	uint64_t
	    errors; /* correctable, that AER counted before; or GPU_NO_COUNT */

	/* Addresses in the device's view of what the driver has allocated. */
	uint64_t order_at, results_at, dead_store_at;
	uint32_t *entries;     /* GPU_ORDER: goes to order_at */
	uint32_t *cycles;      /* GPU_LAUNCH: comes from results_at */
	struct gpu_span *span; /* GPU_WORKERS: comes from results_at */

	/* What the whole sweep needs. */
	uint64_t largest; /* bytes of the buffer */
	unsigned seen;    /* bits of the cache states */
	bool proven;      /* once, what does not depend on the point */

	/* The point. */
	struct point point; /* node and cache as they are */
	struct gpu_transfer transfer;
	uint64_t unit; /* bytes */
	struct order order;
};

/*
 * options.c: the value of an option of the driver's table, as the number of
 * one of n words; from 1 to `most`, or 0 for "auto"; as bytes of a page. False
 * after fail() if it is none. gpu_refuse says why it cannot be.
 */
bool gpu_option_word(struct session *s, const struct backend_option *option,
                     const char *const *word, unsigned n, unsigned *which);
bool gpu_option_number(struct session *s, const struct backend_option *option,
                       uint64_t most, unsigned *value);
bool gpu_option_page(struct session *s, const struct backend_option *option,
                     uint64_t *page);
bool gpu_refuse(struct session *s, const struct backend_option *option,
                const char *why);

/* The words of the settings for engine and wrrd. */
extern const char *const gpu_engine_names[NENGINES];
extern const char *const gpu_wrrd_names[NWRRD];

/*
 * session.c: what check, prepare and run of a backend do. gpu_begin comes last
 * in its open, before the driver's own programs and areas; gpu_end frees what
 * is not the driver's.
 */
bool gpu_begin(struct session *s);
bool gpu_check(struct session *s, const struct point *asked);
bool gpu_prepare(struct session *s, const struct point *asked);
bool gpu_run(struct session *s, uint64_t want);
void gpu_end(struct gpu *gpu);

/*
 * point.c: transactions of a point; whether each unit is touched once;
 * bytes of the buffer, with those for what a launch begins with; and, if it can
 * be measured, node and state of a point as they will be, and its transfer.
 */
uint64_t gpu_count(const struct session *s);
bool gpu_is_once(const struct session *s, const struct point *point,
                 uint64_t count);
uint64_t gpu_room_for(const struct point *point);
bool gpu_point_resolve(struct session *s, const struct point *asked,
                       struct point *point, struct gpu_transfer *t);

/*
 * memory.c. As memory_node, but local and remote mean nothing where there are
 * several nodes and that of the GPU is not known: then it fails.
 */
bool gpu_memory_node(struct session *s, int wanted, int home, int *node);

/*
 * A buffer of at least `size` bytes in pages of 4K, 2M or 1G on a node. Where
 * its pages are, and how large, is looked up after they have been touched: a
 * buffer that is not as asked for is a failure. Replaces the one there was.
 */
bool gpu_memory_place(struct session *s, size_t size, uint64_t page, int node);

/* Takes it from the driver and frees it; does nothing where there is none. */
void gpu_memory_free(struct gpu *gpu);

/*
 * launch.c. gpu_args has the arguments of a program that touches the window.
 * gpu_run_program starts one and waits for its end; gpu_transfer does so with
 * args->count units out of gpu->entries.
 */
struct gpu_args gpu_args(const struct gpu *gpu);
bool gpu_run_program(struct session *s, enum gpu_program program,
                     const struct gpu_args *args);
bool gpu_transfer(struct session *s, enum gpu_program program,
                  const struct gpu_args *args, uint64_t workers);

/*
 * clock.c. Opening keeps the GPU busy until its clock stays where it is.
 * gpu_clock_read takes the rate now, in picoseconds a cycle.
 * gpu_clock_steady says whether two rates are one.
 */
bool gpu_clock_open(struct session *s);
bool gpu_clock_read(struct session *s, double *ps);
bool gpu_clock_steady(const struct gpu *gpu, double before, double after);

/*
 * cache_set.c and cache_verify.c. gpu_state_set brings the window into the
 * point's state; gpu_state_check looks whether it is in it and fails if not;
 * gpu_state_prove does both, as often as there is hope.
 */
bool gpu_state_set(struct session *s);
bool gpu_state_check(struct session *s);
bool gpu_state_prove(struct session *s, enum cache state);

/*
 * path_verify.c: whether what the GPU and the CPU write reaches the other, and
 * whether a read goes all the way every time; else fails.
 */
bool gpu_path_check(struct session *s);

/*
 * describe.c: preamble, kind, tick and overhead of the clock, link; the columns
 * of the point; the end.
 */
void gpu_describe(struct session *s);
void gpu_describe_tick(struct session *s);
bool gpu_describe_link(struct session *s);
void gpu_describe_states(struct session *s);
void gpu_identify(struct session *s);
void gpu_describe_end(struct session *s, struct preamble *end);

/* latency.c, bandwidth.c: the measurements, as `run` of a backend. */
bool gpu_run_latency(struct session *s, uint64_t want);
bool gpu_run_bandwidth(struct session *s, uint64_t want);

/* Whether n transfers are enough for the workers asked for; else fails. */
bool gpu_enough_for_workers(struct session *s, uint64_t n);

#endif
