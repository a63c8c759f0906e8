/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/link/pcie.h"

#include "common/link/tlp.h"
#include "rig/cmocka.h"

#include <math.h>

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

TEST(every_link_reads_back)
{
	static const unsigned lanes[] = {1, 2, 4, 8, 12, 16, 32};

	for (unsigned gen = 1; gen <= 7; gen++) {
		for (size_t i = 0; i < ARRAY_LEN(lanes); i++)
			each_payload_and_flag((struct link){
			    .bus = BUS_PCIE, .gen = gen, .lanes = lanes[i]});
	}
}

TEST(names_are_those_of_the_manual)
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

TEST(bad_links_are_refused)
{
	static const char *const rows[][2] = {
	    {"x", "not of the form gen3x8/mps256/mrrs512/rcb64"},
	    {"gen3", "not of the form gen3x8/mps256/mrrs512/rcb64"},
	    {"gen3x8/", "not of the form gen3x8/mps256/mrrs512/rcb64"},
	    {"gen3x3", "the lanes are 1, 2, 4"},
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

TEST(what_is_missing_is_the_default)
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
	    {"x16 gen4", "gen4x16/mps256/mrrs512/rcb64"},
	    {"16x Gen 4", "gen4x16/mps256/mrrs512/rcb64"},
	    {"gen4 16x", "gen4x16/mps256/mrrs512/rcb64"},
	    {"x8 PCIe 4.0/mps512", "gen4x8/mps512/mrrs512/rcb64"},
	    {"x1 2.5GT/s", "gen1x1/mps256/mrrs512/rcb64"},
	    {"Gen 5 x16", "gen5x16/mps256/mrrs512/rcb64"},
	};
	static const char *const wrong[] = {
	    "",        "gen",    "gen4y16",       "gen4x3",
	    "gen8",    "gen4/",  "gen4x16mps4",   "gen4x16//ecrc",
	    "mps64",   "x16x16", "16x16x",        "7GT/s x16",
	    "pcie",    "x16gen", "x16gen/mps256", "gen4x16 3.0",
	    "1 6GT/s",
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct link link = link_usual;
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
TEST(what_is_read_is_what_is_written)
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

/* Packets ---------------------------------------------------------------- */

/* 64-bit addresses: 8 around a header of 16; completions 8 around 12. */
#define REQUEST    24
#define COMPLETION 20

static struct tlp_rules
rules_of(unsigned mps, unsigned mrrs, unsigned rcb, enum completer completer)
{
	return (struct tlp_rules){.mps = mps,
	                          .completion_mps = mps,
	                          .mrrs = mrrs,
	                          .boundary = 4096,
	                          .rcb = rcb,
	                          .completer = completer,
	                          .request = REQUEST,
	                          .completion = COMPLETION};
}

/* The walk as text: "R0+512 C0+256 C256+256", W for MWr. */
static void
list(struct tlp_walk walk, char *text, size_t size)
{
	static const char letter[] = {
	    [TLP_MRD] = 'R', [TLP_MWR] = 'W', [TLP_CPLD] = 'C'};
	struct tlp tlp;
	size_t used = 0;

	*text = '\0';
	while (tlp_next(&walk, &tlp)) {
		int n = snprintf(text + used, size - used, "%s%c%ju+%ju",
		                 used ? " " : "", letter[tlp.type],
		                 (uintmax_t)tlp.address, (uintmax_t)tlp.length);

		assert_true(n > 0 && (size_t)n < size - used);
		used += (size_t)n;
	}
}

static void
assert_read(struct tlp_rules rules, uint64_t address, uint64_t size,
            const char *wanted)
{
	struct tlp_walk walk;
	char text[1000];

	tlp_walk_start(&walk, &rules, TLP_MRD, address, size);
	list(walk, text, sizeof text);
	assert_string_equal(text, wanted);
}

static void
assert_write(struct tlp_rules rules, uint64_t address, uint64_t size,
             const char *wanted)
{
	struct tlp_walk walk;
	char text[1000];

	tlp_walk_start(&walk, &rules, TLP_MWR, address, size);
	list(walk, text, sizeof text);
	assert_string_equal(text, wanted);
}

/* MPS 256, MRRS 512, RCB 64 in each policy. */
static const struct {
	uint64_t address, size;
	const char *combine, *aligned, *rcb;
} read_rows[] = {
    {0, 0, "", "", ""},
    {0, 1, "R0+1 C0+1", "R0+1 C0+1", "R0+1 C0+1"},
    {0, 512, "R0+512 C0+256 C256+256", "R0+512 C0+256 C256+256",
     "R0+512 C0+64 C64+64 C128+64 C192+64 "
     "C256+64 C320+64 C384+64 C448+64"},
    /* 513 - MRRS leaves a byte for another request. */
    {0, 513, "R0+512 C0+256 C256+256 R512+1 C512+1",
     "R0+512 C0+256 C256+256 R512+1 C512+1",
     "R0+512 C0+64 C64+64 C128+64 C192+64 "
     "C256+64 C320+64 C384+64 C448+64 R512+1 C512+1"},
    /*
     * At 80, 256 would end at 336, 16 beyond the RCB at 320: 240.
     * From 320 on 256 fit, to 576; 592 - 576 = 16 are left.
     */
    {80, 512, "R80+512 C80+240 C320+256 C576+16",
     "R80+512 C80+176 C256+256 C512+80",
     "R80+512 C80+48 C128+64 C192+64 C256+64 C320+64 C384+64 "
     "C448+64 C512+64 C576+16"},
    /* 256 from 192: one CplD, or cut where 256 is a multiple of MPS. */
    {192, 256, "R192+256 C192+256", "R192+256 C192+64 C256+192",
     "R192+256 C192+64 C256+64 C320+64 C384+64"},
    /* An unaligned transfer that fits needs no cut. */
    {200, 100, "R200+100 C200+100", "R200+100 C200+56 C256+44",
     "R200+100 C200+56 C256+44"},
    /* The same if it is exactly MPS long. */
    {100, 256, "R100+256 C100+256", "R100+256 C100+156 C256+100",
     "R100+256 C100+28 C128+64 C192+64 C256+64 C320+36"},
    /* 4096 - 4000 = 96 up to the page's end, 512 - 96 behind it. */
    {4000, 512, "R4000+96 C4000+96 R4096+416 C4096+256 C4352+160",
     "R4000+96 C4000+96 R4096+416 C4096+256 C4352+160",
     "R4000+96 C4000+32 C4032+64 R4096+416 C4096+64 C4160+64 "
     "C4224+64 C4288+64 C4352+64 C4416+64 C4480+32"},
    {4095, 2, "R4095+1 C4095+1 R4096+1 C4096+1",
     "R4095+1 C4095+1 R4096+1 C4096+1", "R4095+1 C4095+1 R4096+1 C4096+1"},
    /* MRRS from 3488: to 4000, then 96 to the page's end, then 4. */
    {3488, 612,
     "R3488+512 C3488+224 C3712+256 C3968+32 "
     "R4000+96 C4000+96 R4096+4 C4096+4",
     "R3488+512 C3488+96 C3584+256 C3840+160 "
     "R4000+96 C4000+96 R4096+4 C4096+4",
     "R3488+512 C3488+32 C3520+64 C3584+64 C3648+64 C3712+64 "
     "C3776+64 C3840+64 C3904+64 C3968+32 "
     "R4000+96 C4000+32 C4032+64 R4096+4 C4096+4"},
};

TEST(reads_are_cut_by_the_completers_policy)
{
	for (size_t i = 0; i < ARRAY_LEN(read_rows); i++) {
		uint64_t at = read_rows[i].address, size = read_rows[i].size;

		assert_read(rules_of(256, 512, 64, COMPLETER_COMBINE), at, size,
		            read_rows[i].combine);
		assert_read(rules_of(256, 512, 64, COMPLETER_ALIGNED), at, size,
		            read_rows[i].aligned);
		assert_read(rules_of(256, 512, 64, COMPLETER_RCB), at, size,
		            read_rows[i].rcb);
	}
}

TEST(reads_are_cut_by_rcb_and_mrrs)
{
	static const struct {
		unsigned mps, mrrs, rcb;
		enum completer completer;
		uint64_t address;
		const char *packets; /* of 256 bytes */
	} rows[] = {
	    {128, 512, 64, COMPLETER_COMBINE, 64, "R64+256 C64+128 C192+128"},
	    /* 64 + 128 is no multiple of 128: the first one ends at 128. */
	    {128, 512, 128, COMPLETER_COMBINE, 64,
	     "R64+256 C64+64 C128+128 C256+64"},
	    {128, 512, 128, COMPLETER_RCB, 64,
	     "R64+256 C64+64 C128+128 C256+64"},
	    /* Requests below MPS: each has its own completion. */
	    {256, 128, 64, COMPLETER_COMBINE, 0,
	     "R0+128 C0+128 R128+128 C128+128"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_read(rules_of(rows[i].mps, rows[i].mrrs, rows[i].rcb,
		                     rows[i].completer),
		            rows[i].address, 256, rows[i].packets);
}

TEST(writes_are_cut_by_mps_and_page)
{
	static const struct {
		uint64_t address, size;
		const char *packets;
	} rows[] = {
	    {0, 0, ""},
	    {0, 256, "W0+256"},
	    {0, 257, "W0+256 W256+1"},
	    /* Only the page requires alignment. */
	    {100, 300, "W100+256 W356+44"},
	    {4000, 512, "W4000+96 W4096+256 W4352+160"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_write(rules_of(256, 512, 64, COMPLETER_COMBINE),
		             rows[i].address, rows[i].size, rows[i].packets);
}

TEST(a_nearer_boundary_cuts_as_a_page_does)
{
	struct tlp_rules rules = rules_of(256, 512, 64, COMPLETER_COMBINE);

	rules.boundary = 512;
	assert_read(rules, 4, 1024,
	            "R4+508 C4+252 C256+256 R512+512 C512+256 C768+256 "
	            "R1024+4 C1024+4");
	assert_write(rules, 4, 1024,
	             "W4+256 W260+252 W512+256 W768+256 W1024+4");
}

TEST(mps_of_completions_cuts_what_is_read)
{
	struct tlp_rules rules = rules_of(256, 512, 64, COMPLETER_COMBINE);

	rules.completion_mps = 128;
	assert_write(rules, 0, 256, "W0+256");
	assert_read(rules, 0, 256, "R0+256 C0+128 C128+128");
}

TEST(sums_add_headers_to_data)
{
	struct tlp_rules rules = rules_of(256, 512, 64, COMPLETER_COMBINE);
	struct tlp_sum sum = {0};

	/* R4000+96 C4000+96 R4096+416 C4096+256 C4352+160. */
	tlp_add(&sum, &rules, TLP_MRD, 4000, 512);
	assert_int_equal(sum.mrd, 2);
	assert_int_equal(sum.cpld, 3);
	assert_int_equal(sum.tx_bytes, 2 * 24);
	assert_int_equal(sum.rx_bytes, 3 * 20 + 512);
	/* W4000+96 W4096+256 W4352+160, added. */
	tlp_add(&sum, &rules, TLP_MWR, 4000, 512);
	assert_int_equal(sum.mwr, 3);
	assert_int_equal(sum.tx_bytes, 2 * 24 + 3 * 24 + 512);
	assert_int_equal(sum.rx_bytes, 3 * 20 + 512);
	/* 96, 256 and 160 bytes of posted data. */
	assert_int_equal(sum.posted_data, 6 + 16 + 10);
	/* From line 62 to line 70, by each. */
	assert_int_equal(sum.lines, 9 + 9);
}

/* At any address: padding before and behind the bytes on the wire. */
TEST(partial_words_take_whole_ones)
{
	static const struct {
		uint64_t address, size, credits, words;
		bool read_more, write_more, cpld_more; /* in flit mode */
	} rows[] = {
	    {0, 4, 1, 1, false, false, false},
	    {64, 16, 1, 4, false, false, false},
	    {0, 1, 1, 1, true, true, false},
	    {3, 1, 1, 1, true, true, true},
	    {3, 2, 1, 2, true, true, true},
	    {1, 15, 1, 4, true, true, true},
	    {1, 16, 2, 5, true, true, true},
	    {4, 16, 1, 4, false, false, false},
	    {0, 17, 2, 5, true, true, false},
	};
	struct tlp_rules rules = rules_of(256, 512, 64, COMPLETER_COMBINE);

	rules.be_overhead = 4;
	rules.whole_words = true;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct tlp_sum read = {0}, write = {0};
		uint64_t at = rows[i].address, size = rows[i].size;

		tlp_add(&read, &rules, TLP_MRD, at, size);
		tlp_add(&write, &rules, TLP_MWR, at, size);
		assert_int_equal(read.tx_bytes,
		                 REQUEST + 4 * rows[i].read_more);
		assert_int_equal(read.rx_bytes, COMPLETION +
		                                    4 * rows[i].cpld_more +
		                                    4 * rows[i].words);
		assert_int_equal(write.tx_bytes, REQUEST +
		                                     4 * rows[i].write_more +
		                                     4 * rows[i].words);
		assert_int_equal(write.posted_data, rows[i].credits);
		assert_int_equal(read.posted_data, 0);
	}
}

/*
 * 2 TiB less 1, from 1. Each page has 8 requests and 16 CplD, also the first
 * one: its first request is a byte shorter, because no request has more DWs
 * than MRRS.
 */
TEST(the_longest_transfer_does_not_overflow)
{
	struct tlp_rules rules = rules_of(256, 512, 64, COMPLETER_ALIGNED);
	uint64_t size = (UINT64_C(1) << 41) - 1;
	struct tlp_sum sum = {0};

	tlp_add(&sum, &rules, TLP_MRD, 1, size);
	assert_int_equal(sum.mrd, UINT64_C(1) << 32);
	assert_int_equal(sum.cpld, UINT64_C(1) << 33);
	assert_int_equal(sum.rx_bytes, size + 20 * sum.cpld);
}

TEST(headers_follow_from_the_link)
{
	static const struct {
		const char *link;
		unsigned request, completion, be_overhead;
	} rows[] = {
	    {"gen3x8/mps256/mrrs512/rcb64", 24, 20, 0},
	    {"gen3x8/mps256/mrrs512/rcb64/a32", 20, 20, 0},
	    {"gen3x8/mps256/mrrs512/rcb64/ecrc", 28, 24, 0},
	    {"gen1x1/mps256/mrrs512/rcb64/a32/ecrc", 24, 24, 0},
	    {"gen3x8/mps256/mrrs512/rcb64/ecrc-up", 28, 20, 0},
	    {"gen6x8/mps256/mrrs512/rcb64/flit", 16, 12, 4},
	    {"gen3x8/mps256/mrrs512/rcb64/flit", 16, 12, 4},
	    {"gen6x8/mps256/mrrs512/rcb64/a32/ecrc/flit", 16, 16, 4},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct tlp_rules rules;
		struct link link;

		assert_null(link_parse(rows[i].link, &link));
		rules = tlp_rules_of(&link);
		assert_int_equal(rules.request, rows[i].request);
		assert_int_equal(rules.completion, rows[i].completion);
		assert_int_equal(rules.be_overhead, rows[i].be_overhead);
		assert_false(rules.whole_words);
		assert_int_equal(rules.mps, 256);
		assert_int_equal(rules.completion_mps, 256);
		assert_int_equal(rules.mrrs, 512);
		assert_int_equal(rules.rcb, 64);
		assert_int_equal(rules.completer, COMPLETER_COMBINE);
	}
}

/* The device receives what the host sends; it needs none of its credits. */
TEST(what_the_host_sends_is_received)
{
	struct tlp_sum one = {.mrd = 1,
	                      .mwr = 2,
	                      .cpld = 3,
	                      .tx_bytes = 500,
	                      .rx_bytes = 70,
	                      .posted_data = 8};
	struct tlp_sum sum = one;

	tlp_add_host(&sum, &one, 10);
	assert_int_equal(sum.tx_bytes, 500 + 700);
	assert_int_equal(sum.rx_bytes, 70 + 5000);
	assert_int_equal(sum.mrd, 1);
	assert_int_equal(sum.mwr, 2);
	assert_int_equal(sum.cpld, 3);
	assert_int_equal(sum.posted_data, 8);
	assert_int_equal(sum.host_tx_bytes, 700);
	assert_int_equal(sum.host_rx_bytes, 5000);
}

/* Random transfers ------------------------------------------------------- */

static uint64_t
draw(uint64_t below)
{
	static uint64_t state = 20180820;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static struct tlp_rules
draw_rules(void)
{
	/* 64-bit addresses: 8 around a header of 16; completions 8 around 12.
	 */
	struct tlp_rules rules = {.request = 24, .completion = 20};

	rules.mps = 128u << draw(6);
	rules.mrrs = 128u << draw(6);
	rules.boundary = 128u << draw(6);
	rules.rcb = 64u << draw(2);
	rules.completer = (enum completer)draw(3);
	rules.completion_mps = 128u << draw(6);
	return rules;
}

/* The packet must start at *next, and moves it on. */
static void
follow(uint64_t *next, const struct tlp *tlp)
{
	assert_int_equal(tlp->address, *next);
	assert_true(tlp->length > 0);
	*next += tlp->length;
}

static void
check_request(const struct tlp *tlp, uint64_t most, uint64_t boundary)
{
	assert_true(tlp->length <= most);
	assert_int_equal(tlp->address / boundary,
	                 (tlp->address + tlp->length - 1) / boundary);
}

static void
check_read(const struct tlp_rules *rules, uint64_t address, uint64_t size)
{
	uint64_t asked = address, answered = address;
	struct tlp_walk walk;
	struct tlp tlp;

	tlp_walk_start(&walk, rules, TLP_MRD, address, size);
	while (tlp_next(&walk, &tlp)) {
		if (tlp.type == TLP_MRD) {
			assert_int_equal(answered, asked);
			follow(&asked, &tlp);
			check_request(&tlp, rules->mrrs, rules->boundary);
			continue;
		}
		assert_int_equal(tlp.type, TLP_CPLD);
		follow(&answered, &tlp);
		assert_true(answered <= asked);
		assert_true(tlp.length <= rules->completion_mps);
		if (answered < asked)
			assert_int_equal(answered % rules->rcb, 0);
	}
	assert_int_equal(asked, address + size);
	assert_int_equal(answered, address + size);
}

static void
check_write(const struct tlp_rules *rules, uint64_t address, uint64_t size)
{
	uint64_t written = address;
	struct tlp_walk walk;
	struct tlp tlp;

	tlp_walk_start(&walk, rules, TLP_MWR, address, size);
	while (tlp_next(&walk, &tlp)) {
		assert_int_equal(tlp.type, TLP_MWR);
		follow(&written, &tlp);
		check_request(&tlp, rules->mps, rules->boundary);
	}
	assert_int_equal(written, address + size);
}

/* The sum of both transfers, packet by packet. */
static struct tlp_sum
count(const struct tlp_rules *rules, uint64_t address, uint64_t size)
{
	struct tlp_sum sum = {0};
	struct tlp_walk walk;
	struct tlp tlp;

	tlp_walk_start(&walk, rules, TLP_MRD, address, size);
	while (tlp_next(&walk, &tlp)) {
		sum.mrd += tlp.type == TLP_MRD;
		sum.cpld += tlp.type == TLP_CPLD;
	}
	tlp_walk_start(&walk, rules, TLP_MWR, address, size);
	while (tlp_next(&walk, &tlp)) {
		sum.mwr++;
		sum.posted_data += (tlp.address % 4 + tlp.length + 15) / 16;
	}
	for (uint64_t line = address / 64; line * 64 < address + size; line++)
		sum.lines += 2;
	sum.tx_bytes = (sum.mrd + sum.mwr) * rules->request + size;
	sum.rx_bytes = sum.cpld * rules->completion + size;
	return sum;
}

static struct tlp_sum
add(const struct tlp_rules *rules, uint64_t address, uint64_t size)
{
	struct tlp_sum sum = {0};

	tlp_add(&sum, rules, TLP_MRD, address, size);
	tlp_add(&sum, rules, TLP_MWR, address, size);
	return sum;
}

static void
check_sums(const struct tlp_rules *rules, uint64_t address, uint64_t size)
{
	struct tlp_sum sum = add(rules, address, size);
	struct tlp_sum wanted = count(rules, address, size);
	struct tlp_sum aligned = add(rules, 0, size);

	assert_memory_equal(&sum, &wanted, sizeof sum);
	assert_true(sum.tx_bytes >= aligned.tx_bytes);
	assert_true(sum.rx_bytes >= aligned.rx_bytes);
}

/* The fewer cuts a completer makes, the fewer packets. */
static void
check_policies(struct tlp_rules rules, uint64_t address, uint64_t size)
{
	uint64_t fewest = 0;

	for (enum completer c = COMPLETER_COMBINE; c <= COMPLETER_RCB; c++) {
		uint64_t n;

		rules.completer = c;
		n = count(&rules, address, size).cpld;
		assert_true(n >= fewest);
		fewest = n;
	}
}

TEST(any_transfer_keeps_the_rules)
{
	for (int i = 0; i < 20000; i++) {
		struct tlp_rules rules = draw_rules();
		uint64_t address = draw(2) ? draw(8192) : draw(1ull << 48);
		uint64_t size = 1 + draw(draw(2) ? 300 : 15000);

		check_read(&rules, address, size);
		check_write(&rules, address, size);
		check_sums(&rules, address, size);
		check_policies(rules, address, size);
	}
}

/* Time of a dword -------------------------------------------------------- */

static struct serial
serial_of(const char *text, enum devsel devsel)
{
	struct link link;

	assert_null(link_parse(text, &link));
	return serialize_dword(&link, &link, devsel);
}

static void
assert_ns(const char *text, enum devsel devsel, double ns)
{
	double got = serial_of(text, devsel).ns;

	if (fabs(got - ns) > 1e-9 * ns)
		fail_msg("%s: %.17g is not %.17g", text, got, ns);
}

/*
 * Miller et al., Table 4, "time on PCB" and clocks of 3.1. Its 53 ns at 133 MHz
 * are 52.5, and its 180 ns are for a target with medium devsel.
 */
TEST(published_times)
{
	assert_ns("gen1x1/mps128/mrrs512/rcb64/a32", DEVSEL_SLOW, 176);
	assert_ns("gen1x4/mps128/mrrs512/rcb64/a32", DEVSEL_SLOW, 44);
	assert_ns("gen1x8/mps256/mrrs128/rcb128/a32", DEVSEL_SLOW, 22);
	assert_ns("pci32/33", DEVSEL_MEDIUM, 180);
	assert_ns("pci32/33", DEVSEL_SLOW, 210);
	assert_ns("pcix32/66", DEVSEL_SLOW, 105);
	assert_ns("pcix32/133", DEVSEL_SLOW, 52.5);
	assert_int_equal(serial_of("pci32/33", DEVSEL_SLOW).clocks, 7);
	assert_int_equal(serial_of("pci64/66", DEVSEL_MEDIUM).clocks, 6);
	assert_int_equal(serial_of("pci64/66", DEVSEL_FAST).clocks, 5);
	assert_ns("pcix64/100", DEVSEL_SLOW, 70);
}

/* 8 around 12 or 16, and 8 around 12 and 4, each with 4 of ECRC. */
TEST(bytes_of_packets)
{
	static const struct {
		const char *link;
		unsigned request, completion;
		double ns;
	} rows[] = {
	    {"gen1x1/mps256/mrrs512/rcb64", 24, 24, 192},
	    {"gen1x1/mps256/mrrs512/rcb64/a32/ecrc", 24, 28, 208},
	    {"gen2x1/mps256/mrrs512/rcb64/a32", 20, 24, 88},
	    {"gen3x1/mps256/mrrs512/rcb64/a32", 20, 24, 44.6875},
	    {"gen5x16/mps256/mrrs512/rcb64/a32", 20, 24, 44.6875 / 64},
	    /* Whole flits: 2 x 256 bytes at 64 Gbit/s, and at 8 x 128/130. */
	    {"gen6x1/mps256/mrrs512/rcb64/a32/flit", 256, 256, 64},
	    {"gen3x1/mps256/mrrs512/rcb64/ecrc/flit", 256, 256, 520},
	    /* From generation 6 on there is only flit mode. */
	    {"gen6x1/mps256/mrrs512/rcb64", 256, 256, 64},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct serial s = serial_of(rows[i].link, DEVSEL_FAST);

		assert_int_equal(s.request, rows[i].request);
		assert_int_equal(s.completion, rows[i].completion);
		assert_int_equal(s.clocks, 0);
		assert_ns(rows[i].link, DEVSEL_FAST, rows[i].ns);
	}
}
