/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples counted by text: none is lost, none changes its group. */
#include "stats/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define VALUES 40000 /* more than the cache holds */
#define GROUPS 3

static uint64_t counted[GROUPS][VALUES];

/* The word of a text of up to 7 characters, 0 for a longer one. */
static uint64_t
word_of(const char *text)
{
	uint64_t word = 0;
	size_t i = strlen(text);

	while (i <= 7 && i--)
		word = word << 8 | (unsigned char)text[i];
	return word;
}

static void
take(const struct tallied *samples)
{
	if (samples->count)
		counted[samples->group][(size_t)samples->value] +=
		    samples->count;
}

static void
count(struct tally *tally, size_t group, size_t value, const char *text)
{
	struct tallied sample = {
	    .group = group, .count = 1, .value = (double)value};

	if (tally_add(tally, group, word_of(text)))
		return;
	sample = tally_learn(tally, &sample, word_of(text));
	take(&sample);
}

static void
test_all_are_counted(void **state)
{
	static struct tally tally;
	size_t times[GROUPS] = {1, 2, 3};

	(void)state;
	for (size_t i = 0; i < VALUES * (1 + 2 + 3) * 2; i++) {
		char text[16];
		size_t group = i % 6 < 1 ? 0 : i % 6 < 3 ? 1 : 2;
		size_t value = i / 6 % VALUES;

		/* 1 to 9 characters, always the same for a value */
		snprintf(text, sizeof text, "%.*zu", (int)(value % 9 + 1),
		         value);
		count(&tally, group, value, text);
	}
	for (size_t i = 0; i < TALLY_TEXTS; i++)
		take(&tally.entry[i]);
	for (size_t g = 0; g < GROUPS; g++) {
		for (size_t v = 0; v < VALUES; v++)
			assert_int_equal(counted[g][v], 2 * times[g]);
	}
}

static void
test_texts_and_not_numbers(void **state)
{
	static struct tally tally;
	struct tallied sample = {.count = 1, .value = 13};

	(void)state;
	assert_false(tally_add(&tally, 0, word_of("13")));
	assert_int_equal(tally_learn(&tally, &sample, word_of("13")).count, 0);
	assert_true(tally_add(&tally, 0, word_of("13")));
	assert_false(tally_add(&tally, 0, word_of("13.0")));
	assert_false(tally_add(&tally, 1, word_of("13")));
	assert_false(tally_add(&tally, 0, word_of("1")));
}

static void
test_long_texts_stay_with_the_caller(void **state)
{
	static struct tally tally;
	struct tallied sample = {.group = 7, .count = 1, .value = 12345678};

	(void)state;
	assert_int_equal(
	    tally_learn(&tally, &sample, word_of("12345678")).group, 7);
	assert_false(tally_add(&tally, 7, word_of("12345678")));
	for (size_t i = 0; i < TALLY_TEXTS; i++)
		assert_int_equal(tally.entry[i].count, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_all_are_counted),
	    cmocka_unit_test(test_texts_and_not_numbers),
	    cmocka_unit_test(test_long_texts_stay_with_the_caller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
