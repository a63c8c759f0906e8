/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The address of config space, by made-up tables. */
#include "collect/pio/pio.h"

#include "common/base/util.h"
#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

#include <string.h>

#define HEADER 44
#define ENTRY  16

struct window {
	uint64_t base;
	unsigned segment, first, last;
};

static void
put(unsigned char *to, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (unsigned char)(value >> 8 * i);
}

/* Writes a table as firmware does; returns its length. */
static size_t
make_table(unsigned char *table, const struct window *windows, size_t n)
{
	size_t length = HEADER + n * ENTRY;
	unsigned char sum = 0;

	memset(table, 0, length);
	memcpy(table, "MCFG", 4);
	put(table + 4, length, 4);
	for (size_t i = 0; i < n; i++) {
		unsigned char *entry = table + HEADER + i * ENTRY;

		put(entry, windows[i].base, 8);
		put(entry + 8, windows[i].segment, 2);
		put(entry + 10, windows[i].first, 1);
		put(entry + 11, windows[i].last, 1);
	}
	for (size_t i = 0; i < length; i++)
		sum = (unsigned char)(sum + table[i]);
	table[9] = (unsigned char)-sum;
	return length;
}

static const struct window windows[] = {
    {0xe0000000, 0, 0, 0x7f},
    {0x380000000000, 0, 0x80, 0xff},
    {0x4000000000, 1, 0x10, 0x1f},
};

static void
addresses_are_those_of_the_window(void **state)
{
	static const struct {
		struct bdf_numbers bdf;
		uint64_t address; /* 0: none */
	} cases[] = {
	    {{0, 0, 0, 0}, 0xe0000000},
	    {{0, 0, 0x1f, 7}, 0xe00ff000},
	    {{0, 3, 0, 0}, 0xe0300000},
	    {{0, 0x7f, 1, 2}, 0xe7f0a000},
	    /* The base is that of bus 0, in the window or not. */
	    {{0, 0x80, 0, 0}, 0x380008000000},
	    {{1, 0x1f, 0, 0}, 0x4001f00000},
	    {{1, 0x0f, 0, 0}, 0},
	    {{1, 0x20, 0, 0}, 0},
	    {{2, 0, 0, 0}, 0},
	    {{0x10000, 0, 0, 0}, 0},
	};
	unsigned char table[256];
	size_t size = make_table(table, windows, ARRAY_LEN(windows));

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint64_t address = 0;
		const char *why =
		    mcfg_find(table, size, &cases[i].bdf, &address);

		assert_int_equal(address, cases[i].address);
		if (cases[i].address)
			assert_null(why);
		else
			assert_string_equal(why,
			                    "no ECAM window holds its bus");
	}
}

static void
assert_refused(const unsigned char *table, size_t size)
{
	const struct bdf_numbers bdf = {0};
	uint64_t address;

	assert_string_equal(mcfg_find(table, size, &bdf, &address),
	                    "not a table of ECAM windows");
}

static void
damaged_tables_are_refused(void **state)
{
	unsigned char table[256];
	size_t size = make_table(table, windows, ARRAY_LEN(windows));

	assert_refused(table, 0);
	for (size_t i = 0; i < size; i++)
		assert_refused(table, i);
	for (size_t i = 0; i < size; i++) {
		table[i] ^= 0x10;
		assert_refused(table, size);
		table[i] ^= 0x10;
	}
}

/* /proc/iomem of a QEMU with q35, and of an older kernel. */
static void
windows_that_the_kernel_uses(void **state)
{
	static const struct {
		uint64_t address;
		bool used;
	} rows[] = {
	    {0xafffffff, false},
	    {0xb0000000, true},
	    {0xb0100008, true},
	    {0xbfffffff, true},
	    {0xc0000000, false},
	    {0xfe000000, false},
	    {UINT64_C(0x7ff0000008), true},
	    {0, false},
	};

	run_shell("cat >iomem <<'EOF'\n"
	          "00001000-0009fbff : System RAM\n"
	          "b0000000-bfffffff : Reserved\n"
	          "  b0000000-bfffffff : PCI ECAM 0000 [bus 00-ff]\n"
	          "fe000000-fe003fff : 0000:01:00.0\n"
	          "7ff0000000-7fffffffff : PCI MMCONFIG 0001 [bus 00-ff]\n"
	          "EOF");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(mcfg_is_used("iomem", rows[i].address),
		                 rows[i].used);
	/* As ordinary users see it. */
	run_shell("echo '00000000-00000000 : PCI ECAM 0000' >iomem");
	assert_false(mcfg_is_used("iomem", 0xb0000000));
	assert_false(mcfg_is_used("nowhere", 0xb0000000));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(addresses_are_those_of_the_window),
	    cmocka_unit_test(damaged_tables_are_refused),
	    cmocka_unit_test(windows_that_the_kernel_uses),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
