/* What needs no GPU: spans of workers, flushed lines. */
#include "collect/gpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Two workers that each need 100 ns a transfer, the second one later. */
static void
only_what_all_did_at_once_counts(void **state)
{
	static const struct ptx_span span[] = {
	    {.start = 0, .from = 1000, .to = 11000, .end = 12000},
	    {.start = 500, .from = 1500, .to = 11500, .end = 12500},
	};
	struct gpu_total total = {0};

	(void)state;
	assert_true(gpu_steady(span, 2, 100, 1, &total));
	assert_int_equal(total.ns, 9500);
	assert_float_equal(total.transfers, 190, 1e-9);
	/* A second launch is added. */
	assert_true(gpu_steady(span, 1, 100, 1, &total));
	assert_int_equal(total.ns, 19500);
	assert_float_equal(total.transfers, 290, 1e-9);
}

static void
each_worker_has_its_own_pace(void **state)
{
	static const struct ptx_span span[] = {
	    {.from = 1000, .to = 2000},
	    {.from = 1000, .to = 5000},
	};
	struct gpu_total total = {0};

	(void)state;
	assert_true(gpu_steady(span, 2, 40, 1, &total));
	assert_int_equal(total.ns, 1000);
	assert_float_equal(total.transfers, 50, 1e-9);
}

static void
workers_that_did_not_meet_give_nothing(void **state)
{
	static const struct ptx_span span[] = {
	    {.from = 1000, .to = 2000},
	    {.from = 2000, .to = 3000},
	};
	struct gpu_total total = {0};

	(void)state;
	assert_false(gpu_steady(span, 2, 40, 1, &total));
	assert_false(gpu_steady(span, 0, 40, 1, &total));
	assert_false(gpu_steady(span, 1, 40, 1001, &total));
	assert_int_equal(total.ns, 0);
	assert_true(total.transfers == 0);
}

/* Whatever the caches do, the data stay. */
static void
flushed_lines_keep_what_is_in_them(void **state)
{
	unsigned char data[4096], copy[4096];

	(void)state;
	for (size_t i = 0; i < sizeof data; i++)
		data[i] = (unsigned char)(i * 7);
	memcpy(copy, data, sizeof data);
	if (!arch_flush(data + 3, sizeof data - 5))
		skip();
	assert_memory_equal(data, copy, sizeof data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(only_what_all_did_at_once_counts),
	    cmocka_unit_test(each_worker_has_its_own_pace),
	    cmocka_unit_test(workers_that_did_not_meet_give_nothing),
	    cmocka_unit_test(flushed_lines_keep_what_is_in_them),
	};

	return cmocka_run_group_tests_name("gpu", tests, NULL, NULL);
}
