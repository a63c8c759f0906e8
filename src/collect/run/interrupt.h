/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that end a measurement in good order. */
#ifndef PCB_COLLECT_RUN_INTERRUPT_H
#define PCB_COLLECT_RUN_INTERRUPT_H

#include <signal.h>
#include <stdint.h>

/*
 * `pending`: a signal has arrived or the time is up: stop as soon as possible.
 * `signo`: the signal that ends the program, or 0.
 */
struct interrupt {
	volatile sig_atomic_t pending, signo;
};

extern struct interrupt interrupt;

/*
 * From now on SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGALRM set `interrupt`,
 * unless ignored; the timer uses SIGRTMIN. After the first signal, output to
 * stdout and stderr goes to memory, so that no reader keeps the program from
 * giving devices back. Exit writes it after the handlers registered with atexit
 * later than this, as long as the reader takes something every second; it
 * discards it if another signal comes a second later. SIGPIPE is ignored. Dies
 * if there is no timer.
 */
void interrupt_on_signals(void);

/*
 * Sets `pending` after a time. 0 cancels that and clears `pending`, unless a
 * signal that ends the program has set it.
 */
void interrupt_after(uint64_t picoseconds);

#endif
