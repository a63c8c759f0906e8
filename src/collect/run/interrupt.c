/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals, the time limit of a point, and output to a reader that stalls. */
#include "collect/run/interrupt.h"

#include "collect/host/clock.h"
#include "common/base/util.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* How long a reader may stall once a signal has arrived. */
#define READER_MS 1000

/* Until then, a second signal counts as the first: timeout(1) sends two. */
#define SAME_NS 1000000000

volatile sig_atomic_t interrupt_pending, interrupt_signal;

/*
 * After a signal, a write that waits for its reader is restarted by the kernel
 * (SA_RESTART) and then goes to memory. So the program can give its device
 * back; it writes the memory last. Only the handler can change the descriptor
 * while the program waits in write(2); POSIX allows dup2 and fcntl there.
 */
static struct spool {
	int fd;     /* descriptor that the program writes to */
	int memory; /* memory after a signal; -1: none */
	int real;   /* the original file; -1: still at fd */
} spools[] = {{STDOUT_FILENO, -1, -1}, {STDERR_FILENO, -1, -1}};

static timer_t timer;
static uint64_t first_ns;
static volatile sig_atomic_t impatient;

static void
on_signal(int number)
{
	int error = errno;

	if (number != SIGRTMIN && interrupt_signal) {
		impatient |= now_ns() - first_ns > SAME_NS;
	} else if (number != SIGRTMIN) {
		first_ns = now_ns();
		for (size_t i = 0; i < ARRAY_LEN(spools); i++) {
			struct spool *s = &spools[i];

			if (s->memory >= 0)
				s->real = fcntl(s->fd, F_DUPFD_CLOEXEC,
				                STDERR_FILENO + 1);
			if (s->real >= 0 && dup2(s->memory, s->fd) < 0) {
				close(s->real);
				s->real = -1;
			}
		}
		interrupt_signal = number;
	}
	interrupt_pending = 1;
	errno = error;
}

/* Handles signals that are not ignored, and the timer's. */
static void
handle_signals(int flags)
{
	const int signals[] = {SIGRTMIN, SIGINT,  SIGTERM,
	                       SIGHUP,   SIGXCPU, SIGALRM};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
	struct sigaction old;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		if (!i || sigaction(signals[i], NULL, &old) ||
		    old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

/* A reader that is ready takes at least PIPE_BUF bytes. */
static void
finish_output(void)
{
	char buffer[PIPE_BUF];

	fflush(NULL);
	handle_signals(0);
	for (size_t i = 0; i < ARRAY_LEN(spools); i++) {
		struct spool *s = &spools[i];
		struct pollfd reader = {.fd = s->real, .events = POLLOUT};
		ssize_t got, put = 0;
		int ready;

		if (s->real < 0)
			continue;
		for (off_t at = 0; !impatient && put >= 0; at += put) {
			got = pread(s->memory, buffer, sizeof buffer, at);
			if (got <= 0)
				break;
			ready = poll(&reader, 1, READER_MS);
			put = 0;
			if (ready > 0)
				put = write(s->real, buffer, (size_t)got);
			else if (!ready)
				break;
			if (put < 0 && errno == EINTR)
				put = 0;
		}
		dup2(s->real, s->fd);
		close(s->real);
		s->real = -1;
	}
}

void
interrupt_handle(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
	                         .sigev_signo = SIGRTMIN};
	sigset_t time_up;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		die_sys("a timer");
	for (size_t i = 0; i < ARRAY_LEN(spools); i++)
		spools[i].memory = memfd_create("output", MFD_CLOEXEC);
	if (atexit(finish_output))
		die("out of memory");
	handle_signals(SA_RESTART);
	sigemptyset(&time_up);
	sigaddset(&time_up, SIGRTMIN);
	sigprocmask(SIG_UNBLOCK, &time_up, NULL);
	signal(SIGPIPE, SIG_IGN);
}

void
interrupt_after(uint64_t picoseconds)
{
	/* A limit below a nanosecond must not become 0. */
	uint64_t ns = picoseconds / 1000 + (picoseconds % 1000 != 0);
	struct itimerspec when = {
	    .it_value = {.tv_sec = (time_t)(ns / 1000000000),
	                 .tv_nsec = (long)(ns % 1000000000)}};

	timer_settime(timer, 0, &when, NULL);
	if (!picoseconds) {
		interrupt_pending = 0;
		/* Checked last: a signal may arrive at any time. */
		if (interrupt_signal)
			interrupt_pending = 1;
	}
}
