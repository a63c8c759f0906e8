/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmocka, and what its header needs first. */
#ifndef PCB_TESTS_RIG_CMOCKA_H
#define PCB_TESTS_RIG_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Backends have a function fail(). */
#undef fail
#undef fail_msg
#define fail_msg(...)                                                          \
	do {                                                                   \
		print_error("ERROR: " __VA_ARGS__);                            \
		print_error("\n");                                             \
		_fail(__FILE__, __LINE__);                                     \
	} while (0)

#endif
