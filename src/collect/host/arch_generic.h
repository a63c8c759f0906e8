/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Included by arch.h: the kernel's raw clock, for lack of a known counter. */
#include <stdint.h>
#include <time.h>

static inline uint64_t
counter_end(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline void
stores_leave(void)
{
	__sync_synchronize();
}

static inline uint64_t
counter_begin(void)
{
	stores_leave();
	return counter_end();
}

static inline void
counter_wait(uint32_t value)
{
	__asm__ volatile("" : : "r"(value) : "memory");
}

static inline void
device_publish(void)
{
	__sync_synchronize();
}

static inline void
device_observe(void)
{
	__sync_synchronize();
}
