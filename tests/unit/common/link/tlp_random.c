/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Invariants of the TLPs of any transfer, with a fixed seed. */
#include "common/link/tlp.h"
#include "rig/cmocka.h"

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

static void
any_transfer_keeps_the_rules(void **state)
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(any_transfer_keeps_the_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
