/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers of signals and of the alarm. */
#include "collect/run/interrupt.h"

#include "common/base/util.h"

#include <stddef.h>
#include <sys/time.h>

struct interrupt interrupt;

static void
on_signal(int number)
{
	if (number != SIGALRM)
		interrupt.signo = number;
	interrupt.pending = 1;
}

void
interrupt_on_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU,
	                              SIGALRM};
	struct sigaction action = {.sa_handler = on_signal,
	                           .sa_flags = SA_RESTART};
	struct sigaction old;
	sigset_t timer;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		if (!sigaction(signals[i], NULL, &old) &&
		    (old.sa_handler != SIG_IGN || signals[i] == SIGALRM))
			sigaction(signals[i], &action, NULL);
	}
	sigemptyset(&timer);
	sigaddset(&timer, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &timer, NULL);
	signal(SIGPIPE, SIG_IGN);
}

void
interrupt_after(uint64_t picoseconds)
{
	uint64_t us = picoseconds / 1000000;
	struct itimerval timer = {
	    .it_value = {.tv_sec = (time_t)(us / 1000000),
	                 .tv_usec = (suseconds_t)(us % 1000000)}};

	/* A limit below a microsecond is not none. */
	if (picoseconds && !us)
		timer.it_value.tv_usec = 1;
	setitimer(ITIMER_REAL, &timer, NULL);
	if (!picoseconds) {
		interrupt.pending = 0;
		/* After it: a signal may come at any time. */
		if (interrupt.signo)
			interrupt.pending = 1;
	}
}
