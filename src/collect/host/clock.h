/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ticks of the processor's counter as time. */
#ifndef PCB_COLLECT_HOST_CLOCK_H
#define PCB_COLLECT_HOST_CLOCK_H

#include "collect/host/arch.h"

#include <time.h>

/* How a counter's rate is known and where it stood when it was opened. */
struct clock {
	const char *name;   /* of the counter */
	const char *source; /* of its rate: "cpu", "kernel" or "calibrated" */
	bool invariant;
	uint64_t ps_per_tick; /* 32 bits before the point, 32 after it */
	uint64_t step;        /* ticks that the counter goes on by at a time */
	uint64_t overhead;    /* ticks between a begin and an end at once */
	uint64_t ticks0, ns0; /* counter and raw clock at clock_open */
};

/*
 * Finds out the rate: as the processor states it, else as the kernel uses it
 * (perf's time_mult and time_shift), else measured against
 * CLOCK_MONOTONIC_RAW, which takes 50 ms.
 */
void clock_open(struct clock *c);

/* Ticks as picoseconds, to the nearest. */
uint64_t clock_ps(const struct clock *c, uint64_t ticks);

/*
 * The ticks that a counter goes on by, seen in n readings of it: the largest
 * number that divides all their differences, 1 if there are none. It is above
 * 1 where a slower clock feeds the counter: 21 of 2.1 GHz on some AMD EPYC.
 */
uint64_t clock_step(const uint64_t *reading, size_t n);

/* What the counter goes on by at a time, in ns: no sample is finer. */
double clock_tick_ns(const struct clock *c);

/*
 * By how much, in parts per million, the counter as converted here has run
 * ahead of CLOCK_MONOTONIC_RAW since clock_open. Means little before a
 * second or so has passed.
 */
double clock_drift_ppm(const struct clock *c);

/* What a clock of the system shows, in ns. */
uint64_t read_clock(clockid_t clock);

/* CLOCK_MONOTONIC in ns: for what is not measured, such as progress. */
uint64_t now_ns(void);

#endif
