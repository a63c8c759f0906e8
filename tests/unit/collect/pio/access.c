/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a function would answer, by a tree like sysfs. */
#include "collect/pio/pio.h"

#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

#include <stdlib.h>

#define PORT   "0000:00:01.0"
#define DEVICE "0000:01:00.0"

static const struct access_method by_kernel = {.wakes = true}, past_it;

static const struct reg_addr config = {CONFIG_SPACE, 8}, memory = {0, 8};

static void
make_tree(void)
{
	static const struct byte port[] = {
	    {0x0e, 1}, {0x19, 1}, {0x1a, 1}, {0}};

	empty_tree(NULL);
	make_function(PORT, port, 256);
	make_function(DEVICE, NULL, 256);
	run_shell("mkdir devices/" PORT "/power devices/" DEVICE "/power");
}

static void
assert_sleeps(struct pci_tree *tree, const struct reg_addr *addr, bool sleeps)
{
	const struct pci_function *f = pci_find(tree, DEVICE);
	struct reader r = {.method = &past_it, .function = f, .addr = *addr};

	assert_int_equal(reader_is_suspended(tree, &r), sleeps);
	r.method = &by_kernel;
	assert_false(reader_is_suspended(tree, &r));
}

static void
who_is_asleep(void **state)
{
	static const struct {
		const char *what;
		bool config, memory; /* whether that does not answer */
	} rows[] = {
	    {"true", false, false},
	    {"echo active >devices/" DEVICE "/power/runtime_status", false,
	     false},
	    {"echo suspended >devices/" DEVICE "/power/runtime_status", false,
	     true},
	    {"echo D0 >devices/" DEVICE "/power_state", false, false},
	    {"echo unknown >devices/" DEVICE "/power_state", false, false},
	    {"echo D1 >devices/" DEVICE "/power_state", false, true},
	    {"echo D3hot >devices/" DEVICE "/power_state", false, true},
	    {"echo D3cold >devices/" DEVICE "/power_state", true, true},
	    {"echo suspended >devices/" PORT "/power/runtime_status; "
	     "echo suspended >devices/" DEVICE "/power/runtime_status",
	     true, true},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct pci_tree *tree;

		make_tree();
		run_shell(rows[i].what);
		tree = read_tree(2);
		assert_sleeps(tree, &config, rows[i].config);
		assert_sleeps(tree, &memory, rows[i].memory);
		pci_tree_free(tree);
	}
}

static void
who_may_fall_asleep(void **state)
{
	struct pci_tree *tree;
	struct reader r = {.method = &past_it, .addr = memory};

	make_tree();
	tree = read_tree(2);
	r.function = pci_find(tree, DEVICE);
	assert_false(reader_may_suspend(tree, &r));
	run_shell("echo on >devices/" DEVICE "/power/control");
	assert_false(reader_may_suspend(tree, &r));
	run_shell("echo auto >devices/" DEVICE "/power/control");
	assert_true(reader_may_suspend(tree, &r));
	r.method = &by_kernel;
	assert_false(reader_may_suspend(tree, &r));
	r.method = &past_it;
	r.addr = config;
	assert_false(reader_may_suspend(tree, &r));
	pci_tree_free(tree);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(who_is_asleep),
	    cmocka_unit_test(who_may_fall_asleep),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
