/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An NVIDIA GPU: what the driver adds to a session. */
#ifndef PCB_COLLECT_CUDA_GPU_H
#define PCB_COLLECT_CUDA_GPU_H

#include "collect/cuda/device.h"
#include "collect/gpu/gpu.h"

/* Of the copy engine: reads and writes; a start, and begin and end of each. */
#define CUDA_STREAMS 2
#define CUDA_EVENTS  (1 + CUDA_STREAMS * GPU_MARKS)

/* The loaded module of a transfer. */
struct cuda_transfer {
	cuda_module module;
	struct gpu_transfer is;
};

struct cuda_gpu {
	struct gpu gpu; /* first: the session's state is both */
	struct cuda_device device;
	cuda_module support; /* module of ptx_support */
	struct cuda_transfer transfer, read;
	cuda_address scratch; /* device memory of the copy engine, or 0 */
	cuda_stream stream[CUDA_STREAMS];
	cuda_event event[CUDA_EVENTS];
};

/* options.c: the table of -O, and the values given. */
extern const struct backend_option cuda_options[];
bool cuda_settings_read(struct session *s, struct gpu_settings *set);

/* session.c: the driver's functions for a session. */
extern const struct gpu_driver cuda_gpu_driver;

/* Stores the address of device memory in *at; cuda_free takes 0, too. */
bool cuda_allocate(struct session *s, cuda_address *at, size_t size);
void cuda_free(const struct cuda_gpu *cg, cuda_address at);

/* copy_engine.c: prepares the copy engine; `copy` of a driver; clean-up. */
bool cuda_copies_open(struct session *s);
bool cuda_copy(struct session *s, uint64_t want, struct gpu_total *total);
void cuda_copies_close(struct cuda_gpu *cg);

#endif
