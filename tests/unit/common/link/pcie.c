/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/link/pcie.h"
#include "rig/cmocka.h"

#include "common/base/util.h"

#include <string.h>

static void
assert_same_link(const struct link *a, const struct link *b)
{
	assert_int_equal(a->bus, b->bus);
	assert_int_equal(a->gen, b->gen);
	assert_int_equal(a->lanes, b->lanes);
	assert_int_equal(a->mps, b->mps);
	assert_int_equal(a->mrrs, b->mrrs);
	assert_int_equal(a->rcb, b->rcb);
	assert_int_equal(a->addr32, b->addr32);
	assert_int_equal(a->ecrc, b->ecrc);
	assert_int_equal(a->ecrc_up, b->ecrc_up);
	assert_int_equal(a->flit, b->flit);
	assert_int_equal(a->width, b->width);
	assert_int_equal(a->mhz, b->mhz);
}

static void
assert_read_back(const struct link *link)
{
	char text[LINK_TEXT_MAX];
	struct link read;

	link_format(link, text);
	assert_null(link_parse(text, &read));
	assert_same_link(link, &read);
}

static void
each_payload_and_flag(struct link link)
{
	for (link.mps = 128; link.mps <= 4096; link.mps *= 2) {
		for (link.mrrs = 128; link.mrrs <= 4096; link.mrrs *= 2) {
			for (unsigned bits = 0; bits < 32; bits++) {
				link.rcb = bits & 1 ? 64 : 128;
				link.addr32 = bits & 2;
				link.ecrc = bits & 4;
				link.flit = bits & 8;
				link.ecrc_up = bits & 16 && !link.ecrc;
				assert_read_back(&link);
			}
		}
	}
}

static void
every_link_reads_back(void **state)
{
	static const unsigned lanes[] = {1, 2, 4, 8, 12, 16, 32};

	for (unsigned gen = 1; gen <= 7; gen++) {
		for (size_t i = 0; i < ARRAY_LEN(lanes); i++)
			each_payload_and_flag((struct link){
			    .bus = BUS_PCIE, .gen = gen, .lanes = lanes[i]});
	}
}

static void
names_are_those_of_the_manual(void **state)
{
	static const struct {
		const char *text;
		struct link link;
	} rows[] = {
	    {"", {.bus = BUS_UNKNOWN}},
	    {"gen3x8/mps256/mrrs512/rcb64",
	     {BUS_PCIE, 3, 8, 256, 512, 64, .flit = false}},
	    {"gen4x16/mps128/mrrs4096/rcb128/a32/ecrc",
	     {BUS_PCIE, 4, 16, 128, 4096, 128, .addr32 = true, .ecrc = true}},
	    {"gen3x8/mps256/mrrs512/rcb64/ecrc-up",
	     {BUS_PCIE, 3, 8, 256, 512, 64, .ecrc_up = true}},
	    {"gen6x1/mps512/mrrs512/rcb64/flit",
	     {BUS_PCIE, 6, 1, 512, 512, 64, .flit = true}},
	    {"pci32/33", {.bus = BUS_PCI, .width = 32, .mhz = 33}},
	    {"pci64/66", {.bus = BUS_PCI, .width = 64, .mhz = 66}},
	    {"pcix32/66", {.bus = BUS_PCIX, .width = 32, .mhz = 66}},
	    {"pcix64/100", {.bus = BUS_PCIX, .width = 64, .mhz = 100}},
	    {"pcix64/133", {.bus = BUS_PCIX, .width = 64, .mhz = 133}},
	};
	char text[LINK_TEXT_MAX];
	struct link link;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		link_format(&rows[i].link, text);
		assert_string_equal(text, rows[i].text);
		assert_null(link_parse(text, &link));
		assert_same_link(&link, &rows[i].link);
	}
}

static void
bad_links_are_refused(void **state)
{
	static const char *const rows[][2] = {
	    {"x", "not of the form gen3x8/mps256/mrrs512/rcb64"},
	    {"gen3", "not of the form gen3x8/mps256/mrrs512/rcb64"},
	    {"gen3x8", "not of the form gen3x8/mps256/mrrs512/rcb64"},
	    {"Gen3x8/mps256/mrrs512/rcb64", "not of the form"},
	    {" gen3x8/mps256/mrrs512/rcb64", "not of the form"},
	    {"gen3x08/mps256/mrrs512/rcb64", "not of the form"},
	    {"gen+3x8/mps256/mrrs512/rcb64", "not of the form"},
	    {"gen3x8/mps4294967552/mrrs512/rcb64", "not of the form"},
	    {"gen3x8/mrrs512/mps256/rcb64", "not of the form"},
	    {"gen3x8/mps256/mrrs512/rcb64/", "after rcb only"},
	    {"gen3x8/mps256/mrrs512/rcb64 ", "after rcb only"},
	    {"gen3x8/mps256/mrrs512/rcb64/ecrc/a32", "in this order"},
	    {"gen3x8/mps256/mrrs512/rcb64/a32/a32", "after rcb only"},
	    {"gen3x8/mps256/mrrs512/rcb64/ecrc/ecrc-up", "after rcb only"},
	    {"gen3x8/mps256/mrrs512/rcb64/ecrc-down", "after rcb only"},
	    {"gen8x8/mps256/mrrs512/rcb64", "the generation is 1 to 7"},
	    {"gen3x3/mps256/mrrs512/rcb64", "the lanes are 1, 2, 4"},
	    {"gen3x64/mps256/mrrs512/rcb64", "the lanes are 1, 2, 4"},
	    {"gen3x8/mps64/mrrs512/rcb64", "mps is a power of two"},
	    {"gen3x8/mps384/mrrs512/rcb64", "mps is a power of two"},
	    {"gen3x8/mps256/mrrs8192/rcb64", "mrrs is a power of two"},
	    {"gen3x8/mps256/mrrs512/rcb256", "rcb is 64 or 128"},
	    {"pci", "not of the form pci32/33"},
	    {"pci32", "not of the form pci32/33"},
	    {"pci32/33/", "not of the form pci32/33"},
	    {"pcie64/33", "not of the form pci32/33"},
	    {"pci16/33", "the width is 32 or 64"},
	    {"pci32/133", "the clock of PCI is 33 or 66"},
	    {"pcix64/33", "the clock of PCI-X is 66, 100 or 133"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct link link = {.gen = 99};
		const char *why = link_parse(rows[i][0], &link);

		assert_non_null(why);
		if (!strstr(why, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], why);
		assert_int_equal(link.gen, 99);
	}
}

static void
what_is_missing_is_the_default(void **state)
{
	static const char *const rows[][2] = {
	    {"gen4x16", "gen4x16/mps256/mrrs512/rcb64"},
	    {"4x16", "gen4x16/mps256/mrrs512/rcb64"},
	    {"x1", "gen3x1/mps256/mrrs512/rcb64"},
	    {"gen5", "gen5x8/mps256/mrrs512/rcb64"},
	    {"gen4x16/mrrs4096/mps512", "gen4x16/mps512/mrrs4096/rcb64"},
	    {"rcb128/ecrc", "gen3x8/mps256/mrrs512/rcb128/ecrc"},
	    {"gen6x16", "gen6x16/mps256/mrrs512/rcb64/flit"},
	    {"pci32/33", "pci32/33"},
	    /* As the box, lspci, sysfs and people write it. */
	    {"PCIe 4.0 x8", "gen4x8/mps256/mrrs512/rcb64"},
	    {"Gen4 x8", "gen4x8/mps256/mrrs512/rcb64"},
	    {"Speed 2.5GT/s, Width x1", "gen1x1/mps256/mrrs512/rcb64"},
	    {"16.0 GT/s PCIe x8/mps512", "gen4x8/mps512/mrrs512/rcb64"},
	    {"PCI Express 64GT/s x16", "gen6x16/mps256/mrrs512/rcb64/flit"},
	};
	static const char *const wrong[] = {
	    "",      "gen",    "gen4y16",     "gen4x3",
	    "gen8",  "gen4/",  "gen4x16mps4", "gen4x16//ecrc",
	    "mps64", "x16x16", "7GT/s x16",   "pcie",
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct link link = {BUS_PCIE,   .gen = 3,    .lanes = 8,
		                    .mps = 256, .mrrs = 512, .rcb = 64};
		char text[LINK_TEXT_MAX];

		assert_null(link_parse_brief(rows[i][0], &link));
		link_format(&link, text);
		assert_string_equal(text, rows[i][1]);
	}
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct link link = {.gen = 99};

		assert_non_null(link_parse_brief(wrong[i], &link));
		assert_int_equal(link.gen, 99);
	}
}

/* With any one character changed: refused, or written as it was read. */
static void
what_is_read_is_what_is_written(void **state)
{
	static const char *const seeds[] = {
	    "gen3x16/mps256/mrrs512/rcb64/a32/ecrc/flit", "pcix64/133"};
	char text[LINK_TEXT_MAX], written[LINK_TEXT_MAX];
	struct link link;

	for (size_t i = 0; i < ARRAY_LEN(seeds); i++) {
		for (size_t at = 0; seeds[i][at]; at++) {
			for (int c = 0; c < 256; c++) {
				strcpy(text, seeds[i]);
				text[at] = (char)c;
				if (link_parse(text, &link))
					continue;
				link_format(&link, written);
				assert_string_equal(written, text);
			}
		}
	}
}

/* Raw rates: GT/s of the generation x line code x lanes. */
static void
a_byte_takes_its_time(void **state)
{
	static const struct {
		unsigned gen, lanes;
		double gbit_s;
	} rows[] = {
	    {1, 1, 2},           {1, 12, 24},
	    {2, 4, 16},          {3, 1, 8 * 128 / 130.},
	    {3, 8, 63.015385},   {3, 32, 32 * 8 * 128 / 130.},
	    {4, 16, 252.061538}, {5, 16, 504.123077},
	    {6, 16, 1024},       {7, 16, 2048},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct link link = {BUS_PCIE, rows[i].gen, rows[i].lanes,
		                    .mps = 128};
		double fs = 8e6 / rows[i].gbit_s;

		assert_true(fs - 0.501 < (double)link_byte_fs(&link));
		assert_true(fs + 0.501 > (double)link_byte_fs(&link));
	}
	assert_int_equal(
	    link_byte_fs(&(struct link){BUS_PCIE, 3, 8, .mps = 128}), 126953);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_link_reads_back),
	    cmocka_unit_test(names_are_those_of_the_manual),
	    cmocka_unit_test(bad_links_are_refused),
	    cmocka_unit_test(what_is_missing_is_the_default),
	    cmocka_unit_test(what_is_read_is_what_is_written),
	    cmocka_unit_test(a_byte_takes_its_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
