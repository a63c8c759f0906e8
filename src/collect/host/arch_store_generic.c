/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other processors: loads and stores in C. */
#include "collect/host/store_table.h"

#if !defined(__x86_64__)

static bool
always(void)
{
	return true;
}

#define DEFINE_ACCESS(write, read, type)                                       \
	static void write(volatile void *device, const void *host,             \
	                  size_t bytes)                                        \
	{                                                                      \
		volatile type *to = device;                                    \
		const type *from = host;                                       \
                                                                               \
		for (size_t i = 0; i < bytes / sizeof *to; i++)                \
			to[i] = from[i];                                       \
	}                                                                      \
	static void read(void *host, const volatile void *device,              \
	                 size_t bytes)                                         \
	{                                                                      \
		type *to = host;                                               \
		const volatile type *from = device;                            \
                                                                               \
		for (size_t i = 0; i < bytes / sizeof *to; i++)                \
			to[i] = from[i];                                       \
	}

DEFINE_ACCESS(write_4, read_4, uint32_t)
DEFINE_ACCESS(write_8, read_8, uint64_t)

static const struct store mov = {
    .name = "mov",
    .is_there = always,
    .write = {write_4, write_8},
    .read = {read_4, read_8},
};

const struct store *const stores[] = {&mov, NULL};

#endif
