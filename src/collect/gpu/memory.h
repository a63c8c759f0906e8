/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The buffer in host memory: placed, checked, and made known to the GPU. */
#ifndef PCB_COLLECT_GPU_MEMORY_H
#define PCB_COLLECT_GPU_MEMORY_H

#include "collect/host/numa_buffer.h"

struct gpu_memory {
	struct memory host;
	uint64_t address; /* in the GPU's view */
	bool imported;
};

/*
 * As memory_node, but local and remote mean nothing where there are several
 * nodes and that of the GPU is not known: then it fails.
 */
bool gpu_memory_node(struct session *s, int wanted, int home, int *node);

/*
 * A buffer of at least `size` bytes in pages of 4K, 2M or 1G on a node. Where
 * its pages are, and how large, is looked up after they have been touched: a
 * buffer that is not as asked for is a failure. Replaces the one there was.
 */
bool gpu_memory_place(struct session *s, size_t size, uint64_t page, int node);

/* Takes it from the driver and frees it; does nothing where there is none. */
struct gpu;
void gpu_memory_free(struct gpu *gpu);

#endif
