/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of the virtual GPU, and host memory that it may access. */
#include "libcuda.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS 16

static struct block {
	cuda_address at;
	size_t size;
} block[BLOCKS];

unsigned char *registered;
size_t registered_size;

void *
memory_at(cuda_address at)
{
	return (void *)(uintptr_t)at;
}

/* Memory ------------------------------------------------------------------ */

/* The block at an address, or an unused one (for 0). */
static struct block *
find_block(cuda_address at)
{
	size_t i = 0;

	while (i < BLOCKS && block[i].at != at)
		i++;
	return i < BLOCKS ? &block[i] : NULL;
}

int
cuMemAlloc_v2(cuda_address *at, size_t size)
{
	struct block *new = find_block(0);

	MAY_FAIL(OUT_OF_MEMORY);
	if (!new)
		return OUT_OF_MEMORY;
	*at = (uintptr_t)calloc(size, 1);
	*new = (struct block){*at, size};
	return SUCCESS;
}

int
cuMemFree_v2(cuda_address at)
{
	struct block *old = find_block(at);

	MAY_FAIL(1);
	if (!old)
		return 1;
	*old = (struct block){0};
	free(memory_at(at));
	return SUCCESS;
}

unsigned
blocks_in_use(void)
{
	unsigned n = 0;

	for (size_t i = 0; i < BLOCKS; i++)
		n += block[i].at != 0;
	return n;
}

bool
is_on_device(cuda_address at, size_t size)
{
	for (size_t i = 0; i < BLOCKS; i++) {
		if (at >= block[i].at &&
		    at + size <= block[i].at + block[i].size)
			return true;
	}
	return false;
}

bool
is_on_host(cuda_address at, size_t size)
{
	return registered && at >= (uintptr_t)registered &&
	       at + size <= (uintptr_t)registered + registered_size;
}

int
cuMemcpyHtoD_v2(cuda_address to, const void *from, size_t size)
{
	MAY_FAIL(LAUNCH_FAILED);
	memcpy(memory_at(to), from, size);
	return SUCCESS;
}

int
cuMemcpyDtoH_v2(void *to, cuda_address from, size_t size)
{
	MAY_FAIL(LAUNCH_FAILED);
	memcpy(to, memory_at(from), size);
	return SUCCESS;
}

static int
enqueue(struct cuda_stream *stream, const unsigned char *host, size_t size)
{
	if (host < registered || host + size > registered + registered_size)
		return 1;
	stream->ns += is("instant") ? 0 : 400 + size / BYTES_PER_NS;
	return SUCCESS;
}

/* Reads by the device do not fill the CPU's caches. */
int
cuMemcpyHtoDAsync_v2(cuda_address to, const void *from, size_t size,
                     cuda_stream stream)
{
	MAY_FAIL(LAUNCH_FAILED);
	memset(memory_at(to), 2, size);
	return enqueue(stream, from, size);
}

int
cuMemcpyDtoHAsync_v2(void *to, cuda_address from, size_t size,
                     cuda_stream stream)
{
	MAY_FAIL(LAUNCH_FAILED);
	memcpy(to, memory_at(from), size);
	return enqueue(stream, to, size);
}

int
cuMemHostRegister_v2(void *at, size_t size, unsigned flags)
{
	MAY_FAIL(OUT_OF_MEMORY);
	if (registered || flags != CUDA_REGISTER_DEVICEMAP)
		return 1;
	registered = at;
	registered_size = size;
	return SUCCESS;
}

int
cuMemHostUnregister(void *at)
{
	MAY_FAIL(1);
	if (at != registered)
		return 1;
	registered = NULL;
	return SUCCESS;
}

int
cuMemHostGetDevicePointer_v2(cuda_address *device, void *host, unsigned flags)
{
	MAY_FAIL(1);
	*device = (uintptr_t)host;
	return host == registered && !flags ? SUCCESS : 1;
}
