/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes PCI Express registers of a function. */
#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

#include "common/base/util.h"

/* Where make_function puts the PCI Express capability. */
#define EXPRESS 0x40

/* Port types, PCIe Base Specification 7.5.3.2. */
enum { ENDPOINT = 0, ROOT = 4, UPSTREAM, DOWNSTREAM, TO_PCI, FROM_PCI, RCIEP };

/* A function with a PCI Express capability: its words as in hardware. */
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

static void
assert_link(const struct registers *e, const char *link, const char *aspm)
{
	struct pci_tree *tree;
	char text[LINK_TEXT_MAX];

	empty_tree(NULL);
	make_express("0000:00:00.0", e);
	tree = read_tree(1);
	link_format(&tree->function->link, text);
	assert_string_equal(text, link);
	assert_string_equal(tree->function->pcie.aspm, aspm);
	pci_tree_free(tree);
}

static const struct {
	struct registers registers;
	const char *link;
} link_rows[] = {
    {{ENDPOINT, 2, 0x2000, 0, 0x83, 0, -1}, "gen3x8/mps128/mrrs512/rcb64"},
    {{ENDPOINT, 1, 0x0000, 0, 0x11, 0, -1}, "gen1x1/mps128/mrrs128/rcb64"},
    {{ENDPOINT, 2, 0x50a0, 8, 0x104, 0, -1}, "gen4x16/mps4096/mrrs4096/rcb128"},
    {{ENDPOINT, 2, 0x2020, 0, 0x1085, 0, 1},
     "gen5x8/mps256/mrrs512/rcb64/ecrc"},
    {{ENDPOINT, 2, 0x2020, 0, 0x85, 0, 0}, "gen5x8/mps256/mrrs512/rcb64"},
    {{ENDPOINT, 2, 0x2020, 0, 0xf086, 0x0400, -1},
     "gen6x8/mps256/mrrs512/rcb64/flit"},
    {{ENDPOINT, 2, 0x2020, 0, 0x86, 0xfbff, -1}, "gen6x8/mps256/mrrs512/rcb64"},
    {{ENDPOINT, 2, 0xaf1f, 0, 0xc3, 0, -1}, "gen3x12/mps128/mrrs512/rcb64"},
    /* Functions with their link above, and with it below. */
    {{1, 2, 0x2000, 0, 0x83, 0, -1}, "gen3x8/mps128/mrrs512/rcb64"},
    {{UPSTREAM, 2, 0x2000, 0, 0x83, 0, -1}, "gen3x8/mps128/mrrs512/rcb64"},
    {{TO_PCI, 1, 0x2000, 0, 0x83, 0, -1}, "gen3x8/mps128/mrrs512/rcb64"},
    {{ROOT, 2, 0x2000, 0, 0x83, 0, -1}, ""},
    {{DOWNSTREAM, 2, 0x2000, 0, 0x83, 0, -1}, ""},
    {{FROM_PCI, 2, 0x2000, 0, 0x83, 0, -1}, ""},
    /* No links: no speed, no lanes, impossible ones. */
    {{ENDPOINT, 2, 0x2000, 0, 0x80, 0, -1}, ""},
    {{ENDPOINT, 2, 0x2000, 0, 0x03, 0, -1}, ""},
    {{ENDPOINT, 2, 0x2000, 0, 0x88, 0, -1}, ""},
    {{ENDPOINT, 2, 0x2000, 0, 0x53, 0, -1}, ""},
    {{ENDPOINT, 2, 0x20c0, 0, 0x83, 0, -1}, ""},
    {{ENDPOINT, 2, 0x6000, 0, 0x83, 0, -1}, ""},
    /* Version 1 ends before Link Status 2: other data follow there. */
    {{ENDPOINT, 1, 0x2000, 0, 0x82, 0x0400, -1}, "gen2x8/mps128/mrrs512/rcb64"},
};

static void
links_are_decoded(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(link_rows); i++)
		assert_link(&link_rows[i].registers, link_rows[i].link, "off");
}

static void
aspm_is_that_of_the_function(void **state)
{
	static const char *const names[] = {"off", "L0s", "L1", "L0s+L1"};
	static const unsigned root_only[] = {RCIEP, 10};

	for (unsigned i = 0; i < 4; i++) {
		struct registers e = {ROOT, 2, 0, 0x8 | i, 0x83, 0, -1};

		assert_link(&e, "", names[i]);
	}
	/* On a root bus they have no link. */
	for (size_t i = 0; i < ARRAY_LEN(root_only); i++) {
		struct registers e = {root_only[i], 2, 0x2000, 3, 0x83, 0, -1};

		assert_link(&e, "", "");
	}
}

/* Decodes a function with this many bytes of config space. */
static struct pcie_cap
cap_of(const struct byte *bytes, size_t size)
{
	struct pci_tree *tree;
	struct pcie_cap e;

	empty_tree(NULL);
	make_function("0000:00:00.0", bytes, size);
	tree = read_tree(1);
	e = tree->function->pcie;
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
		struct pcie_cap e = cap_of(bytes, rows[i].size);

		assert_int_equal(e.tags, rows[i].tags);
		assert_int_equal(e.flit,
		                 rows[i].flit ? TRISTATE_YES : TRISTATE_NO);
		assert_int_equal(e.ecrc, rows[i].size > 256 ? TRISTATE_NO
		                                            : TRISTATE_UNKNOWN);
	}
}

/* The type of a port, and whether enough is readable to know it. */
static void
ports_are_told_apart(void **state)
{
	static const enum port ports[] = {
	    PORT_ENDPOINT, PORT_ENDPOINT,   PORT_UNSEEN,     PORT_UNSEEN,
	    PORT_ROOT,     PORT_UPSTREAM,   PORT_DOWNSTREAM, PORT_TO_PCI,
	    PORT_FROM_PCI, PORT_INTEGRATED, PORT_INTEGRATED, PORT_UNSEEN,
	};

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
		struct pcie_cap e = cap_of(bytes, 256);

		assert_int_equal(e.port, ports[type]);
		assert_int_equal(e.mps, ports[type] == PORT_UNSEEN ? 0 : 256);
		assert_int_equal(cap_of(bytes, 64).port, PORT_UNSEEN);
	}
	assert_int_equal(cap_of(NULL, 256).port, PORT_NONE);
	assert_int_equal(cap_of(NULL, 64).port, PORT_NONE);
}

static void
an_ordinary_user_sees_no_link(void **state)
{
	const struct registers e = {ENDPOINT, 2, 0x2000, 3, 0x83, 0, 1};
	struct pci_tree *tree;

	make_express("0000:00:00.0", &e);
	run_shell("truncate -s 64 devices/0000:00:00.0/config");
	tree = read_tree(1);
	assert_int_equal(tree->function->link.bus, BUS_UNKNOWN);
	assert_string_equal(tree->function->pcie.aspm, "");
	assert_string_equal(tree->function->bdf, "0000:00:00.0");
	pci_tree_free(tree);
}

/*
 * Config space that ends within a capability, or before the next one of the
 * list: what was not read is unknown, not absent.
 */
static void
what_is_cut_off_is_not_known(void **state)
{
	static const struct byte errors[] = {
	    {0x06, 0x10},  {0x34, EXPRESS}, {EXPRESS, 0x10}, {EXPRESS + 2, 2},
	    {0x100, 0x01}, {0x102, 1},      {0x118, 0x40},   {0},
	};
	static const struct byte list[] = {
	    {0x06, 0x10},  {0x34, EXPRESS}, {EXPRESS, 0x10}, {EXPRESS + 2, 2},
	    {0x100, 0x2f}, {0x102, 1},      {0x103, 0x20},   {0},
	};

	assert_int_equal(cap_of(errors, 0x11a).ecrc, TRISTATE_YES);
	assert_int_equal(cap_of(errors, 0x118).ecrc, TRISTATE_UNKNOWN);
	assert_int_equal(cap_of(list, 0x202).ecrc, TRISTATE_NO);
	assert_int_equal(cap_of(list, 0x200).ecrc, TRISTATE_UNKNOWN);
}

/* The physical function decides MPS, ASPM and tags, not these 0. */
static void
a_virtual_function_says_nothing_of_its_link(void **state)
{
	static const struct registers e = {ENDPOINT, 2, 0, 0, 0x83, 0, 0};
	struct pci_tree *tree;

	make_express("0000:00:00.0", &e);
	run_shell("printf '\\377\\377\\377\\377' | dd conv=notrunc "
	          "of=devices/0000:00:00.0/config 2>/dev/null");
	tree = read_tree(1);
	assert_int_equal(tree->function->link.bus, BUS_UNKNOWN);
	assert_int_equal(tree->function->pcie.port, PORT_ENDPOINT);
	assert_string_equal(tree->function->pcie.aspm, "");
	assert_int_equal(tree->function->pcie.tags, 0);
	assert_int_equal(tree->function->pcie.link_control, 0);
	assert_int_equal(tree->function->pcie.ecrc, TRISTATE_UNKNOWN);
	pci_tree_free(tree);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(links_are_decoded, empty_tree),
	    cmocka_unit_test_setup(aspm_is_that_of_the_function, empty_tree),
	    cmocka_unit_test_setup(tags_bound_what_is_in_flight, empty_tree),
	    cmocka_unit_test_setup(ports_are_told_apart, empty_tree),
	    cmocka_unit_test_setup(an_ordinary_user_sees_no_link, empty_tree),
	    cmocka_unit_test_setup(what_is_cut_off_is_not_known, empty_tree),
	    cmocka_unit_test_setup(a_virtual_function_says_nothing_of_its_link,
	                           empty_tree),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
