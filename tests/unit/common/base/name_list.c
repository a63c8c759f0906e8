/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/name_list.h"
#include "rig/cmocka.h"

#define MANY 5000

TEST(names_keep_their_places)
{
	static char name[MANY][8];
	struct name_list l = {0};

	assert_int_equal(name_list_find(&l, ""), 0);
	for (size_t i = 0; i < MANY; i++) {
		if (i) /* the first one is empty */
			snprintf(name[i], sizeof name[i], "%zu", i);
		assert_int_equal(name_list_find(&l, name[i]), l.n);
		assert_int_equal(name_list_add(&l, name[i]), i);
		assert_int_equal(name_list_add(&l, name[i / 2]), i / 2);
		assert_int_equal(l.n, i + 1);
	}
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(name_list_find(&l, name[i]), i);
		assert_ptr_equal(l.name[i], name[i]);
	}
	assert_int_equal(name_list_find(&l, "x"), MANY);
	name_list_free(&l);
	assert_int_equal(l.n, 0);
}
