/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Included by arch.h: the virtual count of the generic timer. */
#include <stdint.h>

static inline uint64_t
counter_end(void)
{
	uint64_t ticks;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb"
	                 : "=r"(ticks)
	                 :
	                 : "memory");
	return ticks;
}

static inline void
stores_leave(void)
{
	__asm__ volatile("dsb sy" ::: "memory");
}

static inline uint64_t
counter_begin(void)
{
	stores_leave();
	return counter_end();
}

/*
 * A branch that depends on the value and is never taken: the isb of counter_end
 * waits for it.
 */
static inline void
counter_wait(uint32_t value)
{
	uint64_t zero;

	__asm__ volatile("eor %0, %1, %1\n\tcbnz %0, ."
	                 : "=r"(zero)
	                 : "r"((uint64_t)value)
	                 : "memory");
}

static inline void
device_publish(void)
{
	__asm__ volatile("dmb oshst" ::: "memory");
}

static inline void
device_observe(void)
{
	__asm__ volatile("dmb oshld" ::: "memory");
}
