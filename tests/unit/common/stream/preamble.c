/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys and values of preambles. */
#include "common/stream/preamble.h"
#include "rig/cmocka.h"

#include <stdlib.h>
#include <string.h>

static void
assert_written(const struct preamble *pre, const char *expected)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	preamble_write(pre, f);
	assert_int_equal(fclose(f), 0);
	assert_string_equal(text, expected);
	free(text);
}

static void
keys_keep_their_order(void **state)
{
	struct preamble pre = {0};

	assert_written(&pre, "");
	assert_null(preamble_get(&pre, "a"));
	preamble_set(&pre, "b", "%d", 1);
	preamble_set(&pre, "a", "%s", "x: y");
	preamble_set(&pre, "c", "%s", "");
	preamble_set(&pre, "b", "%s!", preamble_get(&pre, "b"));
	assert_string_equal(preamble_get(&pre, "b"), "1!");
	assert_string_equal(preamble_get(&pre, "c"), "");
	assert_written(&pre, "# b: 1!\n# a: x: y\n# c: \n");
	assert_null(preamble_get(&pre, "d"));
	preamble_free(&pre);
	assert_int_equal(pre.n, 0);
	assert_null(pre.entry);
}

static void
values_stay_on_their_line(void **state)
{
	struct preamble pre = {0};

	preamble_set(&pre, "a", "%s", "1\n# b: 2\r\t\x1b\x7f\xc3\xa9");
	assert_written(&pre, "# a: 1?# b: 2????\xc3\xa9\n");
	preamble_free(&pre);
}

/* Each letter is a key, the digit behind it the value. */
struct intersect_row {
	const char *into, *other, *both;
};

static const struct intersect_row intersect_rows[] = {
    {"", "", ""},
    {"a1b2", "a1b2", "# a: 1\n# b: 2\n"},
    {"a1b2c3", "c3a1", "# a: 1\n# c: 3\n"},
    {"a1b2c3", "a1b3c3", "# a: 1\n# c: 3\n"},
    {"a1b2", "c1d2", ""},
    {"a1b2", "", ""},
    {"", "a1", ""},
};

static void
set_all(struct preamble *pre, const char *pairs)
{
	for (; *pairs; pairs += 2) {
		char key[] = {pairs[0], '\0'};

		preamble_set(pre, key, "%c", pairs[1]);
	}
}

static void
what_both_say(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(intersect_rows); i++) {
		const struct intersect_row *row = &intersect_rows[i];
		struct preamble into = {0}, other = {0};

		set_all(&into, row->into);
		set_all(&other, row->other);
		preamble_intersect(&into, &other);
		assert_written(&into, row->both);
		preamble_free(&into);
		preamble_free(&other);
	}
}

/* Ticks of two preambles and of their intersection; "": none. */
struct tick_row {
	const char *into, *other, *both;
};

static const struct tick_row tick_rows[] = {
    {"1", "40", "40"}, {"40", "1.5", "40"}, {"9", "10.0", "10.0"},
    {"2", "", "2"},    {"", "2", "2"},      {"x", "0.5", "0.5"},
    {"3", "x", "3"},   {"x", "x", "x"},     {"x", "y", ""},
    {"0", "-1", ""},
};

static void
the_coarsest_tick(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(tick_rows); i++) {
		const struct tick_row *row = &tick_rows[i];
		struct preamble into = {0}, other = {0};
		const char *tick;

		preamble_set(&into, "a", "%d", 1);
		preamble_set(&other, "b", "%d", 2);
		if (*row->into)
			preamble_set(&into, "clock_tick_ns", "%s", row->into);
		if (*row->other)
			preamble_set(&other, "clock_tick_ns", "%s", row->other);
		preamble_intersect(&into, &other);
		tick = preamble_get(&into, "clock_tick_ns");
		assert_string_equal(tick ? tick : "", row->both);
		assert_int_equal(into.n, *row->both != '\0');
		preamble_free(&into);
		preamble_free(&other);
	}
}

static void
commands_make_a_pipe(void **state)
{
	static char *first[] = {"/bin/a", "-s", "64 128"};
	static char *second[] = {"b", "-q"};
	struct preamble pre = {0};

	set_program(ARRAY_LEN(first), first);
	preamble_add_command(&pre);
	free(program_command);
	set_program(ARRAY_LEN(second), second);
	preamble_add_command(&pre);
	free(program_command);
	program_command = NULL;
	assert_written(&pre, "# command: a -s '64 128' | b -q\n");
	preamble_free(&pre);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(keys_keep_their_order),
	    cmocka_unit_test(values_stay_on_their_line),
	    cmocka_unit_test(what_both_say),
	    cmocka_unit_test(the_coarsest_tick),
	    cmocka_unit_test(commands_make_a_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
