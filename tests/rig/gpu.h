/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A host and a device for programs on a virtual GPU. */
#ifndef PCB_TESTS_RIG_GPU_H
#define PCB_TESTS_RIG_GPU_H

#include "collect/cuda/cuda.h"
#include "fake/vgpu.h"

#include <stddef.h>

#define HOST    81920 /* bytes */
#define DEVICE  8192
#define SPANS   128
#define MAGIC   0x5eed5eedu
#define NOTHING UINT64_MAX

/* Cycles in which a transfer touched host memory; when all was there. */
struct span {
	uint64_t begin, first_load, loaded, stored;
};

/* Memory of host and device, and the accesses to host memory. */
struct world {
	_Alignas(16) unsigned char host[HOST];
	_Alignas(16) unsigned char device[DEVICE];
	unsigned loads[HOST], stores[HOST]; /* per byte */
	struct span span[SPANS];
	size_t transfers; /* entries of the order read so far */
	unsigned entries; /* per transfer */
	uint64_t random;
	uint64_t fixed; /* cycles of an access; else random */
};

/* The only one; begin_world resets it. */
extern struct world world;

/* The order that programs read, and their results. */
uint32_t *world_order(void);
const void *world_journal(void);
const uint32_t *world_sink(void);

/* Fills host memory with data, zeroes device memory, and resets the counts. */
void begin_world(unsigned entries);

/* A GPU in this world, with a timer of 1 ns that starts at 1000000. */
struct vgpu virtual_gpu(void);

/* Arguments for `count` units of `unit` bytes, `offset` bytes into memory. */
struct gpu_args arguments(uint32_t count, unsigned unit, unsigned offset);

/* Runs an entry of a module and frees that; fails the test on an error. */
void run_text(struct vgpu *gpu, char *text, const char *entry,
              struct vgpu_grid grid, const struct gpu_args *args);

#endif
