/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ways to a register, and devices that sleep. */
#include "collect/pio/pio.h"

#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

/* MCFG ------------------------------------------------------------------- */

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

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST(addresses_are_those_of_the_window)
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

TEST(damaged_tables_are_refused)
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
TEST(windows_that_the_kernel_uses)
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

/* Access ----------------------------------------------------------------- */

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

	assert_int_equal(reader_is_suspended(&r), sleeps);
	r.method = &by_kernel;
	assert_false(reader_is_suspended(&r));
}

TEST(who_is_asleep)
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

TEST(who_may_fall_asleep)
{
	struct pci_tree *tree;
	struct reader r = {.method = &past_it, .addr = memory};

	make_tree();
	tree = read_tree(2);
	r.function = pci_find(tree, DEVICE);
	assert_false(reader_may_suspend(&r));
	run_shell("echo on >devices/" DEVICE "/power/control");
	assert_false(reader_may_suspend(&r));
	run_shell("echo auto >devices/" DEVICE "/power/control");
	assert_true(reader_may_suspend(&r));
	r.method = &by_kernel;
	assert_false(reader_may_suspend(&r));
	r.method = &past_it;
	r.addr = config;
	assert_false(reader_may_suspend(&r));
	pci_tree_free(tree);
}

/* Addresses -------------------------------------------------------------- */

TEST(places_have_one_text)
{
	static const struct {
		const char *text, *column;
	} cases[] = {
	    {"0x08", "0x08"},
	    {"8", "0x08"},
	    {"0", "0x00"},
	    {"0xFFC", "0xffc"},
	    {"256", "0x100"},
	    {"BAR0+0x8", "BAR0+0x8"},
	    {"bar5+16", "BAR5+0x10"},
	    {"BAR2", "BAR2+0x0"},
	    {"BAR1+0xfffffffffffffffc", "BAR1+0xfffffffffffffffc"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct reg_addr addr;
		char text[REG_ADDR_TEXT_MAX];

		assert_null(reg_addr_parse(cases[i].text, &addr));
		reg_addr_format(&addr, text);
		assert_string_equal(text, cases[i].column);
	}
}

TEST(others_are_refused)
{
	static const char *const texts[] = {
	    "",         "0x",    "0x2",    "6",      "0x1000",   "BAR",
	    "BAR6",     "BAR0+", "BAR0+2", "BAR0-4", "BAR0 + 4", "BAR01",
	    "BAR0+BAR", "-4",    "+4",     "0x08 ",  "BAR-1+0",  "4K",
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct reg_addr addr = {3, 28};

		assert_non_null(reg_addr_parse(texts[i], &addr));
		assert_int_equal(addr.bar, 3);
		assert_int_equal(addr.offset, 28);
	}
}

TEST(ids_and_class_are_constant)
{
	assert_true(reg_addr_is_constant(&(struct reg_addr){CONFIG_SPACE, 0}));
	assert_true(reg_addr_is_constant(&(struct reg_addr){CONFIG_SPACE, 8}));
	assert_false(reg_addr_is_constant(&(struct reg_addr){CONFIG_SPACE, 4}));
	assert_false(reg_addr_is_constant(&(struct reg_addr){0, 0}));
	assert_false(reg_addr_is_constant(&(struct reg_addr){0, 8}));
}
