#include "common/pci.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/util.h"

/* Where make_function puts the capability of PCI Express. */
#define EXPRESS 0x40

/* Port types, PCIe Base Specification 7.5.3.2. */
enum { ENDPOINT = 0, ROOT = 4, UPSTREAM, DOWNSTREAM, TO_PCI, FROM_PCI, RCIEP };

static char *root; /* the tree's directory */

/* A byte to be written into a config space, or the end of a list of them. */
struct byte {
	int at; /* 0 ends the list */
	unsigned char value;
};

static void
run_shell(const char *command)
{
	char *line = xasprintf("cd '%s' && %s", root, command);

	assert_int_equal(system(line), 0); /* NOLINT(cert-env33-c) */
	free(line);
}

static int
make_root(void **state)
{
	(void)state;
	root = xstrdup(P_tmpdir "/pcb-test-XXXXXX");
	return !mkdtemp(root);
}

static int
empty_root(void **state)
{
	(void)state;
	run_shell("rm -rf devices && mkdir devices");
	return 0;
}

static int
remove_root(void **state)
{
	(void)state;
	run_shell("rm -rf devices");
	rmdir(root);
	free(root);
	return 0;
}

static void
write_text(const char *dir, const char *name, const char *text, size_t size)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
	free(path);
}

/* A function with `size` bytes of config space: these, else 0. */
static void
make_function(const char *bdf, const struct byte *bytes, size_t size)
{
	char config[4096] = {0};
	char *dir = xasprintf("%s/devices/%s", root, bdf);

	for (; bytes && bytes->at; bytes++)
		config[bytes->at] = (char)bytes->value;
	assert_int_equal(mkdir(dir, 0777), 0);
	write_text(dir, "config", config, size);
	write_text(dir, "vendor", "0x8086\n", 7);
	write_text(dir, "device", "0x1234\n", 7);
	free(dir);
}

static void
make_bridge(const char *bdf, int first, int last)
{
	make_function(bdf,
	              (struct byte[]){{0x0e, 0x81},
	                              {0x19, (unsigned char)first},
	                              {0x1a, (unsigned char)last},
	                              {0}},
	              256);
}

/* A function with a capability of PCI Express: its words, as the hardware. */
struct registers {
	unsigned type, version, control, link_control, status, status2;
	int ecrc; /* -1: no AER capability */
};

static void
make_express(const char *bdf, const struct registers *e)
{
	const struct byte bytes[] = {
	    {0x06, 0x10},
	    {0x34, EXPRESS},
	    {EXPRESS, 0x10},
	    {EXPRESS + 2, (unsigned char)(e->type << 4 | e->version)},
	    {EXPRESS + 8, (unsigned char)e->control},
	    {EXPRESS + 9, (unsigned char)(e->control >> 8)},
	    {EXPRESS + 16, (unsigned char)e->link_control},
	    {EXPRESS + 18, (unsigned char)e->status},
	    {EXPRESS + 19, (unsigned char)(e->status >> 8)},
	    {EXPRESS + 50, (unsigned char)e->status2},
	    {EXPRESS + 51, (unsigned char)(e->status2 >> 8)},
	    {e->ecrc < 0 ? 0 : 0x100, 1},
	    {0x102, 1},
	    {0x118, (unsigned char)(e->ecrc > 0 ? 0x40 : 0)},
	    {0},
	};

	make_function(bdf, bytes, 4096);
}

static const struct pci_function *
only_function(const struct pci_tree *tree)
{
	assert_non_null(tree);
	assert_int_equal(tree->n, 1);
	return tree->function;
}

static void
assert_link(const struct registers *e, const char *link, const char *aspm)
{
	struct pci_tree *tree;
	char text[LINK_TEXT_MAX];

	empty_root(NULL);
	make_express("0000:00:00.0", e);
	tree = pci_tree_read(root);
	link_format(&only_function(tree)->link, text);
	assert_string_equal(text, link);
	assert_string_equal(only_function(tree)->express.aspm, aspm);
	pci_tree_free(tree);
}

static void
links_are_decoded(void **state)
{
	static const struct {
		struct registers registers;
		const char *link;
	} cases[] = {
	    {{ENDPOINT, 2, 0x2000, 0, 0x83, 0, -1},
	     "gen3x8/mps128/mrrs512/rcb64"},
	    {{ENDPOINT, 1, 0x0000, 0, 0x11, 0, -1},
	     "gen1x1/mps128/mrrs128/rcb64"},
	    {{ENDPOINT, 2, 0x50a0, 8, 0x104, 0, -1},
	     "gen4x16/mps4096/mrrs4096/rcb128"},
	    {{ENDPOINT, 2, 0x2020, 0, 0x1085, 0, 1},
	     "gen5x8/mps256/mrrs512/rcb64/ecrc"},
	    {{ENDPOINT, 2, 0x2020, 0, 0x85, 0, 0},
	     "gen5x8/mps256/mrrs512/rcb64"},
	    {{ENDPOINT, 2, 0x2020, 0, 0xf086, 0x0400, -1},
	     "gen6x8/mps256/mrrs512/rcb64/flit"},
	    {{ENDPOINT, 2, 0x2020, 0, 0x86, 0xfbff, -1},
	     "gen6x8/mps256/mrrs512/rcb64"},
	    {{ENDPOINT, 2, 0xaf1f, 0, 0xc3, 0, -1},
	     "gen3x12/mps128/mrrs512/rcb64"},
	    /* Who has its link above it, and who below. */
	    {{1, 2, 0x2000, 0, 0x83, 0, -1}, "gen3x8/mps128/mrrs512/rcb64"},
	    {{UPSTREAM, 2, 0x2000, 0, 0x83, 0, -1},
	     "gen3x8/mps128/mrrs512/rcb64"},
	    {{TO_PCI, 1, 0x2000, 0, 0x83, 0, -1},
	     "gen3x8/mps128/mrrs512/rcb64"},
	    {{ROOT, 2, 0x2000, 0, 0x83, 0, -1}, ""},
	    {{DOWNSTREAM, 2, 0x2000, 0, 0x83, 0, -1}, ""},
	    {{FROM_PCI, 2, 0x2000, 0, 0x83, 0, -1}, ""},
	    /* Not links: no speed, no lanes, impossible ones. */
	    {{ENDPOINT, 2, 0x2000, 0, 0x80, 0, -1}, ""},
	    {{ENDPOINT, 2, 0x2000, 0, 0x03, 0, -1}, ""},
	    {{ENDPOINT, 2, 0x2000, 0, 0x88, 0, -1}, ""},
	    {{ENDPOINT, 2, 0x2000, 0, 0x53, 0, -1}, ""},
	    {{ENDPOINT, 2, 0x20c0, 0, 0x83, 0, -1}, ""},
	    {{ENDPOINT, 2, 0x6000, 0, 0x83, 0, -1}, ""},
	    /* Version 1 ends before Link Status 2: the next thing is there. */
	    {{ENDPOINT, 1, 0x2000, 0, 0x82, 0x0400, -1},
	     "gen2x8/mps128/mrrs512/rcb64"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_link(&cases[i].registers, cases[i].link, "off");
}

static void
aspm_is_that_of_the_function(void **state)
{
	static const char *const names[] = {"off", "L0s", "L1", "L0s+L1"};
	static const unsigned root_only[] = {RCIEP, 10};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct registers e = {ROOT, 2, 0, 0x8 | i, 0x83, 0, -1};

		assert_link(&e, "", names[i]);
	}
	/* On a root bus itself there is no link at all. */
	for (size_t i = 0; i < ARRAY_LEN(root_only); i++) {
		struct registers e = {root_only[i], 2, 0x2000, 3, 0x83, 0, -1};

		assert_link(&e, "", "");
	}
}

/* What a function with so many bytes of config space is decoded to. */
static struct express
express_of(const struct byte *bytes, size_t size)
{
	struct pci_tree *tree;
	struct express e;

	empty_root(NULL);
	make_function("0000:00:00.0", bytes, size);
	tree = pci_tree_read(root);
	e = only_function(tree)->express;
	pci_tree_free(tree);
	return e;
}

/*
 * Extended tags and phantom functions: Device Control bits 8 and 9, how many
 * phantoms: Device Capabilities 4:3; 10 bits: Device Control 2 bit 12; 14 bits:
 * Device Control 3 bit 2.
 */
static void
tags_bound_what_is_in_flight(void **state)
{
	static const struct {
		unsigned char capability, control, control2, flit, control3;
		size_t size;
		unsigned tags;
	} rows[] = {
	    {0x00, 0, 0x00, 0, 0, 4096, 32},
	    {0x18, 0, 0x00, 0, 0, 4096, 32},
	    {0x00, 1, 0x00, 0, 0, 4096, 256},
	    {0x18, 1, 0x00, 0, 0, 4096, 256},
	    {0x10, 2, 0x00, 0, 0, 4096, 32 * 4},
	    {0x18, 3, 0x00, 0, 0, 4096, 256 * 8},
	    {0x00, 1, 0x10, 0, 0, 256, 768},
	    {0x00, 0, 0x10, 4, 0, 4096, 768},
	    {0x00, 0, 0x10, 4, 4, 4096, 15360},
	    {0x00, 0, 0x10, 4, 3, 4096, 768},
	    {0x00, 0, 0x10, 4, 4, 256, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct byte bytes[] = {
		    {0x06, 0x10},
		    {0x34, EXPRESS},
		    {EXPRESS, 0x10},
		    {EXPRESS + 2, 2},
		    {EXPRESS + 3, 0x80},
		    {EXPRESS + 4, rows[i].capability},
		    {EXPRESS + 9, rows[i].control},
		    {EXPRESS + 0x29, rows[i].control2},
		    {EXPRESS + 0x33, rows[i].flit},
		    {0x100, 0x2f},
		    {0x102, 1},
		    {0x108, rows[i].control3},
		    {0},
		};
		struct express e = express_of(bytes, rows[i].size);

		assert_int_equal(e.tags, rows[i].tags);
		assert_int_equal(e.flit, rows[i].flit ? ANSWER_YES : ANSWER_NO);
		assert_int_equal(e.flit_capable, ANSWER_YES);
		assert_int_equal(e.ecrc, rows[i].size > 256 ? ANSWER_NO
		                                            : ANSWER_UNKNOWN);
	}
}

/* What a port is, and whether there is enough to tell. */
static void
ports_are_told_apart(void **state)
{
	static const enum port ports[] = {
	    PORT_ENDPOINT, PORT_ENDPOINT,   PORT_UNSEEN,     PORT_UNSEEN,
	    PORT_ROOT,     PORT_UPSTREAM,   PORT_DOWNSTREAM, PORT_TO_PCI,
	    PORT_FROM_PCI, PORT_INTEGRATED, PORT_INTEGRATED, PORT_UNSEEN,
	};

	(void)state;
	for (unsigned char type = 0; type < ARRAY_LEN(ports); type++) {
		const struct byte bytes[] = {
		    {0x06, 0x10},
		    {0x34, EXPRESS},
		    {EXPRESS, 0x10},
		    {EXPRESS + 2, (unsigned char)(type << 4 | 2)},
		    {0x48, 0x20},
		    {0x52, 0x83},
		    {0},
		};
		struct express e = express_of(bytes, 256);

		assert_int_equal(e.port, ports[type]);
		assert_int_equal(e.mps, ports[type] == PORT_UNSEEN ? 0 : 256);
		assert_int_equal(express_of(bytes, 64).port, PORT_UNSEEN);
	}
	assert_int_equal(express_of(NULL, 256).port, PORT_NONE);
	assert_int_equal(express_of(NULL, 64).port, PORT_NONE);
}

static void
an_ordinary_user_sees_no_link(void **state)
{
	const struct registers e = {ENDPOINT, 2, 0x2000, 3, 0x83, 0, 1};
	struct pci_tree *tree;
	const struct pci_function *f;

	(void)state;
	make_express("0000:00:00.0", &e);
	run_shell("truncate -s 64 devices/0000:00:00.0/config");
	tree = pci_tree_read(root);
	f = only_function(tree);
	assert_int_equal(f->link.bus, BUS_UNKNOWN);
	assert_string_equal(f->express.aspm, "");
	assert_string_equal(f->bdf, "0000:00:00.0");
	pci_tree_free(tree);
}

static void
assert_parent(const struct pci_tree *tree, const char *bdf, const char *parent)
{
	const struct pci_function *f = pci_find(tree, bdf);

	assert_non_null(f);
	assert_string_equal(f->parent, parent);
}

static void
parents_follow_from_bus_numbers(void **state)
{
	struct pci_tree *tree;

	(void)state;
	make_bridge("0000:00:01.0", 1, 6);
	make_bridge("0000:01:00.0", 2, 6);
	make_bridge("0000:02:00.0", 3, 4);
	make_bridge("0000:02:01.0", 5, 6);
	make_function("0000:03:00.0", NULL, 64);
	make_function("0000:04:1f.7", NULL, 64);
	make_function("0000:06:00.0", NULL, 64);
	make_function("0000:07:00.0", NULL, 64);
	/* One that firmware has not given a bus to, and one gone. */
	make_bridge("0000:00:02.0", 0, 0);
	make_bridge("0000:00:03.0", 255, 255);
	make_function("0000:ff:00.0", NULL, 64);
	/* Another domain; a conventional bridge has no capability either. */
	make_bridge("0001:00:01.0", 2, 2);
	make_function("0001:02:00.0", NULL, 64);
	make_function("0001:03:00.0", NULL, 64);
	/* A CardBus bridge (header type 2) is none for us. */
	make_function("0002:00:00.0",
	              (struct byte[]){{0x0e, 2}, {0x19, 1}, {0x1a, 9}, {0}},
	              256);
	make_function("0002:01:00.0", NULL, 64);
	tree = pci_tree_read(root);
	assert_non_null(tree);
	assert_int_equal(tree->n, 16);
	assert_parent(tree, "0000:00:01.0", "");
	assert_parent(tree, "0000:01:00.0", "0000:00:01.0");
	assert_parent(tree, "0000:02:00.0", "0000:01:00.0");
	assert_parent(tree, "0000:02:01.0", "0000:01:00.0");
	assert_parent(tree, "0000:03:00.0", "0000:02:00.0");
	assert_parent(tree, "0000:04:1f.7", "0000:02:00.0");
	assert_parent(tree, "0000:06:00.0", "0000:02:01.0");
	assert_parent(tree, "0000:07:00.0", "");
	assert_parent(tree, "0000:00:02.0", "");
	assert_parent(tree, "0000:ff:00.0", "0000:00:03.0");
	assert_parent(tree, "0001:02:00.0", "0001:00:01.0");
	assert_parent(tree, "0001:03:00.0", "");
	assert_parent(tree, "0002:01:00.0", "");
	assert_null(pci_find(tree, "0000:03:00.1"));
	assert_null(pci_find(tree, "03:00.0"));
	pci_tree_free(tree);
}

static void
functions_are_in_order(void **state)
{
	static const char *const bdfs[] = {
	    "0000:00:02.0", "0000:00:02.1", "0000:00:0a.0",
	    "0000:0a:00.0", "0000:10:00.0", "0001:00:00.0",
	    "0a00:00:00.0", "ffff:00:00.0", "10000:00:1c.7"};
	struct pci_tree *tree;

	(void)state;
	for (size_t i = ARRAY_LEN(bdfs); i--;)
		make_function(bdfs[i], NULL, 64);
	tree = pci_tree_read(root);
	assert_non_null(tree);
	assert_int_equal(tree->n, ARRAY_LEN(bdfs));
	for (size_t i = 0; i < ARRAY_LEN(bdfs); i++)
		assert_string_equal(tree->function[i].bdf, bdfs[i]);
	pci_tree_free(tree);
}

static void
driver_node_and_name(void **state)
{
	struct pci_tree *tree;
	const struct pci_function *f;

	(void)state;
	make_function("0000:00:00.0", NULL, 64);
	make_function("0000:00:01.0", NULL, 64);
	run_shell("ln -s ../../../bus/pci/drivers/nvme "
	          "devices/0000:00:00.0/driver && "
	          "echo 1 >devices/0000:00:00.0/numa_node && "
	          "echo -1 >devices/0000:00:01.0/numa_node");
	tree = pci_tree_read(root);
	assert_non_null(tree);
	assert_int_equal(tree->n, 2);
	f = tree->function;
	assert_string_equal(f->driver, "nvme");
	assert_int_equal(f->node, 1);
	assert_true(*f->name);
	assert_string_equal(f[1].driver, "");
	assert_int_equal(f[1].node, -1);
	assert_string_equal(tree->sysfs, root);
	pci_tree_free(tree);
}

static void
a_machine_without_pci(void **state)
{
	struct pci_tree *tree = pci_tree_read(root);

	(void)state;
	assert_non_null(tree);
	assert_int_equal(tree->n, 0);
	assert_null(pci_find(tree, "0000:00:00.0"));
	pci_tree_free(tree);
	assert_null(pci_tree_read("/nowhere"));
	assert_int_equal(errno, ENOENT);
	run_shell("rm -r devices && touch devices");
	assert_null(pci_tree_read(root));
	assert_int_equal(errno, ENOTDIR);
	pci_tree_free(NULL);
}

static void
bdfs_are_as_lspci_prints_them(void **state)
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

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char bdf[BDF_MAX];

		assert_int_equal(parse_bdf(cases[i].text, bdf),
		                 cases[i].bdf != NULL);
		if (cases[i].bdf)
			assert_string_equal(bdf, cases[i].bdf);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(links_are_decoded, empty_root),
	    cmocka_unit_test_setup(aspm_is_that_of_the_function, empty_root),
	    cmocka_unit_test_setup(tags_bound_what_is_in_flight, empty_root),
	    cmocka_unit_test_setup(ports_are_told_apart, empty_root),
	    cmocka_unit_test_setup(an_ordinary_user_sees_no_link, empty_root),
	    cmocka_unit_test_setup(parents_follow_from_bus_numbers, empty_root),
	    cmocka_unit_test_setup(functions_are_in_order, empty_root),
	    cmocka_unit_test_setup(driver_node_and_name, empty_root),
	    cmocka_unit_test_setup(a_machine_without_pci, empty_root),
	    cmocka_unit_test(bdfs_are_as_lspci_prints_them),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
