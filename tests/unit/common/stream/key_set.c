/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys and their indices; lines of the preamble. */
#include "common/stream/key_set.h"

#include "common/stream/preamble.h"
#include "rig/cmocka.h"

#define COLUMNS 4
#define ROWS    3000

/* Cells of a row, of any length from 0 to 40. */
struct row {
	char cell[COLUMNS][48];
};

static uint64_t seed = 1;

static uint64_t
next_random(uint64_t bound)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (seed >> 33) % bound;
}

/* Few distinct texts, many of which start alike. */
static void
draw(struct row *row)
{
	memset(row, 0, sizeof *row);
	for (size_t i = 0; i < COLUMNS; i++) {
		size_t length =
		    next_random(30) ? next_random(3) * 8 : next_random(41);

		memset(row->cell[i], 'a', length);
		if (length)
			row->cell[i][length / 2] = (char)('a' + next_random(2));
	}
}

static void
make_key(struct key *key, const struct row *row)
{
	key->length = 0;
	for (size_t i = 0; i < COLUMNS; i++)
		key_append(key, 10 * i, row->cell[i]);
}

static size_t
search(const struct row list[], size_t n, const struct row *row)
{
	size_t i;

	for (i = 0; i < n && memcmp(&list[i], row, sizeof *row) != 0; i++)
		;
	return i;
}

static void
check_cells(const struct key *key, const struct row *row)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		assert_string_equal(key_find(key, 10 * i), row->cell[i]);
		assert_string_equal(key_find(key, 10 * i + 1), "");
	}
}

TEST(test_numbers)
{
	static struct row list[ROWS], row;
	struct key_set keys = {0};
	struct key key = {0};
	size_t n = 0;

	for (size_t rows = 0; rows < ROWS; rows++) {
		size_t wanted;

		draw(&row);
		make_key(&key, &row);
		wanted = search(list, n, &row);
		key_set_prefetch(&keys, &key, 1);
		assert_int_equal(key_set_intern(&keys, &key), wanted);
		if (wanted == n)
			list[n++] = row;
		assert_true(key_equal(&key, &keys.key[wanted]));
		assert_true(!wanted || !key_equal(&key, &keys.key[wanted - 1]));
	}
	assert_int_equal(keys.n, n);
	assert_in_range(n, ROWS / 10, ROWS * 9 / 10);
	for (size_t i = 0; i < n; i++)
		check_cells(&keys.key[i], &list[i]);
	free(key.bytes);
	key_set_free(&keys);
}

TEST(test_long_texts)
{
	static char text[2][20000];
	struct key_set keys = {0};

	memset(text, 'x', sizeof text - 1);
	text[0][sizeof text[0] - 1] = '\0';
	assert_int_equal(key_set_intern_text(&keys, text[0]), 0);
	assert_int_equal(key_set_intern_text(&keys, text[1]), 0);
	assert_int_equal(key_set_intern_text(&keys, text[1] + 1), 1);
	assert_int_equal(key_set_intern_text(&keys, ""), 2);
	assert_int_equal(key_set_intern_text(&keys, text[0]), 0);
	assert_string_equal(key_find(&keys.key[1], 0), text[1] + 1);
	key_set_free(&keys);
}

TEST(texts_keep_their_numbers)
{
	struct key_set keys = {0};
	char text[24] = "";

	assert_int_equal(key_set_find_text(&keys, ""), 0);
	for (size_t i = 0; i < 5000; i++) {
		if (i) /* the first one is empty */
			snprintf(text, sizeof text, "%zu", i);
		assert_int_equal(key_set_find_text(&keys, text), keys.n);
		assert_int_equal(key_set_intern_text(&keys, text), i);
		assert_int_equal(key_set_find_text(&keys, text), i);
		assert_int_equal(keys.n, i + 1);
	}
	for (size_t i = 1; i < keys.n; i++) {
		snprintf(text, sizeof text, "%zu", i);
		assert_int_equal(key_set_find_text(&keys, text), i);
	}
	assert_int_equal(key_set_find_text(&keys, ""), 0);
	assert_int_equal(key_set_find_text(&keys, "x"), keys.n);
	key_set_free(&keys);
}

/* Preamble --------------------------------------------------------------- */

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

TEST(keys_keep_their_order)
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

TEST(values_stay_on_their_line)
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

TEST(what_both_say)
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

TEST(the_coarsest_tick)
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

TEST(commands_make_a_pipe)
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

/* A key of a set finds its cells by an index, if there are many. */
TEST(test_cells_of_long_keys)
{
	for (size_t cells = 1; cells < 3000; cells = 2 * cells + 1) {
		struct key key = {0};
		struct key_set keys = {0};
		char text[16];

		for (size_t i = 0; i < cells; i++) {
			snprintf(text, sizeof text, "%.*zu", (int)(i % 10 + 1),
			         i);
			key_append(&key, 3 * i + 1, text);
		}
		assert_int_equal(key_set_intern(&keys, &key), 0);
		assert_int_equal(key_set_intern(&keys, &key), 0);
		for (size_t i = 0; i < cells; i++) {
			snprintf(text, sizeof text, "%.*zu", (int)(i % 10 + 1),
			         i);
			assert_string_equal(key_find(&keys.key[0], 3 * i + 1),
			                    text);
			assert_string_equal(key_find(&key, 3 * i + 1), text);
			assert_string_equal(key_find(&keys.key[0], 3 * i), "");
		}
		assert_string_equal(key_find(&keys.key[0], 3 * cells + 1), "");
		free(key.bytes);
		key_set_free(&keys);
	}
}
