/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fake driver: declarations for its parts. */
#ifndef PCB_TESTS_FAKE_LIBCUDA_H
#define PCB_TESTS_FAKE_LIBCUDA_H

#include "collect/cuda/driver.h"
#include "collect/cuda/ptx.h"

#include "vgpu.h"

#include <stdio.h>

#define BYTES_PER_NS 2

#define SUCCESS       0
#define OUT_OF_MEMORY 2
#define LAUNCH_FAILED 719

#define CUDA_DECLARE(name, ...) int name(__VA_ARGS__);
CUDA_CALLS(CUDA_DECLARE)
#undef CUDA_DECLARE

struct cuda_module {
	struct vgpu_program *program;
	struct cuda_function *function;
};
struct cuda_stream {
	uint64_t ns;
};

/* Host memory that the device may access. */
extern unsigned char *registered;
extern size_t registered_size;

/* Whether FAKE_CUDA_IS contains this word. */
bool is(const char *word);

/* Records a call or a program; returns whether it must fail. */
bool fails(const char *call);

#define MAY_FAIL(code)                                                         \
	do {                                                                   \
		if (fails(__func__))                                           \
			return code;                                           \
	} while (0)

/* Opens the file in this variable to append to; NULL if it is not set. */
FILE *open_record(const char *variable);

/* The memory at a device address; whether bytes are the device's, or host's. */
void *memory_at(cuda_address at);
bool is_on_device(cuda_address at, size_t size);
bool is_on_host(cuda_address at, size_t size);

/* Blocks of device memory that were not freed. */
unsigned blocks_in_use(void);

/* Runs an entry on the virtual GPU; SUCCESS or LAUNCH_FAILED. */
int run_program(const struct vgpu_program *program, const char *entry,
                struct vgpu_grid grid, const struct gpu_args *args);

#endif
