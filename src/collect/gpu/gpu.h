/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A GPU that reads and writes host memory: the part of a session that all
 * drivers share.
 */
#ifndef PCB_COLLECT_GPU_GPU_H
#define PCB_COLLECT_GPU_GPU_H

#include "collect/core/access_order.h"
#include "collect/core/point.h"
#include "collect/gpu/driver.h"
#include "collect/gpu/steady_state.h"
#include "collect/host/clock.h"
#include "collect/host/memory.h"

/* Benches of a GPU. */
#define GPU_BENCHES                                                            \
	(BENCH_BIT(LAT_RD) | BENCH_BIT(LAT_WRRD) | BENCH_BIT(BW_RD) |          \
	 BENCH_BIT(BW_WR) | BENCH_BIT(BW_RDWR))

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

/* The index of no unit; the sum of data equals it only by chance. */
#define GPU_PATTERN 0x5eed5eedu

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
 * options.c: parses the value of an option of the driver's table: one of n
 * words, as its index; 1 to `most`, or 0 for "auto"; the bytes of a page. False
 * after fail() if it is none. gpu_refuse fails with the reason `why`.
 */
bool gpu_option_word(struct session *s, const struct backend_option *option,
                     const char *const *word, unsigned n, unsigned *which);
bool gpu_option_number(struct session *s, const struct backend_option *option,
                       uint64_t most, unsigned *value);
bool gpu_option_page(struct session *s, const struct backend_option *option,
                     uint64_t *page);
bool gpu_refuse(struct session *s, const struct backend_option *option,
                const char *why);

/* The values of the options engine and wrrd. */
extern const char *const gpu_engine_names[NENGINES];
extern const char *const gpu_wrrd_names[NWRRD];

/*
 * session.c: check, prepare and run of a backend. gpu_begin comes last in its
 * open, before the driver makes its programs and areas; gpu_end frees what is
 * not the driver's.
 */
bool gpu_begin(struct session *s);
bool gpu_check(struct session *s, const struct point *asked);
bool gpu_prepare(struct session *s, const struct point *asked);
bool gpu_run(struct session *s, uint64_t want);
void gpu_end(struct gpu *gpu);

/*
 * point.c: the number of transactions of a point; whether each unit is touched
 * once; bytes of the buffer, including the units for a launch's start; and, if
 * the point can be measured, its actual node and cache state and its transfer.
 */
uint64_t gpu_count(const struct session *s);
bool gpu_is_once(const struct session *s, const struct point *point,
                 uint64_t count);
uint64_t gpu_room_for(const struct point *point);
bool gpu_point_resolve(struct session *s, const struct point *asked,
                       struct point *point, struct gpu_transfer *t);

/*
 * memory.c. As memory_node, but fails for local and remote if there are several
 * nodes and the GPU's is unknown.
 */
bool gpu_memory_node(struct session *s, int wanted, int home, int *node);

/*
 * Places a buffer of at least `size` bytes in pages of 4K, 2M or 1G on a node,
 * in place of the old one. Touches the pages and checks their node and size;
 * false after fail() if they differ.
 */
bool gpu_memory_place(struct session *s, size_t size, uint64_t page, int node);

/* Releases the buffer from the driver and frees it, if there is one. */
void gpu_memory_free(struct gpu *gpu);

/*
 * launch.c. gpu_args returns the arguments of a program that touches the
 * window. gpu_run_program runs one to its end; gpu_transfer does so with
 * args->count units from gpu->entries.
 */
struct gpu_args gpu_args(const struct gpu *gpu);
bool gpu_run_program(struct session *s, enum gpu_program program,
                     const struct gpu_args *args);
bool gpu_transfer(struct session *s, enum gpu_program program,
                  const struct gpu_args *args, uint64_t workers);

/*
 * clock.c. gpu_clock_open keeps the GPU busy until its clock is steady.
 * gpu_clock_read reads the rate, in picoseconds per cycle. gpu_clock_steady
 * compares two rates by the driver's steady_part.
 */
bool gpu_clock_open(struct session *s);
bool gpu_clock_read(struct session *s, double *ps);
bool gpu_clock_steady(const struct gpu *gpu, double before, double after);

/*
 * cache_set.c and cache_verify.c. gpu_state_set brings the window into the
 * point's state; gpu_state_check fails unless it is in that state;
 * gpu_state_prove does both, several times if needed.
 */
bool gpu_state_set(struct session *s);
bool gpu_state_check(struct session *s);
bool gpu_state_prove(struct session *s, enum cache state);

/*
 * path_verify.c: fails unless the GPU and the CPU see each other's writes, and
 * every read reaches host memory.
 */
bool gpu_path_check(struct session *s);

/*
 * describe.c: preamble, kind, tick and overhead of the clock, link; the columns
 * of the point; the end line.
 */
void gpu_describe(struct session *s);
void gpu_describe_tick(struct session *s);
bool gpu_describe_link(struct session *s);
void gpu_describe_states(struct session *s);
void gpu_identify(struct session *s);
void gpu_describe_end(struct session *s, struct preamble *end);

/* latency.c, bandwidth.c: `run` of a backend. */
bool gpu_run_latency(struct session *s, uint64_t want);
bool gpu_run_bandwidth(struct session *s, uint64_t want);

/* Fails if n transfers are too few for the requested workers. */
bool gpu_enough_for_workers(struct session *s, uint64_t n);

#endif
