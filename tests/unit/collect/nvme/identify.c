/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses made-up Identify data. */
#include "collect/nvme/nvme.h"
#include "rig/cmocka.h"

#include "common/base/util.h"

#include <string.h>

static void
put(unsigned char *to, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (unsigned char)(value >> 8 * i);
}

/* CAP of QEMU's controller, version 7.2. */
#define QEMU_CAP UINT64_C(0x004018200f0107ff)

static void
caps_of_qemu(void **state)
{
	struct nvme_caps caps;

	assert_null(nvme_parse_caps(QEMU_CAP, &caps));
	assert_int_equal(caps.entries, 2048);
	assert_int_equal(caps.stride, 4);
	assert_int_equal(caps.timeout_ns, UINT64_C(8000000000));
}

/* CAP.TO has 8 bits, CRTO 16, if bit 59 of CAP is set. */
static void
time_to_start(void **state)
{
	static const uint64_t slow = QEMU_CAP | UINT64_C(1) << 59;
	static const struct {
		uint64_t cap;
		uint32_t crto;
		uint64_t ms;
	} rows[] = {
	    {QEMU_CAP, 0, 8000},
	    {QEMU_CAP, 0xffff, 8000},
	    {slow | UINT64_C(0xff) << 24, 0x0005012c, 150500},
	    {slow, 0xffff0004, 8000},
	    {slow, 0xffff, 600000},
	    {QEMU_CAP | UINT64_C(1) << 60, 0xffff, 8000},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(nvme_start_ns(rows[i].cap, rows[i].crto),
		                 rows[i].ms * 1000000);
}

static void
caps_that_cannot_be_used(void **state)
{
	struct nvme_caps caps;

	assert_non_null(nvme_parse_caps(UINT64_MAX, &caps));
	assert_non_null(nvme_parse_caps(QEMU_CAP & ~UINT64_C(0xffff), &caps));
	assert_non_null(
	    nvme_parse_caps(QEMU_CAP & ~(UINT64_C(1) << 37), &caps));
	assert_non_null(nvme_parse_caps(QEMU_CAP | UINT64_C(1) << 48, &caps));
}

static void
doorbells_further_apart(void **state)
{
	struct nvme_caps caps;

	assert_null(nvme_parse_caps(QEMU_CAP | UINT64_C(15) << 32, &caps));
	assert_int_equal(caps.stride, 4 << 15);
}

static void
make_controller(unsigned char *data)
{
	memset(data, 0, NVME_IDENTIFY_SIZE);
	memset(data + 24, ' ', 48);
	memcpy(data + 24, "A drive", 7);
	memcpy(data + 64, "1.0\x01", 4);
	data[77] = 5;
	data[512] = 0x66;
	data[513] = 0x44;
	put(data + 516, 0x01000003, 4);
}

static void
a_controller(void **state)
{
	unsigned char data[NVME_IDENTIFY_SIZE];
	struct nvme_controller c;

	make_controller(data);
	assert_null(nvme_parse_controller(data, &c));
	assert_int_equal(c.max_transfer, 131072);
	assert_int_equal(c.namespaces, 0x01000003);
	assert_string_equal(c.model, "A drive");
	assert_string_equal(c.firmware, "1.0?");
	memset(data + 64, ' ', 8);
	assert_null(nvme_parse_controller(data, &c));
	assert_string_equal(c.firmware, "");
	data[77] = 0;
	assert_null(nvme_parse_controller(data, &c));
	assert_true(c.max_transfer == UINT64_MAX);
	/* From 2^64 bytes on there is no limit. */
	data[77] = 51;
	assert_null(nvme_parse_controller(data, &c));
	assert_true(c.max_transfer == UINT64_C(1) << 63);
	for (unsigned many = 52; many < 256; many++) {
		data[77] = (unsigned char)many;
		assert_null(nvme_parse_controller(data, &c));
		assert_true(c.max_transfer == UINT64_MAX);
	}
}

/* At least 5 s and at most 60 s, else as reported, in microseconds. */
static void
how_long_a_shutdown_takes(void **state)
{
	static const struct {
		uint64_t us, ns;
	} cases[] = {
	    {0, UINT64_C(5000000000)},
	    {4999999, UINT64_C(5000000000)},
	    {8000000, UINT64_C(8000000000)},
	    {UINT32_MAX, UINT64_C(60000000000)},
	};
	unsigned char data[NVME_IDENTIFY_SIZE];
	struct nvme_controller c;

	make_controller(data);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		put(data + 88, cases[i].us, 4);
		assert_null(nvme_parse_controller(data, &c));
		assert_true(c.shutdown_ns == cases[i].ns);
	}
}

static void
controllers_that_cannot_be_used(void **state)
{
	unsigned char data[NVME_IDENTIFY_SIZE];
	struct nvme_controller c;

	make_controller(data);
	data[512] = 0x77;
	assert_non_null(nvme_parse_controller(data, &c));
	make_controller(data);
	data[513] = 0x33;
	assert_non_null(nvme_parse_controller(data, &c));
	make_controller(data);
	put(data + 516, 0, 4);
	assert_non_null(nvme_parse_controller(data, &c));
}

static void
make_namespace(unsigned char *data)
{
	memset(data, 0, NVME_IDENTIFY_SIZE);
	put(data, 1000, 8);
	data[26] = 0x22; /* format 16 + 2 */
	put(data + 128 + 4 * 18, 12 << 16, 4);
	put(data + 128 + 4 * 2, 9 << 16, 4);
}

static void
a_namespace(void **state)
{
	unsigned char data[NVME_IDENTIFY_SIZE];
	struct nvme_namespace n;

	make_namespace(data);
	assert_null(nvme_parse_namespace(data, &n));
	assert_int_equal(n.blocks, 1000);
	assert_int_equal(n.block_size, 4096);
	data[26] = 2;
	assert_null(nvme_parse_namespace(data, &n));
	assert_int_equal(n.block_size, 512);
	data[26] = 0x6f; /* format 48 + 15 */
	put(data + 128 + 4 * 63, 13 << 16, 4);
	assert_null(nvme_parse_namespace(data, &n));
	assert_int_equal(n.block_size, 8192);
}

static void
namespaces_that_cannot_be_used(void **state)
{
	unsigned char data[NVME_IDENTIFY_SIZE];
	struct nvme_namespace n;

	memset(data, 0, sizeof data);
	assert_non_null(nvme_parse_namespace(data, &n));
	make_namespace(data);
	put(data + 128 + 4 * 18, 12 << 16 | 8, 4);
	assert_non_null(nvme_parse_namespace(data, &n));
	for (uint64_t bits = 0; bits < 256; bits++) {
		put(data + 128 + 4 * 18, bits << 16, 4);
		assert_true(!nvme_parse_namespace(data, &n) ==
		            (bits >= 9 && bits <= 16));
	}
	make_namespace(data);
	put(data + 128 + 4 * 18, 12 << 16 | 256, 4);
	assert_non_null(nvme_parse_namespace(data, &n));
	make_namespace(data);
	put(data, UINT64_MAX, 8);
	assert_non_null(nvme_parse_namespace(data, &n));
	put(data, UINT64_MAX / 4096, 8);
	assert_null(nvme_parse_namespace(data, &n));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(caps_of_qemu),
	    cmocka_unit_test(time_to_start),
	    cmocka_unit_test(caps_that_cannot_be_used),
	    cmocka_unit_test(doorbells_further_apart),
	    cmocka_unit_test(a_controller),
	    cmocka_unit_test(how_long_a_shutdown_takes),
	    cmocka_unit_test(controllers_that_cannot_be_used),
	    cmocka_unit_test(a_namespace),
	    cmocka_unit_test(namespaces_that_cannot_be_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
