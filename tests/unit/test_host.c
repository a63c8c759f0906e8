/* What has disturbed the CPU, and what could not be done about it. */
#include "collect/host.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void
all_that_is_not_done_is_said(void **state)
{
	struct preamble pre = {0};

	(void)state;
	errno = EPERM;
	host_not_set(&pre, "locking memory");
	assert_int_equal(errno, EPERM);
	errno = ENOENT;
	host_not_set(&pre, "governor");
	assert_string_equal(preamble_get(&pre, "not_set"),
	                    "locking memory (Operation not permitted); "
	                    "governor (No such file or directory)");
	preamble_free(&pre);
}

/* Containers may hide them: then the file is empty. */
static bool
shows_interrupts(void)
{
	FILE *f = fopen("/proc/interrupts", "r");
	bool shows = f && fgetc(f) != EOF;

	if (f)
		fclose(f);
	return shows;
}

/* Neither is the count since the start taken for one, nor one below zero. */
static void
interrupts_that_cannot_be_counted_are_none(void **state)
{
	const struct {
		int cpu;
		uint64_t before;
		bool counted;
	} cases[] = {{0, 0, shows_interrupts()},
	             {0, UINT64_MAX, false},
	             {5000, 5, false},
	             {-1, UINT64_MAX, false}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct host host = {.cpu = cases[i].cpu,
		                    .interrupts = cases[i].before};
		struct preamble end = {0};

		host_describe_end(&host, &end);
		assert_int_equal(preamble_get(&end, "interrupts") != NULL,
		                 cases[i].counted);
		preamble_free(&end);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_that_is_not_done_is_said),
	    cmocka_unit_test(interrupts_that_cannot_be_counted_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
