/* The driver that is played: what its calls and its programs share. */
#ifndef PCB_TESTS_FAKE_LIBCUDA_H
#define PCB_TESTS_FAKE_LIBCUDA_H

#include "collect/gpu_cuda.h"
#include "collect/gpu_ptx.h"

#include <stdio.h>

#define BYTES_PER_NS 10

#define SUCCESS       0
#define LAUNCH_FAILED 719

struct cuda_module {
	char *text;
	struct cuda_function *function;
};

/* The memory of the CPU that the device may reach. */
extern unsigned char *registered;
extern size_t registered_size;

/* Whether FAKE_CUDA_IS has this word. */
bool is(const char *word);

/* The file in this variable, to append to; NULL if nobody wants to know. */
FILE *open_record(const char *variable);

/* What an address of the device is here. */
void *memory_at(cuda_address at);

/* Does what an entry of the module would do; SUCCESS or LAUNCH_FAILED. */
int run_program(const struct cuda_module *module, const char *entry,
                const struct ptx_args *args);

#endif
