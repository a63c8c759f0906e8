/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a driver, cuda or vulkan, does for a session with a GPU. */
#ifndef PCB_COLLECT_GPU_DRIVER_H
#define PCB_COLLECT_GPU_DRIVER_H

#include "collect/core/session.h"
#include "collect/gpu/transfer.h"
#include "common/pci/tree.h"

struct gpu;
struct gpu_total;

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
	const char *(*check)(const struct gpu *gpu,
	                     const struct gpu_transfer *t, uint64_t offset);

	/* The default of bytes per lane. */
	unsigned (*lane)(const struct gpu *gpu, const struct gpu_transfer *t,
	                 uint64_t offset);

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

	/* Runs up to `want` transfers of the copy engine. */
	bool (*copy)(struct session *s, uint64_t want, struct gpu_total *total);
};

#endif
