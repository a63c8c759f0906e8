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
 * hypervisor's name for itself (such as "KVMKVMKVM"), or "unknown". False
 * leaves `name` alone; if the processor has no such report, it becomes
 * "unknown". May trap: do not call it near a timed loop.
 */
bool arch_hypervisor(char name[HYPERVISOR_NAME_MAX]);

/*
 * Writes back and invalidates these bytes' lines in every cache, and waits
 * until that is done. False, with nothing done, if programs may not.
 */
bool arch_flush(const void *from, size_t size);

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
#include "collect/host/arch_x86.h"
#elif defined(__aarch64__)
#include "collect/host/arch_arm64.h"
#else
#include "collect/host/arch_generic.h"
#endif

#endif
