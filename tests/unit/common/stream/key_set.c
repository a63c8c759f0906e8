/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys and their indices, against a list that is searched. */
#include "common/stream/key_set.h"
#include "common/base/util.h"
#include "rig/cmocka.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 4
#define ROWS    3000

/* Cells of a row, of any length from 0 to 40. */
struct row {
	char cell[COLUMNS][48];
};

static uint64_t state = 1;

static uint64_t
next_random(uint64_t bound)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (state >> 33) % bound;
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
	size_t at = 0;

	for (size_t i = 0; i < COLUMNS; i++) {
		assert_string_equal(key_text(key, 10 * i, &at), row->cell[i]);
		assert_string_equal(key_text(key, 10 * i + 1, &at), "");
		assert_string_equal(key_find(key, 10 * i), row->cell[i]);
		assert_string_equal(key_find(key, 10 * i + 1), "");
	}
}

/* One by one and many at once, alternately. */
static void
test_numbers(void **unused)
{
	static struct row list[ROWS], row[KEY_SET_AT_ONCE];
	struct key key[KEY_SET_AT_ONCE] = {{0}};
	struct key_set keys = {0};
	size_t n = 0, number[KEY_SET_AT_ONCE];

	for (size_t rows = 0; rows < ROWS - KEY_SET_AT_ONCE;) {
		size_t many = next_random(KEY_SET_AT_ONCE + 1);

		for (size_t i = 0; i < many; i++) {
			draw(&row[i]);
			make_key(&key[i], &row[i]);
		}
		if (rows % 2)
			key_set_intern_all(&keys, key, many, number);
		for (size_t i = 0; i < many; i++) {
			size_t wanted = search(list, n, &row[i]);

			if (!(rows % 2))
				number[i] = key_set_intern(&keys, &key[i]);
			assert_int_equal(number[i], wanted);
			if (wanted == n)
				list[n++] = row[i];
		}
		rows += many;
	}
	assert_int_equal(keys.n, n);
	assert_in_range(n, ROWS / 10, ROWS * 9 / 10);
	for (size_t i = 0; i < n; i++)
		check_cells(&keys.key[i], &list[i]);
	for (size_t i = 0; i < KEY_SET_AT_ONCE; i++)
		free(key[i].bytes);
	key_set_free(&keys);
}

/* Longer than a block of memory. */
static void
test_long_texts(void **unused)
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

static void
test_items_grow_with_keys(void **unused)
{
	struct key_set keys = {0};
	size_t room = 0, *item = NULL;

	for (size_t i = 0; i < 100; i++) {
		char text[8];

		snprintf(text, sizeof text, "%zu", i);
		assert_int_equal(key_set_intern_text(&keys, text), i);
		item = key_set_grow(&keys, item, &room, sizeof *item);
		assert_true(room > i && !item[i]);
		item[i] = i + 1;
	}
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(item[i], i + 1);
	free(item);
	key_set_free(&keys);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_numbers),
	    cmocka_unit_test(test_long_texts),
	    cmocka_unit_test(test_items_grow_with_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
