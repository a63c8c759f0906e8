/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options for commands and block ranges, without a device. */
#include "collect/nvme/workload.h"
#include "rig/cmocka.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct backend nvme_backend;

/* The state of a backend that finds no such device, or the reason in `why`. */
static struct nvme_work
work_of(enum bench_id bench, const char *const *option, size_t n,
        const char *why)
{
	struct setting settings[4];
	struct bench of = {.id = bench};
	struct request request = {
	    .bench = &of, .device = "none", .options = {settings, n}};
	struct session s = {.request = &request};
	struct nvme_work work;

	for (size_t i = 0; i < n; i++) {
		settings[i].name = strdup(option[2 * i]);
		settings[i].value = option[2 * i + 1];
	}
	assert_false(nvme_backend.open(&s));
	assert_string_equal(s.failure.text, why);
	work = *(struct nvme_work *)s.state;
	nvme_backend.close(&s);
	assert_null(s.state);
	free(s.failure.text);
	for (size_t i = 0; i < n; i++)
		free(settings[i].name);
	return work;
}

static const char none[] =
    "-d 'nvme:none': name the device, as in nvme:03:00.0";

static void
only_bw_rd_writes(void **state)
{
	static const char *const reads[] = {"command", "read"};
	static const char *const writes[] = {"write", "yes", "blocks",
	                                     "8:1031"};
	struct nvme_work work;

	work = work_of(LAT_NVME, NULL, 0, none);
	assert_int_equal(work.opcode, NVME_GET_LOG_PAGE);
	assert_true(work.logs);
	work = work_of(LAT_NVME, reads, 1, none);
	assert_int_equal(work.opcode, NVME_READ);
	assert_false(work.logs);
	work = work_of(BW_WR, writes, 2, none);
	assert_int_equal(work.opcode, NVME_READ);
	assert_false(work.logs);
	work = work_of(BW_RD, writes, 2, none);
	assert_int_equal(work.opcode, NVME_WRITE);
	assert_false(work.logs);
	assert_int_equal(work.first, 8);
	assert_int_equal(work.last, 1031);
}

static void
nothing_is_overwritten_unasked(void **state)
{
	static const char *const no[] = {"write", "no", "blocks", "8:1031"};
	static const char *const all[] = {"write", "yes", "blocks", "all"};
	static const char unasked[] =
	    "bw_rd makes the controller write to the disk: -O write=yes -O "
	    "blocks=FIRST:LAST lets it overwrite those blocks, and their data "
	    "is lost";
	static const char unnamed[] =
	    "-O write=yes: name the blocks that may be overwritten: -O "
	    "blocks=FIRST:LAST";

	work_of(BW_RD, NULL, 0, unasked);
	work_of(BW_RD, no, 2, unasked);
	work_of(BW_RD, all, 1, unnamed);
	work_of(BW_RD, all, 2, unnamed);
}

static void
options_that_mean_nothing_are_refused(void **state)
{
	static const struct {
		enum bench_id bench;
		const char *option[2], *why;
	} rows[] = {
	    {BW_WR, {"blocks", "7:6"}, "the first block is after the last"},
	    {BW_WR, {"blocks", "7"}, "not FIRST:LAST or all"},
	    {BW_WR, {"write", "maybe"}, "not yes or no"},
	    {BW_WR, {"command", "read"}, "only for lat_nvme"},
	    {BW_WR, {"pairs", "0"}, "not within 1 to 64"},
	    {BW_WR, {"depth", "1024"}, "not within 1 to 1023"},
	    {LAT_NVME, {"command", "write"}, "not log or read"},
	    {LAT_NVME, {"pairs", "1"}, "only for bandwidth benches"},
	    {LAT_NVME, {"depth", "1"}, "only for bandwidth benches"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char text[100];

		snprintf(text, sizeof text, "-O %s=%s: %s", rows[i].option[0],
		         rows[i].option[1], rows[i].why);
		work_of(rows[i].bench, rows[i].option, 1, text);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(only_bw_rd_writes),
	    cmocka_unit_test(nothing_is_overwritten_unasked),
	    cmocka_unit_test(options_that_mean_nothing_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
