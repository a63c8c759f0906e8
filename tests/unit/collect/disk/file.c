/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdict on a run from what the kernel counted. */
#include "collect/disk/disk.h"
#include "rig/cmocka.h"

#define READS UINT64_C(1000)
#define SIZE  UINT64_C(4096)
#define DEPTH UINT64_C(32)

/* Whether 1000 reads stand with these counts; the last two are in reads. */
static bool
stands(uint64_t reads, uint64_t merged, uint64_t read, uint64_t written)
{
	struct request request = {.device = "file"};
	struct session s = {.request = &request};
	struct disk_count n = {reads, merged, read * SIZE, written * SIZE};
	bool ok = disk_judge(&s, &n, READS, SIZE, DEPTH);

	free(s.failure.text);
	return ok;
}

TEST(each_read_is_a_request)
{
	assert_true(stands(1000, 0, 1000, 0));
	/* Completions that are not counted yet, and few neighbours. */
	assert_true(stands(968, 0, 968, 0));
	assert_true(stands(990, 10, 1000, 0));
}

TEST(answers_from_elsewhere)
{
	assert_false(stands(0, 0, 0, 0));
	assert_false(stands(900, 0, 900, 0));
	/* Writes of others are no reads. */
	assert_false(stands(900, 0, 900, 1000));
}

TEST(merged_or_split)
{
	assert_false(stands(31, 969, 1000, 0));
	assert_false(stands(820, 180, 1000, 0));
	assert_false(stands(2000, 0, 1000, 0));
}

TEST(requests_of_others)
{
	assert_true(stands(2000, 500, 3000, 0));
	/* Few bytes may be many requests, each of a sector. */
	assert_true(stands(1300, 0, 1030, 0));
	assert_true(stands(1000, 300, 1030, 0));
	assert_false(stands(2000, 0, 1030, 0));
	assert_false(stands(31, 969, 1030, 0));
	/* Writes of others make no reads. */
	assert_false(stands(1500, 500, 1000, 2000));
	assert_false(stands(1500, 0, 500, 2000));
}
