/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What depends on the processor: cycle counter, barriers, cache flush. */
#ifndef PCB_COLLECT_HOST_ARCH_H
#define PCB_COLLECT_HOST_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HYPERVISOR_NAME_MAX 64

/* The name of the counter that counter_begin and counter_end read. */
extern const char *const arch_counter_name;

/*
 * Its ticks per second, as the processor states them; 0 if it does not, so that
 * the rate must be measured.
 */
double arch_counter_hz(void);

/* Whether its rate stays the same through frequency changes and sleep. */
bool arch_counter_invariant(void);

/*
 * Whether the processor reports that it is virtual; `name` is then the
 * hypervisor's name for itself (such as "KVMKVMKVM"), or "unknown"; else it is
 * left alone. May trap: do not call it near a timed loop.
 */
bool arch_hypervisor(char name[HYPERVISOR_NAME_MAX]);

/* Writes these bytes' lines back and out of every cache, and waits for that. */
void arch_flush(const void *from, size_t size);

/*
 * Read the counter before and after the timed code: none of its instructions
 * runs before counter_begin or after counter_end has read it. counter_begin
 * first waits for earlier stores, which doorbells and reads of a device would
 * wait for.
 */
static inline uint64_t counter_begin(void);
static inline uint64_t counter_end(void);

/* Waits until all earlier stores have left the CPU. */
static inline void stores_leave(void);

/*
 * Waits for a loaded value, because a processor may read its counter while a
 * load is in flight. Call before counter_end, which waits by itself on some
 * processors.
 */
static inline void counter_wait(uint32_t value);

/*
 * Barriers: between writes to memory and the doorbell that tells the device;
 * between reading a device's completion and reading its data.
 */
static inline void device_publish(void);
static inline void device_observe(void);

#if defined(__x86_64__)

/* The time stamp counter. */

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

#elif defined(__aarch64__)

/* The virtual count of the generic timer. */

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

#else
#error "only x86-64 and arm64 have a known counter and barriers"
#endif

static inline uint64_t
counter_begin(void)
{
	stores_leave();
	return counter_end();
}

#endif
