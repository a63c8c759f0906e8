/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a controller says of itself. */
#include "collect/nvme/nvme.h"

#include "rig/cmocka.h"

#include <pthread.h>

#define CC   0x14
#define CSTS 0x1c

static struct pci_function function = {.bdf = "0000:03:00.0"};
static struct vfio_engine device = {.function = &function};

/* CSTS: ready, failed, all ones; 10 s are too long for a command. */
TEST(states_of_a_controller)
{
	static const struct {
		uint32_t csts;
		uint64_t ns;
		bool alive;
	} cases[] = {
	    {0x1, UINT64_C(9999999999), true},
	    {0x1, UINT64_C(10000000000), false},
	    {0x0, 0, false},
	    {0x3, 0, false},
	    {UINT32_MAX, 0, false},
	};
	uint32_t registers[16] = {0};
	struct nvme nvme = {.engine = &device,
	                    .bar = (volatile unsigned char *)registers};
	struct session s = {0};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		registers[CSTS / 4] = cases[i].csts;
		assert_int_equal(nvme_is_alive(&s, &nvme, cases[i].ns),
		                 cases[i].alive);
	}
	free(s.failure.text);
}

/* A controller whose registers disappear for a while after a stop. */
static void *
goes_away(void *data)
{
	volatile uint32_t *registers = data;
	const struct timespec away = {.tv_nsec = 200000000};

	while (registers[CC / 4] & 1) {
		if (registers[CC / 4] >> 14 & 3)
			registers[CSTS / 4] = 0x9;
	}
	registers[CSTS / 4] = UINT32_MAX;
	nanosleep(&away, NULL);
	registers[CSTS / 4] = 0;
	return NULL;
}

/* Else the next driver would find no controller. */
TEST(a_controller_that_goes_away_is_waited_for)
{
	static const struct pci_function pm1725 = {
	    .bdf = "0000:03:00.0", .vendor_id = 0x144d, .device_id = 0xa821};
	struct vfio_engine away = {.function = &pm1725};
	struct nvme_command entry;
	uint32_t registers[16] = {[CC / 4] = 1, [CSTS / 4] = 1};
	struct nvme nvme = {.engine = &away,
	                    .bar = (volatile unsigned char *)registers,
	                    .caps = {.timeout_ns = UINT64_C(20000000000)},
	                    .admin = {.sq = &entry}};
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, goes_away, registers),
	                 0);
	nvme_close(&nvme);
	assert_int_equal(*(volatile uint32_t *)&registers[CSTS / 4], 0);
	pthread_join(thread, NULL);
}

/* Identify --------------------------------------------------------------- */

static void
put(unsigned char *to, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (unsigned char)(value >> 8 * i);
}

static unsigned char data[NVME_IDENTIFY_SIZE];
static struct nvme_controller c;
static struct nvme_namespace n;
static struct nvme_caps caps;

/* CAP of QEMU's controller, version 7.2. */
#define QEMU_CAP UINT64_C(0x004018200f0107ff)

TEST(caps_of_qemu)
{
	assert_null(nvme_parse_caps(QEMU_CAP, &caps));
	assert_int_equal(caps.entries, 2048);
	assert_int_equal(caps.stride, 4);
	assert_int_equal(caps.timeout_ns, UINT64_C(8000000000));
}

/* CAP.TO has 8 bits, CRTO 16, if bit 59 of CAP is set. */
TEST(time_to_start)
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

TEST(caps_that_cannot_be_used)
{
	assert_non_null(nvme_parse_caps(UINT64_MAX, &caps));
	assert_non_null(nvme_parse_caps(QEMU_CAP & ~UINT64_C(0xffff), &caps));
	assert_non_null(
	    nvme_parse_caps(QEMU_CAP & ~(UINT64_C(1) << 37), &caps));
	assert_non_null(nvme_parse_caps(QEMU_CAP | UINT64_C(1) << 48, &caps));
}

TEST(doorbells_further_apart)
{
	assert_null(nvme_parse_caps(QEMU_CAP | UINT64_C(15) << 32, &caps));
	assert_int_equal(caps.stride, 4 << 15);
}

static void
make_controller(void)
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

TEST(a_controller)
{
	make_controller();
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
TEST(how_long_a_shutdown_takes)
{
	static const struct {
		uint64_t us, ns;
	} cases[] = {
	    {0, UINT64_C(5000000000)},
	    {4999999, UINT64_C(5000000000)},
	    {8000000, UINT64_C(8000000000)},
	    {UINT32_MAX, UINT64_C(60000000000)},
	};

	make_controller();
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		put(data + 88, cases[i].us, 4);
		assert_null(nvme_parse_controller(data, &c));
		assert_true(c.shutdown_ns == cases[i].ns);
	}
}

TEST(controllers_that_cannot_be_used)
{
	/* Sizes of entries: the least, and the most above it. */
	static const unsigned char sizes[][2] = {
	    {0x77, 0x44}, {0x56, 0x44}, {0x66, 0x55}, {0x66, 0x34}};

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		make_controller();
		memcpy(data + 512, sizes[i], 2);
		assert_non_null(nvme_parse_controller(data, &c));
	}
	make_controller();
	data[512] = 0x86;
	data[513] = 0x74;
	assert_null(nvme_parse_controller(data, &c));
	put(data + 516, 0, 4);
	assert_non_null(nvme_parse_controller(data, &c));
}

static void
make_namespace(void)
{
	memset(data, 0, NVME_IDENTIFY_SIZE);
	put(data, 1000, 8);
	data[26] = 0x22; /* format 16 + 2 */
	put(data + 128 + 4 * 18, 12 << 16, 4);
	put(data + 128 + 4 * 2, 9 << 16, 4);
}

TEST(a_namespace)
{
	make_namespace();
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

TEST(namespaces_that_cannot_be_used)
{
	memset(data, 0, sizeof data);
	assert_non_null(nvme_parse_namespace(data, &n));
	make_namespace();
	put(data + 128 + 4 * 18, 12 << 16 | 8, 4);
	assert_non_null(nvme_parse_namespace(data, &n));
	for (uint64_t bits = 0; bits < 256; bits++) {
		put(data + 128 + 4 * 18, bits << 16, 4);
		assert_true(!nvme_parse_namespace(data, &n) ==
		            (bits >= 9 && bits <= 16));
	}
	make_namespace();
	put(data + 128 + 4 * 18, 12 << 16 | 256, 4);
	assert_non_null(nvme_parse_namespace(data, &n));
	make_namespace();
	put(data, UINT64_MAX, 8);
	assert_non_null(nvme_parse_namespace(data, &n));
	put(data, UINT64_MAX / 4096, 8);
	assert_null(nvme_parse_namespace(data, &n));
}
