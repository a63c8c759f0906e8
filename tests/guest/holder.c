/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests in the guest: keeps a file open where /proc/PID/fd does not list
 * it, prints "held", and waits for a signal.
 *
 * usage: holder thread|orphan|ring FILE
 *
 *   thread  in a thread with its own descriptors
 *   orphan  in a process whose first thread has ended
 *   ring    registered with io_uring(7), the descriptor closed
 *
 * Status: 1: failed; 3: not supported by the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int
must_open(const char *file)
{
	int fd = open(file, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	perror(file);
	exit(1);
}

static _Noreturn void
hold(void)
{
	puts("held");
	fflush(stdout);
	for (;;)
		pause();
}

static void *
hold_alone(void *file)
{
	if (unshare(CLONE_FILES))
		exit(1);
	must_open(file);
	hold();
}

static void *
hold_on(void *file)
{
	(void)file;
	sleep(1);
	hold();
}

static void
start(void *(*run)(void *), void *file)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, file))
		exit(1);
}

static void
hold_in_ring(const char *file)
{
	struct io_uring_params params = {0};
	int ring = (int)syscall(SYS_io_uring_setup, 4, &params);
	int fd = must_open(file);

	if (ring < 0)
		exit(3);
	if (syscall(SYS_io_uring_register, ring, IORING_REGISTER_FILES, &fd, 1))
		exit(1);
	close(fd);
	hold();
}

int
main(int argc, char *argv[])
{
	if (argc != 3)
		return 2;
	if (!strcmp(argv[1], "ring"))
		hold_in_ring(argv[2]);
	if (!strcmp(argv[1], "thread")) {
		start(hold_alone, argv[2]);
		hold_on(NULL);
	}
	must_open(argv[2]);
	start(hold_on, NULL);
	/* pthread_exit needs a library that the guest lacks. */
	syscall(SYS_exit, 0);
}
