/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A host and a device for programs that a virtual GPU runs. */
#ifndef PCB_TESTS_RIG_GPU_H
#define PCB_TESTS_RIG_GPU_H

#include "collect/cuda/ptx.h"
#include "fake/vgpu.h"

#include <stddef.h>

#define HOST    81920 /* bytes */
#define DEVICE  8192
#define SPANS   128
#define MAGIC   0x5eed5eedu
#define NOTHING UINT64_MAX

/* In which cycles a transfer touched host memory, and when it all was there. */
struct span {
	uint64_t begin, first_load, loaded, stored;
};

/* Memory of the host and of the device, and what was seen of the host's. */
struct world {
	_Alignas(16) unsigned char host[HOST];
	_Alignas(16) unsigned char device[DEVICE];
	unsigned loads[HOST], stores[HOST]; /* of each byte */
	struct span span[SPANS];
	size_t transfers; /* entries of the order that have been read */
	unsigned entries; /* of a transfer */
	uint64_t random;
	uint64_t fixed; /* cycles of an access, if not at random */
};

/* The one there is, which begin_world makes anew. */
extern struct world world;

/* Where programs find the order and leave results. */
uint32_t *world_order(void);
const void *world_journal(void);
const uint32_t *world_sink(void);

/* Data in host memory; nothing touched, and 0 in the device's. */
void begin_world(unsigned entries);

/* One that runs in it, with a timer of 1 ns from 1000000 on. */
struct vgpu virtual_gpu(void);

/* Arguments for `count` units of so many bytes, `offset` bytes into memory. */
struct gpu_args arguments(uint32_t count, unsigned unit, unsigned offset);

/* Runs an entry of a module, which is freed; fails the test if it cannot. */
void run_text(struct vgpu *gpu, char *text, const char *entry,
              struct vgpu_grid grid, const struct gpu_args *args);

#endif
