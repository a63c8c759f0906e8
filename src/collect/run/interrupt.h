/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that stop a measurement in good order. */
#ifndef PCB_COLLECT_RUN_INTERRUPT_H
#define PCB_COLLECT_RUN_INTERRUPT_H

#include <signal.h>
#include <stdint.h>

/*
 * `now`: stop as soon as possible, by a signal or because time is up;
 * `caught`: the signal that ends the program, or 0.
 */
struct stop {
	volatile sig_atomic_t now, caught;
};

extern struct stop stop;

/*
 * Has SIGINT, SIGTERM, SIGHUP and SIGXCPU set it, but for those that are
 * ignored, and SIGALRM, which is unblocked; SIGPIPE is ignored from now on, so
 * that what was taken is given back before the program ends.
 */
void stop_by_signals(void);

/*
 * Sets `now` when so many picoseconds have gone by. 0 takes that back, also
 * where time was up: `now` stays set only by a signal that was caught.
 */
void stop_after(uint64_t picoseconds);

#endif
