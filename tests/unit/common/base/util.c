/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comma-separated lists of texts and CPUs, and growing arrays. */
#include "common/base/util.h"
#include "rig/cmocka.h"

#include "common/sys/sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
items_put_together_are_the_list(void **state)
{
	static const struct {
		const char *list;
		size_t n;
	} cases[] = {{"", 1},    {"a", 1},    {",", 2},
	             {"a,b", 2}, {",a,,", 4}, {"one,two,three", 3}};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char **item = list_split(cases[i].list);
		char *joined = NULL, *again;
		size_t n = 0;

		for (; item[n]; n++) {
			assert_null(strchr(item[n], ','));
			again = n ? xasprintf("%s,%s", joined, item[n])
			          : xstrdup(item[n]);
			free(joined);
			joined = again;
		}
		assert_int_equal(n, cases[i].n);
		assert_string_equal(joined, cases[i].list);
		free(joined);
		free(item);
	}
}

static void
an_array_grows(void **state)
{
	struct pair {
		int a, b;
	} *pair = NULL;
	size_t n = 0;

	for (int i = 0; i < 100; i++)
		array_push(pair, n, (struct pair){i, -i});
	assert_int_equal(n, 100);
	for (int i = 0; i < 100; i++)
		assert_int_equal(pair[i].a + 2 * pair[i].b, -i);
	free(pair);
}

/* By the kernel's rule: bitmap_parselist(), without groups. */
static void
cpus_are_those_of_the_list(void **state)
{
	static const struct {
		const char *text, *cpus; /* NULL: not a list */
	} cases[] = {
	    {"0", "0 "},       {"0-3", "0 1 2 3 "}, {"0,24", "0 24 "},
	    {"2-2,7", "2 7 "}, {"65535", "65535 "}, {"65536", NULL},
	    {"", NULL},        {NULL, NULL},        {"3-1", NULL},
	    {"1,", NULL},      {"-1", NULL},        {"1-", NULL},
	    {"1-2-3", NULL},   {"a", NULL},         {"0 1", NULL},
	    {"0-65536", NULL},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct cpulist list;
		char all[64] = "";
		bool is = cpulist_parse(cases[i].text, &list);

		assert_int_equal(is, cases[i].cpus != NULL);
		for (size_t k = 0; k < list.n; k++)
			snprintf(all + strlen(all), sizeof all - strlen(all),
			         "%u ", list.cpu[k]);
		assert_string_equal(all, is ? cases[i].cpus : "");
		free(list.cpu);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(items_put_together_are_the_list),
	    cmocka_unit_test(an_array_grows),
	    cmocka_unit_test(cpus_are_those_of_the_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
