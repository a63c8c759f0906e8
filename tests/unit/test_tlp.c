#include "common/tlp.h"

#include "common/util.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* 64-bit addresses: 8 around a header of 16; completions 8 around 12. */
#define REQUEST    24
#define COMPLETION 20

static struct tlp_rules
rules_of(unsigned mps, unsigned mrrs, unsigned rcb, enum completer completer)
{
	return (struct tlp_rules){mps,       mps,     mrrs,       rcb,
	                          completer, REQUEST, COMPLETION, .within = 0};
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
assert_read(const struct tlp_rules *rules, uint64_t address, uint64_t size,
            const char *wanted)
{
	struct tlp_walk walk;
	char text[1000];

	tlp_walk_read(&walk, rules, address, size);
	list(walk, text, sizeof text);
	assert_string_equal(text, wanted);
}

static void
assert_write(const struct tlp_rules *rules, uint64_t address, uint64_t size,
             const char *wanted)
{
	struct tlp_walk walk;
	char text[1000];

	tlp_walk_write(&walk, rules, address, size);
	list(walk, text, sizeof text);
	assert_string_equal(text, wanted);
}

/* MPS 256, MRRS 512, RCB 64 in each policy. */
static void
reads(void **state)
{
	static const struct {
		uint64_t address, size;
		const char *combine, *aligned, *rcb;
	} rows[] = {
	    {0, 0, "", "", ""},
	    {0, 1, "R0+1 C0+1", "R0+1 C0+1", "R0+1 C0+1"},
	    {0, 512, "R0+512 C0+256 C256+256", "R0+512 C0+256 C256+256",
	     "R0+512 C0+64 C64+64 C128+64 C192+64 "
	     "C256+64 C320+64 C384+64 C448+64"},
	    /* 513 - MRRS leaves one byte for a request of its own. */
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
	    /* An unaligned one that fits whole needs no cut. */
	    {200, 100, "R200+100 C200+100", "R200+100 C200+56 C256+44",
	     "R200+100 C200+56 C256+44"},
	    /* The same where it is just as long as MPS. */
	    {100, 256, "R100+256 C100+256", "R100+256 C100+156 C256+100",
	     "R100+256 C100+28 C128+64 C192+64 C256+64 C320+36"},
	    /* 4096 - 4000 = 96 before the page ends, 512 - 96 behind. */
	    {4000, 512, "R4000+96 C4000+96 R4096+416 C4096+256 C4352+160",
	     "R4000+96 C4000+96 R4096+416 C4096+256 C4352+160",
	     "R4000+96 C4000+32 C4032+64 R4096+416 C4096+64 C4160+64 "
	     "C4224+64 C4288+64 C4352+64 C4416+64 C4480+32"},
	    {4095, 2, "R4095+1 C4095+1 R4096+1 C4096+1",
	     "R4095+1 C4095+1 R4096+1 C4096+1",
	     "R4095+1 C4095+1 R4096+1 C4096+1"},
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

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *wanted[] = {
		    [COMPLETER_COMBINE] = rows[i].combine,
		    [COMPLETER_ALIGNED] = rows[i].aligned,
		    [COMPLETER_RCB] = rows[i].rcb,
		};

		for (enum completer c = COMPLETER_COMBINE; c <= COMPLETER_RCB;
		     c++) {
			struct tlp_rules rules = rules_of(256, 512, 64, c);

			assert_read(&rules, rows[i].address, rows[i].size,
			            wanted[c]);
		}
	}
}

/* 64 + 256 under MPS 128: where the RCB is decides about the number. */
static void
rcb_moves_the_cuts(void **state)
{
	struct tlp_rules rules = rules_of(128, 512, 64, COMPLETER_COMBINE);

	(void)state;
	assert_read(&rules, 64, 256, "R64+256 C64+128 C192+128");
	/* 64 + 128 = 192 is no multiple of 128: the first one ends at 128. */
	rules.rcb = 128;
	assert_read(&rules, 64, 256, "R64+256 C64+64 C128+128 C256+64");
	rules.completer = COMPLETER_RCB;
	assert_read(&rules, 64, 256, "R64+256 C64+64 C128+128 C256+64");
}

/* Requests below MPS: each is answered by itself. */
static void
mrrs_below_mps(void **state)
{
	struct tlp_rules rules = rules_of(256, 128, 64, COMPLETER_COMBINE);

	(void)state;
	assert_read(&rules, 0, 256, "R0+128 C0+128 R128+128 C128+128");
}

static void
writes(void **state)
{
	struct tlp_rules rules = rules_of(256, 512, 64, COMPLETER_COMBINE);

	(void)state;
	assert_write(&rules, 0, 0, "");
	assert_write(&rules, 0, 256, "W0+256");
	assert_write(&rules, 0, 257, "W0+256 W256+1");
	/* No rule but the page asks for an aligned start. */
	assert_write(&rules, 100, 300, "W100+256 W356+44");
	assert_write(&rules, 4000, 512, "W4000+96 W4096+256 W4352+160");
	/* What is read does not matter, what is written does. */
	rules.completion_mps = 128;
	assert_write(&rules, 0, 256, "W0+256");
	assert_read(&rules, 0, 256, "R0+256 C0+128 C128+128");
}

static void
wire_bytes(void **state)
{
	struct tlp_rules rules = rules_of(256, 512, 64, COMPLETER_COMBINE);
	struct tlp_sum sum = {0};

	(void)state;
	/* R4000+96 C4000+96 R4096+416 C4096+256 C4352+160. */
	tlp_add_read(&sum, &rules, 4000, 512);
	assert_int_equal(sum.mrd, 2);
	assert_int_equal(sum.cpld, 3);
	assert_int_equal(sum.tx_bytes, 2 * 24);
	assert_int_equal(sum.rx_bytes, 3 * 20 + 512);
	/* W4000+96 W4096+256 W4352+160, on top. */
	tlp_add_write(&sum, &rules, 4000, 512);
	assert_int_equal(sum.mwr, 3);
	assert_int_equal(sum.tx_bytes, 2 * 24 + 3 * 24 + 512);
	assert_int_equal(sum.rx_bytes, 3 * 20 + 512);
	/* 96, 256 and 160 bytes of posted data. */
	assert_int_equal(sum.posted_data, 6 + 16 + 10);
}

/* At any address: what is on the wire beside and behind the bytes. */
static void
words_and_credits(void **state)
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

	(void)state;
	rules.within = 4;
	rules.whole_words = true;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct tlp_sum read = {0}, write = {0};
		uint64_t at = rows[i].address, size = rows[i].size;

		tlp_add_read(&read, &rules, at, size);
		tlp_add_write(&write, &rules, at, size);
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
 * 2 TiB less 1, from 1. Each page is asked for by 8 requests and answered by
 * 16 CplD, also the first one: its first request is a byte shorter, as no
 * request is of more words than MRRS.
 */
static void
the_longest_transfers(void **state)
{
	struct tlp_rules rules = rules_of(256, 512, 64, COMPLETER_ALIGNED);
	uint64_t size = (UINT64_C(1) << 41) - 1;
	struct tlp_sum sum = {0};

	(void)state;
	tlp_add_read(&sum, &rules, 1, size);
	assert_int_equal(sum.mrd, UINT64_C(1) << 32);
	assert_int_equal(sum.cpld, UINT64_C(1) << 33);
	assert_int_equal(sum.rx_bytes, size + 20 * sum.cpld);
}

static void
header_sizes(void **state)
{
	static const struct {
		const char *link;
		unsigned request, completion, within;
	} rows[] = {
	    {"gen3x8/mps256/mrrs512/rcb64", 24, 20, 0},
	    {"gen3x8/mps256/mrrs512/rcb64/a32", 20, 20, 0},
	    {"gen3x8/mps256/mrrs512/rcb64/ecrc", 28, 24, 0},
	    {"gen1x1/mps256/mrrs512/rcb64/a32/ecrc", 24, 24, 0},
	    {"gen6x8/mps256/mrrs512/rcb64/flit", 16, 12, 4},
	    {"gen3x8/mps256/mrrs512/rcb64/flit", 16, 12, 4},
	    {"gen6x8/mps256/mrrs512/rcb64/a32/ecrc/flit", 16, 16, 4},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct tlp_rules rules;
		struct link link;

		assert_null(link_parse(rows[i].link, &link));
		rules = tlp_rules_of(&link);
		assert_int_equal(rules.request, rows[i].request);
		assert_int_equal(rules.completion, rows[i].completion);
		assert_int_equal(rules.within, rows[i].within);
		assert_false(rules.whole_words);
		assert_int_equal(rules.mps, 256);
		assert_int_equal(rules.completion_mps, 256);
		assert_int_equal(rules.mrrs, 512);
		assert_int_equal(rules.rcb, 64);
		assert_int_equal(rules.completer, COMPLETER_COMBINE);
	}
}

static void
names_of_policies(void **state)
{
	enum completer read = COMPLETER_RCB;

	(void)state;
	for (enum completer c = COMPLETER_COMBINE; c <= COMPLETER_RCB; c++) {
		assert_true(parse_completer(completer_names[c], &read));
		assert_int_equal(read, c);
	}
	assert_false(parse_completer("", &read));
	assert_false(parse_completer("combined", &read));
}

/* Properties, over transfers drawn with a fixed seed. ---------------------- */

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
	struct tlp_rules rules =
	    rules_of(128u << draw(6), 128u << draw(6), 64u << draw(2),
	             (enum completer)draw(3));

	rules.completion_mps = 128u << draw(6);
	return rules;
}

/* The packet, which must begin at *next, moves it on. */
static void
follow(uint64_t *next, const struct tlp *tlp)
{
	assert_int_equal(tlp->address, *next);
	assert_true(tlp->length > 0);
	*next += tlp->length;
}

static void
check_request(const struct tlp *tlp, uint64_t most)
{
	assert_true(tlp->length <= most);
	assert_int_equal(tlp->address / 4096,
	                 (tlp->address + tlp->length - 1) / 4096);
}

static void
check_read(const struct tlp_rules *rules, uint64_t address, uint64_t size)
{
	uint64_t asked = address, answered = address;
	struct tlp_walk walk;
	struct tlp tlp;

	tlp_walk_read(&walk, rules, address, size);
	while (tlp_next(&walk, &tlp)) {
		if (tlp.type == TLP_MRD) {
			assert_int_equal(answered, asked);
			follow(&asked, &tlp);
			check_request(&tlp, rules->mrrs);
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

	tlp_walk_write(&walk, rules, address, size);
	while (tlp_next(&walk, &tlp)) {
		assert_int_equal(tlp.type, TLP_MWR);
		follow(&written, &tlp);
		check_request(&tlp, rules->mps);
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

	tlp_walk_read(&walk, rules, address, size);
	while (tlp_next(&walk, &tlp)) {
		sum.mrd += tlp.type == TLP_MRD;
		sum.cpld += tlp.type == TLP_CPLD;
	}
	tlp_walk_write(&walk, rules, address, size);
	while (tlp_next(&walk, &tlp)) {
		sum.mwr++;
		sum.posted_data += (tlp.address % 4 + tlp.length + 15) / 16;
	}
	sum.tx_bytes = (sum.mrd + sum.mwr) * rules->request + size;
	sum.rx_bytes = sum.cpld * rules->completion + size;
	return sum;
}

static struct tlp_sum
add(const struct tlp_rules *rules, uint64_t address, uint64_t size)
{
	struct tlp_sum sum = {0};

	tlp_add_read(&sum, rules, address, size);
	tlp_add_write(&sum, rules, address, size);
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

/* The freer the completer, the fewer its packets. */
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

/* What the host sends is received, and needs no credits of the device. */
static void
transfers_of_the_host(void **state)
{
	struct tlp_sum one = {.mrd = 1,
	                      .mwr = 2,
	                      .cpld = 3,
	                      .tx_bytes = 500,
	                      .rx_bytes = 70,
	                      .posted_data = 8};
	struct tlp_sum sum = one;

	(void)state;
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

static void
any_transfer(void **state)
{
	(void)state;
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reads),
	    cmocka_unit_test(rcb_moves_the_cuts),
	    cmocka_unit_test(mrrs_below_mps),
	    cmocka_unit_test(writes),
	    cmocka_unit_test(wire_bytes),
	    cmocka_unit_test(words_and_credits),
	    cmocka_unit_test(the_longest_transfers),
	    cmocka_unit_test(header_sizes),
	    cmocka_unit_test(names_of_policies),
	    cmocka_unit_test(transfers_of_the_host),
	    cmocka_unit_test(any_transfer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
