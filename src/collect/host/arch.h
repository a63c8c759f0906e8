/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between processors: the cycle counter and what it tells. */
#ifndef PCB_COLLECT_HOST_ARCH_H
#define PCB_COLLECT_HOST_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HYPERVISOR_NAME_MAX 64

/* The name of the counter that the two functions below read. */
extern const char *const arch_counter_name;

/*
 * Its ticks per second as the processor itself states them; 0 where it does
 * not, so that they must be measured.
 */
double arch_counter_hz(void);

/* Whether it runs at one rate through frequency changes and sleep. */
bool arch_counter_invariant(void);

/*
 * Whether the processor says that it is virtual; then `name` is what the
 * hypervisor calls itself (such as "KVMKVMKVM"), or "unknown". False leaves
 * `name` alone, but where nothing tells makes it "unknown". It may trap: never
 * near a timed loop.
 */
bool arch_hypervisor(char name[HYPERVISOR_NAME_MAX]);

/*
 * Writes back and drops these bytes' lines from every cache, and returns when
 * that is done. False, and nothing is done, where a program may not.
 */
bool arch_flush(const void *from, size_t size);

/*
 * The counter before and after what is timed: no instruction of the timed
 * part runs before counter_begin or after counter_end has read it. What was
 * stored before counter_begin has left the CPU: doorbells and reads of a device
 * would wait for that.
 */
static inline uint64_t counter_begin(void);
static inline uint64_t counter_end(void);

/* Waits until all that was stored before has left the CPU. */
static inline void stores_leave(void);

/*
 * Waits for a value that was loaded: a processor may go on, and read its
 * counter, while a load is under way. To be called before counter_end, which
 * waits by itself on some.
 */
static inline void counter_wait(uint32_t value);

/*
 * Between what is written to memory and the register that tells a device of
 * it; and between what a device has written to tell of its data, and that.
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
