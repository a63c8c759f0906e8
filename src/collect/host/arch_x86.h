/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Included by arch.h: the time stamp counter. */
#include <stdint.h>

/* lfence waits for earlier loads, and later ones wait for it; SDM vol. 2. */
static inline uint64_t
counter_end(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence"
	                 : "=a"(low), "=d"(high)
	                 :
	                 : "memory");
	return (uint64_t)high << 32 | low;
}

/* lfence does not wait for stores; mfence empties write-combining buffers. */
static inline void
stores_leave(void)
{
	__asm__ volatile("mfence" ::: "memory");
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
	(void)value;
}

/* Stores become visible in order, loads execute in order; SDM vol. 3, 9.2. */
static inline void
device_publish(void)
{
	__asm__ volatile("" ::: "memory");
}

static inline void
device_observe(void)
{
	__asm__ volatile("" ::: "memory");
}
