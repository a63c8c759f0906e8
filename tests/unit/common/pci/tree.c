/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of a machine, and the bridges above them. */
#include "rig/cmocka.h"

#include "common/pci/tree.h"
#include "common/sys/sysfs.h"
#include "rig/pci.h"
#include "rig/support.h"

/* Buses below a bridge; 0 if it is none. */
struct node {
	const char *bdf;
	unsigned char type, first, last;
	const char *parent;
};

#define BRIDGE 0x81

static const struct node nodes[] = {
    {"0000:00:01.0", BRIDGE, 1, 6, ""},
    {"0000:01:00.0", BRIDGE, 2, 6, "0000:00:01.0"},
    {"0000:02:00.0", BRIDGE, 3, 4, "0000:01:00.0"},
    {"0000:02:01.0", BRIDGE, 5, 6, "0000:01:00.0"},
    {"0000:03:00.0", 0, 0, 0, "0000:02:00.0"},
    {"0000:04:1f.7", 0, 0, 0, "0000:02:00.0"},
    {"0000:06:00.0", 0, 0, 0, "0000:02:01.0"},
    {"0000:07:00.0", 0, 0, 0, ""},
    /* One without buses from firmware, and one removed. */
    {"0000:00:02.0", BRIDGE, 0, 0, ""},
    {"0000:00:03.0", BRIDGE, 255, 255, ""},
    {"0000:ff:00.0", 0, 0, 0, "0000:00:03.0"},
    /* Another domain; a conventional bridge has no capability either. */
    {"0001:00:01.0", BRIDGE, 2, 2, ""},
    {"0001:02:00.0", 0, 0, 0, "0001:00:01.0"},
    {"0001:03:00.0", 0, 0, 0, ""},
    /* A CardBus bridge (header type 2) does not count. */
    {"0002:00:00.0", 2, 1, 9, ""},
    {"0002:01:00.0", 0, 0, 0, ""},
};

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST_IN(parents_follow_from_bus_numbers, empty_tree, NULL)
{
	struct pci_tree *tree;

	for (size_t i = 0; i < ARRAY_LEN(nodes); i++)
		make_function(nodes[i].bdf,
		              (struct byte[]){{0x0e, nodes[i].type},
		                              {0x19, nodes[i].first},
		                              {0x1a, nodes[i].last},
		                              {0}},
		              nodes[i].type ? 256 : 64);
	tree = read_tree(ARRAY_LEN(nodes));
	for (size_t i = 0; i < ARRAY_LEN(nodes); i++) {
		const struct pci_function *f = pci_find(tree, nodes[i].bdf);

		assert_non_null(f);
		assert_string_equal(f->up ? f->up->bdf : "", nodes[i].parent);
	}
	assert_null(pci_find(tree, "0000:03:00.1"));
	assert_null(pci_find(tree, "03:00.0"));
	pci_tree_free(tree);
}

TEST_IN(functions_are_in_order, empty_tree, NULL)
{
	static const char *const bdfs[] = {
	    "0000:00:02.0", "0000:00:02.1", "0000:00:0a.0",
	    "0000:0a:00.0", "0000:10:00.0", "0001:00:00.0",
	    "0a00:00:00.0", "ffff:00:00.0", "10000:00:1c.7"};
	struct pci_tree *tree;

	for (size_t i = ARRAY_LEN(bdfs); i--;)
		make_function(bdfs[i], NULL, 64);
	tree = read_tree(ARRAY_LEN(bdfs));
	for (size_t i = 0; i < ARRAY_LEN(bdfs); i++)
		assert_string_equal(tree->function[i].bdf, bdfs[i]);
	for (size_t i = 0; i < ARRAY_LEN(bdfs); i++)
		assert_ptr_equal(pci_find(tree, bdfs[i]), &tree->function[i]);
	assert_null(pci_find(tree, "0a00:00:00.1"));
	assert_null(pci_find(tree, "a name that is too long for one"));
	pci_tree_free(tree);
}

TEST_IN(a_function_has_driver_node_and_name, empty_tree, NULL)
{
	struct pci_tree *tree;
	const struct pci_function *f;
	char *name;

	make_function("0000:00:00.0", NULL, 64);
	make_function("0000:00:01.0", NULL, 64);
	run_shell("ln -s ../../../bus/pci/drivers/nvme "
	          "devices/0000:00:00.0/driver && "
	          "echo 1 >devices/0000:00:00.0/numa_node && "
	          "echo -1 >devices/0000:00:01.0/numa_node");
	tree = read_tree(2);
	f = tree->function;
	assert_string_equal(f->driver, "nvme");
	assert_int_equal(f->node, 1);
	assert_int_equal(f->vendor_id, 0x8086);
	assert_int_equal(f->device_id, 0x1234);
	name = pci_name(0x8086, 0x1234);
	assert_true(*name);
	free(name);
	assert_string_equal(f[1].driver, "");
	assert_int_equal(f[1].node, -1);
	assert_string_equal(tree->sysfs, ".");
	pci_tree_free(tree);
}

TEST_IN(a_machine_without_pci_has_an_empty_tree, empty_tree, NULL)
{
	struct pci_tree *tree = read_tree(0);

	assert_null(pci_find(tree, "0000:00:00.0"));
	pci_tree_free(tree);
	assert_null(pci_tree_read("/nowhere"));
	assert_int_equal(errno, ENOENT);
	run_shell("rm -r devices && touch devices");
	assert_null(pci_tree_read("."));
	assert_int_equal(errno, ENOTDIR);
	pci_tree_free(NULL);
}

/* read calls by this process, or -1. */
static long
reads_so_far(void)
{
	FILE *f = fopen("/proc/self/io", "r");
	char line[64];
	long reads = -1;

	while (f && fgets(line, sizeof line, f)) {
		if (!strncmp(line, "syscr: ", 7))
			reads = strtol(line + 7, NULL, 10);
	}
	if (f)
		fclose(f);
	return reads;
}

/* Each is a transaction on a bus, and may wake the bridges above. */
TEST_IN(registers_are_read_once_however_many_functions, empty_tree, NULL)
{
	enum { FUNCTIONS = 128, FEW = 32 };
	long before;

	for (unsigned i = 0; i < FUNCTIONS; i++) {
		char bdf[BDF_MAX];

		snprintf(bdf, sizeof bdf, "0000:00:%02x.%x", i / 8, i % 8);
		make_function(bdf, NULL, 64);
	}
	before = reads_so_far();
	pci_tree_free(read_tree(FUNCTIONS));
	if (before < 0)
		skip();
	assert_in_range(reads_so_far() - before, FUNCTIONS, FUNCTIONS * FEW);
}

TEST(bdfs_are_as_lspci_prints_them)
{
	static const struct {
		const char *text, *bdf; /* NULL: refused */
	} cases[] = {
	    {"03:00.0", "0000:03:00.0"},
	    {"0000:03:00.0", "0000:03:00.0"},
	    {"Ff:1F.7", "0000:ff:1f.7"},
	    {"3:0.0", "0000:03:00.0"},
	    {"10000:e1:00.0", "10000:e1:00.0"},
	    {"ffffffff:ff:1f.7", "ffffffff:ff:1f.7"},
	    {"0:0:0.0", "0000:00:00.0"},
	    {"", NULL},
	    {"03:00", NULL},
	    {"03.0", NULL},
	    {"03:00.", NULL},
	    {"03:00.8", NULL},
	    {"03:20.0", NULL},
	    {"100:00.0", NULL},
	    {"03:00.0 ", NULL},
	    {" 03:00.0", NULL},
	    {"03: 00.0", NULL},
	    {"+3:00.0", NULL},
	    {"-3:00.0", NULL},
	    {"0x3:00.0", NULL},
	    {"03:00.0:", NULL},
	    {"03:00.00", NULL},
	    {"0000:03:00.0.0", NULL},
	    {"0000:0000:03:00.0", NULL},
	    {"1ffffffff:03:00.0", NULL},
	    {"pci:03:00.0", NULL},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char bdf[BDF_MAX];

		assert_int_equal(parse_bdf(cases[i].text, bdf),
		                 cases[i].bdf != NULL);
		if (cases[i].bdf)
			assert_string_equal(bdf, cases[i].bdf);
	}
}

/* Names ------------------------------------------------------------------ */

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

TEST_IN(each_name_has_its_functions, empty_tree, NULL)
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

TEST_IN(what_is_none_is_said, empty_tree, NULL)
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
