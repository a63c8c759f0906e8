/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of code that exits when it refuses its input: exit returns to the
 * test. One file of a program includes it.
 */
#ifndef PCB_TESTS_RIG_EXIT_H
#define PCB_TESTS_RIG_EXIT_H

#include <dlfcn.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>

/* setjmp(refused), then set is_reading; clear it after the code returns. */
static jmp_buf refused;
static bool is_reading;

/* Replaces the C library's exit while is_reading. */
_Noreturn void
exit(int status)
{
	union {
		void *object;
		void (*function)(int);
	} real;

	if (is_reading)
		longjmp(refused, 1);
	real.object = dlsym(RTLD_NEXT, "exit");
	real.function(status);
	abort();
}

#endif
