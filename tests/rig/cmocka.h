/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmocka, what its header needs first, the C headers that nearly every file
 * needs, and tests that register themselves.
 */
#ifndef PCB_TESTS_RIG_CMOCKA_H
#define PCB_TESTS_RIG_CMOCKA_H

#include "common/base/util.h"

#include <setjmp.h>

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

/*
 * TEST(name) and a body define a test. main, which is in the rig, runs the
 * tests of the program's one file in their order there; TEST_IN also runs two
 * functions around the test, or NULL.
 */
#define TEST(name) TEST_IN(name, NULL, NULL)
#define TEST_IN(name, setup, teardown)                                         \
	static void name(void **state);                                        \
	__attribute__((constructor)) static void add_##name(void)              \
	{                                                                      \
		add_test(__LINE__, (struct CMUnitTest){#name, name, setup,     \
		                                       teardown, NULL});       \
	}                                                                      \
	static void name(void **state)

void add_test(int line, struct CMUnitTest test);

/* Run around all tests; a file may define it, else both are NULL. */
extern const struct fixtures {
	CMFixtureFunction setup, teardown;
} fixtures;

#endif
