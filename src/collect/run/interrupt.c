/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that end a measurement, its time limit, and spooled output. */
#include "collect/run/interrupt.h"

#include "collect/host/clock.h"
#include "common/base/util.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* How long a reader may stall once a signal has arrived. */
#define READER_NS 1000000000

/* Until then, a second signal counts as the first: timeout(1) sends two. */
#define SAME_NS 1000000000

struct interrupt interrupt;

/*
 * After a signal, a write that waits for its reader is restarted by the kernel
 * (SA_RESTART) and then goes to memory. So the program can give its device
 * back; it writes the memory last.
 */
struct spool {
	int fd;     /* descriptor that the program writes to */
	int memory; /* memory after a signal; -1: none */
	int real;   /* the original file; -1: still at fd */
};

static struct spool spools[] = {{STDOUT_FILENO, -1, -1},
                                {STDERR_FILENO, -1, -1}};

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGALRM};
static timer_t timer;
static bool ignores_alarm;
static uint64_t first_ns;
static volatile sig_atomic_t impatient;
static volatile sig_atomic_t stalled; /* set by the timer */

static void
divert(struct spool *s)
{
	if (s->memory < 0)
		return;
	s->real = fcntl(s->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (s->real >= 0 && dup2(s->memory, s->fd) < 0) {
		close(s->real);
		s->real = -1;
	}
}

static void
end_soon(int number)
{
	if (interrupt.signo) {
		impatient |= now_ns() - first_ns > SAME_NS;
		return;
	}
	first_ns = now_ns();
	for (size_t i = 0; i < ARRAY_LEN(spools); i++)
		divert(&spools[i]);
	interrupt.signo = number;
}

static bool
is_own_timer(const siginfo_t *info)
{
	return info->si_code == SI_TIMER &&
	       info->si_value.sival_ptr == &interrupt;
}

static void
on_signal(int number, siginfo_t *info, void *context)
{
	int error = errno;
	bool timed = number == SIGALRM && is_own_timer(info);

	(void)context;
	if (number == SIGALRM && !timed && ignores_alarm)
		return;
	if (timed)
		stalled = 1;
	else
		end_soon(number);
	interrupt.pending = 1;
	errno = error;
}

/* Handles signals that are not ignored, and always SIGALRM, the timer's. */
static void
handle_signals(int flags)
{
	struct sigaction action = {.sa_sigaction = on_signal,
	                           .sa_flags = SA_SIGINFO | flags};
	struct sigaction old;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		bool ignored = !sigaction(signals[i], NULL, &old) &&
		               old.sa_handler == SIG_IGN;

		if (signals[i] == SIGALRM)
			ignores_alarm |= ignored;
		if (!ignored || signals[i] == SIGALRM)
			sigaction(signals[i], &action, NULL);
	}
}

static void
set_timer(uint64_t ns, uint64_t again_ns)
{
	struct itimerspec when = {
	    .it_value = {.tv_sec = (time_t)(ns / 1000000000),
	                 .tv_nsec = (long)(ns % 1000000000)},
	    .it_interval = {.tv_nsec = (long)again_ns}};

	timer_settime(timer, 0, &when, NULL);
}

/* Writes the memory as long as the reader takes it. */
static void
write_spooled(struct spool *s)
{
	static char buffer[65536];
	ssize_t got, put;
	off_t at = 0;

	while (!impatient &&
	       (got = pread(s->memory, buffer, sizeof buffer, at)) > 0) {
		stalled = 0;
		/* Repeated, since the first may come before the write. */
		set_timer(READER_NS, READER_NS / 10);
		put = write(s->real, buffer, (size_t)got);
		if (put < 0 && errno == EINTR && !stalled)
			continue;
		if (put <= 0)
			break;
		at += put;
	}
	set_timer(0, 0);
}

static void
finish_output(void)
{
	fflush(NULL);
	handle_signals(0);
	for (size_t i = 0; i < ARRAY_LEN(spools); i++) {
		struct spool *s = &spools[i];

		if (s->real < 0)
			continue;
		write_spooled(s);
		dup2(s->real, s->fd);
		close(s->real);
		s->real = -1;
	}
}

void
interrupt_on_signals(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
	                         .sigev_signo = SIGALRM,
	                         .sigev_value = {.sival_ptr = &interrupt}};
	sigset_t alarm;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		die_sys("a timer");
	for (size_t i = 0; i < ARRAY_LEN(spools); i++)
		spools[i].memory = memfd_create("output", MFD_CLOEXEC);
	if (atexit(finish_output))
		die("out of memory");
	handle_signals(SA_RESTART);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &alarm, NULL);
	signal(SIGPIPE, SIG_IGN);
}

void
interrupt_after(uint64_t picoseconds)
{
	/* A limit below a nanosecond must not become 0. */
	set_timer(picoseconds / 1000 + (picoseconds % 1000 != 0), 0);
	if (!picoseconds) {
		interrupt.pending = 0;
		/* Checked last: a signal may arrive at any time. */
		if (interrupt.signo)
			interrupt.pending = 1;
	}
}
