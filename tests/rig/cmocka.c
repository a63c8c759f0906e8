/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig/cmocka.h"

/* A file has at most one test in a line. */
static struct CMUnitTest tests[64];
static int lines[ARRAY_LEN(tests)];
static size_t ntests;

const struct fixtures fixtures __attribute__((weak)) = {NULL, NULL};

/* Constructors run in an order that the compiler chooses. */
void
add_test(int line, struct CMUnitTest test)
{
	size_t i = ntests++;

	if (ntests > ARRAY_LEN(tests))
		abort();
	for (; i && lines[i - 1] > line; i--) {
		tests[i] = tests[i - 1];
		lines[i] = lines[i - 1];
	}
	tests[i] = test;
	lines[i] = line;
}

int
main(void)
{
	return _cmocka_run_group_tests("tests", tests, ntests, fixtures.setup,
	                               fixtures.teardown);
}
