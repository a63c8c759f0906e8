/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ends a measurement early: a signal, or the time limit of a point. */
#ifndef PCB_COLLECT_RUN_INTERRUPT_H
#define PCB_COLLECT_RUN_INTERRUPT_H

#include <signal.h>
#include <stdint.h>

/* A signal has arrived or the time is up: stop as soon as possible. */
extern volatile sig_atomic_t interrupt_pending;

/* The signal that ends the program, or 0. */
extern volatile sig_atomic_t interrupt_signal;

/*
 * From now on SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGALRM set both, unless
 * ignored; the timer uses SIGRTMIN. After the first signal, output to stdout
 * and stderr goes to memory, so that no reader keeps the program from giving
 * devices back. Exit writes it after the handlers registered with atexit later
 * than this, as long as the reader takes something every second; it discards it
 * if another signal comes a second later. SIGPIPE is ignored. Dies if there is
 * no timer.
 */
void interrupt_handle(void);

/*
 * Sets interrupt_pending after a time. 0 cancels that and clears it, unless a
 * signal that ends the program has set it.
 */
void interrupt_after(uint64_t picoseconds);

#endif
