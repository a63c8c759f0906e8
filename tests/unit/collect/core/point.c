/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of accesses. */
#include "collect/core/point.h"
#include "rig/cmocka.h"

#define UNITS 1000

/* Takes a pass; returns the number of units at their sequential place. */
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
		assert_int_equal(order_left(order),
		                 i + 1 == UNITS ? UNITS : UNITS - 1 - i);
		same += unit == i;
	}
	return same;
}

TEST(in_sequence)
{
	struct order order = {.state = 1};

	order_begin(&order, UNITS, false, true);
	assert_int_equal(take_pass(&order), UNITS);
	assert_int_equal(take_pass(&order), UNITS);
	order_free(&order);
}

TEST(at_random)
{
	struct order order = {.state = 1};

	order_begin(&order, UNITS, true, true);
	for (int pass = 0; pass < 20; pass++)
		assert_true(take_pass(&order) < 20);
	order_free(&order);
}

TEST(of_one_unit)
{
	struct order order = {.state = 1};

	order_begin(&order, 1, true, true);
	for (int i = 0; i < 3; i++) {
		assert_true(order_is_new(&order));
		assert_int_equal(order_next(&order), 0);
	}
	order_free(&order);
}

TEST(by_seed)
{
	struct order a = {.state = 7}, b = a, other = {.state = 8};
	size_t same = 0;

	order_begin(&a, UNITS, true, true);
	order_begin(&b, UNITS, true, true);
	order_begin(&other, UNITS, true, true);
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

TEST(points_differ)
{
	struct order order = {.state = 7};
	uint32_t one[64], next[64];

	order_begin(&order, UNITS, true, true);
	order_take(&order, one, 64);
	order_begin(&order, UNITS, true, true);
	assert_true(order_is_new(&order));
	order_take(&order, next, 64);
	assert_memory_not_equal(one, next, sizeof one);
	order_free(&order);
}

/* With replacement, some of 4000 units are repeated. */
TEST(at_random_by_themselves)
{
	unsigned times[UNITS] = {0}, most = 0;
	struct order order = {.state = 1};
	uint32_t unit[4 * UNITS];

	order_begin(&order, UNITS, true, false);
	assert_true(order_left(&order) == UINT64_MAX);
	order_take(&order, unit, 4 * UNITS);
	for (size_t i = 0; i < 4 * UNITS; i++) {
		assert_true(unit[i] < UNITS);
		if (++times[unit[i]] > most)
			most = times[unit[i]];
	}
	assert_in_range(most, 9, 20);
}
