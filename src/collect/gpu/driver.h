/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the driver of a GPU does for a session: cuda and vulkan have one each.
 */
#ifndef PCB_COLLECT_GPU_DRIVER_H
#define PCB_COLLECT_GPU_DRIVER_H

#include "collect/core/session.h"
#include "collect/gpu/transfer.h"
#include "common/pci/tree.h"

struct gpu;
struct gpu_total;

/* The programs that a driver has. */
enum gpu_program {
	/*
	 * The transfer of the point, and one of `lat_rd` for the check of the
	 * path. Latency benches do `count` transactions one after the other,
	 * and leave the cycles of each as 32 bits. Bandwidth benches do
	 * warmup_iters, timed_iters and again warmup_iters in each worker, and
	 * leave a gpu_span for each.
	 */
	GPU_TRANSFER,
	GPU_READ,

	GPU_OVERHEAD, /* leaves the cycles of `count` empty timings */
	GPU_LOAD,     /* reads the buffer for `duration` */
	GPU_FILL,     /* writes `count` words: pattern plus the word's number */
	GPU_SUM,      /* adds `count` words up, into the results' first word */
	NPROGRAMS
};

/* Memory of the device that programs are given by address. */
enum gpu_area { AREA_ORDER, AREA_RESULTS };

/* Functions that return bool say false after fail(). */
struct gpu_driver {
	const char *soname; /* of the library that talks to the device */

	/* Rates of the program's clock that differ by less are one. */
	double steady_part;

	/* The most turns that a program's loops can take. */
	uint32_t most_turns;

	/* Whether the kernel has this GPU, too: rows are 'measured' then. */
	bool (*is_in_kernel)(const struct gpu *gpu,
	                     const struct pci_function *function);

	/* Adds the device to the preamble, and its clocks when they run. */
	void (*describe)(struct session *s);
	void (*describe_clock)(struct session *s);

	/* NULL, or why there can be no such transfer at `offset` (constant). */
	const char *(*check)(const struct gpu *gpu,
	                     const struct gpu_transfer *t, uint64_t offset);

	/* Bytes that a lane takes if the user does not say. */
	unsigned (*lane)(const struct gpu *gpu, const struct gpu_transfer *t,
	                 uint64_t offset);

	/* How many workers keep the device busy if the user does not say. */
	uint64_t (*workers)(const struct gpu *gpu);

	/*
	 * import lets the device use gpu->memory.host, and sets the address;
	 * release ends that.
	 */
	bool (*import)(struct session *s);
	void (*release)(struct gpu *gpu);

	/* Makes GPU_TRANSFER or GPU_READ do this. */
	bool (*load)(struct session *s, enum gpu_program program,
	             const struct gpu_transfer *t);

	/* Starts a program with so many workers; wait waits for its end. */
	bool (*start)(struct session *s, enum gpu_program program,
	              const struct gpu_args *args, uint64_t workers);
	bool (*wait)(struct session *s);

	/* write copies `size` bytes to an area; read, from the results. */
	bool (*write)(struct session *s, enum gpu_area area, const void *from,
	              size_t size);
	bool (*read)(struct session *s, void *to, size_t from, size_t size);

	/* Converts what workers leave into ns; NULL if they leave ns. */
	void (*spans_to_ns)(const struct gpu *gpu, struct gpu_span *span,
	                    size_t n);

	/* Checks what else must hold before the first point; or NULL. */
	bool (*prove)(struct session *s);

	/* Both clocks over `duration` ns. */
	bool (*read_ticks)(struct session *s, uint64_t duration,
	                   struct gpu_ticks *ticks);

	/* Does up to `want` transfers by the copy engine. */
	bool (*copy)(struct session *s, uint64_t want, struct gpu_total *total);
};

#endif
