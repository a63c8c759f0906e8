/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A GPU that is open, and programs that run on it. */
#ifndef PCB_COLLECT_CUDA_DEVICE_H
#define PCB_COLLECT_CUDA_DEVICE_H

#include "collect/cuda/driver.h"
#include "collect/cuda/ptx.h"
#include "common/pci/tree.h"

struct cuda_device {
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
bool cuda_device_open(struct session *s, struct cuda_device *d,
                      const char *which);
void cuda_device_close(struct cuda_device *d);

/*
 * Has the driver compile a module; what its compiler says against it is part
 * of the reason of a failure. Unload with cuda_unload, which takes NULL.
 */
bool cuda_load_module(struct session *s, const struct cuda_device *d,
                      const char *text, cuda_module *module);
void cuda_unload(const struct cuda_device *d, cuda_module *module);

/* So many blocks of so many threads, with bytes of shared memory for each. */
struct cuda_grid {
	unsigned blocks, threads, shared;
};

/* Starts a program of a module; cuda_wait waits for all that was started. */
bool cuda_launch(struct session *s, const struct cuda_device *d,
                 cuda_module module, const char *program,
                 const struct gpu_args *args, struct cuda_grid grid);
bool cuda_wait(struct session *s, const struct cuda_device *d);

#endif
