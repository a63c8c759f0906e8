/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is sent to which blocks, by options, before there is any device. */
#include "collect/nvme/workload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* That of backend.h is meant. */
#undef fail

extern const struct backend nvme_backend;

/* The state of a backend that finds no such device, or only why not. */
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
	free(s.failure.text);
	for (size_t i = 0; i < n; i++)
		free(settings[i].name);
	return work;
}

static const char none[] = "-d 'nvme:none': which one? As in nvme:03:00.0";

static void
only_bw_rd_writes(void **state)
{
	static const char *const reads[] = {"command", "read"};
	static const char *const writes[] = {"write", "yes", "blocks",
	                                     "8:1031"};
	struct nvme_work work;

	(void)state;
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

	(void)state;
	work_of(BW_RD, NULL, 0, unasked);
	work_of(BW_RD, no, 2, unasked);
	work_of(BW_RD, all, 1, unnamed);
	work_of(BW_RD, all, 2, unnamed);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(only_bw_rd_writes),
	    cmocka_unit_test(nothing_is_overwritten_unasked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
