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
 * From now on SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGALRM that are not ignored
 * set `interrupt`. What is written to stdout and stderr after the first of
 * them goes to memory, so that no reader keeps the program from giving devices
 * back, and is written out at exit: after what is registered with atexit later
 * than this, and only as long as the reader takes something each second; not
 * at all once another signal has come a second later. SIGPIPE is ignored. Dies
 * if there can be no timer.
 */
void interrupt_on_signals(void);

/*
 * Sets `pending` after so many picoseconds. 0 cancels that and clears
 * `pending`, unless a signal that ends the program has set it. The alarm(2) of
 * whoever has started the program is left alone.
 */
void interrupt_after(uint64_t picoseconds);

#endif
