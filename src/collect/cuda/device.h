/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a GPU and runs programs on it. */
#ifndef PCB_COLLECT_CUDA_DEVICE_H
#define PCB_COLLECT_CUDA_DEVICE_H

#include "collect/cuda/driver.h"
#include "collect/cuda/ptx.h"
#include "common/pci/tree.h"

struct cuda_device {
	struct cuda cuda;
	int number; /* index in the driver */
	char bdf[BDF_MAX];
	char name[128];
	int driver;           /* 13000 is 13.0 */
	int capability;       /* 90 is 9.0 */
	int sms;              /* streaming multiprocessors */
	int coherent;         /* uses the CPU's page tables for host memory */
	cuda_context context; /* NULL: not open */
};

/*
 * Loads the driver and opens the GPU with this BDF, or (NULL) the first one.
 * False after fail(), STATUS_ABSENT if there is none. Close it in either case.
 */
bool cuda_device_open(struct session *s, struct cuda_device *d,
                      const char *which);
void cuda_device_close(struct cuda_device *d);

/*
 * Compiles a module; on failure the reason includes the compiler's message.
 * Unload with cuda_unload, which takes NULL.
 */
bool cuda_load_module(struct session *s, const struct cuda_device *d,
                      const char *text, cuda_module *module);
void cuda_unload(const struct cuda_device *d, cuda_module *module);

/* Number of blocks; threads and bytes of shared memory per block. */
struct cuda_grid {
	unsigned blocks, threads, shared;
};

/* cuda_launch starts a program of a module; cuda_wait waits for all started. */
bool cuda_launch(struct session *s, const struct cuda_device *d,
                 cuda_module module, const char *program,
                 const struct gpu_args *args, struct cuda_grid grid);
bool cuda_wait(struct session *s, const struct cuda_device *d);

#endif
