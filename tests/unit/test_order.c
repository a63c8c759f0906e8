/* The order of accesses: passes that go to every unit once. */
#include "collect/order.h"

#include "common/util.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define UNITS 1000

/* One pass; returns how many units are where a sequence has them. */
static size_t
take_pass(struct order *order)
{
	unsigned char seen[UNITS] = {0};
	size_t same = 0;

	assert_true(order_is_new(order));
	for (uint64_t i = 0; i < UNITS; i++) {
		uint64_t unit = order_next(order);

		assert_true(unit < UNITS);
		assert_false(seen[unit]++);
		assert_int_equal(order_is_new(order), i + 1 == UNITS);
		same += unit == i;
	}
	return same;
}

static void
in_sequence(void **state)
{
	struct order order = {0};

	(void)state;
	order_begin(&order, UNITS, false, 1);
	assert_int_equal(take_pass(&order), UNITS);
	assert_int_equal(take_pass(&order), UNITS);
	order_free(&order);
}

static void
at_random(void **state)
{
	struct order order = {0};

	(void)state;
	order_begin(&order, UNITS, true, 1);
	for (int pass = 0; pass < 20; pass++)
		assert_true(take_pass(&order) < 20);
	order_free(&order);
}

static void
of_one_unit(void **state)
{
	struct order order = {0};

	(void)state;
	order_begin(&order, 1, true, 1);
	for (int i = 0; i < 3; i++) {
		assert_true(order_is_new(&order));
		assert_int_equal(order_next(&order), 0);
	}
	order_free(&order);
}

static void
by_seed(void **state)
{
	struct order a = {0}, b = {0}, other = {0};
	size_t same = 0;

	(void)state;
	order_begin(&a, UNITS, true, 7);
	order_begin(&b, UNITS, true, 7);
	order_begin(&other, UNITS, true, 8);
	for (int i = 0; i < UNITS; i++) {
		uint64_t unit = order_next(&a);

		assert_int_equal(unit, order_next(&b));
		same += unit == order_next(&other);
	}
	assert_true(same < 20);
	order_free(&a);
	order_free(&b);
	order_free(&other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(in_sequence),
	    cmocka_unit_test(at_random),
	    cmocka_unit_test(of_one_unit),
	    cmocka_unit_test(by_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
