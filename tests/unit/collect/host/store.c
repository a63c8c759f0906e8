/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each supported instruction copies exactly the requested bytes. */
#include "collect/host/store.h"
#include "rig/cmocka.h"

#define BYTES 256

static _Alignas(64) unsigned char from[BYTES], to[BYTES];

static int
fill(void **state)
{
	for (size_t i = 0; i < BYTES; i++)
		from[i] = (unsigned char)(7 * i + 1);
	return 0;
}

/* The middle of `to` must equal `from`, and its ends must be unchanged. */
static void
assert_copied(size_t bytes)
{
	for (size_t i = 0; i < BYTES; i++)
		assert_int_equal(to[i],
		                 i >= 64 && i < 64 + bytes ? from[i] : 0);
	memset(to, 0, sizeof to);
}

const struct fixtures fixtures = {fill, NULL};

TEST(each_copies)
{
	size_t copied = 0;

	for (const struct store *const *s = stores; *s; s++) {
		if (!(*s)->is_there())
			continue;
		for (size_t i = 0; i < 2 * STORE_WIDTHS; i++) {
			/* Once, and twice in a row. */
			size_t width = i % STORE_WIDTHS;
			size_t bytes = (size_t)4 << width
			                         << (i >= STORE_WIDTHS);

			if ((*s)->copy[width]) {
				(*s)->copy[width](to + 64, from + 64, bytes);
				assert_copied(bytes);
				copied++;
			}
		}
	}
	assert_true(copied >= 8);
}

TEST(the_widest_that_divides)
{
	const struct store *mov = store_find("mov");

	assert_ptr_equal(mov, stores[0]);
	assert_null(store_find("sse"));
	assert_int_equal(store_width(mov, 4, true), 0);
	assert_int_equal(store_width(mov, 12, true), 0);
	assert_int_equal(store_width(mov, 64, false), 1);
	assert_int_equal(store_width(mov, 2, true), STORE_WIDTHS);
	assert_int_equal(store_width(mov, 0, true), STORE_WIDTHS);
}

TEST(some_only_write)
{
	const struct store *nt = store_find("movnt");
	const struct store *direct = store_find("movdir64b");

	if (!nt)
		skip();
	assert_int_equal(store_width(nt, 64, true), 1);
	assert_int_equal(store_width(nt, 64, false), STORE_WIDTHS);
	assert_int_equal(store_width(direct, 128, true), 4);
	assert_int_equal(store_width(direct, 32, true), STORE_WIDTHS);
	assert_int_equal(store_width(store_find("avx512"), 16, true), 2);
}

/* All sizes, in both directions. */
TEST(the_default_takes_all)
{
	const struct store *chosen = store_default();

	assert_true(chosen->is_there());
	for (uint64_t size = 4; size <= 64; size *= 2) {
		assert_true(store_width(chosen, size, true) < STORE_WIDTHS);
		assert_true(store_width(chosen, size, false) < STORE_WIDTHS);
	}
	for (const struct store *const *s = stores; *s; s++) {
		if ((*s)->is_there() && (*s)->reads)
			assert_true(store_width(chosen, 64, true) >=
			            store_width(*s, 64, true));
	}
}

TEST(names_are_listed)
{
	char *names = store_names();

	assert_ptr_equal(strstr(names, "mov"), names);
	free(names);
}
