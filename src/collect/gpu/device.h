/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A GPU that is open, and programs that run on it. */
#ifndef PCB_COLLECT_GPU_DEVICE_H
#define PCB_COLLECT_GPU_DEVICE_H

#include "collect/gpu/cuda_driver.h"
#include "collect/gpu/ptx.h"
#include "common/pci/tree.h"

struct gpu_device {
	struct cuda cuda;
	int number; /* the driver's */
	char bdf[BDF_MAX];
	char name[128];
	int driver;           /* 13000 is 13.0 */
	int capability;       /* 90 is 9.0 */
	int sms;              /* streaming multiprocessors */
	int coherent;         /* reads host memory by the CPU's page tables */
	cuda_context context; /* NULL: not open */
};

/*
 * Loads the driver and opens the GPU of this BDF, or (NULL) the first one.
 * STATUS_ABSENT if there is none. Close it also after a failure.
 */
bool gpu_device_open(struct session *s, struct gpu_device *d,
                     const char *which);
void gpu_device_close(struct gpu_device *d);

/*
 * Has the driver compile a module; what its compiler says against it is part
 * of the reason of a failure. Unload with gpu_unload, which takes NULL.
 */
bool gpu_load(struct session *s, const struct gpu_device *d, const char *text,
              cuda_module *module);
void gpu_unload(const struct gpu_device *d, cuda_module *module);

/* So many blocks of so many threads, with bytes of shared memory for each. */
struct gpu_grid {
	unsigned blocks, threads, shared;
};

/* Starts a program of a module; gpu_wait waits for all that was started. */
bool gpu_start(struct session *s, const struct gpu_device *d,
               cuda_module module, const char *program,
               const struct ptx_args *args, struct gpu_grid grid);
bool gpu_wait(struct session *s, const struct gpu_device *d);

#endif
