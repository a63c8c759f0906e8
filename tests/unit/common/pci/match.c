/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of devices, and the functions they mean. */
#include "common/pci/tree.h"

#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <stdlib.h>
#include <string.h>

#define DEVICES "sys/devices/pci0000:00/"

/* A tree with a virtio NIC, an NVMe drive with multipath, and a USB disk. */
static struct pci_tree *
machine(void)
{
	make_function("0000:00:01.0", NULL, 64);
	make_function("0000:03:00.0", NULL, 64);
	make_function("0000:03:00.1", NULL, 64);
	run_shell("rm -rf sys && mkdir -p sys/class/net sys/class/block "
	          "sys/class/nvme sys/devices/virtual/nvme0n1 "
	          "sys/devices/virtual/lo " DEVICES
	          "0000:00:01.0/virtio1/net/eth0 " DEVICES
	          "0000:03:00.1/nvme/nvme0 && cd sys/class && "
	          "ln -s ../../../" DEVICES
	          "0000:00:01.0/virtio1/net/eth0 net/eth0 && "
	          "ln -s ../../devices/virtual/lo net/lo && "
	          "ln -s ../../devices/virtual/nvme0n1 block/nvme0n1 && "
	          "ln -s ../../../" DEVICES
	          "0000:03:00.1/nvme/nvme0 nvme/nvme0");
	root_set(".");
	return read_tree(3);
}

static void
each_name_has_its_functions(void **state)
{
	static const char *const rows[][2] = {
	    {"03:00.0", "0000:03:00.0"},
	    {"0000:03:00.1", "0000:03:00.1"},
	    {"03:00", "0000:03:00.0"},
	    {"0000:00:01", "0000:00:01.0"},
	    {"8086:1234", "0000:00:01.0 0000:03:00.0 0000:03:00.1"},
	    {"eth0", "0000:00:01.0"},
	    {"nvme0", "0000:03:00.1"},
	    {"nvme0n1", "0000:03:00.1"},
	    {"/dev/nvme0n1", "0000:03:00.1"},
	};
	struct pci_tree *tree = machine();

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct pci_matches found;
		char *all = NULL;

		assert_null(pci_match(tree, rows[i][0], &found));
		for (size_t k = 0; k < found.n; k++)
			xappend(&all, " ", "%s", found.item[k]->bdf);
		assert_string_equal(all, rows[i][1]);
		free(all);
		free(found.item);
	}
	pci_tree_free(tree);
}

static void
what_is_none_is_said(void **state)
{
	static const char *const rows[][2] = {
	    {"04:00.0", "no such device"},
	    {"1af4:1041", "no such device"},
	    {"8086:123", "no such device"},
	    {"eth1", "no such device"},
	    {"nvme1n1", "no such device"},
	    {"", "no such device"},
	    {"..", "no such device"},
	    {"net/eth0", "no such device"},
	    {"/dev/../class", "no such device"},
	    {"lo", "not a PCI device"},
	};
	struct pci_tree *tree = machine();

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct pci_matches found;

		assert_string_equal(pci_match(tree, rows[i][0], &found),
		                    rows[i][1]);
		assert_int_equal(found.n, 0);
	}
	pci_tree_free(tree);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(each_name_has_its_functions, empty_tree),
	    cmocka_unit_test_setup(what_is_none_is_said, empty_tree),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
