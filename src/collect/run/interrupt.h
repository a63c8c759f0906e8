/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that stop a measurement in good order. */
#ifndef PCB_COLLECT_RUN_INTERRUPT_H
#define PCB_COLLECT_RUN_INTERRUPT_H

#include <signal.h>
#include <stdint.h>

/*
 * `pending`: a signal has come, or the time is up: stop as soon as possible.
 * `signo`: the signal that ends the program, or 0.
 */
struct interrupt {
	volatile sig_atomic_t pending, signo;
};

extern struct interrupt interrupt;

/*
 * Installs a handler that sets `interrupt` for SIGALRM, which is unblocked,
 * and for those of SIGINT, SIGTERM, SIGHUP and SIGXCPU that are not ignored.
 * SIGPIPE is ignored from now on, so that devices are given back before the
 * program ends.
 */
void interrupt_on_signals(void);

/*
 * Sets `pending` after so many picoseconds. 0 cancels that and clears
 * `pending`, unless a signal that ends the program has set it.
 */
void interrupt_after(uint64_t picoseconds);

#endif
