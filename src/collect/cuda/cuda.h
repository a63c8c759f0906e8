/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls of NVIDIA's driver API that are used here, found at run time: a
 * build needs neither its headers nor the driver. Their meanings are those of
 * the CUDA Driver API reference; a call returns 0 or an error of that API.
 */
#ifndef PCB_COLLECT_CUDA_CUDA_H
#define PCB_COLLECT_CUDA_CUDA_H

#include "collect/gpu/gpu.h"

typedef struct cuda_context *cuda_context;
typedef struct cuda_module *cuda_module;
typedef struct cuda_function *cuda_function;
typedef struct cuda_stream *cuda_stream;
typedef struct cuda_event *cuda_event;

/* A device address. */
typedef unsigned long long cuda_address;

#define CUDA_SONAME "libcuda.so.1"

/* CUdevice_attribute */
enum {
	CUDA_SM_COUNT = 16,
	CUDA_CAPABILITY_MAJOR = 75,
	CUDA_CAPABILITY_MINOR = 76,
	CUDA_HOST_PAGE_TABLES = 100,
};

/* CUfunction_attribute: per cent of L1 and shared memory for the latter */
enum { CUDA_SHARED_CARVEOUT = 9 };

/* CUjit_option */
enum { CUDA_JIT_ERROR_LOG = 5, CUDA_JIT_ERROR_LOG_SIZE = 6 };

/* Flag of cuMemHostRegister: the device may access the memory. */
#define CUDA_REGISTER_DEVICEMAP 2

/* CALL(name, types): exported names, which include the API's version. */
#define CUDA_CALLS(CALL)                                                       \
	CALL(cuInit, unsigned)                                                 \
	CALL(cuDriverGetVersion, int *)                                        \
	CALL(cuDeviceGetCount, int *)                                          \
	CALL(cuDeviceGet, int *, int)                                          \
	CALL(cuDeviceGetName, char *, int, int)                                \
	CALL(cuDeviceGetAttribute, int *, int, int)                            \
	CALL(cuDeviceGetPCIBusId, char *, int, int)                            \
	CALL(cuDevicePrimaryCtxRetain, cuda_context *, int)                    \
	CALL(cuDevicePrimaryCtxRelease_v2, int)                                \
	CALL(cuCtxSetCurrent, cuda_context)                                    \
	CALL(cuCtxSynchronize, void)                                           \
	CALL(cuModuleLoadDataEx, cuda_module *, const void *, unsigned,        \
	     const int *, void **)                                             \
	CALL(cuModuleUnload, cuda_module)                                      \
	CALL(cuModuleGetFunction, cuda_function *, cuda_module, const char *)  \
	CALL(cuFuncSetAttribute, cuda_function, int, int)                      \
	CALL(cuLaunchKernel, cuda_function, unsigned, unsigned, unsigned,      \
	     unsigned, unsigned, unsigned, unsigned, cuda_stream, void **,     \
	     void **)                                                          \
	CALL(cuMemAlloc_v2, cuda_address *, size_t)                            \
	CALL(cuMemFree_v2, cuda_address)                                       \
	CALL(cuMemcpyHtoD_v2, cuda_address, const void *, size_t)              \
	CALL(cuMemcpyDtoH_v2, void *, cuda_address, size_t)                    \
	CALL(cuMemcpyHtoDAsync_v2, cuda_address, const void *, size_t,         \
	     cuda_stream)                                                      \
	CALL(cuMemcpyDtoHAsync_v2, void *, cuda_address, size_t, cuda_stream)  \
	CALL(cuMemHostRegister_v2, void *, size_t, unsigned)                   \
	CALL(cuMemHostUnregister, void *)                                      \
	CALL(cuMemHostGetDevicePointer_v2, cuda_address *, void *, unsigned)   \
	CALL(cuStreamCreate, cuda_stream *, unsigned)                          \
	CALL(cuStreamDestroy_v2, cuda_stream)                                  \
	CALL(cuEventCreate, cuda_event *, unsigned)                            \
	CALL(cuEventDestroy_v2, cuda_event)                                    \
	CALL(cuEventRecord, cuda_event, cuda_stream)                           \
	CALL(cuEventElapsedTime, float *, cuda_event, cuda_event)              \
	CALL(cuGetErrorName, int, const char **)                               \
	CALL(cuGetErrorString, int, const char **)

struct cuda {
#define CUDA_MEMBER(name, ...) int (*(name))(__VA_ARGS__);
	CUDA_CALLS(CUDA_MEMBER)
#undef CUDA_MEMBER
};

/* Lanes of a warp. */
#define PTX_WARP 32

/* Most bytes of data in a warp's registers: 64 per lane. */
#define PTX_REGISTERS 64

/* Default of concurrent warps, if -O workers is not given. */
#define PTX_WARPS_PER_SM    16
#define PTX_WARPS_PER_BLOCK 4 /* most */

/* Most shared memory of a block without a special request. */
#define PTX_BULK_MAX 32768

/* The name of the program in the text of ptx_transfer. */
#define PTX_ENTRY "pcb_transfer"

/*
 * NULL, or why no such transfer is possible (a constant). `offset` is that of
 * the transfer in its unit: lanes must be aligned.
 */
const char *ptx_check(const struct gpu_transfer *t, uint64_t offset);

/*
 * The module of a transfer that has passed ptx_check. Latency benches run
 * `count` transactions in one warp, one after the other, and store the cycles
 * of each as 32 bits. In bandwidth benches each worker runs warmup_iters,
 * timed_iters and again warmup_iters, and stores a gpu_span. Free with free().
 */
char *ptx_transfer(const struct gpu_transfer *t);

/*
 * The module of the other programs: pcb_overhead (cycles of `count` empty
 * timings), pcb_calibrate (one gpu_ticks over `duration`), pcb_load (reads the
 * buffer for `duration`), pcb_fill (writes `count` words: pattern plus index),
 * pcb_sum (adds `count` words).
 */
extern const char ptx_support[];

#endif
