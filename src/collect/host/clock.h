/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts ticks of the processor's counter to time. */
#ifndef PCB_COLLECT_HOST_CLOCK_H
#define PCB_COLLECT_HOST_CLOCK_H

#include "collect/host/arch.h"

#include <stdint.h>
#include <time.h>

/* A counter, the source of its rate, and its value when it was opened. */
struct clock {
	const char *name;   /* of the counter */
	const char *source; /* of the rate: "cpu", "kernel" or "calibrated" */
	bool invariant;
	uint64_t ps_per_tick; /* fixed point, 32 bits after the point */
	uint64_t step;        /* ticks by which the counter advances at once */
	uint64_t overhead;    /* ticks between counter_begin and counter_end */
	uint64_t ticks0, ns0; /* counter and raw clock at clock_open */
};

/*
 * Determines the rate: as the processor states it, else as the kernel uses it
 * (perf's time_mult and time_shift), else measured against CLOCK_MONOTONIC_RAW
 * for 50 ms.
 */
void clock_open(struct clock *c);

/* Ticks in picoseconds, rounded to the nearest. */
uint64_t clock_ps(const struct clock *c, uint64_t ticks);

/*
 * The step of a counter in ticks, from n readings: the greatest common divisor
 * of all differences, 1 if there are none. It exceeds 1 if a slower clock feeds
 * the counter: 21 at 2.1 GHz on some AMD EPYC.
 */
uint64_t clock_step(const uint64_t *reading, size_t n);

/* The step of the counter in ns, which limits the resolution of samples. */
double clock_tick_ns(const struct clock *c);

/*
 * Parts per million by which the converted counter has run ahead of
 * CLOCK_MONOTONIC_RAW since clock_open. Needs about a second to mean something.
 */
double clock_drift_ppm(const struct clock *c);

/* The time of a system clock in ns. */
uint64_t read_clock(clockid_t clock);

/* CLOCK_MONOTONIC in ns, for what is not measured, such as progress. */
uint64_t now_ns(void);

/* Zero-initialise. */
struct stops {
	uint64_t looked; /* time of the last look; 0: no time is counted */
	uint64_t ns;     /* all gaps of a second or more between looks */
};

/* Starts a time that is counted, with the first look; returns now_ns(). */
uint64_t stops_begin(struct stops *stops);

/*
 * Returns now_ns(). Looks must follow each other in far less than a second
 * unless the process is stopped. Outside a counted time it adds nothing.
 */
uint64_t stops_look(struct stops *stops);

/* Looks for the last time, and ends the counted time. */
void stops_end(struct stops *stops);

/* Warns, if the process was stopped, that the bandwidth is too low. */
void stops_warn(const struct stops *stops);

#endif
