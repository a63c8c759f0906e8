/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Power states of a drive, as it describes them. */
#include "collect/disk/disk.h"
#include "rig/cmocka.h"

static unsigned char identify[DISK_IDENTIFY_BYTES];
static unsigned char table[DISK_APST_BYTES];

/* The exit latency of a state, and from where to where after which time. */
static void
set(unsigned state, uint32_t exit_us)
{
	for (unsigned i = 0; i < 4; i++)
		identify[2048 + 32 * state + 8 + i] =
		    (unsigned char)(exit_us >> 8 * i);
}

static void
goes(unsigned from, unsigned to, uint32_t ms)
{
	uint64_t entry = (uint64_t)to << 3 | (uint64_t)ms << 8;

	for (unsigned i = 0; i < 8; i++)
		table[8 * from + i] = (unsigned char)(entry >> 8 * i);
}

static void
gives(const char *wanted)
{
	char *text = disk_power_text(identify, table);

	if (wanted)
		assert_string_equal(text, wanted);
	else
		assert_null(text);
	free(text);
}

/* As drives are that go to state 3 and then 4; states 1 and 2 are active. */
TEST(states_follow)
{
	gives(NULL);
	set(3, 5000);
	set(4, 22000);
	for (unsigned i = 0; i < 3; i++)
		goes(i, 3, 275);
	gives("after 275 ms 5000 us");
	goes(3, 4, 1200);
	gives("after 275 ms 5000 us; after 1475 ms 22000 us");
	/* A circle ends; the last state and the longest time. */
	goes(4, 3, 1);
	gives("after 275 ms 5000 us; after 1475 ms 22000 us");
	set(31, UINT32_MAX);
	goes(0, 31, 0xffffff);
	gives("after 16777215 ms 4294967295 us");
}
