/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage COMMAND...: runs it and prints seconds of wall-clock time, peak KiB of
 * memory and seconds of CPU time on stderr.
 */
#include "common/base/util.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int
main(int argc, char *argv[])
{
	double start = now();
	struct rusage used;
	pid_t child;
	int status;

	set_program(argc, argv);
	if (argc < 2)
		die("no command");
	child = fork();
	if (!child) {
		execvp(argv[1], argv + 1);
		die_sys("%s", argv[1]);
	}
	if (child < 0 || wait4(child, &status, 0, &used) < 0)
		die_sys("%s", argv[1]);
	fprintf(stderr, "%.3f %ld %.3f\n", now() - start, used.ru_maxrss,
	        seconds(used.ru_utime) + seconds(used.ru_stime));
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_TROUBLE;
}
